"""What the checks of measures and laws found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.measure import Measure
from jourdain.testing.joints.joint_check import Finding

Outcome = tuple[str, Any, Any, float]
"""Name of a check, what was found, what was expected, size of the terms."""

_LIMITS = {
    "symbols": 1e-12,
    "rate": 1e-7,
    "jacobian": 1e-10,
    "power": 1e-8,
    "lower bound": 1e-12,
    "reach": 0.0,
}
_MEANING = {
    "symbols": "numbers from floats and from symbols",
    "rate": "derivative of the graph and differences of values",
    "jacobian": "rate and Jacobian times velocities",
    "power": "force times rate, stored and lost power",
    "lower bound": "the larger of value and lower bound with the value",
    "reach": "the force beyond its reach with none",
}


@dataclass(frozen=True, slots=True)
class PartReport:
    """What `check_measure` or `check_law` found; ``str(report)`` is a table.

    Parameters
    ----------
    part : Measure or ForceLaw
        What was checked.
    n_states : int
        Number of states it was checked at.
    findings : tuple of Finding
        One per check, all within their limits.
    """

    part: Measure | ForceLaw
    n_states: int
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        lines = [f"{self.part}: {len(self.findings)} checks at {self.n_states} states"]
        for f in self.findings:
            lines.append(f"  {f.check:<10}{f.deviation:>10.1e}{f.limit:>8.0e}   {f.meaning}")
        return "\n".join(lines)


def note(found: dict[str, float], outcomes: list[Outcome], what: str) -> None:
    """Keep the largest deviations; raise beyond a limit."""
    for check, a, b, size in outcomes:
        scale = max(1.0, size, float(np.abs(b).max(initial=0.0)))
        deviation = float(np.abs(np.asarray(a) - b).max(initial=0.0)) / scale
        found[check] = max(found.get(check, 0.0), deviation)
        if not deviation <= _LIMITS[check]:
            raise ModelError(
                f"{what} fails the check {check!r}, which compares {_MEANING[check]}: "
                f"{_listed(a)} and {_listed(b)}, {deviation:.3g} apart (limit {_LIMITS[check]:g})."
            )


def report_of(part: Any, n: int, found: dict[str, float]) -> PartReport:
    """Report of the largest deviations, in the order of the checks."""
    order = [check for check in _LIMITS if check in found]
    findings = (Finding(check, found[check], _LIMITS[check], _MEANING[check]) for check in order)
    return PartReport(part, n, tuple(findings))


def flat(value: Any) -> Any:
    """Flat array of numbers."""
    return np.array(value, dtype=float).reshape(-1)


def _listed(values: Any) -> str:
    return f"({', '.join(f'{x:.6g}' for x in np.reshape(values, -1))})"
