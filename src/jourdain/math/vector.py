"""Small vectors, matrices and rotations, of floats or of symbols.

A vector is a numpy array of shape (n,) or a CasADi column (n × 1); a matrix is a numpy array of
shape (n, m) or a CasADi matrix. ``@``, ``+``, ``*`` and ``.T`` work on both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.math.scalar import as_symbol, cos, is_symbolic, sin, sqrt

AXIS_TOLERANCE = 1e-9


def vector(*components: Any) -> Any:
    """Vector of its components; a single sequence is taken apart."""
    parts = components[0] if len(components) == 1 else components
    if is_symbolic(parts):
        import casadi  # noqa: PLC0415

        column = as_symbol(parts)
        return column if column.shape[1] == 1 else casadi.vec(column.T)
    return np.asarray(parts, dtype=float).reshape(-1)


def matrix(rows: Any) -> Any:
    """Matrix from nested rows, an array or a symbol matrix."""
    if is_symbolic(rows):
        import casadi  # noqa: PLC0415

        if isinstance(rows, list | tuple):
            return casadi.vertcat(*(casadi.SX(vector(row)).T for row in rows))
        return as_symbol(rows)
    return np.asarray(rows, dtype=float)


def concatenate(*parts: Any) -> Any:
    """Stack vectors (or numbers) to one vector."""
    if is_symbolic(*parts):
        import casadi  # noqa: PLC0415

        return casadi.vertcat(*(vector(p) for p in parts))
    return np.concatenate([vector(p) for p in parts])


def columns(*parts: Any) -> Any:
    """Put vectors or matrices side by side."""
    if is_symbolic(*parts):
        import casadi  # noqa: PLC0415

        return casadi.horzcat(*(as_symbol(p) for p in parts))
    return np.column_stack([np.asarray(p, dtype=float) for p in parts])


def block_diagonal(*blocks: Any) -> Any:
    """Matrix with the given matrices along its diagonal and zeros elsewhere."""
    parts = [matrix(block) for block in blocks]
    widths = [part.shape[1] for part in parts]
    rows: list[list[Any]] = []
    for k, part in enumerate(parts):
        left, right = [0] * sum(widths[:k]), [0] * sum(widths[k + 1 :])
        rows += [
            left + [part[i, j] for j in range(widths[k])] + right for i in range(part.shape[0])
        ]
    return matrix(rows)


def dot(a: Any, b: Any) -> Any:
    """Scalar product of two vectors."""
    a, b = vector(a), vector(b)
    if is_symbolic(a, b):
        import casadi  # noqa: PLC0415

        return casadi.dot(a, b)
    return float(np.dot(a, b))


def cross(a: Any, b: Any) -> Any:
    """Vector product of two vectors of length 3."""
    a, b = vector(a), vector(b)
    return vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a: Any) -> Any:
    """Length of a vector."""
    return sqrt(dot(a, a))


def skew(a: Any) -> Any:
    """Matrix of the vector product: ``skew(a) @ b = cross(a, b)``."""
    a = vector(a)
    return matrix(((0, -a[2], a[1]), (a[2], 0, -a[0]), (-a[1], a[0], 0)))


def axial(A: Any) -> Any:
    """Vector of the antisymmetric part of a matrix: ``axial(skew(a)) = a``."""
    A = matrix(A)
    return 0.5 * vector(A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1])


def axis_vector(axis: Any) -> Any:
    """Vector of an axis: of ``"x"``, ``"y"``, ``"z"`` or of a vector itself."""
    if isinstance(axis, str):
        _check_letter(axis)
        return vector({"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}[axis])
    return vector(axis)


def rotation_x(angle: Any) -> Any:
    """Rotation matrix about the x axis by an angle [rad]."""
    c, s = cos(angle), sin(angle)
    return matrix(((1, 0, 0), (0, c, -s), (0, s, c)))


def rotation_y(angle: Any) -> Any:
    """Rotation matrix about the y axis by an angle [rad]."""
    c, s = cos(angle), sin(angle)
    return matrix(((c, 0, s), (0, 1, 0), (-s, 0, c)))


def rotation_z(angle: Any) -> Any:
    """Rotation matrix about the z axis by an angle [rad]."""
    c, s = cos(angle), sin(angle)
    return matrix(((c, -s, 0), (s, c, 0), (0, 0, 1)))


def rotation(axis: Any, angle: Any) -> Any:
    """Rotation matrix about an axis, a unit vector or "x", "y", "z", by an angle [rad]."""
    if isinstance(axis, str):
        _check_letter(axis)
        return {"x": rotation_x, "y": rotation_y, "z": rotation_z}[axis](angle)
    if not is_symbolic(axis):
        _check_axis(vector(axis))
    a, c, s = vector(axis), cos(angle), sin(angle)
    x, y, z, k = a[0], a[1], a[2], 1.0 - c
    return matrix(
        (
            (c + k * x * x, k * x * y - s * z, k * x * z + s * y),
            (k * x * y + s * z, c + k * y * y, k * y * z - s * x),
            (k * x * z - s * y, k * y * z + s * x, c + k * z * z),
        )
    )


def _check_letter(axis: str) -> None:
    if axis not in ("x", "y", "z"):
        raise ModelError(
            f"there is no axis {axis!r}. Use 'x', 'y', 'z' or a unit vector, for example "
            "(0, 0.6, 0.8)."
        )


def _check_axis(axis: Any) -> None:
    if axis.shape != (3,):
        raise ModelError(f"an axis has 3 components, this one has {axis.size}: {axis.tolist()}.")
    length = norm(axis)
    if not abs(length - 1.0) <= AXIS_TOLERANCE:
        raise ModelError(
            f"the axis {tuple(axis.tolist())} has the length {length:.10g}, not 1, so the result "
            "would be no rotation. Divide the axis by its length, jourdain.math.norm(axis)."
        )


def rotation_quaternion(e: Any) -> Any:
    """Rotation matrix of a quaternion, scalar part first; any length but zero will do."""
    e = vector(e)
    w, x, y, z = e[0], e[1], e[2], e[3]
    k = 2.0 / (w * w + x * x + y * y + z * z)
    return matrix(
        (
            (1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)),
            (k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)),
            (k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)),
        )
    )


def quaternion_product(a: Any, b: Any) -> Any:
    """Product of two quaternions, scalar part first."""
    a, b = vector(a), vector(b)
    u, w = vector(a[1], a[2], a[3]), vector(b[1], b[2], b[3])
    v = a[0] * w + b[0] * u + cross(u, w)
    return vector(a[0] * b[0] - dot(u, w), v[0], v[1], v[2])


def outer(a: Any, b: Any) -> Any:
    """Matrix a bᵀ of two vectors."""
    a, b = vector(a), vector(b)
    return a @ b.T if is_symbolic(a, b) else np.outer(a, b)


def stack(*parts: Any) -> Any:
    """Put matrices of equal width, or vectors, one below the other."""
    if is_symbolic(*parts):
        import casadi  # noqa: PLC0415

        return casadi.vertcat(*parts)
    return np.concatenate([np.asarray(p, dtype=float) for p in parts])
