"""What the next step of an integration depends on: named numbers, without sizes and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jourdain.solvers.ode import stepping as at
from jourdain.solvers.record import Record

SHORTEST = 1e-300  # [s] step that a run goes on with
_SIZES = {
    "step": at.H, "old_step": at.H_OLD, "constraint_error": at.WORST_ERROR, "base": at.T_BASE,
    "cut": at.H_CUT,
}  # fmt: skip
_COUNTS = {
    "steps": at.N_ACCEPTED, "rejected": at.N_REJECTED, "evaluations": at.N_EVALUATIONS,
    "partition_changes": at.N_CHANGES, "steps_since_base": at.N_SINCE,
}  # fmt: skip
_FLAGS = {
    "has_first": at.HAS_FIRST, "has_old": at.HAS_OLD,
}  # fmt: skip
_JACOBIANS = 2  # none, one that serves on, a new one is wanted
# Of the history; others are any finite numbers.
_RANGES = {"dependent": (0.0, 1.0), "sizes": (0.0,), "kind_sizes": (0.0,)}


@dataclass(frozen=True)
class Memory:
    """All that the next step of a run depends on.

    Parameters
    ----------
    contents : mapping
        Time, state, history of the method, and under ``integration`` step sizes and counts.
    n_samples, n_events : int
        Samples filled and events found until then.
    """

    contents: Mapping[str, Any]
    n_samples: int
    n_events: int


def contents_of(w: Any, dp: Any, ip: Any, history: Mapping[str, slice]) -> dict[str, Any]:
    """Contents of the memory of a run, from its arrays and the places of its history in ``w``."""
    sizes = {name: float(dp[k]) for name, k in _SIZES.items()}
    counts = {name: int(ip[k]) for name, k in (_COUNTS | _FLAGS).items()}
    counts["jacobian"] = int(ip[at.HAS_JACOBIAN])
    counts["steps_to_look"] = max(0, int(ip[at.LOOK_AT] - ip[at.N_ACCEPTED]))
    own = {name: w[place].copy() for name, place in history.items()}
    return {"t": float(dp[at.T]), **own, "integration": sizes | counts}


def recall(record: Record, w: Any, dp: Any, ip: Any, history: Mapping[str, slice]) -> None:
    """Write `contents_of` another run into the arrays of this one.

    Sizes, places and settings, which machine code relies on, stay those of this run.

    Raises
    ------
    ModelError
        If a number is missing or out of its range.
    """
    own = record.record("integration")
    for name, place in history.items():
        w[place] = record.array(name, place.stop - place.start, *_RANGES.get(name, ()))
    dp[at.T] = record.number("t")
    for name, k in _COUNTS.items():
        ip[k] = own.count(name)
    for name, k in _FLAGS.items():
        ip[k] = own.flag(name)
    ip[at.HAS_JACOBIAN] = own.count("jacobian", _JACOBIANS)
    dp[at.T_BASE] = own.number("base")
    if not ip[at.IS_FIXED]:
        dp[at.H] = own.number("step", SHORTEST)
    divides = ip[at.HAS_OLD] and not ip[at.IS_FIXED]
    dp[at.H_OLD] = own.number("old_step", SHORTEST if divides else 0.0)
    dp[at.H_CUT] = own.number("cut", 0.0)
    dp[at.WORST_ERROR] = own.number("constraint_error", 0.0)
    dp[at.H_FACTORED] = 0.0  # factors follow from the Jacobian
    ip[at.N_FOUND] = ip[at.HALTS_BEFORE_END] = 0
