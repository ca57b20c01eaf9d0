"""Proof of a joint kind: everything that is derived from its pose, against differences of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import JourdainError, ModelError
from jourdain.model.joints.joint import Joint
from jourdain.testing.joints.joint_laws import LAWS
from jourdain.testing.joints.joint_subject import Outcome, Subject
from jourdain.testing.joints.joint_terms import require_terms
from jourdain.testing.states import random_coordinates


@dataclass(frozen=True, slots=True)
class Finding:
    """Largest deviation that one check met.

    Parameters
    ----------
    check : str
        Name of the check.
    deviation, limit : float
        Largest deviation and what is allowed, relative to numbers above one.
    meaning : str
        What was compared.
    """

    check: str
    deviation: float
    limit: float
    meaning: str


@dataclass(frozen=True, slots=True)
class JointReport:
    """What `check_joint` found; ``str(report)`` is a table.

    Parameters
    ----------
    kind : Joint
        The kind that was checked.
    n_states : int
        Number of states it was checked at.
    findings : tuple of Finding
        One per check, all within their limits.
    """

    kind: Joint
    n_states: int
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        lines = [f"{self.kind!r}: {len(self.findings)} checks at {self.n_states} states"]
        lines.append(f"  {'check':<14}{'deviation':>10}{'limit':>8}   what is compared")
        for f in self.findings:
            lines.append(f"  {f.check:<14}{f.deviation:>10.1e}{f.limit:>8.0e}   {f.meaning}")
        return "\n".join(lines)


def check_joint(
    kind: Joint, rng: Any = None, *, states: Any = None, n_states: int = 4
) -> JointReport:
    """Prove a joint kind, built in or your own.

    At random states away from singular positions: the pose is a rotation and a translation, its
    mode vectors, their rates and the effect of time and of drives agree with central differences
    of the pose, the duals are dual, the reversed joint is the inverse, and symbols give the same
    numbers as floats. What ``rates`` makes of the coordinates is a definition of the velocities;
    it is wrong only where it changes coordinates without moving the child, where velocities
    called ``angular_velocity`` are none, or where ``modes`` contradict it.

    Parameters
    ----------
    kind : Joint
        The kind.
    rng : numpy.random.Generator or int
        Source of random states, or its seed; default: always the same ones.
    states : (n, n_q) [m, rad, 1]
        Position coordinates to check at instead of random ones, for kinds that do not reach
        everywhere.
    n_states : int
        Number of random states.

    Returns
    -------
    JointReport
        Deviations found; print it.

    Raises
    ------
    ModelError
        If a check fails; the text names the kind, the check and the numbers.

    Examples
    --------
    >>> import jourdain as jd
    >>> class Rocker(jd.Joint):
    ...     radius: float
    ...     coordinates = {"angle": "rad"}
    ...     def pose(self, q, t):
    ...         return jd.rotation_y(q[0]), (self.radius * q[0], 0, self.radius)
    >>> report = jd.testing.check_joint(Rocker(0.2))
    >>> max(finding.deviation for finding in report.findings) < 1e-8
    True
    """
    require_terms(kind)
    rng = np.random.default_rng(0 if rng is None else rng)
    subject = _guarded(kind, "symbols", lambda: Subject(kind))
    found = _guarded(kind, "freedoms", lambda: list(_states(kind, rng, states, n_states)))
    subject.states.extend(found)
    with np.errstate(all="ignore"):  # what is not finite is found by comparing
        findings = tuple(_finding(subject, check) for check in LAWS)
    return JointReport(kind, len(found), findings)


def _finding(subject: Subject, check: str) -> Finding:
    law, limit, meaning = LAWS[check]
    kind = subject.symbolic
    outcomes = _guarded(kind, check, lambda: list(law(subject)))
    worst = max((_within(kind, check, outcome, limit) for outcome in outcomes), default=0.0)
    return Finding(check, worst, limit, meaning)


def _guarded(kind: Joint, check: str, function: Callable[[], Any]) -> Any:
    """Call a function; name kind and check in what it raises."""
    try:
        return function()
    except JourdainError as error:
        raise ModelError(f"joint kind {kind!r} fails the check {check!r}: {error}") from error


def _states(kind: Joint, rng: Any, given: Any, n: int) -> Iterator[tuple[Any, Any, float]]:
    n_q, n_v = len(kind.coordinates), len(kind.velocities)
    rows = None if given is None else np.array(given, dtype=float).reshape(-1, n_q)
    for k in range(n if rows is None else len(rows)):
        t = float(rng.uniform(0.1, 1.0))
        q = random_coordinates(kind, rng, t=t) if rows is None else rows[k]
        yield q, rng.uniform(-1.0, 1.0, n_v), t


def _within(kind: Joint, check: str, outcome: Outcome, limit: float) -> float:
    """Deviation of an outcome, relative to what is expected; raise beyond the limit."""
    found, expected = np.asarray(outcome.found), np.asarray(outcome.expected)
    scale = max(1.0, outcome.size, float(np.abs(expected).max(initial=0.0)))
    deviation = float(np.abs(found - expected).max(initial=0.0)) / scale
    if deviation <= limit:
        return deviation
    at = f"q = {_listed(outcome.state[0])}, t = {outcome.state[2]:.6g} s"
    raise ModelError(
        f"joint kind {kind!r} fails the check {check!r} at {at}:\n  {outcome.what} is "
        f"{_listed(found)}, but {outcome.source} {_listed(expected)}: {deviation:.3g} apart "
        f"(limit {limit:g}).\n  {outcome.advice}"
    )


def _listed(values: Any) -> str:
    array = np.asarray(values)
    if array.ndim == 2:
        return f"[{'; '.join(_listed(row) for row in array)}]"
    return f"({', '.join(f'{x + 0.0:.6g}' for x in array.reshape(-1))})"
