"""All contacts of many contours in one loop: bounds, pairs in rising order, points."""

from __future__ import annotations

from jourdain.solvers.collision.bounds import bound
from jourdain.solvers.collision.boxes import box_box
from jourdain.solvers.collision.broad_phase import overlaps
from jourdain.solvers.collision.cylinder_hull import cylinder_hull
from jourdain.solvers.collision.cylinder_pair import cylinder_cylinder
from jourdain.solvers.collision.cylinders import ball_cylinder, capsule_cylinder
from jourdain.solvers.collision.hulls import hull_hull
from jourdain.solvers.collision.layout import (
    BODY,
    BOX,
    CAPSULE,
    COUNT,
    CYLINDER,
    HALF_SPACE,
    KIND,
    N_KIND,
    N_OTHERS,
    N_PAIRS,
    OTHER,
    PAIR_CAPACITY,
    POSE,
    SHAPE,
    SPHERE,
    across,
)  # fmt: skip
from jourdain.solvers.collision.planes import plane_any
from jourdain.solvers.collision.rounded import (
    add_ball,
    add_balls,
    capsule_capsule,
    capsule_hull,
    sphere_capsule,
    surface,
)  # fmt: skip
from jourdain.solvers.native import native


def touch(poses, kinds, shapes, T, P, i, j, margin, w, m, others, out, ids, state):
    """Write the contacts of a pair; it goes to the others if there is no formula."""
    one, two = kinds[N_KIND * i + KIND], kinds[N_KIND * j + KIND]
    if two < one:
        i, j, one, two = j, i, two, one
    p, q = POSE * i + 9, POSE * j + 9
    if two == OTHER:
        k = state[N_OTHERS]
        if k < state[PAIR_CAPACITY]:
            others[2 * k], others[2 * k + 1] = min(i, j), max(i, j)
        state[N_OTHERS] = k + 1
    elif two == HALF_SPACE:
        if one != HALF_SPACE:
            plane_any(poses, kinds, shapes, T, P, j, i, margin, w, out, ids, state)
    elif one == SPHERE:
        x, y, z, radius = poses[p], poses[p + 1], poses[p + 2], shapes[SHAPE * i]
        if two == SPHERE:
            add_balls(
                i, j, x, y, z, radius, poses[q], poses[q + 1], poses[q + 2], shapes[SHAPE * j],
                margin, 0, out, ids, state,
            )  # fmt: skip
        elif two == CAPSULE:
            sphere_capsule(poses, shapes, i, j, margin, out, ids, state)
        elif two == CYLINDER:
            ball_cylinder(poses, shapes, i, j, x, y, z, radius, margin, 0, w, out, ids, state)
        else:
            surface(poses, kinds, shapes, T, P, j, x, y, z, w)
            add_ball(poses, j, i, x, y, z, radius, margin, 0, w, out, ids, state)
    elif one == CAPSULE:
        if two == CAPSULE:
            capsule_capsule(poses, shapes, i, j, margin, out, ids, state)
        elif two == CYLINDER:
            capsule_cylinder(poses, shapes, i, j, margin, w, out, ids, state)
        else:
            capsule_hull(poses, kinds, shapes, T, P, i, j, margin, w, out, ids, state)
    elif two == CYLINDER:
        if one == CYLINDER:
            cylinder_cylinder(poses, kinds, shapes, T, P, i, j, margin, w, m, out, ids, state)
        else:
            cylinder_hull(poses, kinds, shapes, T, P, j, i, margin, w, m, out, ids, state)
    elif two == BOX:
        box_box(poses, shapes, i, j, margin, w, m, out, ids, state)
    else:
        hull_hull(poses, kinds, T, P, i, j, margin, w, m, out, ids, state)


def plane_pairs(poses, shapes, boxes, others, first, end, plane, margin, pairs, state):
    """Append those of some contours, others[first:end], whose bounds come near a half-space."""
    p, s = POSE * plane, SHAPE * plane
    nx = across(poses, p, 0, shapes[s], shapes[s + 1], shapes[s + 2])
    ny = across(poses, p, 1, shapes[s], shapes[s + 1], shapes[s + 2])
    nz = across(poses, p, 2, shapes[s], shapes[s + 1], shapes[s + 2])
    level = nx * poses[p + 9] + ny * poses[p + 10] + nz * poses[p + 11] + margin
    x, y, z = (0 if nx > 0.0 else 3), (1 if ny > 0.0 else 4), (2 if nz > 0.0 else 5)
    count = state[N_PAIRS]
    for k in range(first, end):
        i = others[k]
        b = 6 * i
        if nx * boxes[b + x] + ny * boxes[b + y] + nz * boxes[b + z] <= level:
            if count < state[PAIR_CAPACITY]:
                pairs[2 * count], pairs[2 * count + 1] = min(i, plane), max(i, plane)
            count += 1
    state[N_PAIRS] = count


def in_rising_order(n, pairs, count, heads, ordered):
    """Sort pairs by the first and then the second number."""
    for i in range(n + 1):
        heads[i] = 0
    for k in range(count):
        heads[pairs[2 * k] + 1] += 1
    for i in range(n):
        heads[i + 1] += heads[i]
    for k in range(count):
        i, j = pairs[2 * k], pairs[2 * k + 1]
        at = heads[i]
        heads[i] = at + 1
        ordered[2 * at], ordered[2 * at + 1] = i, j
    for k in range(1, count):
        i, j = ordered[2 * k], ordered[2 * k + 1]
        at = k
        while at > 0 and ordered[2 * at - 2] == i and ordered[2 * at - 1] > j:
            ordered[2 * at + 1] = ordered[2 * at - 1]
            at -= 1
        ordered[2 * at + 1] = j


@native("ippappaadiaiiaapaaapaa", is_unrolled=True)
def search(n, poses, boxes, kinds, shapes, P, T, order, margin, n_bounded, planes, n_planes, axis,
           pairs, ordered, w, m, heads, others, out, ids, state):  # fmt: skip
    """Find all contacts; return whether there was room for them.

    The state tells the number of contacts, of pairs with overlapping bounds, and of pairs without
    a formula here.
    """
    state[COUNT], state[N_OTHERS] = 0, 0
    bound(n, poses, kinds, shapes, margin, boxes)
    state[N_PAIRS] = overlaps(boxes, n_bounded, axis, order, pairs, state[PAIR_CAPACITY])
    for k in range(n_planes):
        plane_pairs(poses, shapes, boxes, order, 0, n_bounded, planes[k], margin, pairs, state)
    if state[N_PAIRS] > state[PAIR_CAPACITY]:
        return 0
    in_rising_order(n, pairs, state[N_PAIRS], heads, ordered)
    for k in range(state[N_PAIRS]):
        i, j = ordered[2 * k], ordered[2 * k + 1]
        if kinds[N_KIND * i + BODY] != kinds[N_KIND * j + BODY]:
            touch(poses, kinds, shapes, T, P, i, j, margin, w, m, others, out, ids, state)
    return 1
