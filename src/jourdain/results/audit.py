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
        Work of applied forces and drives.
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


def energy_balance(solution: Solution) -> EnergyBalance:
    """Audit the energy of a solution of at least one sample."""
    total = solution.values("energy.total")
    power = _power(solution)
    dt = np.diff(solution.time)
    coarse = 0.5 * dt * (power[1:] + power[:-1])
    fine = coarse
    if np.any(power) and "energy.total" in solution and solution.has_model:
        middle = _power(solution.at(0.5 * (solution.time[1:] + solution.time[:-1])))
        fine = (coarse + 2.0 * dt * middle) / 3.0  # Simpson
    energies = [solution.values(f"energy.{kind}") for kind in ("kinetic", "potential")]
    spans = [float(np.ptp(x)) for x in (*energies, np.cumsum(fine))] if len(dt) else [0.0]
    return EnergyBalance(
        change=float(total[-1] - total[0]),
        work=float(np.sum(fine)),
        work_error=float(np.sum(np.abs(fine - coarse))),
        exchanged=max(spans),
    )


def _power(solution: Any) -> Any:
    return solution.values("power.applied") + solution.values("power.drives")


def quaternion_error(solution: Solution) -> float | None:
    """Largest deviation of a quaternion coordinate from unit length; None without quaternions."""
    names = [c.name for c in solution.channels.values() if c.is_base and c.labels == WXYZ]
    if not names:
        return None
    lengths = (np.linalg.norm(solution.values(name), axis=-1) for name in names)
    return max(float(np.max(np.abs(x - 1.0), initial=0.0)) for x in lengths)
