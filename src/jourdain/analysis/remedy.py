"""Why a run stopped, and what to do about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.assembly.open_loops import worst_row
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.wording import some
from jourdain.equations.mechanism import Mechanism
from jourdain.simulation.checks.blame import driven_names
from jourdain.solvers import Method, Run, Status, advice, smaller_steps
from jourdain.solvers.projection import OPEN
from jourdain.system import System

_SINGULAR = 1e-3  # ratio of singular values of the constraint rows next to a singular position
_DRIVEN = 0.1  # the same of a driven machine, which cannot go on there
_EXAMINED = 200  # velocities of a machine whose position is examined
_MOST_NAMES = 4


def remedy(run: Run, status: Status, system: System, method: Method, p: Any) -> str:
    """Sentence that says why a run stopped, and what to do.

    Parameters
    ----------
    run : Run
        The run where it stopped.
    status : Status
        What it ended with.
    system : System
        The compiled machine.
    method : Method
        How it was integrated: what is in use is not advised.
    p : (n_p,)
        Values of the parameters.
    """
    is_open = not run.constraint_error <= OPEN
    if is_open and not system.has_constraints:
        return (
            f"nodes of {', '.join(map(repr, system.model.composites))} lost their equilibrium and "
            f"jumped, by {run.constraint_error:.3g} m or rad. Likely causes: members that are "
            "pushed and snap through, or steps too long. Next: put dampers beside the members, or "
            "a body with a small mass in the place of the node."
        )
    singular = _singular(run, system, p)
    opened = (
        f"its constraints opened by up to {run.constraint_error:.3g} m or rad"
        f"{_where(run, system, p)}. " if is_open else ""
    )  # fmt: skip
    if singular:
        told = f"{opened}{singular}" if is_open else f"t{singular[1:]}"
        return f"{told}Next: look at print(jd.structure(model, at=error.solution.final))."
    if is_open:
        return (
            f"{opened}Likely causes: a drive beyond what the machine can reach, "
            f"or steps too long for the motion. Next: {smaller_steps(method)}."
        )
    return advice(status, method)


def _where(run: Run, system: System, p: Any) -> str:
    """Element with the largest error."""
    q = run.y[: run.problem.n_q]
    rows = system.interpreted(Mechanism.assembly_errors, q=q, t=run.t, p=p)
    if not np.all(np.isfinite(rows)) or not system.constraint_rows:
        return ""
    return f" at {worst_row(system, rows)}"


def _singular(run: Run, system: System, p: Any) -> str:
    """Sentence about a singular position that the run has come to; empty if there is none."""
    q = run.y[: run.problem.n_q]
    if not system.has_constraints or len(system.names.v) > _EXAMINED or not np.isfinite(q).all():
        return ""
    here = Mobility(system, q, run.t, p)
    drives = [repr(name) for name in driven_names(system)]
    if not here.n_rows or not here.ratio < (_DRIVEN if drives else _SINGULAR):
        return ""
    joints = some([repr(name) for name in system.constraint_rows], ", ", _MOST_NAMES)
    cause = (
        f"the drive of {some(drives, ', ', _MOST_NAMES)} asks for more than the loops can follow"
        if drives
        else "lengths that let the machine stretch out or fold"
    )
    return (
        f"The machine has come into a singular position, in which the constraints of {joints} "
        f"repeat each other (ratio of singular values {here.ratio:.2g}): {cause}. "
    )
