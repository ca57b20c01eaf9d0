"""What a solver loop can end with, and why; what to do is in `advice`."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Result of a solver loop."""

    FINISHED = 0
    PAUSED = 1  # the chunk of steps is done; call again
    TERMINAL_EVENT = 2
    NOT_FINITE = 3
    STEP_TOO_SMALL = 4
    BEFORE_END = 5  # the end would cut the next step short; call again
    NOT_CONVERGED = 6
    KINK = 7  # the state lies on a kink; call again with the mode beyond it


REMEDY = {
    Status.NOT_FINITE: (
        "the accelerations are not finite. Likely causes: a force law that divides by zero, or a "
        "mechanism in a singular position."
    ),
    Status.STEP_TOO_SMALL: (
        "the step size fell below what the time resolves. Likely causes: a very stiff spring, a "
        "discontinuous input, or a motion that runs away."
    ),
    Status.NOT_CONVERGED: "the nonlinear equations of a step could not be solved.",
}
