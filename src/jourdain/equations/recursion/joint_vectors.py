"""Vectors of joints from which mass matrix and derivatives of inverse dynamics follow.

A coordinate of a joint moves all that the joint carries: its change by one displaces these bodies
by a twist T and changes their velocities by ν and their accelerations by α + ν × V (RD-10). With
the inertia I, momentum P and force F of all that is carried, the change of the force is

    φ = I α + [N ν_ω; 2 ν_ω × P] + T ×* F,   N = −2 Σ (ω̃ Σ_i + h̃ ṽ)                       (RD-11)

(Σ_i second moments of mass, ν_ω the angular part: linear velocities of all do not matter). Entries
of mass matrix and derivatives are products of such vectors of two joints (RD-9, RD-12), given in
world axes at the origin of the first link, which keeps them exact far from the world's origin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.composite_body import (
    begin_composite,
    composite,
    gather,
    weightless,
)
from jourdain.equations.recursion.kinematics import attach, twist
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import (
    cross_twist,
    inertia_to_inboard,
    momentum,
    multiply,
    rigid,
    symmetric,
    to_inboard,
    to_outboard,
    turned,
    unpack,
)
from jourdain.equations.recursion.sweeps import Recursion, Sweep, motion_slopes

OWN_Q, OWN_V = 7, 6  # columns of one joint at most
ROW, COLUMN, PIVOT = 15, 15, 7
OWN = OWN_Q + 2 * OWN_V


def _locate(link: Link, own: Any, inboard: Any) -> None:
    """World axes, and position relative to the first link on the way from the world."""
    attach(link, own)
    own.R_W = inboard.R_W @ own.R_in
    own.p_F = inboard.is_link * (inboard.p_F + inboard.R_W @ own.p_in)
    own.is_link = math.concatenate(1.0)
    begin_composite(link, own)


def _motion_in_world(own: Any, V: Any) -> Any:
    w = own.R_W @ V[:3]
    return math.concatenate(w, own.R_W @ V[3:] + math.cross(own.p_F, w))


def _force_in_world(own: Any, F: Any) -> Any:
    f = own.R_W @ F[3:]
    return math.concatenate(own.R_W @ F[:3] + math.cross(own.p_F, f), f)


def _padded(values: list[Any], width: int) -> Any:
    return math.concatenate(*values, *[0.0] * (width - len(values)))


def _joined(parts: list[Any]) -> Any:
    return math.concatenate(*parts) if parts else np.zeros(0)


def _momenta(link: Link, own: Any) -> list[Any]:
    """Momenta P of all that each velocity moves."""
    return [momentum(composite(own), own.S[:, a]) for a in range(link.n_v)]


def _own_inertia(own: Any, a: int, P: list[Any]) -> list[Any]:
    """Row a of the mass matrix of the velocity coordinates of one joint, with armatures."""
    row = [math.dot(own.S[:, min(a, c)], P[max(a, c)]) for c in range(len(P))]
    row[a] = row[a] + own.armature[a]
    return row


def _mass_rows(link: Link, own: Any, inboard: Any) -> None:
    """Mode vectors, momenta of all that they move, and entries of one joint (RD-9)."""
    rows, entries, P = [], [], _momenta(link, own)
    for a in range(link.n_v):
        rows += [_motion_in_world(own, own.S[:, a]), _force_in_world(own, P[a])]
        entries.append(_padded(_own_inertia(own, a, P), OWN_V))
    own.row_vectors, own.entries = _joined(rows), _joined(entries)
    gather(link, own, inboard)


def _at_rest() -> dict[str, Any]:
    placed = {"R_W": np.eye(3), "p_F": np.zeros(3), "is_link": np.zeros(1)}
    return placed | weightless()


MASS_ROWS = Recursion(
    "mass_rows",
    (Sweep(_locate), Sweep(_mass_rows, is_outward=False)),
    ("q",),
    {"row_vectors": ("v", 12), "entries": ("v", OWN_V)},
    lambda _: _at_rest(),
)


def _cross_force(V: Any, F: Any) -> Any:
    """Rate of a force that is fixed in a frame moving with V: V ×* F."""
    return math.concatenate(
        math.cross(V[:3], F[:3]) + math.cross(V[3:], F[3:]), math.cross(V[:3], F[3:])
    )


def _move(link: Link, own: Any, inboard: Any) -> None:
    """Motion and force of the link itself; its linear momentum P and N of (RD-11)."""
    _locate(link, own, inboard)
    twist(own, inboard)
    own.A_X = to_outboard(own, inboard.A)
    own.A = own.A_X + own.S @ own.vdot + own.c + cross_twist(own.V, own.G)
    m = momentum(own, own.V)
    own.F = momentum(own, own.A) + _cross_force(own.V, m)
    own.P = m[3:]
    second = 0.5 * (own.J[0, 0] + own.J[1, 1] + own.J[2, 2]) * np.eye(3) - own.J
    w, v = math.skew(own.V[:3]), math.skew(own.V[3:])
    own.N = -2.0 * (w @ second + math.skew(own.h) @ v)


def _moved(own: Any, nu: Any, alpha: Any) -> Any:
    """Change of the force of all that moves with a joint: I α + [N ν_ω; 2 ν_ω × P]."""
    spin = nu[:3]
    return momentum(composite(own), alpha) + math.concatenate(
        own.N @ spin, 2.0 * math.cross(spin, own.P)
    )


def _column(own: Any, phi: Any, alpha: Any, nu: Any) -> Any:
    return math.concatenate(
        _force_in_world(own, phi), _motion_in_world(own, alpha), own.R_W @ nu[:3]
    )


def _columns(link: Link, own: Any, inboard: Any) -> None:
    """Vectors of rows and columns of a joint, and the entries of both (RD-10 to RD-12)."""
    T, dG, dD, dc, E = motion_slopes(link, own)
    rows, by_q, by_v, forces = [], [], [], []
    for c in range(link.n_q):
        nu = cross_twist(own.V - own.G, T[:, c]) + dG[:, c]
        alpha = cross_twist(own.A_X, T[:, c]) + dD[:, c] + cross_twist(own.V, dG[:, c])
        alpha = alpha + cross_twist(nu, own.G - own.V)
        force = _moved(own, nu, alpha)
        forces.append(force)
        by_q.append(_column(own, force + _cross_force(T[:, c], own.F), alpha, nu))
    for c in range(link.n_v):
        S = own.S[:, c]
        alpha = dc[:, c] + cross_twist(S, own.G) + 2.0 * cross_twist(own.V, S)
        forces.append(_moved(own, S, alpha))
        by_v.append(_column(own, forces[-1], alpha, S))
    entries, P = [], _momenta(link, own)
    for a in range(link.n_v):
        S = own.S[:, a]
        Q = own.N.T @ S[:3] + 2.0 * math.cross(own.P, S[3:])
        rows += [_motion_in_world(own, S), _force_in_world(own, P[a]), own.R_W @ Q]
        first, second = forces[: link.n_q], forces[link.n_q :]
        entries.append(_padded([math.dot(S, f) + E[a, c] for c, f in enumerate(first)], OWN_Q))
        entries.append(_padded([math.dot(S, f) for f in second], OWN_V))
        entries.append(_padded(_own_inertia(own, a, P), OWN_V))
    own.row_vectors, own.entries = _joined(rows), _joined(entries)
    own.columns_q, own.columns_v = _joined(by_q), _joined(by_v)
    _pass_inward(link, own, inboard)


def _pass_inward(link: Link, own: Any, inboard: Any) -> None:
    gather(link, own, inboard)
    P = own.R_in @ own.P
    N = turned(own.R_in, own.N) - 2.0 * math.skew(own.p_in) @ math.skew(P)
    inboard.P, inboard.N = inboard.P + P, inboard.N + N
    inboard.F = inboard.F + to_inboard(own, own.F)


def _ground(gravity: Any) -> dict[str, Any]:
    falling = math.concatenate(np.zeros(3), -gravity)
    carried = {"F": np.zeros(6), "P": np.zeros(3), "N": np.zeros((3, 3))}
    return {"V": np.zeros(6), "A": falling} | carried | _at_rest()


_VECTORS = {
    "row_vectors": ("v", ROW), "entries": ("v", OWN), "columns_q": ("q", COLUMN),
    "columns_v": ("v", COLUMN),
}  # fmt: skip
INVERSE_VECTORS = Recursion(
    "inverse_vectors",
    (Sweep(_move), Sweep(_columns, is_outward=False)),
    ("q", "v", "vdot"),
    _VECTORS,
    _ground,
)


def _move_articulated(link: Link, own: Any, inboard: Any) -> None:
    _move(link, own, inboard)
    own.I_A = rigid(own)


def _articulate(link: Link, own: Any, inboard: Any) -> None:
    """Also gains K and inverse inertias of the velocities, eliminated one by one (RD-13)."""
    _columns(link, own, inboard)
    blocks = unpack(own.I_A)
    pivots: list[Any] = []
    for a in reversed(range(link.n_v)):
        U = multiply(blocks, own.S[:, a])
        inverse = 1.0 / (math.dot(own.S[:, a], U) + own.armature[a])
        K = inverse * U
        J, H, M = blocks
        J, M = J - math.outer(U[:3], K[:3]), M - math.outer(U[3:], K[3:])
        blocks = symmetric(J), H - math.outer(U[:3], K[3:]), symmetric(M)
        pivots.insert(0, math.concatenate(_force_in_world(own, K), inverse))
    own.pivots = _joined(pivots)
    inboard.I_A = inboard.I_A + inertia_to_inboard(own, blocks)


FORWARD_VECTORS = Recursion(
    "forward_vectors",
    (Sweep(_move_articulated), Sweep(_articulate, is_outward=False)),
    ("q", "v", "vdot"),
    _VECTORS | {"pivots": ("v", PIVOT)},
    lambda gravity: _ground(gravity) | {"I_A": np.zeros(21)},
)
