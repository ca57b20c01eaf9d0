"""Involute teeth of a pair of wheels: radii, path of contact, contact ratio, phase."""

from __future__ import annotations

from functools import cached_property
from numbers import Integral
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, SpanField, preset, record

DEGREE = math.pi / 180.0


def involute(angle: Any) -> Any:
    """Involute function inv α = tan α − α."""
    return math.tan(angle) - angle


def angle_of_involute(value: float) -> float:
    """Angle [rad] whose involute function has a value, by Newton's method."""
    x = (3.0 * value) ** (1.0 / 3.0)  # inv α = α³/3 + …
    for _ in range(60):
        tangent = float(math.tan(x))
        step = (tangent - x - value) / tangent**2 if tangent else 0.0
        x -= step
        if abs(step) < 1e-16:
            break
    return float(x)


@record()
class Teeth:
    """Involute teeth of two wheels that mesh (4.F50, 5.F15; ISO 21771).

    A ring with inner teeth has a negative number of them, ``(20, -60)``; then its radii are
    negative, too, and one set of formulas serves both. All lengths lie in the transverse plane.

    Parameters
    ----------
    teeth : (int, int)
        Numbers of teeth of the wheels a and b.
    module : float [m]
        Normal module.
    pressure_angle : float [rad]
        Normal pressure angle, 20 degrees.
    helix : float [rad]
        Helix angle of wheel a at the pitch circle.
    shifts : (float, float)
        Coefficients x of profile shift.
    distance : float [m], optional
        Working distance of the axes; that without play by default, which the shifts give.
    width : float [m]
        Width of the teeth; of a helical pair it gives the overlap.
    addendum : float
        Height of the tooth above the pitch circle in modules.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> teeth = gears.Teeth((20, 30), module=3e-3)
    >>> round(teeth.contact_ratio, 5), [round(1e3 * r, 3) for r in teeth.base_radii]
    (1.60518, [28.191, 42.286])
    """

    teeth: SpanField
    module: NumberField
    pressure_angle: NumberField = preset(default=20.0 * DEGREE)
    helix: NumberField = preset(default=0.0)
    shifts: SpanField = preset(default=(0.0, 0.0))
    distance: NumberOrNoneField = preset(default=None)
    width: NumberField = preset(default=0.0)
    addendum: NumberField = preset(default=1.0)

    def __post_init__(self) -> None:
        _check(self)
        ratio = self.contact_ratio
        if not ratio >= 1.0:
            raise ModelError(
                f"Teeth {self.teeth}: the contact ratio is {ratio:.3g}, so that at times no tooth "
                "carries. Give more teeth, a smaller pressure angle or distance, higher teeth, or "
                "a helix with a width."
            )

    @property
    def ratio(self) -> float:
        """Speed of a over speed of b: negative for two outer wheels."""
        return float(-self.teeth[1] / self.teeth[0])

    @cached_property
    def working_angle(self) -> float:
        """Transverse working pressure angle α_w [rad]."""
        return _working_angle(self)

    @property
    def transverse_angle(self) -> float:
        """Transverse pressure angle: tan α_t = tan α_n / cos β [rad]."""
        return float(math.atan(math.tan(self.pressure_angle) / math.cos(self.helix)))

    @property
    def base_helix(self) -> float:
        """Helix angle on the base circle: tan β_b = tan β cos α_t [rad]."""
        return float(math.atan(math.tan(self.helix) * math.cos(self.transverse_angle)))

    @property
    def pitch_radii(self) -> tuple[float, float]:
        """Radii r = m_n z/(2 cos β) [m]."""
        half = 0.5 * self.module / float(math.cos(self.helix))
        return half * self.teeth[0], half * self.teeth[1]

    @property
    def base_radii(self) -> tuple[float, float]:
        """Radii r_b = r cos α_t: arms of the tooth force [m]."""
        c = float(math.cos(self.transverse_angle))
        return self.pitch_radii[0] * c, self.pitch_radii[1] * c

    @property
    def working_radii(self) -> tuple[float, float]:
        """Radii r_w = r_b/cos α_w that roll on each other [m]."""
        c = float(math.cos(self.working_angle))
        return self.base_radii[0] / c, self.base_radii[1] / c

    @property
    def tip_radii(self) -> tuple[float, float]:
        """Radii r_a = r + m_n (h_a + x) [m]."""
        a, b = (
            r + self.module * (self.addendum + x)
            for r, x in zip(self.pitch_radii, self.shifts, strict=True)
        )
        return a, b

    @property
    def axis_distance(self) -> float:
        """Working distance of the axes [m]."""
        return abs(sum(self.working_radii))

    @property
    def pitch(self) -> float:
        """Base pitch p_et = 2π r_b/z: way along the line of action from tooth to tooth [m]."""
        return float(2.0 * math.pi * self.base_radii[0] / self.teeth[0])

    @property
    def approach(self) -> float:
        """Path of contact before the pitch point, g_f [m] (4.F50); ended by the tip of wheel b."""
        (tip, base, work), side = self._radii(1), 1.0 if self.teeth[1] > 0 else -1.0
        path = side * (_leg(tip, base) - _leg(work, base))
        return min(path, _leg(self.working_radii[0], self.base_radii[0]))

    @property
    def recess(self) -> float:
        """Path of contact behind the pitch point, g_a [m]; ended by the tip of wheel a."""
        tip, base, work = self._radii(0)
        path = _leg(tip, base) - _leg(work, base)
        if self.teeth[1] < 0:
            return path
        return min(path, _leg(self.working_radii[1], self.base_radii[1]))

    @property
    def contact_ratio(self) -> float:
        """Teeth in contact in the mean, ε = (g_f + g_a)/p_et + b sin β/(π m_n)."""
        profile = (self.approach + self.recess) / self.pitch
        overlap = self.width * abs(float(math.sin(self.helix))) / (math.pi * self.module)
        return float(profile + overlap)

    @property
    def half_tooth(self) -> float:
        """Half the angle of a tooth of wheel a at its working circle [rad]."""
        return self._half_tooth(0)

    def phase(self, turn: float = 0.0, toward: float = 0.0) -> float:
        """Shift Δx of the mesh, 0 ≤ Δx < 1: stiffness is c(x − Δx), x = r_b φ/p_et (4.F50).

        Parameters
        ----------
        turn : float [rad]
            Angle at which wheel a has the middle of a tooth, φ₀₁.
        toward : float [rad]
            Direction from its axis to the pitch point.
        """
        return float(-self._place(turn, toward) % 1.0) % 1.0

    def mate(self, turn: float = 0.0, toward: float = 0.0) -> float:
        """Angle at which wheel b has the middle of a tooth, when those of a stand so [rad] (4.F50).

        Both flanks have the same play then. The angle is the one next to zero, between −π/z and
        π/z, as are those one tooth further. Arguments as of `phase`.
        """
        a, b = self.teeth
        away = toward + math.pi if b > 0 else toward
        parts = (0.5 - a * (turn - toward) / (2.0 * math.pi)) % 1.0  # z_a ψ_a + z_b ψ_b = π
        angle, tooth = away + parts * 2.0 * math.pi / b, abs(2.0 * math.pi / b)
        return float((angle + 0.5 * tooth) % tooth - 0.5 * tooth)

    def _radii(self, k: int) -> tuple[float, float, float]:
        return self.tip_radii[k], self.base_radii[k], self.working_radii[k]

    def _half_tooth(self, k: int) -> float:
        thick = 0.5 * math.pi + 2.0 * self.shifts[k] * float(math.tan(self.pressure_angle))
        lack = involute(self.transverse_angle) - involute(self.working_angle)
        return float(thick / abs(self.teeth[k]) + lack)

    def _place(self, turn: float, toward: float) -> float:
        """Place of the front flank of the tooth along the path of contact, in base pitches."""
        return (self.approach + self.base_radii[0] * (turn - toward + self.half_tooth)) / self.pitch


