"""Contact points of many pairs of contours at once, in machine code.

All pairs of one form, such as two boxes of any sizes, share one compiled function.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.model.contours import Contour
from jourdain.model.contours.pairs import find_pair
from jourdain.spatial.parameter import nominal
from jourdain.system.mechanism import kernel

POSE = 12
"""Numbers of a pose: rotation row by row, then position."""
_POINT = 10  # gap, normal, two points


@dataclass(frozen=True)
class ContactPoints:
    """Candidate contact points of n pairs with k points each, in the axes of the world.

    Parameters
    ----------
    gaps : (n, k) [m]
        Gaps.
    normals : (n, k, 3) [1]
        Unit vectors from the first contour to the second; zero where it cannot touch.
    points_a, points_b : (n, k, 3) [m]
        Points of the two bodies.
    """

    gaps: Any
    normals: Any
    points_a: Any
    points_b: Any


def form(contour: Contour) -> Hashable:
    """What two contours must share to be served by one function: all but place and dimensions."""
    kept = [f.name for f in fields(contour) if f.name not in ("frame", *contour.dimensions)]
    return type(contour), *((name, getattr(contour, name)) for name in kept)


def dimensions(contour: Contour) -> tuple[float, ...]:
    """Lengths [m] of a contour in the order of its function, parameters at nominal values."""
    return tuple(_flat(nominal([getattr(contour, name) for name in contour.dimensions])))


class NarrowPhase:
    """Contact points of pairs of two forms of contours.

    Parameters
    ----------
    a, b : Contour
        Two contours that stand for all of their forms.
    lanes : int
        Pairs at a time.

    Examples
    --------
    >>> import numpy as np
    >>> from jourdain.model import Frame
    >>> from jourdain.model.contours import Sphere
    >>> from jourdain.system.contact.narrow_phase import NarrowPhase
    >>> ball = Sphere(Frame("a"), 1.0)
    >>> find = NarrowPhase(ball, ball)
    >>> here, there = np.eye(3).ravel(), np.zeros((2, 3)) + [[3, 0, 0], [0, 0, 4]]
    >>> one = [*here, 0, 0, 0]
    >>> find.rows([[*one, *here, *x, 0.5, 0.7] for x in there]).gaps.tolist()
    [[1.8], [2.8]]
    """

    def __init__(self, a: Contour, b: Contour, lanes: int = 4) -> None:
        pair = find_pair(a, b)
        self.n_points = pair.n_points(a, b)
        self.n_inputs = 2 * POSE + len(dimensions(a)) + len(dimensions(b))
        x = ca.SX.sym("x", self.n_inputs)
        sizes = iter(ca.vertsplit(x[2 * POSE :])) if self.n_inputs > 2 * POSE else iter(())
        of_a, of_b = (_with_dimensions(contour, sizes) for contour in (a, b))
        points = pair.points(of_a, of_b, _pose(x[:POSE]), _pose(x[POSE : 2 * POSE]))
        rows = [ca.vertcat(p.gap, p.normal, p.point_a, p.point_b) for p in points]
        self.kernel: Kernel = kernel({"x": x}, {"contacts": ca.vertcat(*rows)}, lanes)

    def rows(self, x: Any) -> ContactPoints:
        """Contact points.

        Parameters
        ----------
        x : (n, n_inputs)
            For each pair: poses of the frames of a and b (rotation row by row, position [m]), then
            the `dimensions` of a and b [m].
        """
        array = np.asarray(x, dtype=float).reshape(-1, self.n_inputs)
        if not len(array):
            found = np.zeros((0, self.n_points, _POINT))
        else:
            found = self.kernel(array)[0].reshape(len(array), self.n_points, _POINT)
        return ContactPoints(found[..., 0], found[..., 1:4], found[..., 4:7], found[..., 7:])


def _pose(x: Any) -> tuple[Any, Any]:
    return ca.reshape(x[:9], 3, 3).T, x[9:]


def _with_dimensions(contour: Contour, sizes: Iterator[Any]) -> Contour:
    """Contour with symbols in the place of its lengths."""
    twin = copy.copy(contour)
    for name in contour.dimensions:
        value = getattr(contour, name)
        is_many = isinstance(value, tuple)
        new = tuple(next(sizes) for _ in value) if is_many else next(sizes)
        object.__setattr__(twin, name, new)
    return twin


def _flat(values: Any) -> Iterator[float]:
    for value in values:
        yield from _flat(value) if isinstance(value, list | tuple) else (float(value),)
