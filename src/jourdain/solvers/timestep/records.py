"""Records of a time step: the machine, its contact points, and what a step works on.

Indices of rows and columns of the step's matrix are in the order of elimination (see `ordering`);
coordinates, rows of contacts and contact points are numbered as the system names them.
"""

from __future__ import annotations

from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord
from jourdain.solvers.timestep.factor import Factor
from jourdain.solvers.timestep.groups.records import Groups

(
    MOTION, TERMS, FORCES, ROWS, TANGENT, SHIFT, RESTITUTION, PARAMETERS, CAPACITIES, BODIES,
    COLUMNS, REST, STATES, FUNCTIONS,
) = range(0, 28, 2)  # fmt: skip
"""Places of compiled functions in their addresses, each followed by that of its pointers."""
NORMAL, FIRST, COUNT, HAS_GAP, LEANS_ON, IS_DRY, IS_POISSON, CONNECTION, POINT = range(9)
"""Places in the integers of a contact point: rows (−1: none), kinds, number of its connection."""
OPEN, STICKS, SLIDES = range(3)
"""Modes of a contact point."""


class Machine(LoopRecord):
    """What does not change in a run, and the memory that compiled functions read and write."""

    n_q: int
    n_v: int
    n_c: int  # rows of constraints
    n_rows: int  # rows of contacts
    n_points: int
    fixed_rows: int  # those that are there in every step; rows of groups follow
    fixed_points: int
    n_quaternions: int
    n_held: int  # multipliers that laws may ask for
    n_parameters: int  # contact parameters of surfaces
    is_constant: int  # the matrix of the step depends on its length only
    is_linear: int  # forces are those of the first evaluation and the tangent
    is_straight: int  # rows do not turn: velocities at the end are known
    has_tangent: int
    has_static: int  # points that stick hold more
    feels_forces: int  # capacities depend on forces or velocities that a step finds
    mass_varies: int
    is_wide: int  # inertias differ by orders: rounding in responses is taken away in rounds
    has_gaps: int
    has_groups: int
    quaternions: Integers
    code: Integers  # addresses of compiled functions
    # What compiled functions read.
    q: Floats
    v: Floats
    t: Floats
    asked: Floats  # multipliers and contact forces that laws may ask for
    # What they write.
    zdot: Floats
    mass: Floats
    force: Floats
    P: Floats
    rho: Floats  # weights of constraint rows in the mass matrix (CD-8)
    c_rate: Floats
    c_bias: Floats
    gaps: Floats
    u: Floats
    bias: Floats
    capacity: Floats  # coefficients of friction, or capacities, of both tangents of all points
    static: Floats  # the same while they stick
    W: Floats
    new_force: Floats
    new_mass: Floats  # at the end of the step
    end_gaps: Floats
    end_u: Floats
    c_error: Floats
    end_c_rate: Floats
    K: Floats
    C: Floats
    dq: Floats
    speeds: Floats  # read: approach of all points
    e: Floats  # restitution of all points
    tangential: Floats  # part of their slip that impacts turn round
    parameters: Floats
    # Patterns: places of the entries among those of the matrix, and their rows and columns.
    factor: Factor
    place: Integers  # (n_v + n_c,)
    n_mass: int
    mass_place: Integers
    mass_row: Integers
    mass_column: Integers
    inertia: Factor  # of the masses alone
    inertia_place: Integers  # (n_v,)
    inertia_entry: Integers
    n_tangent: int
    tangent_place: Integers
    tangent_row: Integers
    tangent_column: Integers
    n_constraint_entries: int
    P_place: Integers
    P_row: Integers
    P_column: Integers
    W_start: Integers  # (n_rows + 1,)
    W_column: Integers
    reach_start: Integers  # (n_rows + 1,) columns that a row fills
    reach: Integers
    root: Integers  # (n_v + n_c,) root of each column in the elimination tree
    held_row: Integers  # constraint rows of the multipliers that laws may ask for
    parameter_place: Integers
    points: Integers  # POINT integers each
    friction_start: Integers  # (n_points + 1,) points whose friction leans on a normal row
    friction: Integers
    groups: Groups
    # States of laws on which rates of such states depend (see `states`), in blocks.
    n_implicit: int
    implicit: Integers  # places among q
    n_followers: int
    followers: Integers  # states whose rates depend on them, on which none depends
    n_blocks: int
    block_first: Integers  # (n_blocks + 1,)
    block_start: Integers  # (n_blocks + 1,) their matrices, each with a right side behind it
    n_by_state: int
    by_state: Floats  # entries of the derivative of the rates
    by_state_entry: Integers
    by_state_place: Integers
    # Bodies that are free (see `free.flight`).
    n_free: int
    free_q: Integers  # first coordinates
    free_v: Integers
    free: Floats  # masses and moments
    free_turn: Floats  # rotations to which velocity coordinates belong (9 each)
    free_weight: Floats  # acceleration of free fall
    free_work: Floats


