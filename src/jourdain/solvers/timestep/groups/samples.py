"""What groups of contacts tell of a step: numbers of each group, loads on the bodies, works."""

from __future__ import annotations

from jourdain.solvers.collision.layout import CAPACITY
from jourdain.solvers.timestep.records import CONNECTION, COUNT, FIRST, NORMAL, POINT

CLOSED, PRESSED, OVERLAP, ERROR, OF_GROUP = range(5)
"""Places in the numbers of a group: closed contacts, sum of the normal forces [N], deepest overlap
at the end of the step [m], error of the contact equations [m/s]."""


def sum_works(m, s):
    """Works of the rows that are always there, of all rows of each group, and of drives."""
    n, g = m.fixed_rows, m.groups
    for i in range(n + g.n_groups):
        s.sums[i] = s.works[i] if i < n else 0.0
    s.sums[n + g.n_groups] = s.works[m.n_rows]
    for c in range(g.n_found if m.has_groups else 0):
        k = g.point_of[c]
        last = g.point_of[c + 1] if c + 1 < g.n_found else m.n_points
        to = n + m.points[POINT * k + CONNECTION]
        s.sums[to] += s.works[m.points[POINT * k + NORMAL]]
        for p in range(k, last):
            for i in range(m.points[POINT * p + COUNT]):
                s.sums[to] += s.works[m.points[POINT * p + FIRST] + i]


def add_load(g, b, points, p, sign, w, h, out, at):
    """Add force ``w[0:3]`` and moment ``w[3:6]`` of a step at a point to the load on a body."""
    if b < 0:
        return
    o, to, f = 12 * b + 9, at + 6 * b, sign / h
    x, y = points[p] - g.middle[o], points[p + 1] - g.middle[o + 1]
    z = points[p + 2] - g.middle[o + 2]
    out[to] += f * (y * w[2] - z * w[1] + w[3])
    out[to + 1] += f * (z * w[0] - x * w[2] + w[4])
    out[to + 2] += f * (x * w[1] - y * w[0] + w[5])
    for i in range(3):
        out[to + 3 + i] += f * w[i]


def sum_impulses(m, s, g, c):
    """Impulse and moment of a contact in the axes of the world, to ``g.row_values``."""
    k, w, axis = g.point_of[c], g.row_values, 9 * c
    last = g.point_of[c + 1] if c + 1 < g.n_found else m.n_points
    normal = s.impulses[m.points[POINT * k + NORMAL]]
    for i in range(3):
        w[i] = normal * g.axes[axis + i]
        w[3 + i] = 0.0
    for p in range(k, last):
        first, count = m.points[POINT * p + FIRST], m.points[POINT * p + COUNT]
        for a in range(count):
            own = axis if p > k and count == 1 else axis + 3 + 3 * a
            for i in range(3):
                w[(3 if p > k else 0) + i] += s.impulses[first + a] * g.axes[own + i]


def sample_groups(m, s, g, out, at):
    """Numbers of all groups and loads on all bodies in the last step, from a place on."""
    room, loads = g.state[CAPACITY], at + OF_GROUP * g.n_groups
    for i in range(OF_GROUP * g.n_groups + 6 * g.n_bodies):
        out[at + i] = 0.0
    for k in range(g.n_groups):
        out[at + OF_GROUP * k + ERROR] = s.error
    for c in range(g.n_found):
        k = g.point_of[c]
        own = at + OF_GROUP * m.points[POINT * k + CONNECTION]
        impulse = s.impulses[m.points[POINT * k + NORMAL]]
        out[own + OVERLAP] = max(out[own + OVERLAP], -m.end_gaps[k])
        if impulse > 0.0:
            out[own + CLOSED] += 1.0
            out[own + PRESSED] += impulse / s.h
            sum_impulses(m, s, g, c)
            a, b = g.body_of[g.ids[2 * c]], g.body_of[g.ids[2 * c + 1]]
            add_load(g, a, g.out, 4 * room + 3 * c, -1.0, g.row_values, s.h, out, loads)
            add_load(g, b, g.out, 7 * room + 3 * c, 1.0, g.row_values, s.h, out, loads)
    return 0
