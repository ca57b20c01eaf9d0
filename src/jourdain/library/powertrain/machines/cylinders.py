"""The crank mechanism with the force of gas and of masses, and how unevenly it turns (5.F38)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, add_reading, add_tied, hold_angles
from jourdain.library.powertrain.machines.turns import (
    TURN,
    around,
    require_function,
    require_turn,
)
from jourdain.math.left import Course, left
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.formula import Formula
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.results import Solution
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, SpanField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

AIR = 1e5
"""Pressure of the atmosphere [Pa]."""


@record()
class GasCycle:
    """Pressure of the gas over one cycle of two turns, above the atmosphere [Pa].

        p = (p₁ + Δp β(φ)) (V₁/V)ⁿ,   β from 0 to 1 while it burns, φ = 0 where it fires

    From half a turn before firing to where the outlet opens the gas is closed in; else its pressure
    is that of intake and atmosphere.

    Parameters
    ----------
    compression : float
        Ratio V₁/V₂ of the largest and the smallest volume.
    intake : float [Pa]
        Absolute pressure p₁ at the end of the intake.
    rise : float [Pa]
        Rise Δp of the pressure by burning, as it would be at the largest volume.
    exponent : float
        Polytropic exponent n.
    burn : (float, float) [rad]
        Angles at which burning begins and ends.
    outlet : float [rad]
        Angle at which the outlet opens; the pressure falls over half a radian.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> gas = pt.GasCycle(compression=10.0, intake=1e5, rise=0.0, exponent=1.3)
    >>> round(float(gas(0.0, 0.0)) / 1e5, 3)  # 10^1.3 − 1 bar
    18.953
    """

    compression: NumberField = preset(default=10.0)
    intake: NumberField = preset(default=1e5)
    rise: NumberField = preset(default=2.5e5)
    exponent: NumberField = preset(default=1.3)
    burn: SpanField = preset(default=(-0.2, 0.8))
    outlet: NumberField = preset(default=2.4)

    def __post_init__(self) -> None:
        if nominal(check.number(self.compression, "compression of GasCycle")) <= 1.0:
            raise ModelError(f"compression of GasCycle is {self.compression:g}: give more than 1.")
        check.number(self.intake, "intake of GasCycle", positive=True, unit="Pa")
        check.number(self.rise, "rise of GasCycle", nonnegative=True, unit="Pa")
        check.number(self.exponent, "exponent of GasCycle", positive=True)

    def __call__(self, angle: Any, opened: Any) -> Any:
        """Pressure at an angle after firing, with a part of the stroke opened."""
        phi = around(angle + TURN, 2.0 * TURN) - TURN  # from −2π to 2π
        ratio = self.compression / (1.0 + (self.compression - 1.0) * opened)
        burnt = self.intake + self.rise * math.smooth_step(phi, *self.burn)
        closed = burnt * ratio**self.exponent
        out = math.smooth_step(phi, self.outlet, self.outlet + 0.5)
        open_ = math.where(phi > 0.0, AIR, self.intake)
        shut = math.where(phi < -0.5 * TURN, 0.0, 1.0 - out)
        return shut * closed + (1.0 - shut) * open_ - AIR


class GasForce(ForceLaw):
    """Force of the gas on a piston, outward."""

    area: NumberField
    pressure: Callable[..., Any]
    stroke: NumberField
    phase: Callable[[Any], Any]

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Area times pressure."""
        return self.area * self.pressure(self.phase(at), x / self.stroke) + 0.0 * v


