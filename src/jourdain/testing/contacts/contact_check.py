"""Proof of a run with contacts: forces in their sets, gaps, sliding, energy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, ModelError
from jourdain.results import Solution
from jourdain.simulation.tolerances import OVERLAP
from jourdain.testing.contacts.contact_energy import energy_gain
from jourdain.testing.contacts.contact_overlap import group_overlap
from jourdain.testing.contacts.contact_samples import AT_REST, ContactSamples, Place
from jourdain.testing.joints.joint_check import Finding

_FORCE = 1e-9  # part of capacity plus load by which a force may be wrong
_GAP = 1e-9  # [m, rad] from event to event: gaps below this count as closed
_LEFT = 2.1e-8  # [m, rad] that the correction of positions leaves, twice 1e-8, and rounding

_MEANING = {
    "normal": "normal force against zero",
    "friction": "friction force against its set",
    "sliding": "sliding velocity that friction does not oppose",
    "gap": "overlap",
    "closed": "gap of a contact that carries a force",
    "approach": "velocity of a contact that carries a force",
    "energy": "energy gained without work",
}


@dataclass(frozen=True)
class _Outcome:
    """Deviations (n,) of one law at one place, and what is allowed (n,)."""

    check: str
    name: str
    deviation: Any
    limit: Any


@dataclass(frozen=True, slots=True)
class ContactReport:
    """What `check_contacts` found; ``str(report)`` is a table.

    Parameters
    ----------
    model_name : str
        Name of the machine.
    n_samples : int
        Number of samples.
    findings : tuple of Finding
        One per law, where it came closest to its limit.
    """

    model_name: str
    n_samples: int
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        lines = [f"{self.model_name!r}: {len(self.findings)} laws at {self.n_samples} samples"]
        for f in self.findings:
            lines.append(f"  {f.check:<10}{f.deviation:>10.1e}{f.limit:>9.1e}   {f.meaning}")
        return "\n".join(lines)


def check_contacts(solution: Solution) -> ContactReport:
    """Prove a run with contacts or dry friction, at every sample.

    ===========  =================================================================================
    law          what must hold, and within what
    ===========  =================================================================================
    normal       F_N ≥ 0, within 1e-9 of the load (the largest contact force of the run) and 1e-12
                 of the largest force of all
    friction     the force lies in its set: a disc or an ellipse of μ F_N, ρ F_N for rolling and
                 drilling, the capacity of dry friction, static up to 1e-7 m/s; within 1e-9 of
                 capacity plus load and 1e-12 of the largest force of all
    sliding      what sticks stands still, and what slides is opposed by all of the capacity:
                 ``capacity |γ| + F·γ = 0``, within the capacity times 1e-7 m/s
    gap          no overlap beyond 1e-9 m, and that of the start
    closed       forces at a gap of at most 1e-9 m, which does not open or close by 1e-7 m/s
    energy       rises by no more than what drives, inputs and laws give, within 1e-6 of the
                 largest energy
    ===========  =================================================================================

    Time steps are as exact as their step h allows. Forces are impulses divided by h: they belong
    to the step that ends in the sample, and its capacity lies between those of two samples, if it
    is a function. What turns round within a step rubs
    both ways in it. Directions turn within a step, and arms change where bodies are moved apart:
    sliding is known to h times the rate that this gives the slip, to h² times the velocities and
    accelerations of the machine, and to the overlap times its velocities. Overlap is what a body
    moves in one step; after correction of positions 2e-8 m are left where a contact does not
    approach. Impacts have no gap and no sliding to check. Energy is known to what weight, springs
    and drives do in one step. Work of drives and laws is summed up from 16 samples on; with fewer,
    energy is checked only where nothing drives the machine.

    Parameters
    ----------
    solution : Solution
        The run; one without contacts and dry friction passes.

    Raises
    ------
    IntegrationError
        If a law is broken; the text names it, the contact, the time and the numbers.
    ModelError
        If the solution was loaded without its model.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("brake")
    >>> shaft = model.add_coordinate("shaft", 2.0)
    >>> brake = model.add_connection("brake", jd.Coordinate("shaft"), jd.Interval(3.0))
    >>> sol = jd.simulate(model, 1.0, start={"shaft.rate": 1.0})
    >>> report = jd.testing.check_contacts(sol)
    >>> [finding.check for finding in report.findings]
    ['friction', 'sliding', 'energy']
    """
    if not solution.has_model:
        raise ModelError(
            f"the solution of {solution.model_name!r} has no model, so that its contacts cannot be "
            f"checked: {solution.why_without_model}"
        )
    found: dict[str, Finding] = {}
    if len(solution.time):
        for outcome in _outcomes(ContactSamples(solution)):
            _note(found, outcome, solution)
    return ContactReport(solution.model_name, len(solution.time), tuple(found.values()))


def _note(found: dict[str, Finding], outcome: _Outcome, solution: Solution) -> None:
    """Keep what is closest to its limit; raise beyond it."""
    limits = np.broadcast_to(outcome.limit, np.shape(outcome.deviation))
    # A run that has failed has told so: its last state may be none.
    has_ended = solution.statistics.status in ("finished", "terminal_event", "interrupted")
    unknown = np.inf if has_ended else 0.0
    ratio = np.nan_to_num(outcome.deviation / np.maximum(limits, 1e-300), nan=unknown)
    if not len(ratio):
        return
    k = int(np.argmax(ratio))
    worst, limit, check = float(outcome.deviation[k]), float(limits[k]), outcome.check
    if ratio[k] > 1.0:
        error = IntegrationError(
            f"model {solution.model_name!r}, {outcome.name}: the law {check!r} is broken at t = "
            f"{solution.time[k]:.9g} s. {_MEANING[check].capitalize()}: {worst:.6g}, allowed are "
            f"{limit:.3g}. {np.count_nonzero(ratio > 1.0)} of {len(ratio)} samples are wrong; the "
            f"method was {solution.statistics.method}."
        )
        error.solution = solution
        raise error
    past = found.get(check)
    if past is None or worst / max(limit, 1e-300) > past.deviation / max(past.limit, 1e-300):
        found[check] = Finding(check, worst, limit, _MEANING[check])


def _outcomes(run: ContactSamples) -> Iterator[_Outcome]:
    for check in (_normal, _friction, _sliding, _gap, _closed):
        for place in run.places:
            yield from check(run, place)
    overlap = group_overlap(run)
    if overlap is not None:
        yield _Outcome("gap", "groups of contacts", *overlap)
    gain = energy_gain(run)
    if gain is not None:
        yield _Outcome("energy", "all of it", *gain)


def _normal(run: ContactSamples, x: Place) -> Iterator[_Outcome]:
    if x.gap_rate is not None:
        limit = _within(run, -x.normal, _FORCE * run.load)
        yield _Outcome("normal", f"contact {x.name!r}", -x.normal, limit)


def _friction(run: ContactSamples, x: Place) -> Iterator[_Outcome]:
    if not x.friction.shape[1]:
        return
    most = x.holds.max(axis=1)
    excess = np.where(run.has_forces, x.excess, 0.0)
    limit = _within(run, excess, _FORCE * (most + run.load) + run.is_stepped * x.spread)
    yield _Outcome("friction", f"{x.name!r}", excess, limit)


def _within(run: ContactSamples, excess: Any, limit: Any) -> Any:
    """Limit of an excess of forces, with what is lost in rounding where it is asked for."""
    return limit + run.rounding if np.any(excess > limit) else limit


def _sliding(run: ContactSamples, x: Place) -> Iterator[_Outcome]:
    """Missing power by the capacity is a velocity."""
    most = x.limits.max(axis=1, initial=0.0)
    acts = run.has_forces & ~run.is_struck & (most > _FORCE * run.load)
    if not acts.any():
        return
    speed = np.linalg.norm(x.slip, axis=1)
    limit = AT_REST * np.maximum(1.0, speed)
    if run.is_stepped:
        turned = run.step * np.linalg.norm(x.bias, axis=1)
        turned = turned + run.step**2 * run.fastest * np.abs(run.solution.vdot).max(
            axis=1, initial=0.0
        )
        back = run.step * np.abs(run.solution.vdot).max(
            axis=1, initial=0.0
        )  # that turns round within the step
        limit = limit + np.where(x.reach < 1.0 - _FORCE, 2.0 * np.minimum(speed, 2.0 * back), 0.0)
        limit = limit + 2.0 * turned + 2.0 * speed * x.spread / np.maximum(most, 1e-300)
        if x.gap is not None and run.corrects_positions:  # arms change where bodies are moved apart
            limit = limit + (_LEFT + max(0.0, -x.gap.min())) * run.fastest
    missing = np.where(acts, x.missing_power / np.maximum(most, 1e-300), 0.0)
    yield _Outcome("sliding", f"{x.name!r}", missing, limit)


def _gap(run: ContactSamples, x: Place) -> Iterator[_Outcome]:
    if x.gap is not None:
        limit: Any = _GAP
        if run.is_stepped and run.corrects_positions:
            own = 2.0 * np.maximum(0.0, -x.gap_rate) + run.change_in_a_step(x.gap_rate)
            met = np.where(run.is_struck, run.approach[x.name], own)
            limit = _LEFT + run.step * met
        elif run.is_stepped:
            limit = _LEFT + run.step * run.approach[x.name]
        begun = min(max(0.0, -float(x.gap[0])), OVERLAP)  # a start may overlap a little
        yield _Outcome("gap", f"contact {x.name!r}", -x.gap, limit + begun)
    elif x.gap_rate is not None:
        limit = AT_REST
        yield _Outcome("gap", f"limit {x.name!r}", -x.gap_rate, limit)


def _closed(run: ContactSamples, x: Place) -> Iterator[_Outcome]:
    if x.gap_rate is None:
        return
    acts = (x.normal > _FORCE * run.load) & run.has_forces & ~run.is_struck
    place: Callable[[Any], Any] = lambda values: np.where(acts, values, 0.0)  # noqa: E731
    way = run.step * run.approach[x.name] if run.is_stepped else 0.0
    if x.gap is not None:
        yield _Outcome("closed", f"contact {x.name!r}", place(x.gap), _GAP + way)
    if not run.is_stepped:
        yield _Outcome("approach", f"contact {x.name!r}", place(np.abs(x.gap_rate)), AT_REST)
