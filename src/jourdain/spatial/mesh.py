"""Surfaces of triangles: what they enclose, and reading them from files."""

from __future__ import annotations

import logging
import os
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.errors import FormatError, MissingExtraError
from jourdain.spatial.mesh_sizes import LARGEST, require_sizes

_ENDINGS = (".stl", ".obj", ".ply", ".glb", ".off")


@dataclass(frozen=True, slots=True)
class Triangles:
    """A surface. Made by `Triangles.of`; equal numbers make equal surfaces.

    Parameters
    ----------
    corners : bytes [m]
        Points, three floats each.
    faces : bytes
        Triangles, three numbers of points each, counter-clockwise seen from outside.
    """

    corners: bytes
    faces: bytes

    @classmethod
    def of(cls, points: Any, triangles: Any) -> Triangles:
        """Surface of points (n, 3) [m] and triangles (m, 3)."""
        corners = np.ascontiguousarray(points, dtype="<f8").reshape(-1, 3)
        return cls(corners.tobytes(), np.ascontiguousarray(triangles, dtype="<u4").tobytes())

    @property
    def points(self) -> Any:
        """Corners (n, 3) [m]."""
        return np.frombuffer(self.corners, dtype="<f8").reshape(-1, 3)

    @property
    def triangles(self) -> Any:
        """Numbers of the corners (m, 3)."""
        return np.frombuffer(self.faces, dtype="<u4").reshape(-1, 3)

    @property
    def n_open_edges(self) -> int:
        """Count of edges that do not have a triangle on both sides; zero for a closed surface."""
        a, b, c = self.triangles.astype(int).T
        ends = np.concatenate([np.stack(pair, axis=1) for pair in ((a, b), (b, c), (c, a))])
        count = Counter(map(tuple, ends.tolist()))
        return sum(abs(n - count.get((j, i), 0)) for (i, j), n in count.items())

    def enclosed(self) -> tuple[float, Any, Any]:
        """Volume [m^3], its centre (3,) [m] and its second moments ∫ x xᵀ dV about it [m^5].

        Sums over the tetrahedra between the origin and each triangle, whose integrals are exact.
        """
        p = self.points[self.triangles]
        volumes = np.linalg.det(p) / 6.0
        volume = float(volumes.sum())
        sums = p.sum(axis=1)
        first = np.einsum("t,ti->i", volumes, sums) / 4.0
        corners = np.einsum("t,tki,tkj->ij", volumes, p, p)
        second = (corners + np.einsum("t,ti,tj->ij", volumes, sums, sums)) / 20.0
        centre = first / volume if volume else first
        return volume, centre, second - volume * np.outer(centre, centre)

    def spread(self) -> tuple[float, Any, Any]:
        """Area [m^2], its centre (3,) [m] and its second moments ∫ x xᵀ dA about it [m^4]."""
        p = self.points[self.triangles]
        areas = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
        area, sums = float(areas.sum()), p.sum(axis=1)
        first = np.einsum("t,ti->i", areas, sums) / 3.0
        corners = np.einsum("t,tki,tkj->ij", areas, p, p)
        second = (corners + np.einsum("t,ti,tj->ij", areas, sums, sums)) / 12.0
        centre = first / area if area else first
        return area, centre, second - area * np.outer(centre, centre)


def read_triangles(path: str | os.PathLike[str], scale: float = 1.0) -> Triangles:
    """Read a surface from an STL, OBJ, PLY, GLB or OFF file, in lengths of ``scale`` [m].

    Raises
    ------
    MissingExtraError
        If trimesh is not installed.
    FormatError
        If the file is not there, ends in something else or holds no surface.
    """
    try:
        import trimesh  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "meshes need trimesh, which is not installed. Next: pip install 'jourdain[mesh]'"
        ) from error
    file, ending = Path(path), Path(path).suffix.lower()
    if ending not in _ENDINGS:
        raise FormatError(
            f"{str(file)!r:.300} ends in {file.suffix!r:.40}, but surfaces are read from "
            f"{', '.join(_ENDINGS)}."
        )
    content = _content(file)
    logging.getLogger("trimesh").addHandler(logging.NullHandler())  # it is told by an error
    try:
        require_sizes(content, ending)
        loaded: Any = trimesh.load(BytesIO(content), file_type=ending[1:], force="mesh")
        points, faces = np.asarray(loaded.vertices, dtype=float), np.asarray(loaded.faces)
    except Exception as error:  # whatever a broken file makes of its reader
        raise FormatError(f"'{file}' holds no surface that can be read: {error}.") from error
    if not len(faces):
        raise FormatError(f"'{file}' holds no triangles.")
    if points.shape[1:] != (3,) or faces.shape[1:] != (3,):
        raise FormatError(f"'{file}' holds no surface: not all of its points have three numbers.")
    points = scale * points
    if not (faces.min() >= 0 and faces.max() < len(points) and np.isfinite(points).all()):
        raise FormatError(
            f"'{file}' holds no surface: it has triangles of points that are not there, or points "
            "that are no numbers."
        )
    return Triangles.of(points, faces)


def _content(file: Path) -> bytes:
    """Content of a file of a size that can be."""
    try:
        if file.is_file():
            with file.open("rb") as stream:
                content = stream.read(LARGEST + 1)
        else:
            raise FormatError(f"there is no file '{file}'. Look at the folder and the spelling.")
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        why = getattr(error, "strerror", None) or error
        raise FormatError(f"there is no file {str(file)!r:.300} to read: {why}.") from error
    if len(content) > LARGEST:
        raise FormatError(
            f"'{file}' is larger than {LARGEST // 1_000_000} MB, the limit for surfaces. Take one "
            "with fewer triangles."
        )
    return content
