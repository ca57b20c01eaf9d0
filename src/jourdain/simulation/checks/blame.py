"""Which input, event, drive or connection gives NaN, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.errors import JourdainError, ModelError, SingularSystemError
from jourdain.results.channels.driven import drive_values
from jourdain.system import System
from jourdain.system.checks.faults import connection_fault
from jourdain.system.checks.singular import require_inertia
from jourdain.system.state import function_values

_EXAMINED = 60  # bodies up to which joints are examined one by one
_AHEAD = (0.0, 1e-9, 1e-6, 1e-3)  # [s] from the last state to where a function may fail


def fault_ahead(
    system: System, inputs: Mapping[str, Any], y: Any, rates: Any, t: float, p: Any
) -> JourdainError | None:
    """Error that names what gives no finite numbers at a state or a little ahead; None if nothing.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs of the run by name.
    y, rates : (n_q + n_v,)
        Last state and its rates.
    t : float [s]
        Its time.
    p : (n_p,)
        Values of the parameters.
    """
    if not np.all(np.isfinite(y)):
        return None
    n_q, along = len(system.names.q), np.nan_to_num(rates, posinf=0.0, neginf=0.0)
    for h in _AHEAD:
        moved = y + h * along
        q, v = moved[:n_q], moved[n_q:]
        if np.all(np.isfinite(moved)) and (fault := fault_at(system, inputs, q, v, t + h, p)):
            return fault
    return _singular_joint(system, y[:n_q], t, p)


def _singular_joint(system: System, q: Any, t: float, p: Any) -> JourdainError | None:
    """Error that names a joint in a singular position, or a coordinate without inertia."""
    if len(system.description.links) > _EXAMINED:
        return None
    try:
        require_inertia(system.description, system.of_tree(q), t, p)
    except SingularSystemError as error:
        return error
    return None


def fault_at(
    system: System, inputs: Mapping[str, Any], q: Any, v: Any, t: float, p: Any
) -> JourdainError | None:
    """Error that names what gives no finite numbers at one state; None if nothing does."""
    found = drive_fault(system, [t], p) or function_fault(
        system, inputs, "input", q[np.newaxis], v[np.newaxis], [t], p
    )
    if found is not None:
        return found[1]
    own = connection_fault(system.mechanism, q, v, t, p) if system.has_connections else None
    return own or (capacity_fault(system, q, v, t, p) if system.has_contacts else None)


def capacity_fault(system: System, q: Any, v: Any, t: float, p: Any) -> ModelError | None:
    """Error that names the law of dry friction or contact whose limit is not finite."""
    limits = system.interpreted(Mechanism.capacities, q=q, v=v, t=t, p=p).reshape(-1, 2)
    for point, own in zip(system.graph[1].contact_points, limits, strict=True):
        if not np.all(np.isfinite(own)):
            c = point.connection
            word = "capacity" if point.normal is None else "coefficient of friction"
            return ModelError(
                f"connection {c.name!r}: its law {type(c.law).__name__} gives the {word} "
                f"{own.max():.6g} at t = {t:.9g} s.\n"
                "  Likely causes: a root or logarithm of a negative number, or a division by zero; "
                "write it for all values, for example with jd.where or jd.maximum."
            )
    return None


def drive_fault(system: System, times: Any, p: Any) -> tuple[int, ModelError] | None:
    """Number of the first time at which a drive is not finite, and an error; None if all are."""
    values = np.stack(drive_values(system.description, np.asarray(times), p))
    if np.isfinite(values).all():
        return None
    wrong = ~np.isfinite(values).all(axis=0)
    first = int(np.argmax(wrong.any(axis=1)))
    column = int(np.argmax(wrong[first]))
    e, rate, second = values[:, first, column]
    return first, ModelError(
        f"the drive of {driven_names(system)[column]!r} is {e:.6g} at t = {times[first]:.9g} s, "
        f"with the rates {rate:.6g} and {second:.6g}.\n"
        "  Likely causes: a root or logarithm of a negative number, a division by zero, or a jump; "
        "write it for all times of the run, for example with jd.where or jd.maximum."
    )


def driven_names(system: System) -> list[str]:
    """Names of the driven coordinates of the tree."""
    names: list[str] = []
    for link in system.description.links:
        joint, kind = link.joint.name, link.joint.joint.kind
        own = joint in system.model.coordinates
        of_kind = list(kind.coordinates)
        names += [joint if own else f"{joint}.{of_kind[k]}" for k in link.motion.driven]
    return names


def function_fault(
    system: System, functions: Mapping[str, Any], what: str, q: Any, v: Any, times: Any, p: Any
) -> tuple[int, ModelError] | None:
    """Number of the first state at which a user's function is not finite, and an error.

    Parameters
    ----------
    system : System
        The compiled machine.
    functions : mapping
        Functions of t or (t, s) by name; what is no function is passed over.
    what : str
        "input" or "event".
    q, v, times, p
        States (n, n_q), (n, n_v), their times (n,) [s], values of the parameters.
    """
    known = {name: f for name, f in functions.items() if callable(f)}
    if not known or not len(times):
        return None
    values = function_values(system, known, what, q, v, np.asarray(times), p)
    wrong = ~np.isfinite(values)
    if not wrong.any():
        return None
    first = int(np.argmax(wrong.any(axis=0)))
    row = int(np.argmax(wrong[:, first]))
    return first, ModelError(
        f"{what} {list(known)[row]!r} gives {values[row, first]:.6g} at t = {times[first]:.9g} s.\n"
        "  Likely causes: a root or logarithm of a negative number, or a division by zero; write "
        "it for all values, for example with jd.where or jd.maximum."
    )
