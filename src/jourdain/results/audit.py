"""How well a run keeps what physics keeps: energy, and the length of quaternions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.results.channel import WXYZ
from jourdain.results.contact_groups import DRIVES_WORK, WORK
from jourdain.results.energetics import DRIVES

if TYPE_CHECKING:
    from jourdain.results.solution import Solution


@dataclass(frozen=True)
class EnergyBalance:
    """Energy during a run against energy at its start and the power between.

    Parameters
    ----------
    change : float [J]
        Change of kinetic and potential energy, from start to end.
    work : float [J]
        Work of applied forces, drives, connections and contacts.
    work_error : float [J]
        Bound of the error of that work, which is integrated over the samples.
    exchanged : float [J]
        Scale: the largest change of an energy or of work during the run.
    largest : float [J]
        Largest deviation of the energy from start and work, at any sample.
    at : float [s]
        Where that is.
    """

    change: float
    work: float
    work_error: float
    exchanged: float
    largest: float
    at: float

    @property
    def residual(self) -> float:
        """What is missing at the end [J]: zero for an exact run."""
        return self.change - self.work


@np.errstate(over="ignore", invalid="ignore")
def energy_balance(solution: Solution) -> EnergyBalance:
    """Audit the energy of a solution of at least one sample; NaN if it is not finite."""
    kinetic, potential, total = (
        solution.values(f"energy.{kind}") for kind in ("kinetic", "potential", "total")
    )
    kinds = [
        f"power.{kind}"
        for kind in ("applied", "drives", "connections")
        if f"power.{kind}" in solution
    ]
    time = solution.time
    power: Any = sum(solution.values(kind) for kind in kinds)
    if DRIVES in solution:
        power = power - solution.values(DRIVES)  # their work is known, impacts included
    parts = _parts(time)
    given = _steps_joined(_work(time[part], power[part]) for part in parts)
    work = given + sum(solution.values(x) for x in (WORK, DRIVES_WORK) if x in solution)
    work = work - work[0]
    off = total - total[0] - work
    spans = (float(np.ptp(np.append(x, x[:1]))) for x in (kinetic, potential, work))
    worst = int(np.argmax(np.nan_to_num(np.abs(off), nan=np.inf)))
    return EnergyBalance(
        change=float(total[-1] - total[0]),
        work=float(work[-1]),
        work_error=sum(_work_error(time[part], power[part]) for part in parts),
        exchanged=max(spans),
        largest=abs(float(off[worst])),
        at=float(time[worst]),
    )


def _parts(time: Any) -> list[Any]:
    """Samples between discontinuities, whose times are there twice."""
    return np.split(np.arange(len(time)), np.flatnonzero(np.diff(time) <= 0.0) + 1)


def _steps_joined(works: Iterable[Any]) -> Any:
    """Cumulative sums over parts that follow each other, each from zero on, as one."""
    joined: list[Any] = []
    for work in works:
        joined.append(work + (joined[-1][-1] if joined else 0.0))
    return np.concatenate(joined)


def _work(time: Any, power: Any) -> Any:
    """Integral of the power from the first sample to each, by a cubic spline."""
    if len(time) < 2 or not np.any(power):
        return np.zeros(len(time))
    if not np.all(np.isfinite(power)):
        return np.append(0.0, np.full(len(time) - 1, np.nan))
    from scipy.interpolate import CubicSpline  # noqa: PLC0415

    return CubicSpline(time, power).antiderivative()(time)


def _work_error(time: Any, power: Any) -> float:
    """Bound of the error of the work between two discontinuities."""
    k = np.unique(np.append(np.arange(0, len(time), 2), len(time) - 1))
    fine, coarse = _work(time, power)[k], _work(time[k], power[k])
    # Smooth power has an error far below the difference; a jump between samples has as much.
    return 3.0 * float(np.abs(fine - coarse).max(initial=0.0))


def quaternion_error(solution: Solution) -> float | None:
    """Largest deviation of a quaternion coordinate from unit length; None without quaternions."""
    names = [c.name for c in solution.channels.values() if c.is_base and c.labels == WXYZ]
    if not names:
        return None
    lengths = (np.linalg.norm(solution.values(name), axis=-1) for name in names)
    return max(float(np.max(np.abs(x - 1.0), initial=0.0)) for x in lengths)
