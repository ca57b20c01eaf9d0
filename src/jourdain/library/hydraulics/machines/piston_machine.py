"""The piston machine, piston by piston: flow and torque with their ripple (4.F62 to 4.F64)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.lines.leakage import Leakage
from jourdain.library.hydraulics.machines.bent_axis import BentAxis
from jourdain.library.hydraulics.machines.pump import is_zero, machine_loss
from jourdain.library.hydraulics.nodes.node import PORT, Element, End, require_node
from jourdain.library.hydraulics.symbols import two_ends
from jourdain.model.laws.force import Force
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, Takes, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class PistonHeight(Measure):
    """Place of a piston along the drum [m]."""

    axes: BentAxis
    shaft: Measure
    swivel: Any
    lead: float

    def value(self, at: Any) -> Any:
        """Place at the angle of the shaft and its lead (4.F62)."""
        angle = self.shaft.value(at) + self.lead
        return self.axes.height(angle, angle, angle_now(self.swivel, at))


class PortVolume(Measure):
    """Volume that the pistons of one half of the turn have taken up [m^3]; it has only a rate.

    Parameters
    ----------
    heights : tuple of PistonHeight
        The pistons.
    area : float [m^2]
        Of a piston.
    half : {1, -1}
        1 for pistons at angles up to π, which draw while the shaft turns forward.
    """

    unit = "m^3"
    heights: tuple[PistonHeight, ...]
    area: NumberField
    half: float

    def rate(self, at: Any) -> Any:
        """Flow into the chambers of that half [m^3/s]."""
        total = 0.0
        for height in self.heights:
            side = self.half * math.sin(height.shaft.value(at) + height.lead)
            total = total - math.where(side > 0.0, self.area, 0.0) * at.rate_of(height)
        return total


def angle_now(swivel: Any, at: Any) -> Any:
    """Swivel angle, a number or a measure [rad]."""
    return swivel.value(at) if isinstance(swivel, Measure) else swivel


class PistonMachine(Element):
    """A bent-axis pump or motor with its pistons: oil goes from a to b while the shaft turns.

    Each piston is joined to a for one half of the turn and to b for the other, by a port plate
    without throttling. Flow, torque and their ripple follow from the way of the pistons by virtual
    power; drum and flange turn together. In the mean of a turn it is a `Pump` with the displacement
    n A 2 r sin α (4.F64).

    Parameters
    ----------
    a, b : BuiltPart
        Nodes that oil leaves, and enters, while the shaft turns forward with a positive swivel.
    shaft : Measure [rad]
        Angle of the shaft, such as ``jd.Coordinate("motor.angle")``.
    swivel : float or Measure [rad]
        Angle between the axes of drum and flange; a coordinate makes the machine variable, and
        feels the pistons.
    area : float [m^2]
        Area of a piston.
    flange, drum, rod : float [m]
        Radii of the circles of balls and pistons, equal by default, and the length of a rod.
    pistons : int
        Number of pistons; odd ones have the smaller ripple.
    leakage : float [m^3/(s Pa)]
        Leakage from b to a; the nodes have a volume then.
    friction : float [N m]
        Torque of dry friction.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("pump", gravity=(0, 0, 0)), hy.Fluid()
    >>> motor = model.add_coordinate("motor", 0.1, driven=lambda t: 100.0 * t)
    >>> oil = model.group("oil")
    >>> T, S = oil.add("T", hy.Tank(fluid)), oil.add("S", hy.PressureSource(fluid, 1e7))
    >>> sizes = {"area": 3e-4, "flange": 0.05, "rod": 0.1}
    >>> pump = oil.add("pump", hy.PistonMachine(T, S, jd.Coordinate(motor), 0.4, **sizes))
    >>> flow = jd.simulate(model, 0.1)["oil.pump.flow_b"]
    >>> f"{float(flow.max() / flow.min()) - 1:.3f}"
    '0.016'
    """

    a: BuiltPart
    b: BuiltPart
    shaft: Measure
    swivel: Takes[Any, Any]
    area: NumberField
    flange: NumberField
    rod: NumberField
    drum: NumberField = preset(default=None)
    pistons: int = 9
    leakage: NumberField = preset(default=0.0)
    friction: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        for end in ("a", "b"):
            require_node(getattr(self, end), f"{end} of PistonMachine")
        if not isinstance(self.shaft, Measure):
            raise ModelError(
                f"shaft of PistonMachine is {check.shown(self.shaft)}: give the angle of the "
                'shaft, such as jd.Coordinate("motor.angle").'
            )
        if self.drum is None:
            object.__setattr__(self, "drum", self.flange)
        if not isinstance(self.swivel, Measure):
            angle = check.number(self.swivel, "swivel of PistonMachine")
            if abs(nominal(angle)) >= 0.5 * math.pi:
                raise ModelError(
                    f"swivel of PistonMachine is {nominal(angle):g} rad: give less than a right "
                    "angle, in radians, such as swivel=0.4."
                )
        check.number(self.area, "area of PistonMachine", positive=True, unit="m^2")
        n = self.pistons
        if isinstance(n, bool) or not isinstance(n, int) or n < 3:
            raise ModelError(f"pistons of PistonMachine is {check.shown(n)}: give 3 or more.")
        check.number(self.leakage, "leakage of PistonMachine", nonnegative=True)
        check.number(self.friction, "friction of PistonMachine", nonnegative=True, unit="N m")
        _ = self.axes

    @property
    def axes(self) -> BentAxis:
        """Kinematics of the rods."""
        return BentAxis(self.flange, self.drum, self.rod)

    def displacement(self, swivel: Any) -> Any:
        """Volume of one revolution at a swivel angle [m^3] (4.F64)."""
        return self.pistons * self.area * self.axes.stroke(swivel)

    def port_volume(self, half: float) -> PortVolume:
        """What the pistons of one half take up: 1 those at a, −1 those at b."""
        leads = (2.0 * math.pi * k / self.pistons for k in range(self.pistons))
        heights = tuple(PistonHeight(self.axes, self.shaft, self.swivel, lead) for lead in leads)
        return PortVolume(heights, self.area, half)

    def ends(self, name: str) -> tuple[End, ...]:
        """One half of the pistons takes from a, the other gives to b."""
        return (
            End(self.a, 1.0, self.port_volume(1.0)),
            End(self.b, 1.0, self.port_volume(-1.0)),
        )

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        return two_ends("variable pump", self.a, self.b)

    def build(self, group: Group) -> Mapping[str, Any]:
        """Flows for the results, leakage and friction; the rest are its ends."""
        for word, half in (("a", 1.0), ("b", -1.0)):
            group.add_connection(f"pistons_{word}", self.port_volume(half), Force(0.0))
        if not is_zero(self.leakage):
            group.add("leakage", Leakage(self.b, self.a, self.leakage))
        if not is_zero(self.friction):
            group.add_connection("friction", self.shaft, Interval(self.friction))
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flows from a and to b, power that the oil gives to the shaft, losses if any."""
        rates = [f"{name}.pistons_{word}.rate" for word in "ab"]
        pressures = [f"{node.name}.{PORT}.force" for node in (self.a, self.b)]
        text = f"power that the oil gives to the pistons of {name}"
        return {
            "flow_a": Result("m^3/s", f"flow from a into {name}", (rates[0],)),
            "flow_b": Result("m^3/s", f"flow of {name} to b", (rates[1],), lambda q: -q),
            "power": Result(
                "W", text, (*rates, *pressures), lambda qa, qb, pa, pb: qa * pa + qb * pb
            ),
        } | machine_loss(name, self.leakage, self.friction)
