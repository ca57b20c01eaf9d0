"""Free motion of loose bodies: to the middle of a step, and to its end.

Between impulses a body keeps momentum, angular momentum and energy: the centre of mass moves on
its parabola, and the rotation takes the step

    I (ω⁺ − ω) = −h ω_m × I ω_m,   R⁺ = R cay(h ω_m),   ω_m = (ω + ω⁺)/2               (CT-15)

which conserves ½ ωᵀIω and R I ω exactly. A column of velocities holds, for each body, angular
velocity and velocity of its centre of mass, both in world axes.
"""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.vectors import (
    cross_into,
    product_into,
    product_transposed_into,
    rotation_into,
    times_into,
    transposed_times_into,
    turned_into,
)

MASS, COM, MOMENTS, INVERSE, SIZE, PROPERTIES = 0, 1, 4, 13, 22, 23
"""Places in the properties of a body: mass, centre of mass, moments, their inverse, radius."""
R, CENTRE, RESPONSE, LIGHT, MIDDLE = 0, 9, 12, 21, 22
"""Places in what is known in the middle: rotation, centre of mass, inverse moments and mass."""
_ROUNDS = 60
_EXACT = 1e-16


def spun(w, P, at, h):
    """Angular velocity after a free step (CT-15): from ``w[0:3]`` to ``w[3:6]``, body axes."""
    for i in range(3):
        w[3 + i] = w[i]
    for _ in range(_ROUNDS):
        for i in range(3):
            w[6 + i] = 0.5 * (w[i] + w[3 + i])
        times_into(P, at + MOMENTS, w, 6, w, 9)
        cross_into(w, 6, w, 9, w, 12)
        times_into(P, at + INVERSE, w, 12, w, 9)
        change = 0.0
        for i in range(3):
            new = w[i] - h * w[9 + i]
            change = max(change, abs(new - w[3 + i]))
            w[3 + i] = new
        if not change > _EXACT * (abs(w[3]) + abs(w[4]) + abs(w[5])):
            break


@native("iaappppdpppp")
def to_middle(n, at_q, at_v, q, v, P, gravity, h, middle, old, free, w):
    """Poses in the middle of a step, velocities at its start and at its end without contact.

    ``middle`` (n, 22); ``old`` and ``free`` are columns (6 n) in world axes, turned as in the
    middle. Both have the spin at the end, which has the energy of the one at the start.
    """
    for b in range(n):
        i, j, p, m, c = at_q[b], at_v[b], PROPERTIES * b, MIDDLE * b, 6 * b
        rotation_into(q, i + 3, w, 0)
        times_into(w, 0, P, p + COM, w, 9)
        cross_into(v, j + 3, P, p + COM, w, 12)
        times_into(w, 0, w, 12, w, 15)
        for k in range(3):
            old[c + 3 + k] = v[j + k] + w[15 + k]
            free[c + 3 + k] = old[c + 3 + k] + h * gravity[k]
            middle[m + CENTRE + k] = q[i + k] + w[9 + k] + 0.5 * h * old[c + 3 + k]
        turned_into(q, i + 3, v, j + 3, 0.5 * h, w, 12)
        rotation_into(w, 12, middle, m + R)
        product_into(middle, m + R, P, p + INVERSE, w, 0)
        product_transposed_into(w, 0, middle, m + R, middle, m + RESPONSE)
        middle[m + LIGHT] = 1.0 / P[p + MASS]
        for k in range(3):
            w[k] = v[j + 3 + k]
        spun(w, P, p, h)
        times_into(middle, m + R, w, 3, old, c)
        times_into(middle, m + R, w, 3, free, c)
    return 0


@native("iappp")
def place(n, owner, middle, frames, poses):
    """Poses (n, 12) of frames on loose bodies, rotation row by row and position.

    ``owner`` is the number of the body, or −1 for poses that are left as they are; ``frames``
    (n, 12) are relative to the centre of mass of the body.
    """
    for k in range(n):
        b = owner[k]
        if b >= 0:
            m = MIDDLE * b
            product_into(middle, m + R, frames, 12 * k, poses, 12 * k)
            times_into(middle, m + R, frames, 12 * k + 9, poses, 12 * k + 9)
            for i in range(3):
                poses[12 * k + 9 + i] += middle[m + CENTRE + i]
    return 0


@native("iaapppddppppp")
def to_end(n, at_q, at_v, q, v, P, h, theta, middle, old, new, shift, w):
    """Coordinates at the end of a step from new velocities, moved on by ``shift`` (6 n)."""
    for b in range(n):
        i, j, p, m, c = at_q[b], at_v[b], PROPERTIES * b, MIDDLE * b, 6 * b
        rotation_into(q, i + 3, w, 0)
        times_into(w, 0, P, p + COM, w, 9)
        transposed_times_into(middle, m + R, new, c, w, 12)
        for k in range(3):
            w[15 + k] = theta * w[12 + k] + (1.0 - theta) * v[j + 3 + k]
            mean = theta * new[c + 3 + k] + (1.0 - theta) * old[c + 3 + k]
            w[18 + k] = h * mean + shift[c + 3 + k] + w[9 + k]
        turned_into(q, i + 3, w, 15, h, q, i + 3)
        transposed_times_into(middle, m + R, shift, c, w, 15)
        turned_into(q, i + 3, w, 15, 1.0, q, i + 3)
        rotation_into(q, i + 3, w, 0)
        times_into(w, 0, P, p + COM, w, 9)
        cross_into(w, 12, P, p + COM, w, 21)
        times_into(w, 0, w, 21, w, 24)
        for k in range(3):
            q[i + k] += w[18 + k] - w[9 + k]  # exactly zero at rest
            v[j + k] = new[c + 3 + k] - w[24 + k]
            v[j + 3 + k] = w[12 + k]
    return 0