def _leg(hypotenuse: float, radius: float) -> float:
    """Way along the line of action from its point of tangency to a circle."""
    square = hypotenuse**2 - radius**2
    return float(square**0.5) if square > 0.0 else 0.0


def _check(teeth: Teeth) -> None:
    """Check all fields of `Teeth`, and give them their form."""
    z = teeth.teeth
    if (
        not isinstance(z, tuple | list)
        or len(z) != 2
        or not all(isinstance(n, Integral) and not isinstance(n, bool) for n in z)
    ):
        raise ModelError(
            f"teeth of Teeth is {check.shown(z)}: give two whole numbers, (20, 30); those of an "
            "inner wheel are negative, (20, -60)."
        )
    a, b = int(z[0]), int(z[1])
    if a < 3 or abs(b) < 3 or (b < 0 and -b <= a):
        raise ModelError(
            f"teeth of Teeth is {(a, b)}: wheel a has outer teeth, 3 or more; a ring, with a "
            "negative number, has more of them than a."
        )
    object.__setattr__(teeth, "teeth", (a, b))
    check.number(teeth.module, "module of Teeth", positive=True, unit="m")
    for name, most in (("pressure_angle", 45.0), ("helix", 60.0)):
        angle = check.number(getattr(teeth, name), f"{name} of Teeth")
        if abs(angle) > most * DEGREE or (name == "pressure_angle" and angle <= 0.0):
            raise ModelError(
                f"{name} of Teeth is {angle:g} rad: give radians, such as 20 * jd.math.pi / 180."
            )
    if not isinstance(teeth.shifts, tuple | list) or len(teeth.shifts) != 2:
        raise ModelError(f"shifts of Teeth is {check.shown(teeth.shifts)}: give two numbers.")
    shifts = tuple(check.number(x, "a shift of Teeth") for x in teeth.shifts)
    object.__setattr__(teeth, "shifts", shifts)
    check.number(teeth.width, "width of Teeth", nonnegative=True, unit="m")
    check.number(teeth.addendum, "addendum of Teeth", positive=True)


def _working_angle(teeth: Teeth) -> float:
    """α_w from the distance of the axes, or from the shifts without play."""
    total = sum(teeth.teeth)
    if teeth.distance is not None:
        distance = check.number(teeth.distance, "distance of Teeth", positive=True, unit="m")
        base = abs(sum(teeth.base_radii))
        if distance <= base:
            raise ModelError(
                f"distance of Teeth is {distance:g} m, which is not above the sum of the base "
                f"radii, {base:g} m: the base circles meet. Without it, it is "
                f"{abs(sum(teeth.pitch_radii)):g} m."
            )
        return float(math.acos(base / distance))
    turned = 2.0 * sum(teeth.shifts) / total * float(math.tan(teeth.pressure_angle))
    value = involute(teeth.transverse_angle) + turned
    if value <= 0.0:
        raise ModelError(
            f"shifts of Teeth add up to {sum(teeth.shifts):g}: no distance of the axes fits. Give "
            "less of them."
        )
    return angle_of_involute(float(value))
