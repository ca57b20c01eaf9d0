"""Energy that a run with contacts gains without work."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.model.laws import SetValued
from jourdain.model.measures import Gap
from jourdain.testing.contacts.contact_samples import ContactSamples

_EXACT = 1e-6  # part of the energies that is kept from event to event
_ROUNDING = 1e-11  # part of the energies that rounding of thousands of steps may change
_ENOUGH = 16  # samples from which on work of drives, inputs and laws is summed up


def energy_gain(run: ContactSamples) -> tuple[Any, Any] | None:
    """Rise of energy above its lowest value before, beyond work (n,) [J], and what is allowed.

    None where sources of power cannot be summed up, because there are few samples.

    With W the work of all that may give power, E − W never rises: contacts, dry friction, impacts
    and dampers only take. Where they take power it is left out, so that the samples need not
    resolve it.
    """
    solution, time = run.solution, run.time
    kinetic, potential = (solution.values(f"energy.{kind}") for kind in ("kinetic", "potential"))
    power, struck = _given_power(run), _struck_work(run)
    if len(time) < _ENOUGH and _may_be_driven(run):
        return None
    work, error = _work(time, power)
    rest = kinetic + potential - work - struck
    gain = rest - np.minimum.accumulate(rest)
    scale = float(np.ptp(kinetic) + np.ptp(potential) + kinetic.max() + np.ptp(work))
    size = float(np.abs(kinetic).max() + np.abs(potential).max())
    limit = _EXACT * scale + _ROUNDING * size + error
    if run.is_stepped:
        most = _largest_power(time, potential) + float(np.abs(power).max(initial=0.0))
        limit = limit + run.step * most
    if not np.all(np.isfinite(rest)):  # told by `simulate` itself
        return None
    return gain, limit


def _may_be_driven(run: ContactSamples) -> bool:
    """Tell whether anything but weight may give power: inputs, drives, laws, moving surfaces."""
    solution, description = run.solution, run.solution.system.description
    laws = solution.model.connections.values()
    is_plain = all(isinstance(c.measure, Gap) and isinstance(c.law, SetValued) for c in laws)
    return bool(solution.inputs) or bool(description.moved_links) or not is_plain


def _given_power(run: ContactSamples) -> Any:
    """Power that drives, inputs, and laws and contacts where they give (n,) [W]."""
    solution, total = run.solution, np.zeros(len(run.time))
    for kind in ("applied", "drives", "connections", "contacts"):
        if f"power.{kind}" in solution:
            values = solution.values(f"power.{kind}")
            total = total + (values if kind in ("applied", "drives") else np.maximum(values, 0.0))
    return total


def _struck_work(run: ContactSamples) -> Any:
    """Work of drives in impacts up to each sample (n,) [J]."""
    total, times = np.zeros(len(run.time)), run.time
    for event in run.solution.events:
        work = max(0.0, event.details.get("drive_work", 0.0))
        if work > 0.0:
            after = times >= event.time
            after[np.flatnonzero(times == event.time)[:1]] = False  # before the jump
            total[after | (run.is_stepped & (times >= event.time))] += work
    return total


def _work(time: Any, power: Any) -> tuple[Any, float]:
    """Work up to each sample (n,) [J], and a bound of its error."""

    def summed(places: Any) -> Any:
        h, P = np.diff(time[places]), power[places]
        return np.concatenate([[0.0], np.cumsum(0.5 * h * (P[1:] + P[:-1]))])

    fine, error = summed(np.arange(len(time))), 0.0
    single = np.flatnonzero(np.diff(time, prepend=-np.inf) > 0.0)  # first of those at one time
    for first in (0, 1):
        half = np.unique(np.append(0, single[first::2]))
        error = max(error, float(np.abs(fine[half] - summed(half)).max(initial=0.0)))
    return fine, 3.0 * error


def _largest_power(time: Any, energy: Any) -> float:
    """Largest rate of an energy between samples [W]."""
    h = np.diff(time)
    rates = np.abs(np.diff(energy)[h > 0.0]) / h[h > 0.0]
    return float(rates.max(initial=0.0))
