"""Elastic shafts: a chain of inertias (4.F31), and two ends with consistent inertia (4.F32)."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


def add_twist(group: Group, name: str, twist: Measure, stiffness: Any, damping: Any) -> None:
    """Add a torsional spring with its damper."""
    group.add_connection(name, twist, Spring(stiffness) + Damper(damping))


class ElasticShaft(Part):
    """A shaft as a chain of n equal discs on n − 1 equal springs (4.F31). Ports ``a`` and ``b``.

    A free chain has the frequencies 2 √(c̄/J̄) sin(k π/2n), k = 0 … n − 1, with J̄ = J/n and
    c̄ = (n − 1) c: the first lies by a part of 1/(2n) below that of the continuous shaft. Choose n
    by the frequencies that matter; for the first alone take `ConsistentShaft`.

    Parameters
    ----------
    inertia : float [kg m^2]
        Moment of inertia J of the whole shaft.
    stiffness : float [N m/rad]
        Stiffness c between its ends.
    damping : float [N m s/rad]
        Damping between its ends.
    discs : int
        Number n, at least 2.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("shaft")
    >>> shaft = model.add("shaft", pt.ElasticShaft(0.5, stiffness=400.0, discs=5))
    >>> modes = jd.eigenmodes(model)
    >>> [round(mode.frequency * 2 * jd.math.pi / 126.49110640673517, 6) for mode in modes][-1]
    1.902113
    """

    inertia: NumberField
    stiffness: NumberField
    damping: NumberField = preset(default=0.0)
    discs: int = 5

    def __post_init__(self) -> None:
        check.number(self.inertia, "inertia of ElasticShaft", positive=True, unit="kg m^2")
        check.number(self.stiffness, "stiffness of ElasticShaft", positive=True, unit="N m/rad")
        check.number(self.damping, "damping of ElasticShaft", nonnegative=True)
        if not isinstance(self.discs, Integral) or self.discs < 2:
            raise ModelError(
                f"discs of ElasticShaft is {check.shown(self.discs)}: give 2 or more; a rigid "
                "shaft is pt.Shaft(inertia)."
            )

    def build(self, group: Group) -> Mapping[str, Any]:
        """Coordinates, and a spring between neighbours."""
        n = int(self.discs)
        discs = [
            Coordinate(group.add_coordinate(f"disc_{k}", self.inertia / n)) for k in range(1, n + 1)
        ]
        for k in range(1, n):
            given = (n - 1) * self.stiffness, (n - 1) * self.damping
            add_twist(group, f"spring_{k}", discs[k - 1] - discs[k], *given)
        return {"a": discs[0], "b": discs[-1]}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist from b to a, and the torque at both ends, which passes from a to b."""
        last = int(self.discs)
        ends = (f"{name}.disc_1", f"{name}.disc_{last}")
        return {
            "twist": Result("rad", f"twist of {name}", ends, lambda a, b: a - b),
            "torque_a": _torque(f"torque at end a of {name}", f"{name}.spring_1"),
            "torque_b": _torque(f"torque at end b of {name}", f"{name}.spring_{last - 1}"),
        }


class ConsistentShaft(Part):
    """An elastic shaft between two ends, its twist linear between them (4.F32). Ports a and b.

        M = J/6 [2 1; 1 2],   c,   d = 2 D √(c J/12)

    Its inertia is that of Simpson's rule, exact for a linear twist: J/6 at the ends and 4 J/6 in
    the middle, which turns by (φ_a + φ_b)/2. Free, its frequency is √12 √(c/J), 10.3 % above that
    of the continuous shaft; between heavier discs the error is much smaller.

    Parameters
    ----------
    inertia : float [kg m^2]
        Moment of inertia J = ρ J_p l.
    stiffness : float [N m/rad]
        Stiffness c = G J_p/l.
    lehr : float
        Damping ratio D of the free shaft, about 0.02 to 0.05 for steel.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("shaft")
    >>> shaft = model.add("shaft", pt.ConsistentShaft(0.5, stiffness=400.0))
    >>> mode = jd.eigenmodes(model)[-1]
    >>> round((2 * jd.math.pi * mode.frequency) ** 2 / (400.0 / 0.5), 9)
    12.0
    """

    inertia: NumberField
    stiffness: NumberField
    lehr: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        check.number(self.inertia, "inertia of ConsistentShaft", positive=True, unit="kg m^2")
        check.number(self.stiffness, "stiffness of ConsistentShaft", positive=True)
        check.number(self.lehr, "lehr of ConsistentShaft", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """Two ends and the middle that follows them."""
        a, b = (Coordinate(group.add_coordinate(x, self.inertia / 6.0)) for x in "ab")
        middle = Coordinate(group.add_coordinate("middle", self.inertia * 2.0 / 3.0))
        group.add_connection("linear", middle - 0.5 * (a + b), Equal())
        damping = 2.0 * self.lehr * (self.stiffness * self.inertia / 12.0) ** 0.5
        add_twist(group, "spring", a - b, self.stiffness, damping)
        return {"a": a, "b": b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Twist from b to a, and the torque of its stiffness, which passes from a to b."""
        spring = f"{name}.spring"
        return {
            "twist": Result("rad", f"twist of {name}", (f"{spring}.value",)),
            "torque": _torque(f"torque in {name}", spring),
        }


def _torque(text: str, spring: str) -> Result:
    return Result("N m", text, (f"{spring}.force",), lambda force: -force)
