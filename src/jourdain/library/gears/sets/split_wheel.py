"""The split wheel that takes up the play of a mesh (5.F25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.library.gears.meshes.contact import Ideal, ToothContact
from jourdain.library.gears.meshes.mesh import Mesh
from jourdain.library.powertrain.angles import AngleField, hold_angles
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.force import Force
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class SplitWheel(Part):
    """A wheel b of two halves that a spring twists against each other in the gap of a (5.F25).

    The first half sits on the shaft b. The second turns on it, driven forward by the torque of the
    spring: in a train at rest the halves touch different flanks, and the mesh has no play as long
    as the load on it is smaller. Port ``half``: the angle of the second one.

    Parameters
    ----------
    a, b : Measure
        Angles of the shafts; b is that of the split wheel.
    teeth : Teeth
        Teeth of both meshes.
    contact : Elastic or Rigid
        How the teeth of each half answer.
    backlash : float [m]
        Play of each half by itself.
    inertia : float [kg m^2]
        Moment of inertia of the second half.
    torque : float [N m]
        Torque of the spring with both halves in line.
    stiffness, damping : float [N m/rad, N m s/rad]
        Of the spring.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import gears, powertrain as pt
    >>> model = jd.Model("pair", gravity=(0, 0, 0))
    >>> a, b = (model.add(n, pt.Shaft(J)).angle for n, J in (("a", 1e-3), ("b", 2e-3)))
    >>> teeth = gears.Teeth((20, 30), module=3e-3)
    >>> wheel = gears.SplitWheel(a, b, teeth, gears.Elastic(3e8, 2000.0), 1e-4, 1e-3, torque=10.0)
    >>> split = model.add("split", wheel)
    >>> hold = model.add_connection("hold", a, jd.Equal())
    >>> rest = jd.simulate(model, 0.05).final
    >>> f"{1e6 * 0.042286 * (rest['split.half.value'] - rest['b.angle.value']):.1f} µm"
    '101.6 µm'
    """

    a: AngleField
    b: AngleField
    teeth: Teeth
    contact: ToothContact
    backlash: NumberField
    inertia: NumberField
    torque: NumberField
    stiffness: NumberField = preset(default=0.0)
    damping: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        if isinstance(self.contact, Ideal):
            raise ModelError(
                "SplitWheel has ideal teeth, which have no play to take up: give gears.Elastic(...)"
                " or gears.Rigid()."
            )
        check.number(self.inertia, "inertia of SplitWheel", positive=True, unit="kg m^2")
        for name in ("torque", "stiffness", "damping"):
            check.number(getattr(self, name), f"{name} of SplitWheel", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A second half, a spring, two meshes."""
        half = Coordinate(group.add_coordinate("half", self.inertia))
        twist = half - self.b
        law = Force(self.torque)
        group.add_connection("torque", twist, law)
        if nominal(self.stiffness) > 0.0 or nominal(self.damping) > 0.0:
            group.add_connection("spring", twist, Spring(self.stiffness) + Damper(self.damping))
        for name, angle in (("first", self.b), ("second", half)):
            group.add(name, Mesh(self.a, angle, self.teeth, self.contact, self.backlash))
        return {"a": self.a, "b": self.b, "half": half}

    def results(self, name: str) -> Mapping[str, Result]:
        """Tooth force of both halves together."""
        names, force = self.contact.force("")
        every = tuple(f"{name}.{half}{n}" for half in ("first", "second") for n in names)
        n = len(names)
        return {
            "force": Result(
                "N", f"tooth force of both halves of {name}", every,
                lambda *x: force(*x[:n]) + force(*x[n:]),
            )
        }  # fmt: skip
