"""The contact group: contours of which all pairs may touch, and one law for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.elements import WORLD
from jourdain.model.laws.impact import Poisson
from jourdain.model.laws.unilateral import Coulomb, Unilateral
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression


@dataclass(frozen=True, slots=True)
class ContactGroup:
    """Contours that may touch each other, every pair on different bodies.

    Made by `Model.add_contacts`.

    Parameters
    ----------
    name : str
        Name in the model.
    contours : tuple of Contour
        Outlines.
    law : Coulomb or Unilateral
        Law of all its contacts.
    """

    name: str
    contours: tuple[Contour, ...]
    law: Coulomb | Unilateral

    @property
    def friction(self) -> Any:
        """Coefficient of friction."""
        return self.law.friction if isinstance(self.law, Coulomb) else 0.0


def contact_group(name: str, contours: Any, law: Any) -> ContactGroup:
    """Check the parts of a group and put them together.

    Raises
    ------
    ModelError
        If they are no contours of two bodies, or if the law is none that a group can have.
    """
    what = f"contacts {name!r}"
    given = tuple(contours) if isinstance(contours, Iterable) else (contours,)
    for k, contour in enumerate(given):
        if not isinstance(contour, Contour):
            raise ModelError(
                f"{what}: contour {k} is {check.shown(contour)}. Give contours such as "
                "jd.Sphere(body, 0.1) or jd.HalfSpace(model.world)."
            )
    bodies = {contour.frame.body for contour in given}
    if len(bodies) < 2 or bodies == {WORLD}:
        raise ModelError(
            f"{what} has contours of {len(bodies)} bod{'y' if len(bodies) == 1 else 'ies'} only. "
            "Give contours of two or more bodies, of which at least one can move."
        )
    _require_law(law, what)
    return ContactGroup(name, given, law)


def _require_law(law: Any, what: str) -> None:
    if not isinstance(law, Coulomb | Unilateral):
        raise ModelError(
            f"{what}: the law is {check.shown(law)}. A group takes jd.Coulomb(friction=0.4) or "
            "jd.Unilateral(); for other laws add the pairs one by one with model.add_contact(...)."
        )
    numbers = {"restitution": law.restitution}
    numbers |= {"friction": law.friction} if isinstance(law, Coulomb) else {}
    for word, value in numbers.items():
        if not isinstance(value, Real | Expression):
            raise ModelError(
                f"{what}: the {word} of its law is {check.shown(value)}. A group takes one number; "
                "for functions and pairs of numbers use model.add_contact(...)."
            )
    is_shifted = isinstance(law, Unilateral) and (law.limit != 0.0 or law.side != "above")
    if is_shifted or isinstance(law.impact, Poisson):
        raise ModelError(
            f"{what}: the law is {law}. A group has gaps that stay above zero, and Newton's law of "
            "impact: use jd.Unilateral(restitution=...) or jd.Coulomb(friction=..., "
            "restitution=...), or model.add_contact(...)."
        )
