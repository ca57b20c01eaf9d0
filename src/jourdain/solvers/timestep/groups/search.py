"""Search for contacts in the middle of a step: poses of contours, near pairs, their points."""

from __future__ import annotations

from jourdain.solvers.collision.bounds import bound
from jourdain.solvers.collision.broad_phase import overlaps
from jourdain.solvers.collision.layout import (
    BODY,
    CAPACITY,
    COUNT,
    N_KIND,
    N_OTHERS,
    N_PAIRS,
    PAIR_CAPACITY,
)
from jourdain.solvers.collision.search import in_rising_order, plane_pairs, touch
from jourdain.solvers.timestep.free.vectors import product_into, times_into

FOUND, NO_ROOM, WITH_OTHERS = range(3)
"""Results of a search: contacts; too little memory; pairs that have no loop of their own."""
NEAR = 1e-6
"""Gap [m] up to which contacts are found though nothing moves."""


def place_contours(g, poses):
    """Poses of all contours of bodies that move."""
    for k in range(g.n_contours):
        b = g.body_of[k]
        if b >= 0:
            product_into(g.frames, 12 * b, g.own, 12 * k, poses, 12 * k)
            times_into(g.frames, 12 * b, g.own, 12 * k + 9, poses, 12 * k + 9)
            for i in range(3):
                poses[12 * k + 9 + i] += g.frames[12 * b + 9 + i]


def fastest(g):
    """Bound of the speeds of all points of contours [m/s]."""
    most = 0.0
    for b in range(g.n_bodies):
        spin, speed = 0.0, 0.0
        for i in range(3):
            spin += g.twists[6 * b + i] ** 2
            speed += g.twists[6 * b + 3 + i] ** 2
        most = max(most, spin**0.5 * g.reach[b] + speed**0.5)
    return most


def is_among(code, codes, n):
    """Tell whether a number is among sorted ones."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < n and codes[low] == code


def law_of_pair(g, i, j):
    """Law of two contours; −1 if they do not touch."""
    if g.shape_kinds[N_KIND * i + BODY] == g.shape_kinds[N_KIND * j + BODY]:
        return -1
    law = g.law_table[g.n_kinds * g.kind_of[i] + g.kind_of[j]]
    if law >= 0 and is_among(g.n_contours * i + j, g.apart, g.n_apart):
        return -1
    return law


def points_of_pair(g, poses, i, j, margin, out, ids, state):
    """Write the contacts of a pair."""
    touch(
        poses, g.shape_kinds, g.shapes, g.integers, g.numbers, i, j, margin, g.work, g.marks,
        g.others, out, ids, state,
    )  # fmt: skip


def search_contacts(g, margin):
    """Contacts with gaps up to a margin at the poses of the middle; return a result."""
    state = g.state
    state[COUNT], state[N_OTHERS] = 0, 0
    g.margin = margin
    bound(g.n_contours, g.poses, g.shape_kinds, g.shapes, margin, g.boxes)
    state[N_PAIRS] = overlaps(g.boxes, g.n_bounded, g.axis, g.order, g.pairs, state[PAIR_CAPACITY])
    for k in range(g.n_planes):
        first, end = g.partner_start[k], g.partner_start[k + 1]
        plane_pairs(
            g.poses, g.shapes, g.boxes, g.partners, first, end, g.planes[k], margin, g.pairs, state
        )
    if state[N_PAIRS] > state[PAIR_CAPACITY]:
        return NO_ROOM
    in_rising_order(g.n_contours, g.pairs, state[N_PAIRS], g.heads, g.ordered)
    for k in range(state[N_PAIRS]):
        i, j = g.ordered[2 * k], g.ordered[2 * k + 1]
        if law_of_pair(g, i, j) >= 0:
            points_of_pair(g, g.poses, i, j, margin, g.out, g.ids, state)
    if state[COUNT] > state[CAPACITY]:
        return NO_ROOM
    return WITH_OTHERS if state[N_OTHERS] > 0 else FOUND
