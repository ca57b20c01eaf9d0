"""A pair of contours: where they are closest. The table of all pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour

Pose = tuple[Any, Any]


OUT_OF_REACH = 1e6
"""Gap [m] of a candidate that cannot touch now."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """Where two contours are close, in the axes of the world.

    The rate of the gap is ``normal · (v_b − v_a)`` of the points of the bodies that are there.

    Parameters
    ----------
    gap : float [m]
        Distance; negative for overlap.
    normal : (3,) [1]
        Unit vector from contour a to contour b. Zero for a candidate that cannot touch now; its
        gap is then `OUT_OF_REACH`.
    point_a, point_b : (3,) [m]
        The two points: ``point_b − point_a = gap · normal`` unless the candidate cannot touch.
    """

    gap: Any
    normal: Any
    point_a: Any
    point_b: Any

    def swapped(self) -> ContactPoint:
        """The same with a and b exchanged."""
        return ContactPoint(self.gap, -self.normal, self.point_b, self.point_a)

    def only_if(self, can_touch: Any) -> ContactPoint:
        """The same, out of reach where the condition does not hold."""
        gap = math.where(can_touch, self.gap, OUT_OF_REACH)
        normal = math.where(can_touch, self.normal, math.vector(0.0, 0.0, 0.0))
        return ContactPoint(gap, normal, self.point_a, self.point_b)


Formula = Callable[[Any, Any, Pose, Pose], list[ContactPoint]]
Count = Callable[[Any, Any], int]
Near = Callable[[Any, Any, Pose, Pose, Any], tuple[list[ContactPoint], Any]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Formula for two kinds of contours.

    Parameters
    ----------
    points : function of (a, b, pose of a, pose of b)
        Contact points, always as many as ``n_points`` says.
    n_points : function of (a, b)
        Number of points.
    near : function of (a, b, pose of a, pose of b, contact parameters), optional
        Contact points and contact parameters, from parameters nearby: for outlines that are too
        dear to search at every moment. Simulations carry the parameters as states.
    n_parameters : int
        Number of contact parameters.
    """

    points: Formula
    n_points: Count
    near: Near | None = None
    n_parameters: int = 0

    def swapped(self) -> Pair:
        """Formula for the two in the other order."""
        return Pair(
            lambda a, b, at_a, at_b: [c.swapped() for c in self.points(b, a, at_b, at_a)],
            lambda a, b: self.n_points(b, a),
        )


_PAIRS: dict[tuple[type, type], Pair] = {}


def add_pair(
    a: type,
    b: type,
    points: Formula,
    n_points: Count | int = 1,
    near: Near | None = None,
    n_parameters: int = 0,
) -> None:
    """Add the formula for two kinds, for both orders of them."""
    count = (lambda _a, _b: n_points) if isinstance(n_points, int) else n_points
    pair = Pair(points, count, near, n_parameters)
    if a is not b:
        _PAIRS[b, a] = pair.swapped()
    _PAIRS[a, b] = pair


def all_pairs() -> tuple[tuple[type, type], ...]:
    """Kinds for which there is a formula, each pair once."""
    return tuple((a, b) for a, b in _PAIRS if a.__name__ <= b.__name__)


def find_pair(a: Contour, b: Contour) -> Pair:
    """Formula for two contours; that of their base classes if they have none of their own.

    Raises
    ------
    ModelError
        If there is none.
    """
    for kind_a in type(a).__mro__:
        for kind_b in type(b).__mro__:
            if (kind_a, kind_b) in _PAIRS:
                return _PAIRS[kind_a, kind_b]
    names = type(a).__name__, type(b).__name__
    partners = (_partners(type(contour)) for contour in (a, b))
    known = "; ".join(f"{name} with {text}" for name, text in zip(names, partners, strict=True))
    raise ModelError(
        f"there is no contact between {names[0]} and {names[1]}. There is: {known}. Approximate "
        "one of the two by several of these, or add a formula with add_pair of "
        "jourdain.model.contours.pairs."
    )


def _partners(kind: type) -> str:
    names = sorted({b.__name__ for a, b in _PAIRS if issubclass(kind, a)})
    return ", ".join(names) or "nothing"
