"""How well a run keeps what physics keeps: energy, and the length of quaternions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.results.channel import WXYZ

if TYPE_CHECKING:
    from jourdain.results.solution import Solution


@dataclass(frozen=True)
class EnergyBalance:
    """Energy at the end against energy at the start and the power between.

    Parameters
    ----------
    change : float [J]
        Change of kinetic and potential energy.
    work : float [J]
        Work of applied forces, drives and connections.
    work_error : float [J]
        Bound of the error of that work, which is integrated over the samples.
    exchanged : float [J]
        Scale: the largest change of an energy or of work during the run.
    """

    change: float
    work: float
    work_error: float
    exchanged: float

    @property
    def residual(self) -> float:
        """What is missing [J]: zero for an exact run."""
        return self.change - self.work


@np.errstate(over="ignore", invalid="ignore")
def energy_balance(solution: Solution) -> EnergyBalance:
    """Audit the energy of a solution of at least one sample; NaN if it is not finite."""
    kinetic, potential, total = (
        solution.values(f"energy.{kind}") for kind in ("kinetic", "potential", "total")
    )
    kinds = ["applied", "drives", "connections"]
    contact_work = solution.statistics.contact_work
    if contact_work is None:  # impulses are known only where contacts are stepped over
        words = ("energy", "drive_work")
        contact_work = sum(event.details.get(k, 0.0) for event in solution.events for k in words)
        kinds.append("contacts")
    kinds = [kind for kind in kinds if f"power.{kind}" in solution]
    time = solution.time
    power: Any = sum(solution.values(f"power.{kind}") for kind in kinds)
    parts = np.split(np.arange(len(time)), np.flatnonzero(np.diff(time) <= 0.0) + 1)
    works = [_work(time[part], power[part]) for part in parts]
    given = np.cumsum(0.5 * np.diff(time) * (power[1:] + power[:-1]))
    spans = (
        float(np.ptp(np.append(x, x[:1]))) for x in (kinetic, potential, np.append(given, 0.0))
    )
    return EnergyBalance(
        change=float(total[-1] - total[0]),
        work=sum(work for work, _ in works) + contact_work,
        work_error=sum(error for _, error in works),
        exchanged=max(spans),
    )


def _work(time: Any, power: Any) -> tuple[float, float]:
    """Integral of the power between two discontinuities, and a bound of its error."""
    every_second = np.unique(np.append(np.arange(0, len(time), 2), len(time) - 1))
    fine, coarse = (_integral(time[k], power[k]) for k in (slice(None), every_second))
    # Smooth power has an error far below the difference; a jump between samples has as much.
    return fine, 3.0 * abs(fine - coarse)


def _integral(time: Any, power: Any) -> float:
    """Trapezoids with the correction h²/12 of the slopes at their ends."""
    if len(time) < 3:
        return float(np.trapezoid(power, time))
    h, slopes = np.diff(time), np.gradient(power, time, edge_order=2)
    return float(np.trapezoid(power, time) - np.sum(h**2 * np.diff(slopes)) / 12.0)


def quaternion_error(solution: Solution) -> float | None:
    """Largest deviation of a quaternion coordinate from unit length; None without quaternions."""
    names = [c.name for c in solution.channels.values() if c.is_base and c.labels == WXYZ]
    if not names:
        return None
    lengths = (np.linalg.norm(solution.values(name), axis=-1) for name in names)
    return max(float(np.max(np.abs(x - 1.0), initial=0.0)) for x in lengths)
