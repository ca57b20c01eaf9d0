"""The hydraulic chain tensioner: piston, leakage gap, check valve and chamber (5.F39 to 5.F47)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.lines.gap import Gap
from jourdain.library.hydraulics.machines.cylinder import Cylinder
from jourdain.library.hydraulics.nodes.cavitating_junction import CavitatingJunction
from jourdain.library.hydraulics.nodes.node import require_node
from jourdain.library.hydraulics.nodes.volume import Volume
from jourdain.library.hydraulics.valves.ball_check_valve import BallCheckValve
from jourdain.library.hydraulics.valves.check_valve import CheckValve
from jourdain.model.laws.force import Force
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, NumberOrNoneField, Takes, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_INLET = 1e-3  # [m] length of the oil column in an ideal valve, far below that in the gap


class ChainTensioner(Part):
    """A hydraulic tensioner: gives way slowly, through its gap, and follows at once by its valve.

    Oil comes from the supply through a check valve into the chamber behind the piston and leaves it
    through the gap around the piston. A spring pushes the piston out. The mass of the piston
    belongs to what the measure moves.

    Parameters
    ----------
    supply, ambient : BuiltPart
        Node before the check valve, and node into which the gap leaks.
    measure : Measure [m]
        Way of the piston, which grows as it comes out.
    diameter, gap : float [m]
        Of the piston, and height of the gap around it.
    length : float or function of ``at`` [m]
        Length of the gap.
    stiffness, preload : float [N/m], [N]
        Of the spring; its force at zero pushes the piston out.
    ball : mapping, optional
        Fields of the `BallCheckValve`: ``{"seat": hy.BallSeat(2.5e-3, 0.8), "lift": 3e-4, …}``.
        Without it the valve is ideal: no loss, no time.
    inlet : float [m], optional
        Diameter of the bore of an ideal valve; a quarter of that of the piston by default.
    volume : float [m^3], optional
        Volume of the chamber at the way zero, whose oil is compressible. Without it the chamber is
        a `CavitatingJunction`: rigid oil, in which a void may open.
    start : float [Pa], optional
        Pressure of a chamber with a volume at the start.
    limits : (float, float) [m], optional
        Stops of the piston.
    friction : float [N]
        Dry friction of the piston.
    eccentricity : float
        Of the piston in its bore, 0 to 1.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("rig", gravity=(0, 0, 0)), hy.Fluid(viscosity=0.02)
    >>> cam = model.add_coordinate("cam", 0.05, unit="m", driven=lambda t: 2e-4 * jd.cos(300.0 * t))
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 3e5)), oil.add("T", hy.Tank(fluid))
    >>> part = hy.ChainTensioner(S, T, jd.Coordinate(cam), diameter=15e-3, gap=60e-6, length=0.02)
    >>> tensioner = oil.add("tensioner", part)
    >>> sol = jd.simulate(model, 0.04)
    >>> f"{float(sol['oil.tensioner.pressure', 'bar'].max()):.0f} bar"
    '50 bar'
    """

    supply: BuiltPart
    ambient: BuiltPart
    measure: Measure
    diameter: NumberField
    gap: NumberField
    length: AmountField
    stiffness: NumberField = preset(default=0.0)
    preload: NumberField = preset(default=0.0)
    ball: Takes[Mapping[str, Any] | None, Any] = preset(default=None)
    inlet: NumberOrNoneField = preset(default=None)
    volume: NumberOrNoneField = preset(default=None)
    start: NumberOrNoneField = preset(default=None)
    limits: Takes[Sequence[Any] | None, Any] = preset(default=None)
    friction: NumberField = preset(default=0.0)
    eccentricity: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        for end in ("supply", "ambient"):
            require_node(getattr(self, end), f"{end} of ChainTensioner")
        if not isinstance(self.measure, Measure):
            raise ModelError(
                f"measure of ChainTensioner is {check.shown(self.measure)}: give the way of the "
                'piston, such as jd.Coordinate("guide.position").'
            )
        check.number(self.diameter, "diameter of ChainTensioner", positive=True, unit="m")
        if self.inlet is None:
            object.__setattr__(self, "inlet", 0.25 * self.diameter)
        for name in ("stiffness", "inlet"):
            check.number(getattr(self, name), f"{name} of ChainTensioner", nonnegative=True)
        check.number(self.preload, "preload of ChainTensioner", unit="N")
        if self.ball is not None:
            if not isinstance(self.ball, Mapping):
                raise ModelError(
                    f"ball of ChainTensioner is {check.shown(self.ball)}: give the fields of its "
                    'check valve, such as {"seat": hy.BallSeat(2.5e-3, 0.8), "lift": 3e-4}.'
                )
            object.__setattr__(self, "ball", dict(self.ball))
        if self.start is not None and self.volume is None:
            raise ModelError(
                "ChainTensioner has a start pressure, and its chamber no volume: the pressure of "
                "rigid oil follows from the motion. Give volume=2e-6 [m^3], or leave start out."
            )

    @property
    def area(self) -> Any:
        """Area of the piston [m^2]."""
        return math.pi * self.diameter**2 / 4.0

    def build(self, group: Group) -> Mapping[str, Any]:
        """Chamber, piston, gap, valve and spring."""
        fluid, is_rigid = self.supply.fluid, self.volume is None
        begin = 0.0 if self.start is None else self.start
        node = CavitatingJunction(fluid) if is_rigid else Volume(fluid, self.volume, begin)
        chamber = group.add("chamber", node)
        piston = Cylinder(chamber, None, self.measure, (self.area, 0.0), self.limits, self.friction)
        group.add("piston", piston)
        film = Gap(
            chamber, self.ambient, 0.5 * self.diameter, self.gap, self.length,
            self.eccentricity, self.measure, column=is_rigid,
        )  # fmt: skip
        group.add("gap", film)
        group.add("valve", self._valve(chamber))
        spring = Spring(self.stiffness) + Force(self.preload)
        group.add_connection("spring", self.measure, spring)
        return {"chamber": chamber, "stroke": self.measure}

    def _valve(self, chamber: BuiltPart) -> Part:
        column = {"length": _INLET} if self.volume is None else {}
        if self.ball is not None:
            return BallCheckValve(self.supply, chamber, **column | self.ball)
        bore = math.pi * self.inlet**2 / 4.0
        if self.volume is None:
            return CheckValve(self.supply, chamber, section=bore, **column)
        return CheckValve(self.supply, chamber, area=bore)

    def results(self, name: str) -> Mapping[str, Result]:
        """Pressure, force of oil and spring on the piston, flow of the valve, losses."""
        area = self.area
        force = (f"{name}.chamber.pressure", f"{name}.gap.shear.force", f"{name}.spring.force")
        losses = tuple(f"{name}.{part}.loss" for part in ("gap", "valve"))
        text = f"force of oil and spring on the piston of {name}, outwards"
        return {
            "pressure": Result("Pa", f"pressure in the chamber of {name}", force[:1]),
            "force": Result("N", text, force, lambda p, shear, spring: area * p + shear + spring),
            "flow": Result("m^3/s", f"flow into the chamber of {name}", (f"{name}.valve.flow",)),
            "loss": Result("W", f"power that {name} loses", losses, lambda gap, valve: gap + valve),
        }
