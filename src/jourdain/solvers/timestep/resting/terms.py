"""Terms of the equilibrium of free bodies in machine code: rows, masses, momenta."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.timestep.free.motion import LIGHT, MIDDLE, RESPONSE
from jourdain.solvers.timestep.free.vectors import cross_into
from jourdain.solvers.timestep.resting.elimination import BLOCK, WIDTH

ARMS = 15
"""Numbers of a contact: three axes, arms from the centres of mass of both bodies."""


@native("iappap", is_unrolled=True)
def rows_into(m, contacts, arms, mu, lead, S):
    """Rows (m, 2, 3, 6) of free bodies times their limits for a normal impulse of one.

    Contacts that others lead have rows of angular velocities.
    """
    for k in range(m):
        c = contacts[k]
        a = ARMS * c
        for side in range(2):
            for row in range(3):
                at = 6 * WIDTH * k + 3 * WIDTH * side + WIDTH * row
                factor = mu[c] if row > 0 or lead[c] >= 0 else 1.0
                for i in range(3):
                    along = arms[a + 3 * row + i]
                    S[at + 3 + i] = factor * along if side > 0 else -(factor * along)
                if lead[c] < 0:
                    cross_into(arms, a + 9 + 3 * side, S, at + 3, S, at)
                else:
                    for i in range(3):
                        S[at + i] = S[at + 3 + i]
                        S[at + 3 + i] = 0.0
    return 0


def inverse_moments(middle, m, M, at):
    """Moments of inertia: the inverse of a symmetric 3×3 response, to rows of six."""
    a, b, c = middle[m], middle[m + 1], middle[m + 2]
    d, e, f = middle[m + 4], middle[m + 5], middle[m + 8]
    A, B, C = d * f - e * e, c * e - b * f, b * e - c * d
    scale = 1.0 / (a * A + b * B + c * C)
    M[at] = scale * A
    M[at + 1] = scale * B
    M[at + 2] = scale * C
    M[at + WIDTH] = M[at + 1]
    M[at + WIDTH + 1] = scale * (a * f - c * c)
    M[at + WIDTH + 2] = scale * (b * c - a * e)
    M[at + 2 * WIDTH] = M[at + 2]
    M[at + 2 * WIDTH + 1] = M[at + WIDTH + 2]
    M[at + 2 * WIDTH + 2] = scale * (a * d - b * b)


@native("iappp", is_unrolled=True)
def masses_into(n, units, middle, M, response):
    """Mass matrices (n, 6, 6) of free bodies and their inverses, in arrays of zeros."""
    for k in range(n):
        m, at = MIDDLE * units[k], BLOCK * k
        inverse_moments(middle, m + RESPONSE, M, at)
        for i in range(3):
            for j in range(3):
                response[at + WIDTH * i + j] = middle[m + RESPONSE + 3 * i + j]
            response[at + (WIDTH + 1) * (3 + i)] = middle[m + LIGHT]
            M[at + (WIDTH + 1) * (3 + i)] = 1.0 / middle[m + LIGHT]
    return 0


@native("iapppppdp", is_unrolled=True)
def momenta_into(n, units, M, radius, free, old, p, tol, w):
    """Momenta p (6 n) without contacts of bodies with mass matrices M.

    Velocities ``old`` within the tolerance do not count.
    """
    for k in range(n):
        i = WIDTH * units[k]
        speed = 0.0
        for j in range(WIDTH):
            speed = max(speed, abs(old[i + j]) * radius[i + j])
        for j in range(WIDTH):
            w[j] = free[i + j] - old[i + j] if speed <= tol else free[i + j]
        for row in range(WIDTH):
            p[WIDTH * k + row] = 0.0
            for j in range(WIDTH):
                p[WIDTH * k + row] += M[BLOCK * k + WIDTH * row + j] * w[j]
    return 0
