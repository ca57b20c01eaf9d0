"""Leakage gaps: plane, annular, eccentric, of variable length (5.F41 to 5.F44)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.library.hydraulics.nodes.node import pressure
from jourdain.library.hydraulics.passage import PASSED, Passage, add_column, lost
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import is_function
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_THIN = 1e-2  # height over radius, below which series are taken: no digits are lost


@record()
class Ring:
    """A ring of oil between a piston and its bore.

    The flow, and the force of the oil on the piston, per length l of the gap,

        Q = G Δp + D v,   F = D Δp − B v                                       (5.F41, 5.F42)

    belong together: the same D drags oil along with the wall and pulls the wall along with the
    pressure, so that the lost power Q Δp − F v = G Δp² + B v² is never negative.

    Parameters
    ----------
    fluid : Fluid
        What leaks.
    radius : float [m]
        Radius r_i of the piston.
    height : float [m]
        Height h of the gap: half the difference of the diameters.
    eccentricity : float
        How far the piston is off the axis, as a part of the height: 0 to 1.
    is_plane : bool
        Whether the curvature is left out (5.F41), as it may be in narrow gaps.
    """

    fluid: Fluid
    radius: NumberField
    height: NumberField
    eccentricity: NumberField = preset(default=0.0)
    is_plane: bool = False

    @property
    def _is_thin(self) -> bool:
        return bool(nominal(self.height) < _THIN * nominal(self.radius))

    @property
    def area(self) -> Any:
        """Section of the ring [m^2]."""
        return 2.0 * math.pi * (self.radius + 0.5 * self.height) * self.height

    def conductance(self, length: Any) -> Any:
        """Flow G for each Pascal through a ring of this length [m^3/(s Pa)] (5.F41 to 5.F44)."""
        mu, share = self.fluid.viscosity, 1.0 + 1.5 * self.eccentricity**2
        if self.is_plane or self._is_thin:  # curvature adds (h/r)²/60 and less
            x = 0.0 if self.is_plane else self.height / self.radius
            form = 1.0 + x**2 * (1.0 - x) / 60.0
            return share * form * self.area * self.height**2 / (12.0 * mu * length)
        r, R = self.radius, self.radius + self.height
        form = R**4 - r**4 - (R**2 - r**2) ** 2 / math.log(R / r)
        return share * math.pi * form / (8.0 * mu * length)

    @property
    def dragged(self) -> Any:
        """Flow D for each m/s with which the piston moves along the gap [m^2]."""
        if self.is_plane:
            return 0.5 * self.area
        r, h = self.radius, self.height
        if self._is_thin:
            x = h / r
            return math.pi * r * h * (1.0 + x / 6.0 - x**3 * (1.0 - x) / 180.0)
        R = r + h
        return math.pi * ((R**2 - r**2) / (2.0 * math.log(R / r)) - r**2)

    def resistance(self, length: Any) -> Any:
        """Force B against each m/s of the piston [N s/m]."""
        r, h, mu = self.radius, self.height, self.fluid.viscosity
        if self.is_plane:
            return mu * 2.0 * math.pi * (r + 0.5 * h) * length / h
        return mu * 2.0 * math.pi * length / math.log1p(h / r)


class Shear(ForceLaw):
    """Force of the oil in the gap on the piston (5.F41)."""

    ring: Ring
    length: AmountField
    drop: Any

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Drag against the motion, and what the pressure drop does to the wall."""
        along = self.ring.resistance(length_now(self.length, at)) * v
        return self.ring.dragged * self.drop(at) - along


