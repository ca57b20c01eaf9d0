"""Why a run stopped, and what to do about it."""

from __future__ import annotations

from jourdain.solvers import REMEDY, Run, Status
from jourdain.solvers.projection import OPEN
from jourdain.system import System


def remedy(run: Run, status: Status, system: System) -> str:
    """Sentence that says why a run stopped, and what to do."""
    if run.constraint_error <= OPEN:
        return REMEDY[status]
    if not system.has_constraints:
        return (
            f"nodes of {', '.join(map(repr, system.model.composites))} lost their equilibrium and "
            f"jumped, by {run.constraint_error:.3g} m or rad. Likely causes: parts that are pushed "
            "and snap through, or steps too long. Next: put dampers beside the parts, or a body "
            "with a small mass in the place of the node."
        )
    return (
        f"its constraints opened by up to {run.constraint_error:.3g} m or rad on the way. Likely "
        "causes: steps too long for the motion, a drive beyond what the machine can reach, or a "
        "body in a loop with less than 1e-7 of the inertia of others: its constraints count as "
        "repeated. Next: use smaller steps, an integrator with error control such as jd.Dop853(), "
        "or a massless connection such as jd.Distance instead of the body."
    )
