"""Couplings between shafts: springs with play (4.F34), absorbers (5.F22), elastomers (5.F23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, hold_angles
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.maxwell import Maxwell
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, SpanField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class PlaySpring(ForceLaw):
    """Spring with play: −c dz(x, s), dz = 0 for |x| ≤ s/2 and |x| − s/2 beyond (4.F34).

    Parameters
    ----------
    stiffness : float [N m/rad]
        Stiffness c where it touches.
    play : float [rad]
        Whole play s.
    """

    stiffness: NumberField
    play: NumberField

    def _stretch(self, x: Any) -> Any:
        half = 0.5 * self.play
        return math.maximum(x - half, 0.0) + math.minimum(x + half, 0.0)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Torque."""
        return -self.stiffness * self._stretch(x)

    def energy(self, x: Any, at: Any) -> Any:
        """Stored energy."""
        return 0.5 * self.stiffness * self._stretch(x) ** 2


class Coupling(Part):
    """A torsional spring and damper between two shafts, with play if given (4.F34).

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    stiffness : float [N m/rad]
        Stiffness c.
    damping : float [N m s/rad]
        Damping d, which acts inside the play, too.
    play : float [rad]
        Angle between the two flanks.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("two")
    >>> one, two = (model.add(n, pt.Shaft(1.0)) for n in ("one", "two"))
    >>> joint = model.add("joint", pt.Coupling(one.angle, two.angle, 50.0))
    >>> round(jd.eigenmodes(model)[-1].frequency * 2 * jd.math.pi, 9)
    10.0
    """

    a: AngleField
    b: AngleField
    stiffness: NumberField
    damping: NumberField = preset(default=0.0)
    play: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        check.number(self.stiffness, "stiffness of Coupling", positive=True, unit="N m/rad")
        check.number(self.damping, "damping of Coupling", nonnegative=True)
        check.number(self.play, "play of Coupling", nonnegative=True, unit="rad")

    def build(self, group: Group) -> Mapping[str, Any]:
        """Spring and damper."""
        has_play = not isinstance(self.play, float | int) or self.play > 0.0
        spring = PlaySpring(self.stiffness, self.play) if has_play else Spring(self.stiffness)
        group.add_connection("spring", self.a - self.b, spring + Damper(self.damping))
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist and torque."""
        return coupling_results(name)


def coupling_results(name: str) -> dict[str, Result]:
    """Twist of a spring, and the torque that passes from a to b."""
    spring = f"{name}.spring"
    return {
        "twist": Result("rad", f"twist of {name}", (f"{spring}.value",)),
        "torque": Result(
            "N m", f"torque from a to b through {name}", (f"{spring}.force",), lambda force: -force
        ),
    }


class TorsionalDamper(Part):
    """An inertia on a spring and damper at a shaft: a vibration absorber (5.F22). Port ``ring``.

    Parameters
    ----------
    shaft : Measure
        Angle of the shaft.
    inertia : float [kg m^2]
        Moment of inertia of the ring.
    stiffness : float [N m/rad]
        Stiffness of its spring.
    damping : float [N m s/rad]
        Its damping.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("absorber")
    >>> shaft = model.add("shaft", pt.Shaft(1.0))
    >>> ring = model.add("ring", pt.TorsionalDamper(shaft.angle, 0.1, stiffness=1000.0))
    >>> round(ring.frequency(), 6)  # at which the shaft rests
    15.915494
    """

    shaft: AngleField
    inertia: NumberField
    stiffness: NumberField
    damping: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "shaft")
        check.number(self.inertia, "inertia of TorsionalDamper", positive=True, unit="kg m^2")
        check.number(self.stiffness, "stiffness of TorsionalDamper", positive=True)
        check.number(self.damping, "damping of TorsionalDamper", nonnegative=True)

    def frequency(self) -> float:
        """Frequency √(c/J)/2π to which it is tuned [Hz]."""
        return float((nominal(self.stiffness) / nominal(self.inertia)) ** 0.5 / (2.0 * math.pi))

    def build(self, group: Group) -> Mapping[str, Any]:
        """A ring on its spring."""
        ring = Coordinate(group.add_coordinate("ring", self.inertia))
        law = Spring(self.stiffness) + Damper(self.damping)
        group.add_connection("spring", self.shaft - ring, law)
        return {"ring": ring}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist and torque."""
        return coupling_results(name)


