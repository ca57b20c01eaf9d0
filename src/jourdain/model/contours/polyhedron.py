"""A convex polyhedron."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.choice import greatest, least
from jourdain.model.contours.geometry.convex import FLAT, area_vector, corners, ring
from jourdain.model.contours.geometry.convex_mesh import convex_faces
from jourdain.model.contours.geometry.direction import direction
from jourdain.model.elements import Body, Frame
from jourdain.spatial import check
from jourdain.spatial.annotations import RowsField, Takes, preset
from jourdain.spatial.mesh import read_triangles

FacesField: TypeAlias = Takes[Sequence[Sequence[int]] | NDArray[Any] | None, Any]


class Polyhedron(Contour):
    """Convex polyhedron.

    Parameters
    ----------
    frame : Frame or Body
        Axes in which the corners are given.
    vertices : (n, 3) [m]
        Corners.
    faces : sequence of sequences of int, optional
        Corners of each face by number, in order round it, either way; the convex hull of the
        vertices by default.

    Examples
    --------
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import Polyhedron
    >>> corner = Polyhedron(Model("empty").world, ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    >>> len(corner.faces)
    4
    """

    vertices: RowsField
    faces: FacesField = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        points = corners(self.vertices, "Polyhedron", 4)
        faces = _hull(points) if self.faces is None else _checked(self.faces, points)
        object.__setattr__(self, "vertices", tuple(tuple(p) for p in points.tolist()))
        object.__setattr__(self, "faces", faces)

    @classmethod
    def from_mesh(
        cls, frame: Frame | Body, path: str | os.PathLike[str], scale: float = 1.0
    ) -> Polyhedron:
        """Polyhedron from a file (STL, OBJ, PLY, GLB) of a convex body; needs the extra ``mesh``.

        Triangles in one plane make one face, so that the mesh of a box is a box.

        Parameters
        ----------
        frame : Frame or Body
            Axes of the file.
        path : str or path
            The file.
        scale : float [m]
            Unit of length of the file: 0.001 for millimetres.

        Raises
        ------
        ModelError
            If the surface is open or not convex.
        """
        surface = read_triangles(path, check.number(scale, "scale of the mesh", positive=True))
        vertices, faces = convex_faces(surface, f"the mesh '{path}'")
        return cls(frame, vertices, faces)

    @cached_property
    def points(self) -> Any:
        """Corners (n, 3) [m]."""
        return np.array(self.vertices)

    @cached_property
    def _planes(self) -> list[tuple[Any, Any, Any]]:
        """Normal, corners and outward normals of the edges of each face."""
        found = []
        for face in self.faces:
            points = self.points[list(face)]
            normal, outward = ring(points, "face of Polyhedron")
            found.append((normal, points, outward))
        return found

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Corners of the edges by number, each edge once."""
        rings = (pairwise((*face, face[0])) for face in self.faces)
        return tuple(sorted({(min(pair), max(pair)) for around in rings for pair in around}))

    @property
    def reach(self) -> Any:
        """Distance [m] of the furthest corner."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def n_extremes(self) -> int:
        """Its corners."""
        return len(self.vertices)

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The corners."""
        return tuple(self.points)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance; the normal jumps inside, where two faces are equally near."""
        heights = [(math.dot(n, p - points[0]), n) for n, points, _ in self._planes]
        inside, normal = greatest(heights)
        offsets = (*self._to_faces(p), *self._to_edges(p))
        _, offset = least(offsets)
        away = math.where(inside > 0.0, offset, math.vector(0.0, 0.0, 0.0))
        outside, unit = direction(away, normal)
        return outside + math.minimum(inside, 0.0), unit

    def _to_faces(self, p: Any) -> Iterator[tuple[Any, Any]]:
        """Squared distances and vectors from the faces that a point lies over, or under."""
        far = 16.0 * float(np.abs(self.points).max()) ** 2
        for n, points, outward in self._planes:
            height = math.dot(n, p - points[0])
            over, *_ = greatest((math.dot(e, p - v),) for v, e in zip(points, outward, strict=True))
            yield math.where(over <= 0.0, height * height, math.dot(p, p) * 4.0 + far), height * n

    def _to_edges(self, p: Any) -> Iterator[tuple[Any, Any]]:
        """Squared distances and vectors from the edges."""
        for i, k in self.edges:
            edge = self.points[k] - self.points[i]
            share = math.clip(math.dot(edge, p - self.points[i]) / float(edge @ edge), 0.0, 1.0)
            offset = p - self.points[i] - share * edge
            yield math.dot(offset, offset), offset


def _hull(points: Any) -> tuple[tuple[int, ...], ...]:
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    try:
        hull = ConvexHull(points)
    except QhullError:
        raise ModelError(
            f"Polyhedron has no volume: its {len(points)} vertices lie in a plane. Move one, or "
            "use Polygon for planar problems."
        ) from None
    _refuse_unused(points, hull.vertices)
    return _outward(hull.simplices.tolist(), points)


def _checked(faces: Any, points: Any) -> tuple[tuple[int, ...], ...]:
    try:
        lists = [[int(i) for i in face] for face in faces]
    except (TypeError, ValueError, OverflowError):
        raise ModelError(
            f"faces of Polyhedron are {check.shown(faces)}: give lists of numbers of corners."
        ) from None
    numbers = {i for face in lists for i in face}
    if len(lists) < 4 or min(map(len, lists)) < 3 or not numbers <= set(range(len(points))):
        raise ModelError(
            f"faces of Polyhedron are {check.shown(faces)}: give at least four faces of at least "
            f"three corners from 0 to {len(points) - 1}."
        )
    _refuse_unused(points, numbers)
    return _outward(lists, points)


def _refuse_unused(points: Any, used: Any) -> None:
    unused = sorted(set(range(len(points))) - {int(i) for i in used})
    if unused:
        raise ModelError(
            f"vertex {unused[0]} of Polyhedron, {check.listed(points[unused[0]])} m, is no corner: "
            "no face has it. Remove it."
        )


def _outward(faces: list[list[int]], points: Any) -> tuple[tuple[int, ...], ...]:
    """Faces that run to the left seen from outside; all corners lie below each."""
    middle, size = points.mean(axis=0), np.abs(points - points.mean(axis=0)).max()
    found = []
    for number, face in enumerate(faces):
        own = points[face]
        ordered = face if area_vector(own - middle) @ (own[0] - middle) >= 0.0 else face[::-1]
        normal, _ = ring(points[ordered], f"face {number} of Polyhedron")
        over = ((points - points[ordered[0]]) @ normal).max()
        if over > FLAT * size:
            raise ModelError(
                f"Polyhedron is not convex: a vertex is {over:.3g} m above face {number}. "
                "Make several contours of it, or leave out the faces for its convex hull."
            )
        found.append(tuple(ordered))
    return tuple(found)
