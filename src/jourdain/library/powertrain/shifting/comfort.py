"""How good a shift was: jerk, friction energy, time (4.F41)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.results import Solution

SLIPS = 1e-3
"""Part of the largest friction power from which a clutch counts as slipping."""


@dataclass(frozen=True)
class Comfort:
    """Jerk, friction energy and time of a shift. Made by `shift_comfort`.

    Parameters
    ----------
    jerk_rms, jerk_peak : float
        Root of the mean square of the jerk, and its largest size, in the unit of the acceleration
        per second.
    heat : mapping of str to float [J]
        Friction energy of each clutch.
    time : float [s]
        Time in which any of them slips under torque.
    """

    jerk_rms: float
    jerk_peak: float
    heat: Mapping[str, float]
    time: float


def shift_comfort(
    solution: Solution,
    acceleration: str,
    clutches: Iterable[str] = (),
    *,
    span: tuple[float, float] | None = None,
    step: float = 2e-3,
) -> Comfort:
    """Comfort of a shift, from a run of any method.

    Parameters
    ----------
    solution : Solution
        The run.
    acceleration : str
        Result that passengers feel, such as ``"car.acceleration"``.
    clutches : iterable of str
        Full names of clutches and brakes.
    span : (float, float), optional [s]
        When; by default the whole run.
    step : float [s]
        Time over which changes of the acceleration count as jerk.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("start")
    >>> one, two = (model.add(n, pt.Shaft(J)) for n, J in (("one", 0.2), ("two", 1.0)))
    >>> clutch = model.add("clutch", pt.Clutch(one.angle, two.angle, 150.0))
    >>> sol = jd.simulate(model, 1.0, start={"one.speed": 300.0, "two.speed": 100.0})
    >>> found = pt.shift_comfort(sol, "two.angular_acceleration", ["clutch"])
    >>> round(found.time, 3), round(found.heat["clutch"], 3), round(found.jerk_peak, 3)
    (0.22, 3333.333, 75000.0)
    """
    low, high = (float(solution.time[0]), float(solution.time[-1])) if span is None else span
    if not solution.time[0] - 1e-12 <= low < high <= solution.time[-1] + 1e-12:
        raise ModelError(
            f"span {low:g} to {high:g} s is not inside of the run, {solution.time[0]:g} to "
            f"{solution.time[-1]:g} s."
        )
    count = max(1, round((high - low) / step))
    grid = np.linspace(low, high, count + 1)

    def over(name: str) -> Any:
        return np.interp(grid, solution.time, solution.values(name))

    jerk = np.diff(over(acceleration)) * count / (high - low)
    names = list(clutches)
    heat = {name: float(np.ptp(over(f"{name}.heat")[[0, -1]])) for name in names}
    power = np.array([np.abs(over(f"{name}.loss")) for name in names]).reshape(len(names), -1)
    slips = (power > SLIPS * power.max(initial=0.0)).any(axis=0) if names else np.zeros(1, bool)
    when = grid[slips] if names and slips.any() else np.zeros(1)
    return Comfort(
        float(np.sqrt(np.mean(jerk**2))), float(np.abs(jerk).max()), heat, float(np.ptp(when))
    )
