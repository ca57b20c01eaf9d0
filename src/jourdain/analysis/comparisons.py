"""The same numbers in several ways: formulations, and ways of running the recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jourdain.analysis.case import TINY, Case, Discrepancies
from jourdain.formulations import Formulation
from jourdain.model.model import Model
from jourdain.system import Execution
from jourdain.system import compile as compile_model

Compare = Callable[[Case], Discrepancies]


def between_formulations(a: Formulation, b: Formulation, *, has_velocities: bool) -> dict[str, Compare]:
    """Comparisons of two formulations by the name of what they compare."""
    some = {"accelerations": _accelerations, "mass matrix": _mass_matrix, "forces": _forces}
    chosen = {**(some if has_velocities else {}), "loads of joints": _loads}
    return {name: _bound(compare, a, b) for name, compare in chosen.items()}


def _bound(compare: Any, reference: Formulation, other: Formulation) -> Any:
    return lambda case: compare(case, reference, other)


def _accelerations(case: Case, a: Formulation, b: Formulation) -> Discrepancies:
    """Difference of accelerations as a force, so that small inertias do not count more."""
    state = case.system, case.q, case.v, case.tau, case.t
    return case.by_velocity(case.M @ (b.accelerations(*state) - a.accelerations(*state)) / case.sizes)


def _mass_matrix(case: Case, a: Formulation, b: Formulation) -> Discrepancies:
    M, other = (f.mass_matrix(case.system, case.q, case.t) for f in (a, b))
    return case.by_velocity((other - M) / np.outer(case.roots, case.roots))


def _forces(case: Case, a: Formulation, b: Formulation) -> Discrepancies:
    state = case.system, case.q, case.v, case.vdot, case.t
    return case.by_velocity((b.inverse_dynamics(*state) - a.inverse_dynamics(*state)) / case.sizes)


def _loads(case: Case, a: Formulation, b: Formulation) -> Discrepancies:
    state = case.system, case.q, case.v, case.vdot, case.t
    loads, other = (f.loads(*state) for f in (a, b))
    errors = np.abs(other - loads) / (np.abs(loads).max(initial=0.0) + TINY)
    joints = case.system.loads(*state[1:]).joints
    return dict(zip(joints, errors.max(axis=-1, initial=0.0).tolist(), strict=True))


class Batch:
    """All states in one call of a compiled system, so that its SIMD lanes are used as well."""

    def __init__(self, model: Model, execution: Execution, cases: Sequence[Case]) -> None:
        self._system = compile_model(model, execution=execution)
        self._cases = list(cases)
        self._results: dict[str, Any] = {}

    @property
    def comparisons(self) -> dict[str, Compare]:
        """Comparisons with the results of plain Python."""
        some = {"accelerations": self._accelerations, "forces": self._forces}
        return {**(some if self._cases[0].names else {}), "motion of bodies": self._motion}

    def _row(self, case: Case, name: str, *fields: str) -> Any:
        if name not in self._results:
            columns = [np.array([getattr(c, f) for c in self._cases]) for f in (*fields, "t")]
            self._results[name] = getattr(self._system, name)(*columns)
        k = self._cases.index(case)
        result = self._results[name]
        return tuple(x[k] for x in result) if isinstance(result, tuple) else result[k]

    def _accelerations(self, case: Case) -> Discrepancies:
        vdot = self._row(case, "forward_dynamics", "q", "v", "tau")
        plain = case.system.forward_dynamics(case.q, case.v, case.tau, case.t)
        return case.by_velocity(case.M @ (vdot - plain) / case.sizes)

    def _forces(self, case: Case) -> Discrepancies:
        tau = self._row(case, "inverse_dynamics", "q", "v", "vdot")
        return case.by_velocity((tau - case.tau) / case.sizes)

    def _motion(self, case: Case) -> Discrepancies:
        found = self._row(case, "kinematics", "q", "v", "vdot")
        n = len(case.order)
        errors = [
            (a - b).reshape(n, -1) / (np.abs(b).max(initial=0.0) + TINY)
            for a, b in zip(found, case.motion, strict=True)
        ]
        return case.by_body(np.concatenate(errors, axis=1)) if n else {}