class GapLoss(ForceLaw):
    """Pressure that a gap takes from its column of oil: (Q − D v)/G (5.F41)."""

    ring: Ring
    length: AmountField
    wall: Measure | None

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Against what flows faster than the wall drags along."""
        return -(v - self.carried(at)) / self.ring.conductance(length_now(self.length, at))

    def carried(self, at: Any) -> Any:
        """Flow that the wall drags along [m^3/s]."""
        return 0.0 if self.wall is None else self.ring.dragged * at.rate_of(self.wall)


def length_now(length: Any, at: Any) -> Any:
    """Length of a gap, a number or a function of ``at`` [m]."""
    return length(at) if is_function(length) else length


def overlap(
    inner: tuple[float, float], outer: tuple[float, float], at_least: float, shift: Any
) -> Any:
    """Length over which two lands face each other (5.F43).

    Parameters
    ----------
    inner, outer : (float, float) [m]
        Begin and end of the lands of piston and bore.
    at_least : float [m]
        What is taken where they face each other less.
    shift : float [m]
        How far the piston has moved.

    Examples
    --------
    >>> from jourdain.library.hydraulics.lines.gap import overlap
    >>> lands = (0.0, 0.02), (0.005, 0.03)
    >>> [round(float(overlap(*lands, 1e-4, x)), 4) for x in (0.0, 0.012, -0.018)]
    [0.015, 0.018, 0.0001]
    """
    end = math.minimum(inner[1] + shift, outer[1])
    begin = math.maximum(inner[0] + shift, outer[0])
    return math.maximum(end - begin, at_least)


class Gap(Passage):
    """The leakage gap between a piston and its bore; laminar (5.F42).

    Parameters
    ----------
    a, b : BuiltPart
        Nodes at its ends, which have a volume or a given pressure.
    radius, height : float [m]
        Radius of the piston and height of the gap.
    length : float or function of ``at`` [m]
        Length of the gap; see `overlap`.
    eccentricity : float
        0 in the middle to 1 at the wall, where 2.5 times as much leaks (5.F44).
    wall : Measure [m], optional
        Motion of the piston from a to b, which drags oil along and feels its shear.
    is_plane : bool
        Whether the curvature of the gap is left out (5.F41).
    column : bool
        Whether its oil has inertia, so that the gap may end at junctions; the length is a number
        then.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("leak"), hy.Fluid(viscosity=0.02)
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 1e5)), oil.add("T", hy.Tank(fluid))
    >>> gap = oil.add("gap", hy.Gap(S, T, radius=7.5e-3, height=50e-6, length=0.02))
    >>> f"{float(jd.simulate(model, 1.0)['oil.gap.flow'][-1]):.7g} m^3/s"
    '1.231276e-07 m^3/s'
    """

    radius: NumberField
    height: NumberField
    length: AmountField
    eccentricity: NumberField = preset(default=0.0)
    wall: Measure | None = None
    is_plane: bool = False
    column: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = ("radius", "height") if is_function(self.length) else ("radius", "height", "length")
        for name in sizes:
            check.number(getattr(self, name), f"{name} of Gap", positive=True, unit="m")
        share = check.number(self.eccentricity, "eccentricity of Gap", nonnegative=True)
        if nominal(share) > 1.0:
            raise ModelError(f"eccentricity of Gap is {nominal(share):g}: give 0 to 1.")
        if self.wall is not None and not isinstance(self.wall, Measure):
            raise ModelError(f"wall of Gap is {check.shown(self.wall)}: give a measure, or none.")
        if self.column and is_function(self.length):
            raise ModelError(
                "Gap has a column and a variable length: its inertia would change. Give a number "
                "for the length, or column=False and nodes with a volume."
            )
        viscosity = nominal(self.fluid.viscosity)
        if viscosity <= 0.0:
            raise ModelError(
                "Gap is filled with a fluid without viscosity, which nothing holds back. Give the "
                "fluid a viscosity, such as hy.Fluid(viscosity=0.03) [Pa s]."
            )

    @property
    def has_column(self) -> bool:
        """Whether its oil has inertia."""
        return self.column

    @property
    def ring(self) -> Ring:
        """The ring of oil."""
        return Ring(self.fluid, self.radius, self.height, self.eccentricity, self.is_plane)

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "leakage"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A column or a flow without inertia, and shear on the wall."""
        ring, a, b, length, wall = self.ring, self.a, self.b, self.length, self.wall
        loss, ports = GapLoss(ring, length, wall), {}
        if self.column:
            column = add_column(group, self.fluid.density * length / ring.area)
            group.add_connection("film", column, loss)
            ports["volume"] = column

            def drop(at: Any) -> Any:
                return -loss.force(0.0, at.rate_of(column), at)
        else:

            def drop(at: Any) -> Any:
                return pressure(at, a) - pressure(at, b)

            def flow(at: Any) -> Any:
                return ring.conductance(length_now(length, at)) * drop(at) + loss.carried(at)

            group.add_states(PASSED, {"volume": "m^3"}, flow)
        if wall is not None:
            group.add_connection("shear", wall, Shear(ring, length, drop))
        return ports

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop, and lost power: that of the oil less that on the wall."""
        found = dict(super().results(name))
        own = found.get("loss") or lost(name, ("film",))
        if self.wall is None:
            return found | {"loss": own}
        names = (*own.names, f"{name}.shear.force", f"{name}.shear.rate")

        def rest(*columns: Any) -> Any:
            return own.function(*columns[:-2]) - columns[-2] * columns[-1]

        return found | {"loss": Result("W", own.text, names, rest)}