class Cylinders(Part):
    """Pistons on a crankshaft, with gas and moving masses: what makes it turn unevenly.

        s(φ) = r (1 − cos φ) + l (1 − √(1 − (r/l)² sin² φ)),   T = Σ (p A − m s̈) s'

    Parameters
    ----------
    crank : Measure
        Angle of the crankshaft.
    bore, stroke, rod : float [m]
        Diameter of a piston, its stroke 2r, length l of its rod.
    pressure : function of (angle, opened) [Pa]
        Pressure above the atmosphere over one cycle from firing, 0 to 4π, and the part of the
        stroke that is opened; such as `GasCycle`.
    firing : sequence of float [rad]
        Angles of the crank at which the cylinders fire, within 4π; evenly for four by default.
    mass : float [kg]
        Mass that moves with each piston, with the part of its rod.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("engine")
    >>> crank = model.add("crank", pt.Shaft(0.2))
    >>> engine = pt.Cylinders(crank.angle, 0.08, 0.09, 0.15, pt.GasCycle(), mass=0.6)
    >>> engine = model.add("engine", engine)
    >>> load = model.add("load", pt.SpeedLoad(crank.angle, lambda w: 1.0 * w))
    >>> sol = jd.simulate(model, 2.0, start={"crank.speed": 120.0})
    >>> bool(0.01 < pt.speed_irregularity(sol, "crank.speed") < 0.2)
    True
    """

    crank: AngleField
    bore: NumberField
    stroke: NumberField
    rod: NumberField
    pressure: Callable[..., Any]
    firing: SpanField = preset(default=(0.0, math.pi, 2.0 * math.pi, 3.0 * math.pi))
    mass: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "crank")
        for name in ("bore", "stroke", "rod"):
            check.number(getattr(self, name), f"{name} of Cylinders", positive=True, unit="m")
        if nominal(self.rod) <= 0.5 * nominal(self.stroke):
            raise ModelError(
                f"rod of Cylinders is {nominal(self.rod):g} m, not longer than the crank of "
                f"{0.5 * nominal(self.stroke):g} m: it would not turn. Give a longer one."
            )
        require_function(self.pressure, "pressure of Cylinders", "the angle and the opened part")
        require_turn(self.pressure, "pressure of Cylinders", 2.0 * TURN)
        check.number(self.mass, "mass of Cylinders", nonnegative=True, unit="kg")
        if not isinstance(self.firing, tuple | list) or not self.firing:
            raise ModelError("firing of Cylinders: give the angle of the crank for each cylinder.")

    def travel(self, angle: Any) -> Any:
        """Way s of a piston from its upper dead centre [m]."""
        r, part = 0.5 * self.stroke, 0.5 * self.stroke / self.rod * math.sin(angle)
        return r * (1.0 - math.cos(angle)) + self.rod * (1.0 - math.sqrt(1.0 - part**2))

    def slope(self, angle: Any) -> Any:
        """Derivative s' by the angle [m]."""
        r, s = 0.5 * self.stroke, math.sin(angle)
        part = r / self.rod * s
        return r * s * (1.0 + r / self.rod * math.cos(angle) / math.sqrt(1.0 - part**2))

    def build(self, group: Group) -> Mapping[str, Any]:
        """A measure with gas force and mass for each piston."""
        area = 0.25 * math.pi * self.bore**2
        for k, fires in enumerate(self.firing):
            phase = partial(self._phase, fires)
            way = Formula(partial(self._way, fires), unit="m")
            law = GasForce(area, self._pressure, self.stroke, phase)
            group.add_connection(f"gas_{k}", way, law)
            add_tied(group, f"piston_{k}", self.mass, way, unit="m")
        add_reading(group, "turning", self._torque)
        add_reading(group, "turned", self.crank.value)
        return {"crank": self.crank}

    def _phase(self, fires: Any, at: Any) -> Any:
        return self.crank.value(at) - fires

    def _way(self, fires: Any, at: Any) -> Any:
        return self.travel(self._phase(fires, at))

    def _pressure(self, angle: Any, opened: Any) -> Any:
        return self.pressure(around(angle, 2.0 * TURN), opened)

    def _torque(self, at: Any) -> Any:
        area, total = 0.25 * math.pi * self.bore**2, 0.0
        for fires in self.firing:
            phi = self._phase(fires, at)
            gas = self._pressure(phi, self.travel(phi) / self.stroke)
            total = total + area * gas * self.slope(phi)
        return total

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque of the gas on the crank."""
        text = f"torque of the gas of {name} on its crank"
        return {"gas_torque": Result("N m", text, (f"{name}.turning.force",))}

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """A map of the pressure that does not hold a whole cycle, or no whole stroke."""
        asked = f"{name}.turned.force"
        turned, firing = values(asked), np.array([nominal(x) for x in self.firing])
        angle = np.subtract.outer(turned, firing).ravel()
        time = np.repeat(values.time(asked), len(firing))
        opened = [nominal(self.travel(float(x)) / self.stroke) for x in angle]
        return left(
            f"pressure of the cylinders {name!r}",
            self.pressure,
            Course("angle", "rad", np.mod(angle, 2.0 * TURN), time),
            Course("opened part", "", opened, time),
        )


def speed_irregularity(
    solution: Solution, speed: str, *, revolutions: float = 2.0, unit: float = TURN
) -> float:
    """Degree of irregularity (ω_max − ω_min)/ω_mean over the last revolutions (5.F38).

    Parameters
    ----------
    solution : Solution
        The run.
    speed : str
        Result that is a speed [rad/s].
    revolutions : float
        How many count; two for a cycle of four strokes.
    unit : float [rad]
        Angle of one revolution.
    """
    time, values = solution.time, np.asarray(solution.values(speed), dtype=float)
    steps = 0.5 * (values[1:] + values[:-1]) * np.diff(time)
    turned = np.concatenate([[0.0], np.cumsum(steps)])
    last = turned >= turned[-1] - revolutions * unit
    if turned[-1] < revolutions * unit or last.sum() < 3:
        raise ModelError(
            f"{speed!r} turns {turned[-1] / unit:g} revolutions in the run, of which "
            f"{revolutions:g} shall count. Run longer, or with more samples."
        )
    own = values[last]
    return float(np.ptp(own) / (turned[-1] - turned[last][0]) * np.ptp(time[last]))


def uneven_turning(speed: float, degree: float, order: float) -> Callable[[Any], Any]:
    """Angle over time of a shaft with ω = Ω (1 + δ sin(k Ω t)), for driven coordinates (5.F38).

    Parameters
    ----------
    speed : float [rad/s]
        Mean speed Ω.
    degree : float
        Part δ by which it swings to each side.
    order : float
        Swings k of one turn: half the number of cylinders for four strokes.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("crank")
    >>> _ = model.add_coordinate("crank", 1.0, driven=pt.uneven_turning(100.0, 0.02, 2.0))
    >>> sol = jd.simulate(model, 0.2)
    >>> round(pt.speed_irregularity(sol, "crank.rate"), 4)
    0.04
    """
    check.number(speed, "speed of uneven_turning", unit="rad/s")
    check.number(order, "order of uneven_turning", positive=True)
    return lambda t: speed * t + degree / order * (1.0 - math.cos(order * speed * t))
