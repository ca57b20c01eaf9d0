"""Checks and plane equations of convex polygons and polyhedra with fixed corners."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial import check

FLAT = 1e-9
"""Allowed deviation from planes and from convexity, in parts of the size."""


def corners(values: Any, kind: str, least: int) -> Any:
    """Corners as an array (n, 3) [m]; corners of two numbers lie in the x-y plane.

    Raises
    ------
    ModelError
        If they are no numbers, too few or not finite.
    """
    try:
        array = np.array([tuple(v) for v in values], dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(
            f"vertices of {kind} are {check.shown(values)}: give plain numbers, three for each "
            f"corner ({error})."
        ) from None
    if len(array) < least:
        raise ModelError(f"{kind} has {len(array)} vertices: give at least {least}.")
    if array.ndim != 2 or array.shape[1] not in (2, 3) or not np.isfinite(array).all():
        raise ModelError(
            f"vertices of {kind} are {check.shown(values)}: give three finite numbers for each "
            "corner [m]."
        )
    return np.column_stack([array, np.zeros((len(array), 3 - array.shape[1]))])


def area_vector(points: Any) -> Any:
    """Area times normal (3,) [m^2] of a polygon, to the side from which it runs to the left."""
    return 0.5 * np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)


def ring(points: Any, what: str) -> Any:
    """Normal of a convex flat polygon, and outward normals of its edges in its plane.

    Raises
    ------
    ModelError
        If it has no area, is not flat or not convex.
    """
    moved = points - points.mean(axis=0)
    size, area = np.abs(moved).max(), area_vector(moved)
    if not np.linalg.norm(area) > FLAT * size**2:
        raise ModelError(f"{what} has no area: its corners lie on a line. Move or remove corners.")
    normal = area / np.linalg.norm(area)
    if np.abs(moved @ normal).max() > FLAT * size:
        raise ModelError(
            f"{what} is not flat: its corners are up to {np.abs(moved @ normal).max():.3g} m out "
            "of a plane. Use triangles, or move corners."
        )
    edges = np.roll(moved, -1, axis=0) - moved
    if not (lengths := np.linalg.norm(edges, axis=1)).min() > FLAT * size:
        raise ModelError(f"{what} has the same corner twice, one after the other. Remove one.")
    outward = np.cross(edges, normal) / lengths[:, None]
    over = (outward @ moved.T - np.sum(outward * moved, axis=1)[:, None]).max()
    if over > FLAT * size:
        raise ModelError(
            f"{what} is not convex: a corner is {over:.3g} m outside the line of an edge. Give "
            "the corners in the order round it, or make two contours of it."
        )
    return normal, outward
