"""Every number of the simulation layer that says "closed", "at rest", "slow" or "the same".

Parts of a quantity have no unit. Numbers with one are those of runs from event to event: they hold
in the unit of the measure, and results do not change with that unit as long as motions are larger
than these numbers (`tests/identities/test_units_of_coordinates.py`: over ten orders). Numbers of
the time step are parts of what forces do in it; they lie with its loops, `solvers/timestep/`.
"""

from __future__ import annotations

import numpy as np

# -- Times ---------------------------------------------------------------------------------------
SAME_TIME = 1e-9
"""Part of a step, spacing, period or span by which two times may differ and be one."""
SAME_INSTANT = 1e-13
"""Part of the time by which rounding parts what happens at once."""
LOOKS_BACK = 1e-6
"""Time [s] by which to look back for the side from which an event function reaches zero."""
BRIEF = 1e-5
"""Time [s] for which an acceleration that does not count may last."""

SHORT = 1e-3
"""Length [s] of runs below which the times above, and all that are looked ahead, shrink with it."""

# -- Rounding ------------------------------------------------------------------------------------
ROUNDING = 8.0 * float(np.finfo(float).eps)
"""Part of a state that is lost in rounding."""
LOST_ACCELERATION = 1e-13
"""Part of the largest acceleration that is lost in rounding."""
LOST_LOAD = 1e-12
"""Part of the largest load of a run that is lost in rounding."""
NO_ACCELERATION = 1e-20
"""Acceleration that is rounding whatever the machine."""
NO_NUMBER = 1e-140
"""Velocity or acceleration whose square is no number any more; keeps quotients finite."""

# -- Closed --------------------------------------------------------------------------------------
CLOSED = 1e-9
"""Gap [m], or rate of a freewheel [m/s], up to which a contact counts as closed."""
APPROACHES = 1e-10
"""Approach [m/s] that is an impact."""
PLAY = 1e-10
"""Way [m] or rate [m/s] by which a gap that others hold may close before contacts are asked."""
NEAR = 1e-6
"""Gap [m] up to which a contact has to have a direction and a friction."""
OVERLAP = 1e-6
"""Way [m] by which contacts may overlap at the start."""

# -- At rest -------------------------------------------------------------------------------------
SLIDES = 1e-6
"""Sliding velocity [m/s] above which what has jumped counts as sliding; see `for_motions`."""
LEFT_OF_SLIDING = 1e-6
"""Part of velocities that integration may leave where sliding ends."""
MOVES = 1e-11
"""Part of the terms of an acceleration that counts as motion."""
LEFT_OF_HELD = 1e-2
"""Part of the terms of an acceleration that what is held may have: near singular positions."""
STILL = 1e-10
"""Part of the velocities that make up one, at which it is rounding."""

# -- Forces --------------------------------------------------------------------------------------
JUMPED = 1e-9
"""Part of the forces by which one exceeds its limit where the limit has jumped."""
BEYOND = 1e-6
"""Part of the forces by which none may exceed its limit."""
NO_MARGIN = 1e-9
"""Part of a limit that is no margin."""
LITTLE_MARGIN = 1e-2
"""Part of the limits of redundant contacts up to which their forces are shared out anew."""
SETTLED = 1e-13
"""Change of capacities, as part of forces, that is none."""
SAME_COEFFICIENT = 1e-9
"""Part by which two coefficients may differ and be one."""

# -- Equations -----------------------------------------------------------------------------------
SOLVED = 1e-9
"""Residual of contact equations that counts as solved."""
SOLVED_WELL = 1e-13
"""Residual of contact equations that is wanted."""
TAKES_PART = 1e-6
"""Component of a row, or of a unit vector, that takes part."""
LOST_RESPONSE = 1e-12
"""Eigenvalue of responses with unit diagonal that time steps lose in rounding."""
NO_RESPONSE = 1e-10
"""Eigenvalue of responses with unit diagonal that is none: forces along it are not unique."""
FIXED = 1e-10
"""Part of the responses of a contact at which one of its rows is fixed, as across a plane."""
CLOSED_TO = 1e-13
"""Error [m, rad] of a constraint up to which a state counts as moved onto it."""


def for_motions(number: float, size: float) -> float:
    """A number with a unit for motions of a given size: beyond a thousand units it grows with it.

    It does not shrink: what is at rest has velocities of rounding, which tell nothing.
    """
    return number * max(1.0, 1e-3 * size)