class ElastomerCoupling(Part):
    """A rubber coupling whose stiffness grows with the logarithm of the frequency (5.F23).

        c(f) = c₁ + s log₁₀ f,   f in Hz

    In time it is a spring beside Maxwell branches of equal stiffness, equally spaced over the
    logarithm of their relaxation times: n for each decade of ``frequencies``, so that the storage
    stiffness follows the line inside of it, to s/(40 n²) or so a decade away from its ends.

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    stiffness : float [N m/rad]
        Stiffness c₁ at 1 Hz.
    slope : float [N m/rad]
        Growth s with each decade of frequency.
    frequencies : (float, float) [Hz]
        Lowest and highest frequency that matter.
    branches : int
        Branches n a decade.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("two")
    >>> one, two = (model.add(n, pt.Shaft(1.0)) for n in ("one", "two"))
    >>> gates = model.add("gates", pt.ElastomerCoupling(one.angle, two.angle, 780.0, slope=621.4))
    >>> round(gates.at(2.5 * 1500.0 / 60.0), 2)  # order 2.5 at 1500 rev/min
    1895.96
    """

    a: AngleField
    b: AngleField
    stiffness: NumberField
    slope: NumberField
    frequencies: SpanField = preset(default=(1.0, 1000.0))
    branches: int = 2

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        check.number(self.stiffness, "stiffness of ElastomerCoupling", positive=True)
        check.number(self.slope, "slope of ElastomerCoupling", positive=True)
        if len(self.frequencies) != 2 or not 0.0 < self.frequencies[0] < self.frequencies[1]:
            raise ModelError(
                f"frequencies of ElastomerCoupling is {check.shown(self.frequencies)}: give "
                "two [Hz], the lower one first, such as (1.0, 1000.0)."
            )
        if self.branches < 1:
            raise ModelError("branches of ElastomerCoupling: give 1 or more for each decade.")
        if nominal(self.laws()[0]) <= 0.0:
            low = self.frequencies[0] / 10.0
            raise ModelError(
                f"ElastomerCoupling has no stiffness left at {low:g} Hz, a decade below its range: "
                "give frequencies that begin higher."
            )

    def at(self, frequency: float) -> float:
        """Stiffness at a frequency [N m/rad] (5.F23)."""
        inside = float(math.log(frequency)) / float(math.log(10.0))
        return float(nominal(self.stiffness) + nominal(self.slope) * inside)

    def laws(self) -> tuple[Any, ForceLaw]:
        """Stiffness of the spring, and the Maxwell branches beside it.

        A branch k, τ has the storage stiffness k (ωτ)²/(1 + (ωτ)²): over log ω a step of height k,
        symmetric about ωτ = 1. Steps of s/n, 1/n decades apart, add up to a line of slope s. The
        branches begin one decade below the range and end one above; the line gives the spring.
        """
        n = int(self.branches)
        low, high = (float(math.log(f)) / float(math.log(10.0)) for f in self.frequencies)
        begin, count = low - 1.0, int(math.ceil((high - low + 2.0) * n))
        middles = [begin + (j + 0.5) / n for j in range(count)]
        times = tuple(1.0 / (2.0 * math.pi * 10.0**m) for m in middles)
        base = self.stiffness + self.slope * begin
        return base, Maxwell((self.slope / n,) * count, times, unit="rad")

    def build(self, group: Group) -> Mapping[str, Any]:
        """Spring and branches."""
        base, branches = self.laws()
        group.add_connection("spring", self.a - self.b, Spring(base) + branches)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist and torque."""
        return coupling_results(name)
