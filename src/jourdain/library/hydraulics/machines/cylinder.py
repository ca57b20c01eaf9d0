"""The hydraulic cylinder on any measure (4.F20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.library.hydraulics.lines.leakage import Leakage
from jourdain.library.hydraulics.nodes.node import PORT, Element, End, require_node
from jourdain.library.hydraulics.passage import total_loss
from jourdain.library.hydraulics.symbols import cylinder
from jourdain.model.laws.force import Force
from jourdain.model.laws.spring import is_function
from jourdain.model.laws.unilateral import Interval, Unilateral
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, NumberOrNoneField, Takes, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Cylinder(Element):
    """A cylinder: pressure in chamber a makes the measure grow, pressure in chamber b shrink.

    The force on the measure is A_a p_a − A_b p_b, and the chambers take up A_a ẋ and −A_b ẋ: both
    follow from the same sums. The piston belongs to the bodies that the measure connects; any
    measure will do, a `Distance` of two eyes too.

    Parameters
    ----------
    a, b : BuiltPart or None
        Nodes of the two chambers; None is the air.
    measure : Measure [m]
        Stroke, or length, of the cylinder: ``jd.Coordinate("guide.position")``.
    areas : (float, float) [m^2]
        Areas of the piston in the chambers a and b.
    limits : (float, float) [m], optional
        Values of the measure at both ends of the stroke: there are stops, and chambers of volumes
        are as large as they are. Without limits chamber a is empty at zero, and b must not be a
        `Volume`.
    friction : float or function of ``at`` [N]
        Dry friction of the seals; it may depend on pressures, ``lambda at: 50.0 + 2e-5 *
        at.force("oil.A.node")``, of nodes with a volume.
    leakage : float [m^3/(s Pa)]
        Leakage from a to b; both are nodes with a volume or a given pressure then.
    restitution : float
        Of the stops, 0 to 1.
    static : float [N], optional
        Dry friction of the seals while they stick; as large as ``friction`` by default.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("ram", gravity=(0, 0, 0)), hy.Fluid()
    >>> ram = model.add_coordinate("ram", 10.0, unit="m")
    >>> oil = model.group("oil")
    >>> S = oil.add("S", hy.PressureSource(fluid, 1e6))
    >>> cylinder = oil.add("cylinder", hy.Cylinder(S, None, jd.Coordinate(ram), (1e-3, 0.0)))
    >>> float(jd.simulate(model, 0.1)["ram.rate"][-1].round(9))  # p A t/m
    10.0
    """

    a: BuiltPart | None
    b: BuiltPart | None
    measure: Measure
    areas: Takes[Sequence[Any], tuple[Any, Any]]
    limits: Takes[Sequence[Any] | None, Any] = preset(default=None)
    friction: AmountField = preset(default=0.0)
    leakage: NumberField = preset(default=0.0)
    restitution: NumberField = preset(default=0.0)
    static: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        for end in ("a", "b"):
            if getattr(self, end) is not None:
                require_node(getattr(self, end), f"{end} of Cylinder")
        if self.a is None and self.b is None:
            raise ModelError("Cylinder has no node: give a, b or both.")
        if not isinstance(self.measure, Measure):
            raise ModelError(
                f"measure of Cylinder is {check.shown(self.measure)}: give the stroke, such as "
                'jd.Coordinate("guide.position") or jd.Distance(eye, other_eye).'
            )
        object.__setattr__(self, "areas", _pair(self.areas, "areas"))
        for area in self.areas:
            check.number(area, "an area of Cylinder", nonnegative=True, unit="m^2")
        self._check_limits()
        if not is_function(self.friction):
            check.number(self.friction, "friction of Cylinder", nonnegative=True, unit="N")
        check.number(self.leakage, "leakage of Cylinder", nonnegative=True)
        if self._leaks and (self.a is None or self.b is None):
            raise ModelError("Cylinder has a leakage and one node: give both, a tank for the air.")

    def _check_limits(self) -> None:
        if self.limits is not None:
            low, high = _pair(self.limits, "limits")
            check.number(high - low, "stroke of Cylinder", positive=True, unit="m")
            object.__setattr__(self, "limits", (low, high))
        elif self.b is not None and _has_size(self.b):
            raise ModelError(
                f"Cylinder: chamber b belongs to the volume {self.b.name!r}, and shrinks while the "
                "measure grows. Give the limits of the stroke, such as limits=(0.0, 0.4) [m]: the "
                "piston stops there, and the volume does not vanish."
            )

    @property
    def _capacity(self) -> Any:
        friction = self.friction
        return (lambda x, v, at: friction(at)) if is_function(friction) else friction

    @property
    def _rubs(self) -> bool:
        return not (isinstance(self.friction, float | int) and self.friction == 0.0)

    @property
    def _leaks(self) -> bool:
        return not (isinstance(self.leakage, float | int) and self.leakage == 0.0)

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        return cylinder(self.a, self.b)

    def ends(self, name: str) -> tuple[End, ...]:
        """The chambers take up oil."""
        low, high = (0.0, 0.0) if self.limits is None else self.limits
        A, B = self.areas
        both = ((self.a, A, -A * low), (self.b, -B, B * high))
        return tuple(
            End(node, k, self.measure, chamber=size) for node, k, size in both if node is not None
        )

    def build(self, group: Group) -> Mapping[str, Any]:
        """Stops, friction and leakage; the rest are its ends."""
        group.add_connection("piston", self.measure, Force(0.0))  # for the results
        if self.limits is not None:
            for word, limit, side in zip(
                ("low", "high"), self.limits, ("above", "below"), strict=True
            ):
                stop = Unilateral(limit, side, restitution=self.restitution)  # type: ignore[arg-type]
                group.add_connection(f"stop_{word}", self.measure, stop)
        if self._rubs:
            group.add_connection(
                "seals", self.measure, Interval(self._capacity, static=self.static)
            )
        if self._leaks:
            group.add("leakage", Leakage(self.a, self.b, self.leakage))  # type: ignore[arg-type]
        return {"stroke": self.measure}

    def results(self, name: str) -> Mapping[str, Result]:
        """Stroke, speed, flows, force and power that the oil gives to the piston, losses if any."""
        value, rate = f"{name}.piston.value", f"{name}.piston.rate"
        (A, B), nodes = self.areas, (self.a, self.b)
        sides = [(k, n) for k, n in zip((A, -B), nodes, strict=True) if n is not None]
        areas = tuple(k for k, _ in sides)
        pressures = tuple(f"{n.name}.{PORT}.force" for _, n in sides)
        pushed = f"force of the oil on the piston of {name}, seals and stops left out"
        given = f"power that the oil gives to the piston of {name}"
        found = {
            "stroke": Result("m", f"measure of {name}", (value,)),
            "speed": Result("m/s", f"rate of the measure of {name}", (rate,)),
            "flow_a": Result("m^3/s", f"flow into chamber a of {name}", (rate,), _times, (A,)),
            "flow_b": Result("m^3/s", f"flow into chamber b of {name}", (rate,), _times, (-B,)),
            "force": Result("N", pushed, pressures, _force, areas),
            "power": Result("W", given, (rate, *pressures), _power, areas),
        }
        loss = total_loss(
            name,
            (f"{name}.leakage",) if self._leaks else (),
            (f"{name}.seals",) if self._rubs else (),
        )
        return found | ({"loss": loss} if loss.names else {})


def _times(column: Any, factor: Any) -> Any:
    return factor * column


def _force(*given: Any) -> Any:
    """Pressures and as many areas with their signs."""
    count = len(given) // 2
    return sum(A * p for p, A in zip(given[:count], given[count:], strict=True))


def _power(rate: Any, *given: Any) -> Any:
    return rate * _force(*given)


def _has_size(node: BuiltPart) -> bool:
    """Whether a node has a volume that chambers add to."""
    return hasattr(node.part, "volume")


def _pair(given: Any, what: str) -> tuple[Any, Any]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise ModelError(f"{what} of Cylinder are {check.shown(given)}: give two numbers.")
    first, second = (check.number(x, f"one of the {what} of Cylinder") for x in given)
    return first, second
