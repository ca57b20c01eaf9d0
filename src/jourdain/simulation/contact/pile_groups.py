"""Groups of contacts as the steps see them: units, laws of pairs, pairs that never touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, ModelError
from jourdain.model.contact_group import ContactGroup
from jourdain.model.elements import WORLD, with_values
from jourdain.model.joints.free import Free
from jourdain.model.laws.impact import Poisson
from jourdain.model.laws.unilateral import TURNS
from jourdain.model.model import Model
from jourdain.solvers.collision import ContactFinder
from jourdain.solvers.pile.units import Group, PairLaw


def groups_of(
    model: Model, loose: Mapping[str, str], values: Mapping[str, float]
) -> Iterator[Group]:
    """Groups of a model with given loose bodies and values of parameters.

    Raises
    ------
    ModelError
        If a coefficient that is a parameter is out of bounds.
    """
    number = {name: k for k, name in enumerate(loose)}
    joined = _joined_bodies(model)
    for group in model.contact_groups.values():
        filled = with_values(group, values)
        frames, units = [], []
        for contour in filled.contours:
            body = contour.frame.body
            units.append(-1 if body == WORLD else number.get(body, len(number)))
            centre = np.zeros(3)
            if body in number:
                inertia = with_values(model.bodies[body].inertia, values)
                centre = np.array(inertia.com, dtype=float)
            place = np.array(contour.frame.position, dtype=float) - centre
            turn = np.array(contour.frame.rotation, dtype=float)
            frames.append([*turn.ravel(), *place])
        kinds = list(dict.fromkeys(filled.kinds))
        table = np.full((len(kinds), len(kinds)), -1)
        for k, (a, b, _) in enumerate(filled.laws):
            i, j = kinds.index(a), kinds.index(b)
            table[i, j] = table[j, i] = k
        yield Group(
            ContactFinder(filled.contours), np.array(units, dtype=np.int64), np.array(frames),
            np.array([_reach(c) for c in filled.contours]),
            tuple(_pair_law(law, f"contacts {group.name!r}") for *_, law in filled.laws),
            np.array([kinds.index(kind) for kind in filled.kinds]), table,
            _apart(filled, frozenset() if group.with_joined else joined),
        )  # fmt: skip


def _joined_bodies(model: Model) -> frozenset[frozenset[str]]:
    """Pairs of bodies that a joint connects, of which none is the world."""
    ends = (
        frozenset((j.parent.body, j.child.body))
        for j in model.joints.values()
        if type(j.kind) is not Free
    )
    return frozenset(pair for pair in ends if WORLD not in pair)


def _apart(group: ContactGroup, joined: frozenset[frozenset[str]]) -> Any:
    """Pairs (k, 2) of contours of bodies that a joint connects."""
    of_body: dict[str, list[int]] = {}
    for k, contour in enumerate(group.contours):
        of_body.setdefault(contour.frame.body, []).append(k)
    pairs = [
        (min(i, j), max(i, j))
        for a, b in map(tuple, joined)
        for i in of_body.get(a, ())
        for j in of_body.get(b, ())
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _pair_law(law: Any, what: str) -> PairLaw:
    def amount(word: str) -> Any:
        value = getattr(law, word, 0.0)
        if isinstance(value, tuple):
            return tuple(_coefficient(x, x, what, word, np.inf) for x in value)
        return _coefficient(value, value, what, word, np.inf)

    e = law.restitution
    return PairLaw(
        amount("friction"), _coefficient(e, _each(e), what, "restitution", 1.0), amount("rolling"),
        amount("drilling"), isinstance(law.impact, Poisson),
    )  # fmt: skip


def _each(function: Any) -> Callable[[Any], Any]:
    """Restitution at each speed, by a function of one number, which may decide by itself."""
    return lambda speeds: np.array([float(function(float(v))) for v in speeds])


def _coefficient(
    value: Any, at: Any, what: str, word: str, most: float
) -> float | Callable[[Any], Any]:
    """Number, or function of speeds, that is looked at."""
    bounds = "at least 0" if np.isinf(most) else f"from 0 to {most:g}"
    unit = "rad/s" if word in TURNS else "m/s"
    if not callable(value):
        if not 0.0 <= float(value) <= most:
            raise ModelError(
                f"{what}: the {word} of its law is {float(value):g}: give a parameter that is "
                f"{bounds}."
            )
        return float(value)

    def checked(speeds: Any) -> Any:
        found = np.broadcast_to(np.asarray(at(speeds), dtype=float), np.shape(speeds))
        wrong = np.flatnonzero(~((found >= 0.0) & (found <= most)))
        if len(wrong):
            raise IntegrationError(
                f"{what}: the {word} of its law is {found[wrong[0]]:g} at "
                f"{speeds[wrong[0]]:g} {unit}: it must be {bounds}. Bound the function, for "
                "example with jd.maximum(..., 0.0)."
            )
        return found

    return checked


def _reach(contour: Any) -> float:
    """How far a contour reaches from the origin of its frame [m]; one metre if it has no end."""
    reach = float(contour.reach)
    return reach if np.isfinite(reach) else 1.0
