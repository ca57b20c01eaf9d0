"""Spatial vectors and inertias in 3-vector blocks, on numbers or symbols.

Motion vectors are [ω; v], forces [torque; force], at the origin and in the axes of a link. The
pose of a link in its inboard link is ``own.R_in, own.p_in``; X carries motion outboard and Xᵀ
forces inboard. A spatial inertia is [J H; Hᵀ M]; a rigid body has H = skew(h), M = m E.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math


def to_outboard(own: Any, V: Any) -> Any:
    """Motion of the inboard link carried to this link: X V."""
    w = V[:3]
    return math.concatenate(own.R_in.T @ w, own.R_in.T @ (V[3:] + math.cross(w, own.p_in)))


def to_inboard(own: Any, F: Any) -> Any:
    """Force on this link carried to the inboard link: Xᵀ F."""
    f = own.R_in @ F[3:]
    return math.concatenate(own.R_in @ F[:3] + math.cross(own.p_in, f), f)


def cross_twist(V: Any, G: Any) -> Any:
    """Rate of a motion vector G that is fixed in a frame moving with V: V × G."""
    w, v = V[:3], V[3:]
    return math.concatenate(math.cross(w, G[:3]), math.cross(w, G[3:]) + math.cross(v, G[:3]))


def momentum(own: Any, V: Any) -> Any:
    """Rigid inertia times a motion vector: I V."""
    w, v = V[:3], V[3:]
    return math.concatenate(own.J @ w + math.cross(own.h, v), own.m * v - math.cross(own.h, w))


def symmetric(A: Any) -> Any:
    """Matrix made of the upper triangle; the lower one is not computed."""
    n = A.shape[0]
    return math.matrix([[A[min(i, j), max(i, j)] for j in range(n)] for i in range(n)])


_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def pack(J: Any, H: Any, M: Any) -> Any:
    """The 21 numbers of a symmetric spatial inertia."""
    upper = [[A[i, j] for i, j in _UPPER] for A in (J, M)]
    return math.concatenate(*upper[0], *(H[i, j] for i in range(3) for j in range(3)), *upper[1])


def unpack(x: Any) -> tuple[Any, Any, Any]:
    """Blocks J, H, M of a packed spatial inertia."""
    where = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5}

    def full(start: int) -> Any:
        rows = [[x[start + where[min(i, j), max(i, j)]] for j in range(3)] for i in range(3)]
        return math.matrix(rows)

    H = math.matrix([[x[6 + 3 * i + j] for j in range(3)] for i in range(3)])
    return full(0), H, full(15)


def rigid(own: Any) -> Any:
    """Packed inertia of the body itself."""
    mass = own.m * np.eye(3)
    return pack(own.J, math.skew(own.h), mass)


def _halves(S: Any) -> tuple[Any, Any]:
    return (S[:3], S[3:]) if len(S.shape) == 1 else (S[:3, :], S[3:, :])


def multiply(blocks: tuple[Any, Any, Any], S: Any) -> Any:
    """Spatial inertia times a 6-vector or a matrix of six rows."""
    J, H, M = blocks
    w, v = _halves(S)
    top, bottom = J @ w + H @ v, H.T @ w + M @ v
    return math.stack(top, bottom)


def reduced(blocks: tuple[Any, Any, Any], U: Any, K: Any) -> tuple[Any, Any, Any]:
    """Inertia that is left when a joint gives way: I − U K."""
    J, H, M = blocks
    J_rest, M_rest = J - U[:3, :] @ K[:, :3], M - U[3:, :] @ K[:, 3:]
    return symmetric(J_rest), H - U[:3, :] @ K[:, 3:], symmetric(M_rest)


def inertia_to_inboard(own: Any, blocks: tuple[Any, Any, Any]) -> Any:
    """Packed inertia carried to the inboard link: Xᵀ I X."""
    R, P = own.R_in, math.skew(own.p_in)
    J, H, M = (turned(R, block) for block in blocks)
    M = symmetric(M)
    H_in = H + P @ M
    J_in = J + P @ H.T - H_in @ P
    return pack(J_in, H_in, M)


def turned(R: Any, A: Any) -> Any:
    """Matrix in other axes, R A Rᵀ; a turn about a coordinate axis takes half the products."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        if all(_is_zero(x) for x in (R[k, k] - 1.0, R[k, i], R[k, j], R[i, k], R[j, k])):
            return _turned_about(k, R[i, i], R[j, i], A)
    return R @ A @ R.T


def _turned_about(k: int, c: Any, s: Any, A: Any) -> Any:
    """Turn about axis k; trace and skew part of the other two rows and columns do not change."""
    i, j = (k + 1) % 3, (k + 2) % 3
    u = s * (A[i, i] - A[j, j]) + c * (A[i, j] + A[j, i])
    B = [[A[k, k]] * 3 for _ in range(3)]
    B[i][i], B[j][j] = A[i, i] - s * u, A[j, j] + s * u
    B[i][j], B[j][i] = c * u - A[j, i], c * u - A[i, j]
    B[i][k], B[j][k] = c * A[i, k] - s * A[j, k], s * A[i, k] + c * A[j, k]
    B[k][i], B[k][j] = c * A[k, i] - s * A[k, j], s * A[k, i] + c * A[k, j]
    return math.matrix(B)


def _is_zero(x: Any) -> bool:
    return bool(x.is_zero()) if math.is_symbolic(x) else bool(x == 0.0)


def with_armature(D: Any, own: Any) -> Any:
    """Inertia of the free velocities of a joint, with its rotors."""
    n = D.shape[0]
    rows = [[D[i, j] + own.armature[i] if i == j else D[i, j] for j in range(n)] for i in range(n)]
    return math.matrix(rows)


def invert(D: Any) -> Any:
    """Inverse of a small symmetric positive definite matrix by LDLᵀ, on numbers or symbols."""
    n = D.shape[0]
    L = [[0.0] * n for _ in range(n)]
    d: list[Any] = []
    for j in range(n):
        d.append(D[j, j] - sum(L[j][k] * L[j][k] * d[k] for k in range(j)))
        for i in range(j + 1, n):
            L[i][j] = (D[i, j] - sum(L[i][k] * L[j][k] * d[k] for k in range(j))) / d[j]
    W = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]  # L⁻¹
    for j in range(n):
        for i in range(j + 1, n):
            W[i][j] = -sum(L[i][k] * W[k][j] for k in range(j, i))
    rows = [
        [sum(W[k][i] * W[k][j] / d[k] for k in range(max(i, j), n)) for j in range(n)]
        for i in range(n)
    ]
    return math.matrix(rows)
