"""Rows of contacts on wider units: velocities of points by the columns of a mechanism."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.rows import ARMS
from jourdain.solvers.pile.vectors import cross_into

COLUMN = 9
"""Numbers of a column: angular velocity, velocity, and the point that has it."""


def add_row(W, at, axes, m, sign, velocity, width):
    """Add the components of a velocity along three axes to a column of rows."""
    for row in range(3):
        a = m + 3 * row
        along = axes[a] * velocity[0] + axes[a + 1] * velocity[1] + axes[a + 2] * velocity[2]
        W[at + width * row] += sign * along


@native("iaaaappppapppipa")
def wide_rows(
    count, order, pairs, body_of, lead, point_a, point_b, arms, columns, moving, origins, drives, w,
    n, W, own,
):  # fmt: skip
    """Rows W (…, 3, n + 1) of the contacts that touch own bodies, which are counted and listed.

    ``columns`` (n, 9) are those of the mechanism, ``moving`` (bodies, n) tells which move a body.
    The last column are velocities of drives: ``drives`` (bodies, 6) at the ``origins``. Rows of
    contacts that another one leads are of angular velocities.
    """
    found = 0
    width = n + 1
    for k in range(count):
        c = order[k]
        if body_of[pairs[2 * c]] >= 0 or body_of[pairs[2 * c + 1]] >= 0:
            start = 3 * width * found
            for i in range(3 * width):
                W[start + i] = 0.0
            for side in range(2):
                body = body_of[pairs[2 * c + side]]
                sign = -1.0 if side == 0 else 1.0
                for j in range(width if body >= 0 else 0):
                    is_drive = j == n
                    if is_drive or moving[n * body + j]:
                        for i in range(3):
                            point = point_a[3 * c + i] if side == 0 else point_b[3 * c + i]
                            if is_drive:
                                w[i] = point - origins[3 * body + i]
                                w[3 + i] = drives[6 * body + i]
                                w[9 + i] = drives[6 * body + 3 + i]
                            else:
                                w[i] = point - columns[COLUMN * j + 6 + i]
                                w[3 + i] = columns[COLUMN * j + i]
                                w[9 + i] = columns[COLUMN * j + 3 + i]
                        cross_into(w, 3, w, 0, w, 6)
                        for i in range(3):
                            w[i] = w[3 + i] if lead[k] >= 0 else w[6 + i] + w[9 + i]
                        add_row(W, start + j, arms, ARMS * k, sign, w, width)
            own[found] = k
            found += 1
    return found
