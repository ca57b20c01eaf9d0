"""Cardan joints and shafts: two speeds that are the same in the mean only (4.F59, 4.F60)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import (
    ANGLE_UNIT,
    AngleField,
    add_reading,
    add_tied,
    hold_angles,
)
from jourdain.library.powertrain.shafts.coupling import coupling_results
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, SpanField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


def cardan_ratio(angle: Any, bend: Any) -> Any:
    """Ratio of the speeds behind and before a joint, κ = cos α/(sin² φ + cos² φ cos² α) (4.F59).

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> round(float(pt.cardan_ratio(0.0, 0.5)), 6)  # 1/cos 0.5
    1.139494
    """
    c = math.cos(bend)
    return c / (math.sin(angle) ** 2 + (math.cos(angle) * c) ** 2)


class CardanAngle(Measure):
    """Angle behind a joint, on the branch that goes on: tan(φ₂ + δ₂) = tan(φ₁ + δ)/cos α.

    It is zero where φ₁ is: δ₂ is the angle of the other yoke there, tan δ₂ = tan δ/cos α.

    Parameters
    ----------
    shaft : Measure
        Angle before it; at zero its yoke lies in the plane of both shafts, and the speed behind is
        1/cos α times as high.
    bend : float [rad]
        Angle α between the two shafts.
    phase : float [rad]
        Angle δ of the yoke at φ₁ = 0.
    """

    shaft: Measure
    bend: NumberField
    phase: NumberField = preset(default=0.0)
    unit = ANGLE_UNIT

    def value(self, at: Any) -> Any:
        """The angle."""
        turned = self.shaft.value(at)
        return turned + self._ahead(turned + self.phase) - self._ahead(self.phase)

    def _ahead(self, phi: Any) -> Any:
        """Angle by which the second yoke is ahead of the first."""
        s, k, c = math.sin(phi), math.cos(phi), math.cos(self.bend)
        return math.atan2(s * k * (1.0 - c), k * k * c + s * s)


def require_bend(value: Any, what: str) -> Any:
    """Check the angle of a joint.

    Raises
    ------
    ModelError
        If it is a right angle or more.
    """
    bend = check.number(value, what, nonnegative=True, unit="rad")
    if nominal(bend) >= 0.5 * math.pi:
        degrees = nominal(bend) * 180.0 / math.pi
        raise ModelError(
            f"{what} is {nominal(bend):g} rad ({degrees:.4g} degrees): at 90 degrees a Cardan "
            "joint turns no more. Give less than π/2 rad; 14 degrees are 0.244 rad."
        )
    return bend


class CardanJoint(Part):
    """A Cardan (Hooke) joint between two shafts: φ_b = arctan(tan φ_a/cos α) (4.F59).

        ω_b = κ ω_a,   M_a = κ M_b,   cos α ≤ κ ≤ 1/cos α, twice a turn

    With a phase δ both angles count from where the yoke of a stands at δ: φ_b is zero with φ_a.

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    bend : float [rad]
        Angle α between them, below π/2.
    phase : float [rad]
        Angle of the yoke of a against the plane of both shafts where a stands at zero.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("joint")
    >>> a = model.add_coordinate("a", 1.0, driven=lambda t: 10.0 * t)
    >>> b = model.add("b", pt.Shaft(0.5))
    >>> joint = model.add("joint", pt.CardanJoint(a, b.angle, bend=0.5))
    >>> sol = jd.simulate(model, 1.0, start={"b.speed": 10.0 / jd.math.cos(0.5)})
    >>> [round(float(x), 3) for x in (sol["b.speed"].min(), sol["b.speed"].max())]
    [8.776, 11.395]
    """

    a: AngleField
    b: AngleField
    bend: NumberField
    phase: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        require_bend(self.bend, "bend of CardanJoint")
        check.number(self.phase, "phase of CardanJoint", unit="rad")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint."""
        behind = CardanAngle(self.a, self.bend, self.phase)
        group.add_connection("cross", self.b - behind, Equal())
        add_reading(group, "turns", self._ratio)
        return {"a": self.a, "b": self.b}

    def _ratio(self, at: Any) -> Any:
        return cardan_ratio(self.a.value(at) + self.phase, self.bend)

    def results(self, name: str) -> Mapping[str, Result]:
        """Ratio of the speeds, and the torques on both shafts."""
        kappa, torque = f"{name}.turns.force", f"{name}.cross.force"
        return {
            "ratio": Result("1", f"ratio of the speeds of {name}, b to a", (kappa,)),
            "torque_a": Result(
                "N m", f"torque of {name} on a", (kappa, torque), lambda k, x: -k * x
            ),
            "torque_b": Result("N m", f"torque of {name} on b", (torque,)),
        }