class Step(LoopRecord):
    """State, results and work memory of one step."""

    h: float
    now: float  # time at the start
    # State update (TS-5, TS-8): where forces are taken, their part, and that of tangents.
    is_alpha: int
    theta: float
    part: float
    rate_at: float
    way_at: float
    alpha_m: float
    alpha_f: float
    gamma: float
    knows_inertia: int
    corrects: int  # positions of contacts
    way_left: float  # part of the way in a step that corrections may leave
    is_factored: float  # length of the step for which the factors hold; 0: none
    # State, and what the next step depends on.
    y: Floats  # q, v
    last: Floats  # impulses of all rows in the last step
    mean: Floats  # mean forces of all rows in the last step; 0: not to be continued
    a: Floats  # averages of accelerations (TS-8)
    phi: Floats  # accelerations without reactions
    start_gaps: Floats  # at the start of the step
    band: Floats  # gaps up to which each point counts as closed at the start
    anchor: Floats  # way of each tangential row since it sticks
    mode: Integers  # of each point
    noted: Integers  # the same for the ledger: what rebounds is open
    was_noted: Integers  # before the step; −1: its sliding has turned round
    is_late: Integers  # points that were open at the start
    has_change: int  # whether a mode has changed
    stays: Integers  # points that stick as in the step before
    gives_back: Integers  # points whose slip an impact turns round
    goes_back: Integers  # points whose slip stops and reverses within the step
    # States of laws within the step (see `states`).
    state_h: float  # time of a stage for which the factors hold; 0: none
    has_guess: int  # stages that are known from the last round
    state_fails: int  # 1: no solution, 2: rates that are not finite
    is_endless: int  # rates were not finite
    guess: Floats
    state_begin: Floats
    state_middle: Floats  # means over the step
    state_known: Floats
    first_rate: Floats
    follower_rate: Floats
    state_scale: Floats  # largest values so far
    state_unit: Floats
    state_left: Floats
    state_step: Floats
    state_old: Floats
    state_matrix: Floats
    state_pivots: Integers
    # Impact that comes first (Poisson's law), from outside.
    has_hit: int
    hit: Floats
    wanted: Floats
    since: Floats  # of each point: part of the step behind its impact (TS-12); ½: none
    # Results.
    new: Floats  # velocities after the step
    impulses: Floats  # of all rows
    at_end: Floats  # forces of all rows at the end of the step
    c_impulses: Floats  # of constraints
    works: Floats  # of all rows, then of drives
    sums: Floats  # of rows that are always there, of groups, of drives
    residual: float  # of the contact equations
    error: float  # the same as a velocity [m/s]
    change: float  # of forces in the last round, part of all
    rounds: int
    sweeps: int
    evaluations: int
    has_impact: int
    struck: Integers  # points that were met
    jams: Integers  # points that slide and could as well jam (Painlevé)
    has_jam: int  # whether one is new
    is_looked_at: int  # what is known of the end belongs to the present state
    at_fault: int  # island or coordinate because of which a step failed
    momentum_error: float  # of bodies that were set at rest
    deepest: float  # gap at the end of a step of the run, below zero: the largest overlap so far
    deepest_at: float  # its time
    deepest_of: int  # its contact point; behind those that are always there: its group
    # Work memory.
    n_islands: int
    all_energy: float  # of motion and of the forces in a step
    energy: Floats  # that forces give in a step from rest, of each island
    leader_root: Integers  # leader of each column
    point_of: Integers  # point of each normal row
    owner: Integers  # point of each row whose normal it has, or its own
    is_held: Integers  # points that may hold more, because they stick
    is_last: int  # no shorter one will be tried
    is_prompt: int  # impacts act within the step only, though a gap has closed before it
    is_frozen: int  # all rows are those of the middle: turning ones would create energy
    rebounds: Integers  # points whose impact has the rows of the middle of the step
    is_hit: Integers  # islands that Poisson's law has hit
    sliding: Floats  # capacities without that
    is_half: Integers  # rows that are half solved
    impulses_of: Floats  # sum of the sizes, of each point
    delta: Floats  # change of velocities
    way: Floats
    aside: Floats  # part of it that forces alone cause, beside mean velocities (TS-10)
    way_c: Floats
    scale_c: Floats
    old_capacity: Floats
    z_free: Floats  # right side without contacts, half solved
    correction: Floats  # of the velocities of rows at the end of the step
    turn: Floats  # velocities across the slip that turns within the step (TS-11)
    c_correction: Floats
    mean_force: Floats
    known: Floats  # change of velocities known at the start (TS-8)
    momentum: Floats  # of these
    new_phi: Floats
    w: Floats  # change of velocities by reactions (TS-9)
    inertia_work: Floats
    q_middle: Floats
    q_new: Floats
    z: Floats  # right side, half solved
    x: Floats
    half: Floats  # rows of contacts, half solved
    own: Floats  # response of each row to itself; without constraints where they fix it
    is_fixed: Integers  # rows whose velocities constraints and drives give
    active: Integers  # of each point; 2: dry friction whose sliding is fixed
    is_ahead: Integers  # of those the ones that may close within the step
    island_of: Integers  # island of each point
    leader: Integers  # islands: representative of each root
    island_number: Integers  # of each leader
    island_first: Integers
    island_points: Integers
    used: Integers
    slot: Integers  # place of a row among those used
    G: Floats
    n_response: int  # rows that G is of; 0: none
    response_of: Integers
    matrix: Floats  # factors of a small matrix, and a right side behind it
    c: Floats
    r: Floats
    soft: Floats
    kind: Integers
    start: Integers
    rows: Integers
    normal: Integers
    D: Floats
    limits: Floats
    numbers: Floats
    integers: Integers
    report: Floats
    size: int  # rows and groups of an island that is not solved
    groups: int
    pivots: Integers
    # Islands of many contacts, by sweeps.
    is_rough: int  # one was solved by sweeps in this step
    most_dense: int  # rows up to which an island has a matrix
    tolerance: float  # [m/s]
    most_sweeps: int
    height: Floats  # of each point, against gravity [m]
    spare: Integers
    base: Floats
    trial: Floats
    root: Floats
    memory: Floats
    history: Integers
    scratch: Floats
    blocks: Floats
    is_swept: Integers  # islands that were solved by sweeps
    sleeps: Integers  # of those, the ones that stay at rest
    moving: Floats  # largest velocity coordinate of each island at the start
    first_body: Integers  # of each island
    is_trial: int  # the step will be taken back
    n_settled: int  # free bodies that were set to rest
    plain: Integers  # groups that are contacts with equal friction along both tangents
