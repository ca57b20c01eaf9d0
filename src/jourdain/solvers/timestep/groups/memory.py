"""What is kept of contacts from one step to the next, and found again by contours and feature."""

from __future__ import annotations

from jourdain.solvers.collision.layout import CAPACITY
from jourdain.solvers.timestep.groups.records import (
    BAND,
    GAP,
    IMPULSE,
    JAM,
    KEPT,
    KEPT_INTEGERS,
    MODES,
    MOMENT,
    TURN,
    VELOCITY,
    WAY,
)
from jourdain.solvers.timestep.records import COUNT, FIRST, NORMAL, POINT


def find_kept(g):
    """Match the found contacts with those that were kept: both lie in rising order of pairs."""
    room, first = g.state[CAPACITY], 0
    for c in range(g.n_found):
        i, j, feature = g.ids[2 * c], g.ids[2 * c + 1], g.ids[2 * room + c]
        while first < g.n_kept and is_before(g, first, i, j):
            first += 1
        g.matches[c] = -1
        k = first
        while k < g.n_kept and is_pair(g, k, i, j):
            if g.kept_integers[KEPT_INTEGERS * k + 2] == feature:
                g.matches[c] = k
                break
            k += 1


def is_before(g, k, i, j):
    """Tell whether a kept pair comes before another."""
    a, b = g.kept_integers[KEPT_INTEGERS * k], g.kept_integers[KEPT_INTEGERS * k + 1]
    return a < i or (a == i and b < j)


def is_pair(g, k, i, j):
    """Tell whether a kept contact belongs to a pair."""
    at = KEPT_INTEGERS * k
    return g.kept_integers[at] == i and g.kept_integers[at + 1] == j


def add_along(g, axis, amount, at):
    """Add an amount along an axis to a kept vector."""
    for i in range(3):
        g.kept[at + i] += amount * g.axes[axis + i]


def keep_contacts(m, s, g):
    """Keep what the next step depends on."""
    room = g.state[CAPACITY]
    for c in range(g.n_found):
        k, at, whole, axis = g.point_of[c], KEPT * c, KEPT_INTEGERS * c, 9 * c
        last = g.point_of[c + 1] if c + 1 < g.n_found else m.n_points
        for i in range(KEPT):
            g.kept[at + i] = 0.0
        row = m.points[POINT * k + NORMAL]
        add_along(g, axis, s.last[row], at + IMPULSE)
        for i in range(m.points[POINT * k + COUNT]):
            add_along(g, axis + 3 + 3 * i, s.last[row + 1 + i], at + IMPULSE)
            add_along(g, axis + 3 + 3 * i, s.anchor[row + 1 + i], at + WAY)
        for i in range(6):
            g.kept[at + VELOCITY + i] = g.moves[6 * c + i]
        g.kept[at + GAP] = m.end_gaps[k]
        g.kept[at + BAND] = s.band[k]
        g.kept_integers[whole] = g.ids[2 * c]
        g.kept_integers[whole + 1] = g.ids[2 * c + 1]
        g.kept_integers[whole + 2] = g.ids[2 * room + c]
        g.kept_integers[whole + JAM] = s.jams[k]
        for p in range(3):
            g.kept_integers[whole + MODES + p] = s.mode[k + p] if k + p < last else 0
        for p in range(k + 1, last):
            keep_turning(m, s, g, p, axis, at)
    g.n_kept = g.n_found


def keep_turning(m, s, g, p, axis, at):
    """Keep moments and turns of rolling or drilling friction."""
    first, is_roll = m.points[POINT * p + FIRST], m.points[POINT * p + COUNT] == 2
    for i in range(m.points[POINT * p + COUNT]):
        own = axis + 3 + 3 * i if is_roll else axis
        add_along(g, own, s.last[first + i], at + MOMENT)
        add_along(g, own, s.anchor[first + i], at + TURN)


def keep_safe_contacts(g):
    """Keep a copy of what was kept, to go back to."""
    g.n_safe = g.n_kept
    for i in range(KEPT * g.n_kept):
        g.safe[i] = g.kept[i]
    for i in range(KEPT_INTEGERS * g.n_kept):
        g.safe_integers[i] = g.kept_integers[i]


def go_back_to_contacts(g):
    """Take back the copy."""
    g.n_kept = g.n_safe
    for i in range(KEPT * g.n_safe):
        g.kept[i] = g.safe[i]
    for i in range(KEPT_INTEGERS * g.n_safe):
        g.kept_integers[i] = g.safe_integers[i]
