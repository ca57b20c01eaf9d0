"""Velocities, responses and impulses of a contact: loose bodies by arms, others by blocks."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.motion import LIGHT, MIDDLE, RESPONSE
from jourdain.solvers.pile.rows import ARMS, LOOSE, SIDE, TURNED
from jourdain.solvers.pile.vectors import cross_into, times_into


def wide_rates(k, sides, blocks, x, w, at):
    """Velocities of the rows of contact k, of its sides that are no loose bodies."""
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, column, block = sides[side], sides[side + 1], sides[side + 2]
        for j in range(width):
            for row in range(3):
                w[at + row] += blocks[block + 3 * j + row] * x[column + j]


def wide_push(k, sides, blocks, a, b, c, x):
    """Change the velocities of the sides that are no loose bodies."""
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, column = sides[side], sides[side + 1]
        block = sides[side + 2] + 3 * width
        for j in range(width):
            x[column + j] += (
                blocks[block + 3 * j] * a
                + blocks[block + 3 * j + 1] * b
                + blocks[block + 3 * j + 2] * c
            )


def rates_into(k, sides, arms, blocks, x, w, at):
    """Velocities ``w[at : at + 3]`` of the rows of contact k."""
    m = ARMS * k
    a, b = SIDE * 2 * k, SIDE * (2 * k + 1)
    vx = 0.0
    vy = 0.0
    vz = 0.0
    if sides[a] == LOOSE:
        i = sides[a + 1]
        vx = x[i + 2] * arms[m + 10] - x[i + 1] * arms[m + 11] - x[i + 3]
        vy = x[i] * arms[m + 11] - x[i + 2] * arms[m + 9] - x[i + 4]
        vz = x[i + 1] * arms[m + 9] - x[i] * arms[m + 10] - x[i + 5]
    if sides[b] == LOOSE:
        i = sides[b + 1]
        vx += x[i + 3] + x[i + 1] * arms[m + 14] - x[i + 2] * arms[m + 13]
        vy += x[i + 4] + x[i + 2] * arms[m + 12] - x[i] * arms[m + 14]
        vz += x[i + 5] + x[i] * arms[m + 13] - x[i + 1] * arms[m + 12]
    if sides[a] == TURNED:
        i = sides[a + 1]
        vx = -x[i]
        vy = -x[i + 1]
        vz = -x[i + 2]
    if sides[b] == TURNED:
        i = sides[b + 1]
        vx += x[i]
        vy += x[i + 1]
        vz += x[i + 2]
    w[at] = arms[m] * vx + arms[m + 1] * vy + arms[m + 2] * vz
    w[at + 1] = arms[m + 3] * vx + arms[m + 4] * vy + arms[m + 5] * vz
    w[at + 2] = arms[m + 6] * vx + arms[m + 7] * vy + arms[m + 8] * vz
    if sides[a] > 0 or sides[b] > 0:
        wide_rates(k, sides, blocks, x, w, at)


def turn_body(unit, middle, tx, ty, tz, x):
    """Change the angular velocity of a loose body by an impulse of a moment."""
    m = MIDDLE * unit + RESPONSE
    i = 6 * unit
    x[i] += middle[m] * tx + middle[m + 1] * ty + middle[m + 2] * tz
    x[i + 1] += middle[m + 3] * tx + middle[m + 4] * ty + middle[m + 5] * tz
    x[i + 2] += middle[m + 6] * tx + middle[m + 7] * ty + middle[m + 8] * tz


def push_body(unit, middle, arms, at, fx, fy, fz, x):
    """Change the velocities of a loose body by an impulse at the end of an arm."""
    i = 6 * unit
    light = middle[MIDDLE * unit + LIGHT]
    tx = arms[at + 1] * fz - arms[at + 2] * fy
    ty = arms[at + 2] * fx - arms[at] * fz
    tz = arms[at] * fy - arms[at + 1] * fx
    turn_body(unit, middle, tx, ty, tz, x)
    x[i + 3] += light * fx
    x[i + 4] += light * fy
    x[i + 5] += light * fz


def push(k, sides, arms, middle, blocks, a, b, c, x):
    """Change the velocities by impulses along the rows of contact k."""
    m = ARMS * k
    fx = arms[m] * a + arms[m + 3] * b + arms[m + 6] * c
    fy = arms[m + 1] * a + arms[m + 4] * b + arms[m + 7] * c
    fz = arms[m + 2] * a + arms[m + 5] * b + arms[m + 8] * c
    side = 2 * SIDE * k
    if sides[side] == LOOSE:
        push_body(sides[side + 2], middle, arms, m + 9, -fx, -fy, -fz, x)
    if sides[side + SIDE] == LOOSE:
        push_body(sides[side + SIDE + 2], middle, arms, m + 12, fx, fy, fz, x)
    if sides[side] == TURNED:
        turn_body(sides[side + 2], middle, -fx, -fy, -fz, x)
    if sides[side + SIDE] == TURNED:
        turn_body(sides[side + SIDE + 2], middle, fx, fy, fz, x)
    if sides[side] > 0 or sides[side + SIDE] > 0:
        wide_push(k, sides, blocks, a, b, c, x)


def loose_response(k, s, sides, arms, middle, A, at, w):
    """Add the response of the loose body on side s of contact k to itself (3×3)."""
    unit, arm = sides[SIDE * (2 * k + s) + 2], ARMS * k + 9 + 3 * s
    m = MIDDLE * unit
    is_turned = sides[SIDE * (2 * k + s)] == TURNED
    for row in range(3):
        cross_into(arms, arm, arms, ARMS * k + 3 * row, w, 3 * row)
        if is_turned:
            for i in range(3):
                w[3 * row + i] = arms[ARMS * k + 3 * row + i]
    for row in range(3):
        times_into(middle, m + RESPONSE, w, 3 * row, w, 9)
        for other in range(3):
            o = 3 * other
            A[at + 3 * row + other] += w[o] * w[9] + w[o + 1] * w[10] + w[o + 2] * w[11]
        if not is_turned:
            x = ARMS * k + 3 * row
            size = arms[x] * arms[x] + arms[x + 1] * arms[x + 1] + arms[x + 2] * arms[x + 2]
            A[at + 4 * row] += size * middle[m + LIGHT]


def own_matrix(k, sides, arms, middle, blocks, A, at, w):
    """Response of contact k to itself (3×3)."""
    for i in range(9):
        A[at + i] = 0.0
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, block = sides[side], sides[side + 2]
        if width < 0:
            loose_response(k, s, sides, arms, middle, A, at, w)
        for j in range(width):
            for row in range(3):
                for other in range(3):
                    A[at + 3 * row + other] += (
                        blocks[block + 3 * j + row] * blocks[block + 3 * (width + j) + other]
                    )


@native("iapppp")
def contact_rates(n, sides, arms, blocks, x, out):
    """Velocities (n, 3) of the rows of all contacts."""
    for k in range(n):
        rates_into(k, sides, arms, blocks, x, out, 3 * k)
    return 0
