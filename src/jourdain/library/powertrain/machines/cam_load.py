"""Loads that depend on angle or speed: cams, valves, injection, ancillaries (5.F34 to 5.F37)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import (
    AngleField,
    add_reading,
    add_tied,
    hold_angles,
)
from jourdain.library.powertrain.machines.turns import (
    TURN,
    around,
    require_function,
    require_turn,
    turn_left,
)
from jourdain.math.left import LEFT, Course, left
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class ShaftTorque(ForceLaw):
    """Torque of a load, −M: over the angle within a period, or over the speed.

    Parameters
    ----------
    torque : function
        Of the angle [rad] or of the speed [rad/s].
    period : float or None [rad]
        Period of the angle; None for the speed.
    """

    torque: Callable[[Any], Any]
    period: NumberField | None

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Torque on the shaft."""
        return -self.torque(v if self.period is None else around(x, self.period)) + 0.0 * v

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """What a load over the speed takes."""
        return self.torque(v) * v if self.period is None else 0.0 * v


class AngleLoad(Part):
    """A torque that depends on the angle of a shaft, such as that measured at a camshaft (5.F34).

    Parameters
    ----------
    shaft : Measure
        Angle of the shaft.
    torque : function of the angle [N m]
        Torque against forward rotation, over one period from 0; such as a `jourdain.Table` with
        ``outside="repeat"``.
    period : float [rad]
        One turn by default.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("camshaft")
    >>> cam = model.add_coordinate("cam", 1.0, driven=lambda t: jd.math.pi * t)
    >>> load = model.add("load", pt.AngleLoad(cam, lambda a: 430.0 + 2090.0 * jd.sin(3.0 * a)))
    >>> round(float(jd.simulate(model, 2.0)["load.torque"].max()))
    2520
    """

    shaft: AngleField
    torque: Callable[[Any], Any]
    period: NumberField = preset(default=TURN)

    def __post_init__(self) -> None:
        hold_angles(self, "shaft")
        require_function(self.torque, "torque of AngleLoad", "the angle of its shaft")
        check.number(self.period, "period of AngleLoad", positive=True, unit="rad")
        require_turn(self.torque, "torque of AngleLoad", self.period)

    def build(self, group: Group) -> Mapping[str, Any]:
        """One connection."""
        group.add_connection("load", self.shaft, ShaftTorque(self.torque, self.period))
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque that it takes."""
        return load_torque(name)

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """A table that does not go all around."""
        what, angle = f"torque of the load {name!r}", f"{name}.load.value"
        return turn_left(what, self.torque, angle, values, self.period)


class SpeedLoad(Part):
    """A torque that depends on the speed of a shaft: pumps, generator, compressor (5.F37).

    Parameters
    ----------
    shaft : Measure
        Angle of the shaft.
    torque : function of the speed [N m]
        Torque against forward rotation, such as `jourdain.Table`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("generator")
    >>> shaft = model.add("shaft", pt.Shaft(0.1))
    >>> load = model.add("load", pt.SpeedLoad(shaft.angle, lambda w: 0.2 * w))
    >>> sol = jd.simulate(model, 0.5, start={"shaft.speed": 100.0})
    >>> float(sol["shaft.speed"][-1].round(4))  # 100/e
    36.7879
    """

    shaft: AngleField
    torque: Callable[[Any], Any]

    def __post_init__(self) -> None:
        hold_angles(self, "shaft")
        require_function(self.torque, "torque of SpeedLoad", "the speed of its shaft")

    def build(self, group: Group) -> Mapping[str, Any]:
        """One connection."""
        group.add_connection("load", self.shaft, ShaftTorque(self.torque, None))
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque that it takes."""
        return load_torque(name)

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """A table that was left."""
        rate = f"{name}.load.rate"
        speed = Course("speed", "rad/s", values(rate), values.time(rate))
        return left(f"torque of the load {name!r}", self.torque, speed)


def load_torque(name: str) -> dict[str, Result]:
    """Torque that a load takes."""
    force = (f"{name}.load.force",)
    return {"torque": Result("N m", f"torque that {name} takes", force, lambda x: -x)}


class FollowerLaw(ForceLaw):
    """Force of a spring and of a pressure on a follower, over its lift."""

    stiffness: NumberField
    preload: NumberField
    pushing: Callable[[Any], Any] | None
    cam: Measure

    def _pushed(self, at: Any) -> Any:
        return 0.0 if self.pushing is None else self.pushing(around(self.cam.value(at)))

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force along the lift."""
        return -self.preload - self.stiffness * x - self._pushed(at) + 0.0 * v

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the spring."""
        return self.preload * x + 0.5 * self.stiffness * x**2


