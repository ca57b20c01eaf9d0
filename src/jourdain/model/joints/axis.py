"""Axes of joints: a letter or a unit vector."""

from __future__ import annotations

from typing import Any

import numpy as np


def frame_about(axis: str | tuple[float, float, float]) -> Any:
    """Rotation matrix A that carries z to the axis: ``A e_z = axis``.

    For a letter the axes move on in the cycle x, y, z. For a vector the frame turns the shortest
    way from z, or from -z after half a turn about x where the vector points below the x-y plane.

    Parameters
    ----------
    axis : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"`` or a unit vector.

    Returns
    -------
    (3, 3) [1]
        The columns are two axes normal to the given one, and the given one.

    References
    ----------
    Duff et al., Building an orthonormal basis, revisited, JCGT 6 (2017), 1-8.
    """
    if isinstance(axis, str):
        return np.roll(np.eye(3), -1 - "xyz".index(axis), axis=1)
    x, y, z = axis
    side = 1.0 if z >= 0.0 else -1.0
    a = -1.0 / (side + z)
    first = (1.0 + side * x * x * a, side * x * y * a, -side * x)
    second = (x * y * a, side + y * y * a, -y)
    return np.column_stack((first, second, axis))
