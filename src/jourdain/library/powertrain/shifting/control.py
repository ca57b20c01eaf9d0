"""Driver and transmission control (4.F40): inputs by plain Python, sampled as control units do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

from jourdain.errors import ModelError
from jourdain.simulation.sampled import Sampled
from jourdain.spatial import check
from jourdain.spatial.annotations import record

FRICTION = "friction.capacity"
"""Input of a clutch or brake."""


@record()
class Driver:
    """A driver who holds a speed, with throttle and brake.

        u = P (v_wanted − v) + I ∫ (v_wanted − v) dt,   throttle u or brake −u, each from 0 to 1

    The integral rests where the throttle is full or closed.

    Parameters
    ----------
    speed : float or function of time [m/s]
        Speed that is wanted.
    vehicle : str
        Full name of the `Vehicle`.
    engine : str
        Full name of the `Engine`, which has its throttle as an input.
    brake : float [N m]
        Torque of the full brake; 0 where the vehicle has none as an input.
    gain, integral : float [s/m, 1/m]
        Factors P and I.
    period : float [s]
        Time between two looks.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> driver = pt.Driver(20.0, "car", "engine")
    >>> list(driver.inputs())
    [('engine.crank.throttle',)]
    """

    speed: Any
    vehicle: str
    engine: str
    brake: float = 0.0
    gain: float = 0.5
    integral: float = 0.05
    period: float = 0.02

    def __post_init__(self) -> None:
        for name in ("brake", "gain", "integral"):
            check.number(getattr(self, name), f"{name} of Driver", nonnegative=True)
        check.number(self.period, "period of Driver", positive=True, unit="s")
        if not callable(self.speed):
            check.number(self.speed, "speed of Driver", unit="m/s")

    def inputs(self) -> dict[tuple[str, ...], Sampled]:
        """What `jd.simulate` takes; give a new one to each run."""
        total, way = 0.0, f"{self.vehicle}.position.rate"

        def look(t: float, s: Any) -> Any:
            nonlocal total
            wanted = self.speed(t) if callable(self.speed) else self.speed
            missing = float(wanted) - float(s[way])
            u = self.gain * missing + total
            if 0.0 < u < 1.0 or u * missing < 0.0:
                total += self.integral * missing * self.period
            throttle = min(max(u, 0.0), 1.0)
            stop = self.brake * min(max(-u, 0.0), 1.0)
            return (throttle, stop) if self.brake > 0.0 else (throttle,)

        names: tuple[str, ...] = (f"{self.engine}.crank.throttle",)
        if self.brake > 0.0:
            names = (*names, f"{self.vehicle}.brake.{FRICTION}")
        return {names: Sampled(look, self.period)}


@record()
class ShiftControl:
    """A control unit that shifts by the speed of the vehicle, and sets capacities (4.F40).

    Up and down lie apart, so that it does not hunt; while it shifts it does not look. Elements that
    come close over ``ramp``; those that go open in the part ``release`` of it.

    Parameters
    ----------
    gears : mapping of gear to collection of str
        Table of gears, as that of `Transmission`, in rising order; freewheels may be in it.
    torques : mapping of str to float [N m]
        Capacity of each friction element when it is closed. Each has its capacity as an input.
    up, down : mapping of gear to float [m/s]
        Speeds at which a gear is left.
    vehicle : str
        Full name of the `Vehicle`.
    box : str
        Full name of the `Transmission`.
    ramp : float [s]
        Time that a shift takes.
    release : (float, float)
        Parts of the ramp at which elements that go begin and end to open.
    period : float [s]
        Time between two looks.
    log : list, optional
        Gets (time, gear) of each shift.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> gears = {1: {"A"}, 2: {"B"}}
    >>> unit = pt.ShiftControl(gears, {"A": 300.0, "B": 200.0}, {1: 8.0}, {2: 5.0}, "car")
    >>> unit.wanted(1, 9.0), unit.wanted(2, 6.0), unit.wanted(2, 4.0)
    (2, 2, 1)
    """

    gears: Mapping[Any, Collection[str]]
    torques: Mapping[str, float]
    up: Mapping[Any, float]
    down: Mapping[Any, float]
    vehicle: str
    box: str = "box"
    ramp: float = 0.4
    release: tuple[float, float] = (0.25, 0.75)
    period: float = 0.01
    log: Any = None

    def __post_init__(self) -> None:
        check.number(self.ramp, "ramp of ShiftControl", positive=True, unit="s")
        check.number(self.period, "period of ShiftControl", positive=True, unit="s")
        names = list(self.gears)
        for table in ("up", "down"):
            unknown = [str(gear) for gear in getattr(self, table) if gear not in self.gears]
            if unknown or not names:
                raise ModelError(
                    f"{table} of ShiftControl has {', '.join(unknown) or 'no gears'}, which the "
                    f"table of gears does not have: {', '.join(map(str, names)) or 'it is empty'}."
                )
        for lower, upper in pairwise(names):
            if lower in self.up and upper in self.down and self.down[upper] >= self.up[lower]:
                raise ModelError(
                    f"ShiftControl goes up from {lower!r} at {self.up[lower]:g} m/s and down from "
                    f"{upper!r} at {self.down[upper]:g} m/s: it would hunt. Go down at less."
                )

    def wanted(self, gear: Any, speed: float) -> Any:
        """Gear after one look."""
        names = list(self.gears)
        k = names.index(gear)
        if gear in self.up and speed > self.up[gear] and k + 1 < len(names):
            return names[k + 1]
        if gear in self.down and speed < self.down[gear] and k > 0:
            return names[k - 1]
        return gear

    def capacities(self, before: Any, gear: Any, part: float) -> tuple[float, ...]:
        """Capacities at a part 0 to 1 of a shift."""
        begin, end = self.release
        comes, goes = min(max(part, 0.0), 1.0), min(max((part - begin) / (end - begin), 0.0), 1.0)
        found = []
        for name, torque in self.torques.items():
            was, will = name in self.gears[before], name in self.gears[gear]
            share = 1.0 if was and will else comes if will else 1.0 - goes if was else 0.0
            found.append(torque * share)
        return tuple(found)

    def inputs(self) -> dict[tuple[str, ...], Sampled]:
        """What `jd.simulate` takes; give a new one to each run."""
        before = gear = next(iter(self.gears))
        since = -self.ramp

        def look(t: float, s: Any) -> tuple[float, ...]:
            nonlocal before, gear, since
            if t - since >= self.ramp:
                before = gear
                gear = self.wanted(gear, float(s[f"{self.vehicle}.position.rate"]))
                if gear != before:
                    since = t
                    self._note(t, gear)
            return self.capacities(before, gear, (t - since) / self.ramp)

        names = tuple(f"{self.box}.{name}.{FRICTION}" for name in self.torques)
        return {names: Sampled(look, self.period)}

    def _note(self, t: float, gear: Any) -> None:
        if self.log is not None:
            self.log.append((t, gear))
