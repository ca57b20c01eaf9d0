"""The contact group: contours of which pairs may touch, and the laws of the pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.errors import ModelError, did_you_mean
from jourdain.model.contours.box import Box
from jourdain.model.contours.capsule import Capsule
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.cylinder import Cylinder
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.contours.sphere import Sphere
from jourdain.model.elements import WORLD
from jourdain.model.laws.unilateral import Coulomb, Unilateral
from jourdain.spatial import check

PLAIN = ""
"""Kind of contours that have none."""
MEETING = (Box, Capsule, Cylinder, HalfSpace, Polyhedron, Sphere)
"""Kinds that meet each other in groups, in all pairs but two half-spaces."""
Pairs = tuple[tuple[str, str, Coulomb | Unilateral], ...]


@dataclass(frozen=True, slots=True)
class ContactGroup:
    """Contours that may touch each other, in pairs on different bodies.

    Made by `Model.add_contacts`.

    Parameters
    ----------
    name : str
        Name in the model.
    contours : tuple of Contour
        Outlines.
    kinds : tuple of str
        Kind of each contour; empty where there is one law for all.
    laws : tuple of (str, str, law)
        Laws of pairs of kinds; others do not touch.
    with_joined : bool
        Whether bodies that a joint connects may touch.
    """

    name: str
    contours: tuple[Contour, ...]
    kinds: tuple[str, ...]
    laws: Pairs
    with_joined: bool = False

    @property
    def has_kinds(self) -> bool:
        """Whether contours have kinds, and laws are those of pairs."""
        return any(kind != PLAIN for kind in self.kinds)

    def __str__(self) -> str:
        if not self.has_kinds:
            return f"{len(self.contours)} contours, {self.laws[0][2]}"
        pairs = ", ".join(f"{a} - {b}: {law}" for a, b, law in self.laws)
        return f"{len(self.contours)} contours, {pairs}"


def contact_group(name: str, contours: Any, law: Any, with_joined: bool = False) -> ContactGroup:
    """Check the parts of a group and put them together.

    Raises
    ------
    ModelError
        If they are no contours of two bodies, or if a law is none that a group can have.
    """
    what = f"contacts {name!r}"
    given = contours if isinstance(contours, Mapping) else {PLAIN: contours}
    listed = [(kind, contour) for kind, own in given.items() for contour in _listed(own)]
    for k, (_, contour) in enumerate(listed):
        if not isinstance(contour, Contour):
            raise ModelError(
                f"{what}: contour {k} is {check.shown(contour)}. Give contours such as "
                "jd.Sphere(body, 0.1) or jd.HalfSpace(model.world)."
            )
    bodies = {contour.frame.body for _, contour in listed}
    if len(bodies) < 2 or bodies == {WORLD}:
        raise ModelError(
            f"{what} has contours of {len(bodies)} bod{'y' if len(bodies) == 1 else 'ies'} only. "
            "Give contours of two or more bodies, of which at least one can move."
        )
    kinds = tuple(kind for kind, _ in listed)
    laws = tuple(_pairs(law, list(given), what))
    for *_, own in laws:
        _require_law(own, what)
    return ContactGroup(name, tuple(c for _, c in listed), kinds, laws, with_joined)


def can_meet(a: Contour, b: Contour) -> bool:
    """Tell whether two contours meet in a group, whatever formulas there are for the pair."""
    both = (a, b)
    has_body = not all(isinstance(x, HalfSpace) for x in both)
    return has_body and all(isinstance(x, MEETING) for x in both)


def _listed(own: Any) -> Iterable[Any]:
    return own if isinstance(own, Iterable) else (own,)


def _pairs(law: Any, kinds: list[str], what: str) -> Iterator[tuple[str, str, Any]]:
    """Laws of all pairs of kinds that may touch."""
    if not isinstance(law, Mapping):
        yield from ((a, b, law) for i, a in enumerate(kinds) for b in kinds[i:])
        return
    if kinds == [PLAIN]:
        raise ModelError(
            f"{what} has laws of pairs, but contours without kinds. Give contours by the names of "
            'their kinds: {"rubber": [jd.Sphere(ball, 0.1), ...], "steel": [...]}.'
        )
    seen: set[frozenset[str]] = set()
    for pair, own in law.items():
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        unknown = [x for x in pair if x not in kinds] if is_pair else []
        if not is_pair or unknown:
            hint = did_you_mean(str(unknown[0]), kinds) if unknown else ""
            raise ModelError(
                f"{what} has a law of {check.shown(pair)}, which is no pair of its kinds of "
                f"contours: {', '.join(kinds)}.{hint} Give for example "
                f"{{({kinds[0]!r}, {kinds[-1]!r}): jd.Coulomb(friction=0.4)}}."
            )
        if frozenset(pair) in seen:
            raise ModelError(
                f"{what} has two laws of {pair[0]!r} and {pair[1]!r}. Give one; the order of the "
                "two does not matter."
            )
        seen.add(frozenset(pair))
        yield (*pair, own)
    idle = [kind for kind in kinds if not any(kind in pair for pair in seen)]
    if idle:
        raise ModelError(
            f"{what}: contours of the kind {idle[0]!r} touch nothing, because no pair of laws has "
            "it. Give a law of a pair with it, or leave the contours away."
        )


def _require_law(law: Any, what: str) -> None:
    if not isinstance(law, Coulomb | Unilateral):
        raise ModelError(
            f"{what}: the law is {check.shown(law)}. A group takes jd.Coulomb(friction=0.4) or "
            "jd.Unilateral(); for other laws add the pairs one by one with model.add_contact(...)."
        )
    if isinstance(law, Unilateral) and (law.limit != 0.0 or law.side != "above"):
        raise ModelError(
            f"{what}: the law is {law}. A group has gaps that stay above zero: use "
            "jd.Unilateral(restitution=...), or add the pairs one by one with "
            "model.add_contact(...)."
        )
    if law.impact.stores:
        raise ModelError(
            f"{what}: its contacts slide in two directions, but its law of impact stores "
            f"tangential impulses ({law.impact}), which is defined for one. Use jd.Poisson(), or "
            "single contacts with one tangent: jd.Touch(normal, tangential)."
        )