class CardanShaft(Part):
    """A shaft between two Cardan joints: a = joint = shaft = joint = b (4.F59).

        M = c (φ₂ − φ₃) + d (ω₂ − ω₃),   φ₂ = φ₂(φ_a, α_a),   φ₃ = φ₃(φ_b, α_b)

    It turns evenly where both bends are equal, the yokes are in one plane (``phase=0``), and the
    shaft does not twist. What a and b feel is a stiffness κ² c that changes twice a turn (4.F60),
    and the torques that accelerate the middle.

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    bends : (float, float) [rad]
        Angles of the joints at a and at b, below π/2.
    stiffness : float, optional [N m/rad]
        Stiffness c of the shaft; rigid without it.
    damping : float [N m s/rad]
        Damping d beside it.
    inertias : (float, float) [kg m^2]
        Moments of inertia of the two halves of the shaft between the joints.
    phase : float [rad]
        Angle of the yoke at b against that at a; 0 in one plane, π/2 put together wrong.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("pto")
    >>> a, b = (model.add(name, pt.Shaft(1.0)) for name in "ab")
    >>> shaft = model.add("shaft", pt.CardanShaft(a.angle, b.angle, (0.4, 0.4)))
    >>> sol = jd.simulate(model, 1.0, start={"a.speed": 20.0, "b.speed": 20.0})
    >>> round(float(sol["b.speed"][-1]), 9)
    20.0
    """

    a: AngleField
    b: AngleField
    bends: SpanField
    stiffness: NumberOrNoneField = preset(default=None)
    damping: NumberField = preset(default=0.0)
    inertias: SpanField = preset(default=(0.0, 0.0))
    phase: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        for name in ("bends", "inertias"):
            value = getattr(self, name)
            if not isinstance(value, tuple | list) or len(value) != 2:
                raise ModelError(
                    f"{name} of CardanShaft is {check.shown(value)}: give two numbers, for the "
                    "side of a and for that of b."
                )
        bends = tuple(require_bend(x, "a bend of CardanShaft") for x in self.bends)
        object.__setattr__(self, "bends", bends)
        for J in self.inertias:
            check.number(J, "inertias of CardanShaft", nonnegative=True, unit="kg m^2")
        if self.stiffness is not None:
            check.number(self.stiffness, "stiffness of CardanShaft", positive=True)
        check.number(self.damping, "damping of CardanShaft", nonnegative=True)
        check.number(self.phase, "phase of CardanShaft", unit="rad")

    def stiffness_at(self, angle: float) -> float:
        """Stiffness κ² c between a and b at an angle of a, for small twists (4.F60) [N m/rad]."""
        if self.stiffness is None:
            raise ModelError("CardanShaft has no stiffness: it is rigid. Give stiffness=...")
        return float(cardan_ratio(angle, nominal(self.bends[0])) ** 2 * nominal(self.stiffness))

    def build(self, group: Group) -> Mapping[str, Any]:
        """Spring or constraint between the inner ends, and what is fixed to these."""
        inner = CardanAngle(self.a, self.bends[0]), CardanAngle(self.b, self.bends[1], self.phase)
        for side, J, angle in zip("ab", self.inertias, inner, strict=True):
            add_tied(group, f"half_{side}", J, angle)
        rigid = self.stiffness is None
        law = Equal() if rigid else Spring(self.stiffness) + Damper(self.damping)
        group.add_connection("spring", inner[0] - inner[1], law)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist, and the torque in the shaft between its joints."""
        return coupling_results(name)
