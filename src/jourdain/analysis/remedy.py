"""Why a run stopped, and what to do about it."""

from __future__ import annotations

from jourdain.solvers import Method, Run, Status, advice, smaller_steps
from jourdain.solvers.projection import OPEN
from jourdain.system import System


def remedy(run: Run, status: Status, system: System, method: Method) -> str:
    """Sentence that says why a run stopped, and what to do."""
    if run.constraint_error <= OPEN:
        return advice(status, method)
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
        f"repeated. Next: {smaller_steps(method)}; or put a massless connection such as "
        "jd.Distance in the place of the body."
    )
