"""What to do when a run has stopped, by the method that it used."""

from __future__ import annotations

from jourdain.solvers.ode.integrators import Cvode, Gauss4, GeneralizedAlpha, Ida, Method, Radau5
from jourdain.solvers.status import REMEDY, Status


def advice(status: Status, method: Method) -> str:
    """Sentences that say why a run stopped, and what to do; never to do what was done."""
    return f"{REMEDY[status]} Next: {_next(status, method)}."


def smaller_steps(method: Method) -> str:
    """How to make a method take smaller steps."""
    dt, rtol = getattr(method, "dt", None), getattr(method, "rtol", None)
    if dt is not None:
        return f"take steps shorter than dt = {dt:g} s, or steps by error control: jd.Dop853()"
    return f"give a smaller rtol than {rtol:g}, or bound the steps by max_step"


def _next(status: Status, method: Method) -> str:
    dt, rtol = getattr(method, "dt", None), getattr(method, "rtol", None)
    if status == Status.STEP_TOO_SMALL:
        other = "" if _is_implicit(method) else "use method=jd.Radau5(), or "
        return f"{other}smooth the input" + (f", or loosen rtol = {rtol:g}" if rtol else "")
    if status == Status.NOT_CONVERGED and dt is not None:
        return f"take steps shorter than dt = {dt:g} s, or let method=jd.Radau5() find its own"
    return "look at the last good state"


def _is_implicit(method: Method) -> bool:
    return isinstance(method, Radau5 | Ida | Gauss4 | GeneralizedAlpha) or (
        isinstance(method, Cvode) and method.is_stiff
    )
