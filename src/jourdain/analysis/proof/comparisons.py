"""The same numbers in several ways: formulations, and ways of running the recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jourdain.analysis.proof.case import TINY, Case, Discrepancies
from jourdain.formulations import Formulation
from jourdain.system import System

Compare = Callable[[Case], Discrepancies]


class OtherFormulation:
    """A formulation against the recursion."""

    def __init__(self, formulation: Formulation) -> None:
        self._formulation = formulation

    def accelerations(self, case: Case) -> Discrepancies:
        """Accelerations caused by forces."""
        state = case.system, case.q, case.v, case.tau, case.t
        return case.acceleration_error(self._formulation.accelerations(*state))

    def mass_matrix(self, case: Case) -> Discrepancies:
        """Mass matrix."""
        M = self._formulation.mass_matrix(case.system, case.q, case.t)
        return case.by_velocity((M - case.M) / np.outer(case.roots, case.roots))

    def forces(self, case: Case) -> Discrepancies:
        """Forces that cause accelerations."""
        state = case.system, case.q, case.v, case.vdot, case.t
        tau = self._formulation.inverse_dynamics(*state)
        return case.by_velocity((tau - case.tau) / case.sizes)

    def loads(self, case: Case) -> Discrepancies:
        """Interactions in the joints."""
        state = case.system, case.q, case.v, case.vdot, case.t
        own, other = case.joint_loads, self._formulation.loads(*state)
        size = np.abs(own.interaction).max(initial=0.0) + TINY
        errors = np.abs(other - own.interaction).max(axis=-1, initial=0.0) / size
        return dict(zip(own.joints, errors.tolist(), strict=True))


class OtherExecution:
    """A way of running the recursion against plain Python.

    Parameters
    ----------
    system : System
        The system run in that way.
    cases : sequence of Case
        All states of one system.
    is_batch : bool
        Whether to evaluate all states in one call, in SIMD lanes, or one by one.
    """

    def __init__(self, system: System, cases: Sequence[Case], *, is_batch: bool) -> None:
        self._system, self._cases, self._is_batch = system, list(cases), is_batch
        self._results: dict[str, Any] = {}

    def _evaluate(self, case: Case, name: str, *fields: str) -> Any:
        function = getattr(self._system, name)
        if not self._is_batch:
            return function(*(getattr(case, f) for f in fields))
        if name not in self._results:
            columns = [np.array([getattr(c, f) for c in self._cases]) for f in fields]
            self._results[name] = function(*columns)
        k, result = self._cases.index(case), self._results[name]
        return tuple(x[k] for x in result) if isinstance(result, tuple) else result[k]

    def accelerations(self, case: Case) -> Discrepancies:
        """Accelerations caused by forces."""
        return case.acceleration_error(
            self._evaluate(case, "forward_dynamics", "q", "v", "tau", "t")
        )

    def forces(self, case: Case) -> Discrepancies:
        """Forces that cause accelerations."""
        tau = self._evaluate(case, "inverse_dynamics", "q", "v", "vdot", "t")
        return case.by_velocity((tau - case.tau) / case.sizes)

    def motion(self, case: Case) -> Discrepancies:
        """Poses, twists and accelerations of bodies."""
        found, n = self._evaluate(case, "kinematics", "q", "v", "vdot", "t"), len(case.order)
        errors = [
            (a - b).reshape(n, a[:1].size) / (np.abs(b).max(initial=0.0) + TINY)
            for a, b in zip(found, case.motion, strict=True)
        ]
        return case.by_body(np.concatenate(errors, axis=1))
