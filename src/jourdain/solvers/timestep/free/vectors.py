"""Vectors, rotations and quaternions in arrays, for the loops of many bodies."""

from __future__ import annotations


def cross_into(a, i, b, j, c, k):
    """Cross product ``c[k:] = a[i:] × b[j:]``."""
    x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]
    y = a[i + 2] * b[j] - a[i] * b[j + 2]
    z = a[i] * b[j + 1] - a[i + 1] * b[j]
    c[k] = x
    c[k + 1] = y
    c[k + 2] = z


def times_into(M, m, b, j, c, k):
    """Product ``c[k:] = M b[j:]`` of a 3×3 matrix, row by row from m."""
    x = M[m] * b[j] + M[m + 1] * b[j + 1] + M[m + 2] * b[j + 2]
    y = M[m + 3] * b[j] + M[m + 4] * b[j + 1] + M[m + 5] * b[j + 2]
    z = M[m + 6] * b[j] + M[m + 7] * b[j + 1] + M[m + 8] * b[j + 2]
    c[k] = x
    c[k + 1] = y
    c[k + 2] = z


def transposed_times_into(M, m, b, j, c, k):
    """Product ``c[k:] = Mᵀ b[j:]``."""
    x = M[m] * b[j] + M[m + 3] * b[j + 1] + M[m + 6] * b[j + 2]
    y = M[m + 1] * b[j] + M[m + 4] * b[j + 1] + M[m + 7] * b[j + 2]
    z = M[m + 2] * b[j] + M[m + 5] * b[j + 1] + M[m + 8] * b[j + 2]
    c[k] = x
    c[k + 1] = y
    c[k + 2] = z


def product_into(A, a, B, b, C, c):
    """Product ``C = A B`` of 3×3 matrices; C is another place."""
    for i in range(3):
        for j in range(3):
            C[c + 3 * i + j] = (
                A[a + 3 * i] * B[b + j]
                + A[a + 3 * i + 1] * B[b + 3 + j]
                + A[a + 3 * i + 2] * B[b + 6 + j]
            )


def rotation_into(q, i, R, k):
    """Rotation matrix of a unit quaternion, scalar part first."""
    w = q[i]
    x = q[i + 1]
    y = q[i + 2]
    z = q[i + 3]
    R[k] = w * w + x * x - y * y - z * z
    R[k + 1] = 2.0 * (x * y - w * z)
    R[k + 2] = 2.0 * (x * z + w * y)
    R[k + 3] = 2.0 * (x * y + w * z)
    R[k + 4] = w * w - x * x + y * y - z * z
    R[k + 5] = 2.0 * (y * z - w * x)
    R[k + 6] = 2.0 * (x * z - w * y)
    R[k + 7] = 2.0 * (y * z + w * x)
    R[k + 8] = w * w - x * x - y * y + z * z


def turned_into(q, i, turn, j, scale, p, k):
    """Quaternion turned by ``scale`` times a vector in its own axes: Cayley's map of the angle."""
    w = q[i]
    x = q[i + 1]
    y = q[i + 2]
    z = q[i + 3]
    a = 0.5 * scale * turn[j]
    b = 0.5 * scale * turn[j + 1]
    c = 0.5 * scale * turn[j + 2]
    if a == 0.0 and b == 0.0 and c == 0.0:
        p[k] = w
        p[k + 1] = x
        p[k + 2] = y
        p[k + 3] = z
        return
    new_w = w - x * a - y * b - z * c
    new_x = x + w * a + y * c - z * b
    new_y = y + w * b + z * a - x * c
    new_z = z + w * c + x * b - y * a
    size = (new_w * new_w + new_x * new_x + new_y * new_y + new_z * new_z) ** 0.5
    p[k] = new_w / size
    p[k + 1] = new_x / size
    p[k + 2] = new_y / size
    p[k + 3] = new_z / size
