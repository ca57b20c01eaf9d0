"""Properties of free bodies, and their spin in a step without forces.

Between impulses a body keeps momentum, angular momentum and energy: the rotation takes the step

    I (ω⁺ − ω) = −h ω_m × I ω_m,   R⁺ = R cay(h ω_m),   ω_m = (ω + ω⁺)/2               (CT-15)

which conserves ½ ωᵀIω and R I ω exactly.
"""

from __future__ import annotations

from jourdain.solvers.timestep.free.vectors import cross_into, times_into

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
