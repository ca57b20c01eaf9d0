"""Pumps and motors on a shaft (4.F64)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.lines.leakage import Leakage
from jourdain.library.hydraulics.nodes.node import (
    PORT,
    Element,
    End,
    Swept,
    is_rigid,
    require_node,
)
from jourdain.library.hydraulics.passage import PASSED, total_loss
from jourdain.library.hydraulics.symbols import two_ends
from jourdain.model.laws.force import Force
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import is_function
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.model import Model
    from jourdain.model.parts.group import Group


class DisplacementTorque(ForceLaw):
    """Torque of nodes with a volume on the shaft of a variable machine: k(at) Σ ± p (4.F64).

    Junctions act through the constraint of their flows, so they are left out.

    Parameters
    ----------
    factor : function of ``at`` [m^3]
        Volume of one radian.
    nodes : tuple of (float, str)
        Signs and names of the nodes; those that are rigid go when the model is complete.
    """

    factor: Any
    nodes: tuple[tuple[float, str], ...]

    def completed(self, model: Model) -> DisplacementTorque:
        """Law of the nodes that have a volume or a given pressure."""
        parts = {name: built.part for name, built in model.parts.items()}
        kept = tuple((k, n) for k, n in self.nodes if not is_rigid(parts[n]))
        return DisplacementTorque(self.factor, kept)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Torque on the shaft [N m]."""
        total = sum(k * at.force(f"{node}.{PORT}") for k, node in self.nodes)
        return self.factor(at) * total + 0.0 * v


