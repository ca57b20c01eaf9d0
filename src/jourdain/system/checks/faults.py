"""Which connection makes accelerations that are no numbers, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.errors import JourdainError, ModelError, SingularSystemError
from jourdain.model.composites.inside import Inside
from jourdain.model.connection import Connection
from jourdain.model.laws import Equal, ForceLaw, SetValued
from jourdain.system.checks.insides import insides, loose_names

if TYPE_CHECKING:
    from jourdain.system.questions.answers import Answers


def connection_fault(
    answers: Answers, q: Any, v: Any, t: float, parameters: Any = None
) -> JourdainError | None:
    """Error that names the first connection without finite numbers at one state; None if all have.

    Parameters
    ----------
    answers : Answers
        Quantities of the system.
    q, v : (n_q,), (n_v,)
        State, finite.
    t : float [s]
        Time.
    parameters : mapping or (n_p,)
        Values of parameters that differ from the nominal ones.
    """
    measured, start = answers.answers(Mechanism.measured, q, v, t=t, parameters=parameters), 0
    for c in answers.model.connections.values():
        if isinstance(c.law, SetValued):
            continue  # they are not measured
        n = c.measure.size
        x, rate, force = np.split(measured[start : start + 3 * n], 3)
        start += 3 * n + 2
        if isinstance(c.measure, Inside) and np.all(np.isfinite(x)) and np.isnan(rate).any():
            return _lost_rates(c, t)
        if not np.all(np.isfinite(np.concatenate([x, rate]))):
            return _singular_measure(c, x, t)
        if not isinstance(c.law, Equal) and not np.all(np.isfinite(force)):
            if isinstance(c.measure, Inside):
                return lost_balance(answers, q, t, parameters)
            return _bad_law(c, x, rate, force, t)
    return None


def lost_balance(
    answers: Answers, q: Any, t: float, parameters: Any = None, limit: float = np.inf
) -> SingularSystemError | None:
    """Error for the composite whose internal equilibrium is next to end, within a limit."""
    for inside in insides(answers):
        p = answers.parameter_array(parameters)
        matrix = answers.interpreted(Mechanism.internal_jacobian, q=q, t=t, p=p)[
            inside.rows, inside.rows
        ]
        names = loose_names(matrix, inside.names, limit) if np.isfinite(matrix).all() else []
        if names:
            return SingularSystemError(
                f"connection {inside.name!r}: the equilibrium of its members ends at t = {t:g} s: "
                f"{', '.join(map(repr, names))} would jump to another one, which nothing without "
                "mass or damping can follow.\n"
                "  Likely causes: members that are pushed and snap through. Next: put dampers "
                "beside the members, or a body with a small mass in the place of the node."
            )
    return None


def _lost_rates(c: Connection, t: float) -> SingularSystemError:
    return SingularSystemError(
        f"connection {c.name!r}: the rates at which the dampers of its composite balance the other "
        f"members were not found at t = {t:g} s.\n"
        "  Likely causes: a damper whose force hardly grows at small rates and steeply at large "
        "ones. Next: put a linear damper beside it, or a body with a small mass in the place of "
        "the node."
    )


def no_numbers(answers: Answers, q: Any, v: Any, t: float, parameters: Any = None) -> JourdainError:
    """Error for a state without finite accelerations, whatever the cause."""
    fault = connection_fault(answers, q, v, t, parameters)
    return fault or SingularSystemError(
        f"model {answers.model.name!r} has no finite equations of motion at t = {t:g} s. Likely "
        "causes: a joint in a singular position, or a function of the model that has no derivative "
        "there. Next: start elsewhere, see jd.structure(model, at=...)."
    )


def _singular_measure(c: Connection, x: Any, t: float) -> SingularSystemError:
    kind = type(c.measure.measure if isinstance(c.measure, Inside) else c.measure).__name__
    if not np.all(np.isfinite(x)):
        return SingularSystemError(
            f"connection {c.name!r}: the value of its measure {kind} is {_listed(x)} at "
            f"t = {t:g} s. Likely causes: a root of a negative number, or a division by zero."
        )
    return SingularSystemError(
        f"connection {c.name!r}: its measure {kind} has the value {_listed(x)} {c.measure.unit} at "
        f"t = {t:g} s, where it has no derivative.\n"
        "  A distance has no direction where its ends meet: start elsewhere, or measure the "
        "components of the line between them."
    )


def _bad_law(c: Connection, x: Any, rate: Any, force: Any, t: float) -> ModelError:
    unit = c.measure.unit
    if isinstance(c.law, ForceLaw) and c.law.remedy:
        return ModelError(f"connection {c.name!r} at t = {t:g} s: {c.law.remedy}")
    return ModelError(
        f"connection {c.name!r}: its law {type(c.law).__name__} gives the force {_listed(force)} "
        f"at t = {t:g} s, for the value {_listed(x)} {unit} and the rate {_listed(rate)} "
        f"{c.measure.rate_unit} of its measure.\n"
        "  Likely causes: a root or logarithm of a negative number, or a division by zero; write "
        "the law for all values, for example with jd.where or jd.clip."
    )


def _listed(numbers: Any) -> str:
    texts = [f"{x:.6g}" for x in numbers]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
