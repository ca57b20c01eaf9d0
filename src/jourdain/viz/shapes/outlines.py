"""Shapes of the outlines where bodies can touch: of bodies without solids, and of the ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.model.contours import Contour, Curve, Polygon, Polyhedron, Surface
from jourdain.model.elements import with_values
from jourdain.model.measures import Gap
from jourdain.model.model import Model
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.solid import Shape

_FINE = 48  # points along a curve


def outlines(model: Model, body: str, values: Any) -> list[Shape]:
    """Shapes of all contours on a body, or on the world, in its axes.

    Parameters
    ----------
    model : Model
        The machine.
    body : str
        Name of the body.
    values : mapping of str to float
        Values of all parameters.
    """
    contours = dict.fromkeys(c for c in _contours(model, values) if c.frame.body == body)
    return [shape for contour in contours for shape in _shapes(contour)]


def _contours(model: Model, values: Any) -> Iterator[Contour]:
    for connection in model.connections.values():
        measure = connection.measure
        if isinstance(measure, Gap):
            filled = with_values(measure, values)
            yield filled.a
            yield filled.b
    for group in model.contact_groups.values():
        yield from with_values(group, values).contours


def _shapes(contour: Contour) -> tuple[Shape, ...]:
    surface = None
    if isinstance(contour, Polygon):
        surface = _plate(np.array(contour.vertices, dtype=float))
    elif isinstance(contour, Polyhedron):
        faces = [np.array(face, dtype=int) for face in contour.faces]
        surface = Triangles.of(contour.vertices, np.concatenate([_fan(face) for face in faces]))
    elif isinstance(contour, Curve):
        surface = _plate(_points(contour.function, _along(contour.span, _FINE)))
    elif isinstance(contour, Surface):
        surface = _sheet(contour)
    if surface is None:
        return contour.shapes
    shape = Shape("mesh", (), mesh=surface)
    return (shape.moved(contour.frame.position, contour.frame.rotation),)


def _along(span: Any, n: int) -> Any:
    return np.linspace(span[0], span[1], n)


def _points(function: Any, *parameters: Any) -> Any:
    """Points (n, 3) [m] of a function at parameters."""
    return np.array([[float(x) for x in function(*p)] for p in zip(*parameters, strict=True)])


def _fan(ring: Any) -> Any:
    """Triangles of a convex ring of points."""
    return np.column_stack([np.full(len(ring) - 2, ring[0]), ring[1:-1], ring[2:]])


def _plate(points: Any) -> Triangles:
    """Flat outline seen from both sides."""
    fan = _fan(np.arange(len(points)))
    return Triangles.of(points, np.concatenate([fan, fan[:, ::-1]]))


def _sheet(contour: Surface) -> Triangles:
    """Surface of a function of two parameters, seen from both sides."""
    ways = [_along(span, _FINE // 2) for span in contour.span]
    u, v = (x.ravel() for x in np.meshgrid(*ways, indexing="ij"))
    n = len(ways[1])
    first = (np.arange(len(ways[0]) - 1)[:, np.newaxis] * n + np.arange(n - 1)).ravel()
    half = np.column_stack([first, first + n, first + 1])
    both = np.concatenate([half, np.column_stack([first + n, first + n + 1, first + 1])])
    return Triangles.of(_points(contour.function, u, v), np.concatenate([both, both[:, ::-1]]))