class Displacement(Element):
    """A machine that moves a volume from a to b with every turn of its shaft.

        Q = s D ω/2π,   torque on the shaft (p_a − p_b) s D/2π                 (4.F64)

    The torque follows from the flow by virtual power, so no energy is lost between oil and shaft
    but by ``leakage`` and ``friction``.

    Parameters
    ----------
    a, b : BuiltPart
        Nodes that oil leaves, and enters, while the shaft turns forward.
    shaft : Measure
        Angle of the shaft, such as ``jd.Coordinate("motor.angle")``.
    displacement : float [m^3]
        Volume D of one revolution.
    setting : float or function of ``at``
        Part s of the displacement that is used, −1 to 1: ``lambda at: at.coordinate("swivel")``.
        Between nodes with a volume it may depend on states and inputs too, at a junction on time
        and coordinates.
    leakage : float [m^3/(s Pa)]
        Leakage back inside of it; the nodes have a volume then.
    friction : float [N m]
        Torque of dry friction.
    """

    a: BuiltPart
    b: BuiltPart
    shaft: Measure
    displacement: NumberField
    setting: AmountField = preset(default=1.0)
    leakage: NumberField = preset(default=0.0)
    friction: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        word = type(self).__name__
        for end in ("a", "b"):
            require_node(getattr(self, end), f"{end} of {word}")
        if not isinstance(self.shaft, Measure):
            raise ModelError(
                f"shaft of {word} is {check.shown(self.shaft)}: give the angle of the shaft, such "
                'as jd.Coordinate("motor.angle").'
            )
        check.number(self.displacement, f"displacement of {word}", positive=True, unit="m^3")
        if not self.is_variable:
            share = check.number(self.setting, f"setting of {word}")
            if abs(nominal(share)) > 1.0:
                raise ModelError(
                    f"setting of {word} is {nominal(share):g}: give -1 to 1, the part of the "
                    "displacement that is used, or a function of at."
                )
        check.number(self.leakage, f"leakage of {word}", nonnegative=True)
        check.number(self.friction, f"friction of {word}", nonnegative=True, unit="N m")

    @property
    def is_variable(self) -> bool:
        """Whether the setting is a function."""
        return bool(is_function(self.setting))

    def per_radian(self, at: Any = None) -> Any:
        """Volume that one radian moves [m^3]."""
        share = self.setting(at) if self.is_variable else self.setting
        return share * self.displacement / (2.0 * math.pi)

    def _flow(self, at: Any) -> Any:
        """Flow from a to b [m^3/s]."""
        return self.per_radian(at) * at.rate_of(self.shaft)

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        glyph = "motor" if isinstance(self, Motor) else "pump"
        return two_ends("variable " * self.is_variable + glyph, self.a, self.b)

    def ends(self, name: str) -> tuple[End, ...]:
        """What leaves a enters b."""
        if self.is_variable:
            swept, flow = Formula(speed=self._flow, unit="m^3"), f"{name}.{PASSED}.volume"
            return tuple(End(n, k, swept, flow) for n, k in ((self.a, 1.0), (self.b, -1.0)))
        k = self.per_radian()
        return End(self.a, k, self.shaft), End(self.b, -k, self.shaft)

    def build(self, group: Group) -> Mapping[str, Any]:
        """Leakage and friction; the rest are its ends, and the torque where it is variable."""
        if self.is_variable:
            group.add_states(PASSED, {"volume": "m^3"}, self._flow)
            nodes = ((1.0, self.a.name), (-1.0, self.b.name))
            group.add_connection("torque", self.shaft, DisplacementTorque(self.per_radian, nodes))
        else:
            group.add_connection("swept", Swept(((self.per_radian(), self.shaft),)), Force(0.0))
        if not is_zero(self.leakage):
            group.add("leakage", Leakage(self.a, self.b, self.leakage))
        if not is_zero(self.friction):
            group.add_connection("friction", self.shaft, Interval(self.friction))
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow of the displacement, power that the oil gives to the shaft, losses if any."""
        flow = f"{name}.{PASSED}.volume_rate" if self.is_variable else f"{name}.swept.rate"
        names = (flow, *(f"{node.name}.{PORT}.force" for node in (self.a, self.b)))
        text = f"power that the oil gives to the shaft of {name}"
        loss = machine_loss(name, self.leakage, self.friction)
        return {
            "flow": Result("m^3/s", f"flow of {name}, leakage left out", (flow,)),
            "power": Result("W", text, names, lambda q, a, b: q * (a - b)),
        } | loss


class Pump(Displacement):
    """A pump: its shaft moves oil from a (suction) to b (pressure side).

    Its parameters are those of `Displacement`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("pump", gravity=(0, 0, 0)), hy.Fluid(air=0.0, bulk_modulus=1e9)
    >>> motor = model.add_coordinate("motor", 0.1, driven=lambda t: 100.0 * t)
    >>> oil = model.group("oil")
    >>> T, P = oil.add("T", hy.Tank(fluid)), oil.add("P", hy.Volume(fluid, 1e-3))
    >>> pump = oil.add("pump", hy.Pump(T, P, jd.Coordinate(motor), displacement=1e-5))
    >>> sol = jd.simulate(model, 0.1)
    >>> float(sol["oil.P.pressure", "bar"][-1].round(6))  # E/V · D · 100 · 0.1/2π
    159.154943
    """


class Motor(Displacement):
    """A motor: oil that flows from a to b turns its shaft forward.

    Its parameters are those of `Displacement`; a pump that is driven by oil is a motor.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("motor", gravity=(0, 0, 0)), hy.Fluid()
    >>> wheel = model.add_coordinate("wheel", 0.5)
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 1e7)), oil.add("T", hy.Tank(fluid))
    >>> motor = oil.add("motor", hy.Motor(S, T, jd.Coordinate(wheel), displacement=1e-5))
    >>> float(jd.simulate(model, 1.0)["wheel.rate"][-1].round(6))  # 1e7 · 1e-5/2π/0.5
    31.830989
    """


def is_zero(value: Any) -> bool:
    """Whether a field is zero, and no parameter."""
    return isinstance(value, float | int) and value == 0.0


def machine_loss(name: str, leakage: Any, friction: Any) -> dict[str, Result]:
    """Loss of a machine on a shaft; nothing for one without."""
    leaks = () if is_zero(leakage) else (f"{name}.leakage",)
    rubs = () if is_zero(friction) else (f"{name}.friction",)
    return {"loss": total_loss(name, leaks, rubs)} if leaks or rubs else {}
