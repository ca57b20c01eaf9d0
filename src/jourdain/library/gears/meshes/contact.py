"""The three levels of a mesh: ideal teeth, rigid teeth with play, elastic teeth (4.F47)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.library.gears.meshes.line import FlankDepth
from jourdain.library.gears.meshes.stiffness import Lehr
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Unilateral
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, Takes, preset, record

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

Flanks = tuple[tuple[str, FlankDepth], tuple[str, FlankDepth]]


class ToothContact(ABC):
    """How the teeth of a mesh answer: what `Mesh` takes as ``contact``."""

    @abstractmethod
    def add_to(self, group: Group, line: Any, flanks: Flanks) -> None:
        """Add the connections of a mesh."""

    @abstractmethod
    def force(self, name: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
        """Names of the forces of a mesh, and the tooth force from them, positive in front."""


@record()
class Ideal(ToothContact):
    """Rigid teeth without play: a fixed ratio (4.F33). The backlash of the mesh does not count."""

    def add_to(self, group: Group, line: Any, flanks: Flanks) -> None:
        """A constraint."""
        group.add_connection("teeth", line, Equal())

    def force(self, name: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
        """The multiplier."""
        return (f"{name}.teeth.force",), lambda force: -force


@record()
class Rigid(ToothContact):
    """Rigid teeth with play: both flanks are one-sided contacts that hit (4.F47 iii).

    Parameters
    ----------
    restitution : float
        Coefficient of restitution, 0 to 1.
    """

    restitution: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        Unilateral(restitution=self.restitution)

    def add_to(self, group: Group, line: Any, flanks: Flanks) -> None:
        """Two stops."""
        for name, depth in flanks:
            stop = Unilateral(0.0, "below", restitution=self.restitution)
            group.add_connection(name, depth, stop)

    def force(self, name: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
        """Difference of both normal forces."""
        names = (f"{name}.front.normal_force", f"{name}.back.normal_force")
        return names, lambda front, back: front - back


@record()
class Elastic(ToothContact):
    """Elastic teeth with damping and an oil film: a law of force for each flank (GM-4).

    Parameters
    ----------
    stiffness : float or function [N/m]
        Stiffness c along the line of action; a number, or over x in base pitches from the start of
        contact, such as `ToothStiffness` and `FourierStiffness` (4.F49, 5.F16).
    damping : float [N s/m] or Lehr
        Damping d in contact (5.F17).
    film : float [m]
        Length δ₀ over which the damping dies away in the play, as exp(−δ/δ₀): the squeezed oil film
        (5.F18). 0 is dry: damping sets in with the contact.
    """

    stiffness: AmountField
    damping: Takes[float | Lehr, Any] = preset(default=0.0)
    film: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        if not callable(self.stiffness):
            check.number(self.stiffness, "stiffness of Elastic", positive=True, unit="N/m")
        require_repeating(self.stiffness, "stiffness of Elastic")
        if not isinstance(self.damping, Lehr):
            check.number(self.damping, "damping of Elastic", nonnegative=True, unit="N s/m")
        check.number(self.film, "film of Elastic", nonnegative=True, unit="m")

    def add_to(self, group: Group, line: Any, flanks: Flanks) -> None:
        """Two springs with dampers that only push."""
        for name, depth in flanks:
            law = FlankForce(self.stiffness, self.damping, self.film, line.teeth, depth)
            group.add_connection(name, depth, law)

    def force(self, name: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
        """Difference of both."""
        names = (f"{name}.front.force", f"{name}.back.force")
        return names, lambda front, back: back - front


class FlankForce(ForceLaw):
    """Force of one flank, N = max(0, c max(0, g) + d φ(g) ġ) (GM-4).

    It only pushes: contact ends where the force would change its sign, while the teeth are still
    deflected (5.F48). In the play φ = exp(g/δ₀) with a film and 0 without.
    """

    stiffness: Any
    damping: Any
    film: Any
    teeth: Teeth
    depth: FlankDepth

    def completed(self, model: Any) -> ForceLaw:
        """The same with the measure as it is in the model."""
        depth: Any = self.depth.completed(model)
        return FlankForce(self.stiffness, self.damping, self.film, self.teeth, depth)

    def _constants(self, at: Any) -> tuple[Any, Any]:
        """Stiffness and damping now."""
        c = self.stiffness
        if callable(c):
            c = c(self.depth.place(at))
        d = self.damping
        return c, d.damping(c, self.teeth) if isinstance(d, Lehr) else d

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force against the depth."""
        c, d = self._constants(at)
        elastic, whole = c * x, c * x + d * v
        if isinstance(self.film, float | int) and self.film == 0.0:
            # Above zero where both are: one kink for each contact, none in the play.
            both = elastic + whole - math.sqrt(elastic * elastic + whole * whole)
            return -math.where(both > 0.0, whole, 0.0)
        pressed = math.maximum(0.0, whole)
        squeezed = math.maximum(0.0, d * v) * math.exp(math.minimum(x, 0.0) / self.film)
        return -math.where(x > 0.0, pressed, squeezed)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the deflected teeth."""
        return 0.5 * self._constants(at)[0] * math.maximum(0.0, x) ** 2

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that damping and film lose."""
        elastic = self._constants(at)[0] * math.maximum(0.0, x)
        return -(self.force(x, v, at) + elastic) * v


def require_repeating(curve: Any, what: str) -> None:
    """Refuse a table over base pitches that ends: wheels go on turning."""
    if isinstance(curve, math.Table) and curve.outside != "repeat":
        raise ModelError(
            f"{what} is a table from {curve.x[0]:g} to {curve.x[-1]:g} base pitches, but wheels go "
            'on turning. Give it outside="repeat", over one pitch, or as many as a wheel has teeth.'
        )


def require_contact(value: Any, backlash: Any, what: str) -> None:
    """Refuse what is no contact of teeth, and rigid teeth without play.

    Raises
    ------
    ModelError
        For those.
    """
    if not isinstance(value, ToothContact):
        raise ModelError(
            f"contact of {what} is {check.shown(value)}: give gears.Ideal(), gears.Rigid() or "
            "gears.Elastic(stiffness)."
        )
    if isinstance(value, Rigid) and isinstance(backlash, float | int) and backlash == 0.0:
        raise ModelError(
            f"{what} has rigid teeth without backlash: both flanks would touch at all times. Give "
            "backlash=1e-4 [m], or gears.Ideal()."
        )
