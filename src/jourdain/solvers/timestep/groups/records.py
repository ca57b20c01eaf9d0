"""Record of the groups of contours of a machine: what finds contact points in each step."""

from __future__ import annotations

from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord

MU, STATIC, RESTITUTION, ROLLING, DRILLING, TANGENTIAL, LAW = 0, 2, 4, 5, 6, 7, 8
"""Places in the numbers of a law: coefficients along both tangents, and while it sticks."""
TANGENTS, ROLLS, DRILLS, BY_POISSON, GROUP, CODE, POINTERS, LAW_INTEGERS = range(8)
"""Places in its integers; the address of a function of speeds, 0 for numbers, and its pointers."""
SLIP, APPROACH, ROLL, DRILL, SPEEDS = range(5)
"""Speeds that a law is a function of."""
KEY, JAM, MODES, KEPT_INTEGERS = 0, 3, 4, 7
"""Places in the integers that are kept of a contact: contours and feature, jam, three modes."""
IMPULSE, MOMENT, WAY, TURN, VELOCITY, SPIN, GAP, BAND, KEPT = 0, 3, 6, 9, 12, 15, 18, 19, 20
"""Places in the numbers that are kept of a contact, vectors in the axes of the world: impulse and
its moment, way and turn of what sticks, relative velocity and spin, gap, band (see `rows`)."""


class Groups(LoopRecord):
    """Contours, laws of their pairs, and the contacts that a step has found."""

    n_contours: int
    n_bodies: int  # that carry contours and can move
    n_bounded: int  # contours that are no half-spaces
    n_planes: int
    n_kinds: int
    n_apart: int
    n_groups: int
    axis: int  # along which contours are sorted
    gravity: float  # [m/s²]
    weight: Floats  # vector of it
    # Contours.
    body_of: Integers  # body of each contour, −1 for the world
    own: Floats  # poses of contours on their bodies (12 each)
    kind_of: Integers
    law_table: Integers  # law of two kinds, −1 where they do not touch
    apart: Integers  # sorted codes ``i n_contours + j`` of pairs that do not touch
    reach: Floats  # [m] of the contours of each body from its origin
    # Memory of the search (see `solvers.collision`).
    poses: Floats
    end_poses: Floats
    boxes: Floats
    shape_kinds: Integers
    shapes: Floats
    numbers: Floats
    integers: Integers
    order: Integers
    planes: Integers
    partner_start: Integers  # (n_planes + 1,)
    partners: Integers  # of each half-space: contours that have a law with it
    pairs: Integers
    ordered: Integers
    work: Floats
    marks: Integers
    heads: Integers
    others: Integers
    out: Floats
    ids: Integers
    state: Integers
    end_out: Floats
    end_ids: Integers
    end_state: Integers
    # Bodies: what compiled functions write.
    frames: Floats  # (12 each)
    twists: Floats  # angular velocity, and velocity of the origin (6 each)
    J: Floats  # twists for unit velocities, column by column (6 each)
    column_start: Integers  # (n_bodies + 1,)
    columns: Integers  # velocity coordinates
    middle: Floats  # frames in the middle of the step (12 each)
    # Bodies that are free, and whose rest can be proven.
    n_free: int
    is_free: Integers  # of each column in the order of elimination: whether it moves one of them
    free_v: Integers  # first velocity coordinate
    free_size: Floats  # radius of gyration [m]
    free_island: Integers  # swept island of each that moves, −1: none
    free_speed: Floats  # [m/s] before the step or after it
    rest: Integers  # what is known of their rest (see `solvers.timestep.resting.rest`)
    # Laws.
    laws: Floats  # LAW numbers each
    law_integers: Integers  # LAW_INTEGERS each
    speeds: Floats  # what functions of speeds read
    law_now: Floats  # and write: LAW numbers
    # Contacts of the step.
    room: int
    n_found: int
    is_same: int  # the row before has the same coordinates
    margin: float  # [m]
    law_of: Integers
    point_of: Integers  # contact point of each contact; those that resist turning follow it
    sides: Floats  # sign by which its tangents are made
    axes: Floats  # normal and tangents (9 each)
    moves: Floats  # relative velocity and spin at the end of the step (6 each)
    matches: Integers  # what was kept of it, −1: nothing
    parent: Integers  # of each column in the order of elimination, −1 for roots
    is_marked: Integers
    listed: Integers
    row_values: Floats
    # What is kept for the next step.
    n_kept: int
    kept: Floats
    kept_integers: Integers
    n_safe: int
    safe: Floats
    safe_integers: Integers
