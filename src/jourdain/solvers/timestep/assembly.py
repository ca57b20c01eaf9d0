"""Evaluation of a machine in a step, motion of positions, and the matrix of the step.

    A = M + h p (r C + h s K),   C = −∂f/∂v,  K = −(∂f/∂q) Y                  (TS-2)

with the tangents C, K of laws and inputs at the middle of the step, made symmetric. Moreau and Jean
have p = 1, r = θ, s = θ²; generalised-α has p = g, r = 1, s = b (TS-8).
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.timestep.factor import factorise
from jourdain.solvers.timestep.free.flight import (
    belong_to,
    free_forces,
    move_free,
    spin_free,
    turn_free,
)
from jourdain.solvers.timestep.records import MOTION, SHIFT, TANGENT, TERMS
from jourdain.solvers.timestep.states import forget_stages, move_states

ROUNDING = 1e-15
"""Error of the length of a quaternion that is left alone, so that what rests stays to the bit."""


def evaluate(m, s, which):
    """Call one of the compiled functions."""
    call(m.code[which], m.code[which + 1])
    s.evaluations += 1


def copy(x, n, to):
    """Copy n numbers."""
    for i in range(n):
        to[i] = x[i]


def largest(x, n):
    """Largest size of n numbers."""
    most = 0.0
    for i in range(n):
        most = max(most, abs(x[i]))
    return most


def are_finite(x, n):
    """Tell whether n numbers are finite."""
    total = 0.0
    for i in range(n):
        total += 0.0 * x[i]
    return total == 0.0


def normalise(m, q):
    """Bring quaternions to unit length."""
    for k in range(m.n_quaternions):
        at = m.quaternions[k]
        size = 0.0
        for i in range(4):
            size += q[at + i] * q[at + i]
        size = size**0.5
        for i in range(4 if abs(size - 1.0) > ROUNDING else 0):
            q[at + i] /= size


def move(m, s, q, v, h, to):
    """Positions after a time h at the rates that belong to positions q and velocities v.

    ``m.t`` is the time of these rates; the way starts at the state of the step.
    """
    copy(q, m.n_q, m.q)
    copy(v, m.n_v, m.v)
    evaluate(m, s, MOTION)
    for i in range(m.n_q):
        to[i] = s.y[i] + h * m.zdot[i]
    normalise(m, to)
    move_free(m, s, v, h, to)
    if m.n_implicit > 0:
        move_states(m, s, v, h, to)


def to_middle(m, s):
    """Terms in the middle of the step, with the velocities of its start."""
    v = s.x  # work memory is free here
    forget_stages(m, s)
    copy_from(s.y, m.n_q, m.n_v, v)
    m.t[0] = s.now
    turn_free(m, s.y)
    move(m, s, s.y, v, 0.5 * s.h, s.q_middle)
    forget_stages(m, s)
    belong_to(m, s.q_middle, s.y, m.n_q)
    turn_free(m, s.q_middle)
    copy(s.q_middle, m.n_q, m.q)
    copy_from(s.y, m.n_q, m.n_v, m.v)
    m.t[0] = s.now + 0.5 * s.h
    evaluate(m, s, TERMS)
    free_forces(m, m.v, m.force)
    spin_free(m, s, m.v, m.force)


def copy_from(x, first, n, to):
    """Copy n numbers from a place on."""
    for i in range(n):
        to[i] = x[first + i]


def is_usable(m):
    """Tell whether all terms are finite and no friction is negative.

    Rows of open contacts need no direction: a slack rope between two points that meet has none.
    """
    total = 0.0
    for i in range(m.n_v):
        total += 0.0 * m.force[i]
    for i in range(m.n_mass):
        total += 0.0 * m.mass[i]
    for i in range(m.n_points):
        total += 0.0 * m.gaps[i]
    for i in range(m.n_c):
        total += 0.0 * (m.c_rate[i] + m.c_bias[i])
    for i in range(2 * m.n_points):
        if not m.capacity[i] >= 0.0:
            return False
    return total == 0.0


def add_tangent(m, s, by_rate, by_position, v, to):
    """Add ``(by_rate C + by_position K) v`` to n_v numbers."""
    for e in range(m.n_tangent):
        entry = by_rate * m.C[e] + by_position * m.K[e]
        i, j = m.tangent_row[e], m.tangent_column[e]
        to[i] += entry * v[j]
        if i != j:
            to[j] += entry * v[i]


def assemble(m, s, with_tangent):
    """Entries of the matrix of the step (TS-2, TS-3)."""
    f = m.factor
    by_C = s.h * s.part * s.rate_at
    by_K = s.h * s.h * s.part * s.way_at
    for i in range(f.entry_start[f.n]):
        f.entries[i] = 0.0
    for e in range(m.n_mass):
        f.entries[m.mass_place[e]] += m.mass[e]
    if with_tangent:
        for e in range(m.n_tangent):
            f.entries[m.tangent_place[e]] += by_C * m.C[e] + by_K * m.K[e]
    for e in range(m.n_constraint_entries):
        f.entries[m.P_place[e]] += m.P[e]


def prepare_matrix(m, s):
    """Factor the matrix of the step; return −1, or the column of a coordinate without inertia.

    Tangents that make the matrix indefinite are left out.
    """
    if m.is_constant and s.is_factored == s.h:
        return -1
    if m.has_tangent:
        call(m.code[TANGENT], m.code[TANGENT + 1])
    assemble(m, s, m.has_tangent)
    fault = factorise(m.factor)
    if fault >= 0 and m.has_tangent:
        for e in range(m.n_tangent):
            m.C[e] = 0.0
            m.K[e] = 0.0
        assemble(m, s, 0)
        for i in range(m.factor.n):
            m.factor.work[i] = 0.0
        fault = factorise(m.factor)
    s.is_factored = s.h if fault < 0 else 0.0
    return fault


def shift_positions(m, s, way):
    """Move the new positions by a displacement along the velocities."""
    s.is_looked_at = 0
    copy(s.q_new, m.n_q, m.q)
    copy(way, m.n_v, m.v)
    evaluate(m, s, SHIFT)
    for i in range(m.n_q):
        s.q_new[i] += m.dq[i]
    normalise(m, s.q_new)
