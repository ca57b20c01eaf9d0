"""Free bodies in a step: their own motion and forces, which keep momentum and energy.

    I (ω⁺ − ω) = −h ω_m × I ω_m + …,   R⁺ = R cay(h ω_m),   x_c⁺ = x_c + h v_c        (CT-15)

with ω_m and v_c the means of the step, in any case that of a centre of mass besides the origin of
the body. There the velocity coordinates of a step are those that belong to the rotation R_m of its
middle, in which masses are constant: ``v = v_c − R_m (ω × c)``.
"""

from __future__ import annotations

from jourdain.solvers.timestep.free.motion import COM, MASS, MOMENTS, PROPERTIES, spun
from jourdain.solvers.timestep.free.vectors import (
    cross_into,
    rotation_into,
    times_into,
    transposed_times_into,
    turned_into,
)


def is_offset(m, b):
    """Tell whether the centre of mass of a free body is not its origin."""
    c = PROPERTIES * b + COM
    return m.free[c] != 0.0 or m.free[c + 1] != 0.0 or m.free[c + 2] != 0.0


def swing_into(m, b, turn, at, v, w, to):
    """Velocity ``R (ω × c)`` of the centre of mass against the origin, with R from ``turn``."""
    cross_into(v, m.free_v[b] + 3, m.free, PROPERTIES * b + COM, w, 24)
    times_into(turn, at, w, 24, w, to)


def move_free(m, s, v, h, to):
    """Positions of the free bodies after a time h at velocities v, from the start of the step."""
    w = m.free_work
    for b in range(m.n_free):
        i, j, c = m.free_q[b], m.free_v[b], PROPERTIES * b + COM
        turned_into(s.y, i + 3, v, j + 3, h, to, i + 3)
        if is_offset(m, b):
            swing_into(m, b, m.free_turn, 9 * b, v, w, 0)
            rotation_into(s.y, i + 3, w, 9)
            times_into(w, 9, m.free, c, w, 3)
            rotation_into(to, i + 3, w, 9)
            times_into(w, 9, m.free, c, w, 6)
            for k in range(3):
                to[i + k] = s.y[i + k] + h * (v[j + k] + w[k]) + (w[3 + k] - w[6 + k])


def turn_free(m, q):
    """Take the rotations to which velocity coordinates belong from positions q."""
    for b in range(m.n_free):
        if is_offset(m, b):
            rotation_into(q, m.free_q[b] + 3, m.free_turn, 9 * b)


def belong_to(m, q, v, first):
    """Velocities ``v[first:]`` that belong to the present rotations as those at positions q."""
    w = m.free_work
    for b in range(m.n_free):
        if is_offset(m, b):
            j = first + m.free_v[b]
            cross_into(v, j + 3, m.free, PROPERTIES * b + COM, w, 24)
            times_into(m.free_turn, 9 * b, w, 24, w, 0)
            rotation_into(q, m.free_q[b] + 3, w, 9)
            times_into(w, 9, w, 24, w, 3)
            for k in range(3):
                v[j + k] += w[k] - w[3 + k]


def gyration_into(m, b, w, at, to):
    """Moment ``−ω × I ω`` of a spin ``w[at:]``."""
    times_into(m.free, PROPERTIES * b + MOMENTS, w, at, w, 27)
    cross_into(w, 27, w, at, w, to)


def spin_free(m, s, v, force):
    """Forces at the mean spin of a free step, where they were those of the spin at its start.

    So free flight needs no rounds.
    """
    w = m.free_work
    for b in range(m.n_free):
        j = m.free_v[b]
        for k in range(3):
            w[k] = v[j + 3 + k]
        spun(w, m.free, PROPERTIES * b, s.h)
        for k in range(3):
            w[6 + k] = 0.5 * (w[k] + w[3 + k])
        gyration_into(m, b, w, 0, 18)
        gyration_into(m, b, w, 6, 21)
        for k in range(3):
            force[j + 3 + k] += w[21 + k] - w[18 + k]


def free_forces(m, v, force):
    """Forces on free bodies whose centres of mass are not their origins, at velocities v."""
    w = m.free_work
    for b in range(m.n_free):
        if is_offset(m, b):
            j, p = m.free_v[b], PROPERTIES * b
            times_into(m.free, p + MOMENTS, v, j + 3, w, 0)
            cross_into(w, 0, v, j + 3, w, 3)
            for k in range(3):
                w[k] = m.free[p + MASS] * m.free_weight[k]
                force[j + k] = w[k]
            transposed_times_into(m.free_turn, 9 * b, w, 0, w, 6)
            cross_into(m.free, p + COM, w, 6, w, 0)
            for k in range(3):
                force[j + 3 + k] = w[k] + w[3 + k]
