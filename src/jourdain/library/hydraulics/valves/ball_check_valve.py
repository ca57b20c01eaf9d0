"""The check valve with a ball that takes its time to open and close (5.F45)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import PORT, Element, End, pressure, require_node
from jourdain.library.hydraulics.symbols import two_ends
from jourdain.library.hydraulics.valves.orifice import Orifice
from jourdain.model.laws.force import Force
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import Spring
from jourdain.model.laws.unilateral import Unilateral
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.library.hydraulics.fluid import Fluid
    from jourdain.model.parts.group import Group


@record()
class BallSeat:
    """A ball in its conical seat.

        A(x) = 2π x r sin γ cos γ + π x² sin γ cos² γ                          (5.F45)

    Parameters
    ----------
    radius : float [m]
        Radius r of the ball.
    angle : float [rad]
        Angle γ from the axis of flow to the circle on which the ball sits, seen from its centre.
    """

    radius: NumberField
    angle: NumberField

    def __post_init__(self) -> None:
        check.number(self.radius, "radius of BallSeat", positive=True, unit="m")
        gamma = nominal(check.number(self.angle, "angle of BallSeat", positive=True, unit="rad"))
        if gamma >= 0.5 * math.pi:
            raise ModelError(
                f"angle of BallSeat is {gamma:g} rad: give less than a right angle, in radians, "
                "such as angle=0.8."
            )

    @property
    def pressure_area(self) -> Any:
        """Area on which the pressure difference acts, that of the seat circle [m^2]."""
        return math.pi * (self.radius * math.sin(self.angle)) ** 2

    def area(self, lift: Any) -> Any:
        """Area for the flow where the ball is lifted [m^2], not above that of the seat circle."""
        x, s, c = math.maximum(lift, 0.0), math.sin(self.angle), math.cos(self.angle)
        ring = 2.0 * math.pi * x * self.radius * s * c + math.pi * x**2 * s * c**2
        return math.minimum(ring, self.pressure_area)


class TwoWayDamper(ForceLaw):
    """Viscous friction with one coefficient while the measure grows and one while it shrinks."""

    opening: NumberField
    closing: NumberField

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Against the motion."""
        return -math.where(v < 0.0, self.closing, self.opening) * v

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that is lost [W]."""
        return -self.force(x, v, at) * v


class BallCheckValve(Element):
    """A check valve whose ball has mass, or at least takes time: oil flows from a to b (5.F45).

    With a ``mass`` the ball is a coordinate ``ball`` [m] between two stops, and the oil that it
    displaces counts. Without, it follows the pressures with the time of its damping, a state
    ``ball.position``. The seat is an `Orifice` with the area of the lifted ball; with ``length``
    it closes exactly, and may end at junctions.

    Parameters
    ----------
    a, b : BuiltPart
        Nodes before and behind it.
    seat : BallSeat
        Ball and seat.
    lift : float [m]
        Largest lift: there is a stop.
    stiffness, preload : float [N/m], [N]
        Of the spring that pushes the ball into its seat; preload of the closed valve.
    mass : float [kg], optional
        Of the ball.
    damping : float [N s/m]
        Of the ball while it opens; above zero for a ball without mass.
    closing : float [N s/m], optional
        Likewise while it closes; as large by default.
    discharge, reynolds : float
        Of the seat, as those of an `Orifice`.
    length, section : float [m], [m^2], optional
        Of the column of oil in the seat; section by default that of the seat circle.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("valve", gravity=(0, 0, 0)), hy.Fluid()
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 1e5)), oil.add("T", hy.Tank(fluid))
    >>> seat = hy.BallSeat(radius=2.5e-3, angle=0.8)
    >>> ball = {"stiffness": 300.0, "preload": 0.05, "mass": 5e-4, "damping": 0.5}
    >>> valve = oil.add("valve", hy.BallCheckValve(S, T, seat, lift=3e-4, **ball))
    >>> f"{1e3 * float(jd.simulate(model, 0.05)['oil.valve.lift'][-1]):.3f} mm"
    '0.300 mm'
    """

    a: BuiltPart
    b: BuiltPart
    seat: BallSeat
    lift: NumberField
    stiffness: NumberField = preset(default=0.0)
    preload: NumberField = preset(default=0.0)
    mass: NumberOrNoneField = preset(default=None)
    damping: NumberField = preset(default=0.0)
    closing: NumberOrNoneField = preset(default=None)
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)
    length: NumberOrNoneField = preset(default=None)
    section: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        for end in ("a", "b"):
            require_node(getattr(self, end), f"{end} of BallCheckValve")
        if not isinstance(self.seat, BallSeat):
            raise ModelError(
                f"seat of BallCheckValve is {check.shown(self.seat)}: give hy.BallSeat(radius, "
                "angle)."
            )
        check.number(self.lift, "lift of BallCheckValve", positive=True, unit="m")
        for name in ("stiffness", "preload", "damping"):
            check.number(getattr(self, name), f"{name} of BallCheckValve", nonnegative=True)
        if self.closing is None:
            object.__setattr__(self, "closing", self.damping)
        check.number(self.closing, "closing of BallCheckValve", nonnegative=True)
        if self.mass is not None:
            check.number(self.mass, "mass of BallCheckValve", positive=True, unit="kg")
            return
        for name in ("damping", "closing"):
            if nominal(getattr(self, name)) == 0.0:
                raise ModelError(
                    f"BallCheckValve has a ball without mass, and its {name} is zero: nothing "
                    "tells how fast it moves. Give mass=5e-4 [kg], or damping=0.5 [N s/m]; a "
                    "valve that takes no time is hy.CheckValve."
                )

    @property
    def fluid(self) -> Fluid:
        """What flows: the fluid of node a."""
        found: Fluid = self.a.fluid
        return found

    def ends(self, name: str) -> tuple[End, ...]:
        """The ball displaces oil; the seat is a part with ends of its own."""
        if self.mass is None:
            return ()
        area, ball = self.seat.pressure_area, Coordinate(f"{name}.ball")
        return End(self.a, area, ball), End(self.b, -area, ball)

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        return two_ends("preloaded check valve", self.a, self.b)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A ball, and an orifice whose area follows it."""
        ball = group.path("ball" if self.mass is not None else "ball.position")
        if self.mass is None:
            group.add_states("ball", {"position": "m"}, self._creep)
            area = lambda at: self.seat.area(at.state(ball))  # noqa: E731
        else:
            self._add_ball(group)
            area = lambda at: self.seat.area(at.coordinate(ball))  # noqa: E731
        section = self.section
        if section is None and self.length is not None:
            section = self.seat.pressure_area
        more = (self.discharge, self.reynolds, self.length, section)
        group.add("edge", Orifice(self.a, self.b, area, *more))
        return {}

    def _add_ball(self, group: Group) -> None:
        ball = Coordinate(group.add_coordinate("ball", self.mass, unit="m"))
        group.add_connection("spring", ball, Spring(self.stiffness) + Force(-self.preload))
        group.add_connection("film", ball, TwoWayDamper(self.damping, self.closing))
        group.add_connection("closed", ball, Unilateral(0.0))
        group.add_connection("stop", ball, Unilateral(self.lift, "below"))

    def _creep(self, at: Any) -> Any:
        """Speed of a ball without mass [m/s] (6.136); at a stop only away from it."""
        x = at.state("position")
        push = self.seat.pressure_area * (pressure(at, self.a) - pressure(at, self.b))
        push = push - self.preload - self.stiffness * x
        speed = push / math.where(push < 0.0, self.closing, self.damping)
        speed = math.where(x <= 0.0, math.maximum(speed, 0.0), speed)
        return math.where(x >= self.lift, math.minimum(speed, 0.0), speed)

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, lift of the ball, pressure drop, and lost power."""
        place = f"{name}.ball" if self.mass is not None else f"{name}.ball.position"
        pressures = tuple(f"{node.name}.{PORT}.force" for node in (self.a, self.b))
        losses = [f"{name}.edge.loss"]
        if self.mass is not None:
            losses += [f"{name}.film.force", f"{name}.film.rate"]
        return {
            "flow": Result("m^3/s", f"flow through the seat of {name}", (f"{name}.edge.flow",)),
            "lift": Result("m", f"lift of the ball of {name}", (place,)),
            "pressure_drop": Result(
                "Pa", f"pressure before {name} less that behind", pressures, lambda a, b: a - b
            ),
            "loss": Result("W", f"power that {name} loses", tuple(losses), _lost),
        }


def _lost(edge: Any, *film: Any) -> Any:
    """Loss of the seat, and of the film on the ball, force and speed."""
    return edge - film[0] * film[1] if film else edge