class CamFollower(Part):
    """A cam that lifts a mass on a spring: a valve train, or a pump-nozzle (5.F35, 5.F36).

        T = (m s̈ + c s + F₀ + F(φ)) s'(φ),   J(φ) = m s'²

    Parameters
    ----------
    cam : Measure
        Angle of the camshaft.
    lift : function of the angle [m]
        Lift s over one turn of the cam, twice smooth: its derivatives are taken.
    mass : float [kg]
        Mass that moves with the lift, with a rocker's as it is felt there.
    stiffness : float [N/m]
        Of the spring.
    preload : float [N]
        Its force at no lift.
    force : function of the angle, optional [N]
        Further force against the lift: area times pressure of an injection pump.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("valve")
    >>> cam = model.add_coordinate("cam", 1.0, driven=lambda t: t)
    >>> lift = lambda a: 0.005 * (1.0 - jd.cos(a))
    >>> valve = model.add("valve", pt.CamFollower(cam, lift, 0.1, stiffness=2e4, preload=200.0))
    >>> sol = jd.simulate(model, jd.math.pi / 2.0)
    >>> float(sol["valve.torque"][-1].round(6))  # (2e4 · 0.005 + 200) · 0.005
    1.5
    """

    cam: AngleField
    lift: Callable[[Any], Any]
    mass: NumberField = preset(default=0.0)
    stiffness: NumberField = preset(default=0.0)
    preload: NumberField = preset(default=0.0)
    force: Callable[[Any], Any] | None = None

    def __post_init__(self) -> None:
        hold_angles(self, "cam")
        require_function(self.lift, "lift of CamFollower", "the angle of the cam")
        for name in ("mass", "stiffness", "preload"):
            check.number(getattr(self, name), f"{name} of CamFollower", nonnegative=True)
        require_turn(self.lift, "lift of CamFollower")
        self._require_smooth()
        if self.force is not None:
            require_function(self.force, "force of CamFollower", "the angle of the cam")
            require_turn(self.force, "force of CamFollower")

    def _require_smooth(self) -> None:
        """Refuse a lift that jumps where a turn ends, and one with corners where there is mass."""
        has_mass = not isinstance(self.mass, float | int) or self.mass > 0.0
        if has_mass and isinstance(self.lift, math.Table) and self.lift.kind == "linear":
            raise ModelError(
                "lift of CamFollower is a linear table: the speed of its mass would jump at each "
                'point. Give the table kind="cubic".'
            )
        course = [nominal(self.lift(x)) for x in np.linspace(0.0, TURN * (1.0 - 1e-9), 181)]
        if abs(course[-1] - course[0]) > LEFT * np.ptp(course):
            raise ModelError(
                f"lift of CamFollower is {course[0]:.4g} m where a turn begins, but "
                f"{course[-1]:.4g} m where it ends: it would jump. Give it over one turn, from 0 "
                "to 2π, with the same lift at both ends."
            )

    def build(self, group: Group) -> Mapping[str, Any]:
        """The lift as a measure, with its mass and force."""
        lift = Formula(lambda at: self.lift(around(self.cam.value(at))), unit="m")
        law = FollowerLaw(self.stiffness, self.preload, self.force, self.cam)
        group.add_connection("spring", lift, law)
        add_tied(group, "mass", self.mass, lift, unit="m")
        add_reading(group, "slope", self._slope)
        add_reading(group, "turned", self.cam.value)
        return {"cam": self.cam, "lift": lift}

    def _slope(self, at: Any) -> Any:
        def lift(angle: Any) -> Any:
            return math.vector(self.lift(angle))

        return math.derivatives(lift, around(self.cam.value(at)))[1][0, 0]

    def results(self, name: str) -> Mapping[str, Result]:
        """Lift, force between cam and follower, and the torque that it takes of the cam."""
        spring, slope = f"{name}.spring", f"{name}.slope.force"
        forces = [f"{spring}.force"]
        if not isinstance(self.mass, float | int) or self.mass > 0.0:
            forces.append(f"{name}.mass_tie.force")

        def pressed(force: Any, inert: Any = 0.0) -> Any:
            return inert - force

        def torque(s: Any, *f: Any) -> Any:
            return s * pressed(*f)

        return {
            "lift": Result("m", f"lift of {name}", (f"{spring}.value",)),
            "pressed": Result("N", f"force of the cam on {name}", tuple(forces), pressed),
            "torque": Result("N m", f"torque that {name} takes", (slope, *forces), torque),
        }

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """Tables that do not go all around."""
        for word in ("lift", "force"):
            what = f"{word} of the cam follower {name!r}"
            yield from turn_left(what, getattr(self, word), f"{name}.turned.force", values)
