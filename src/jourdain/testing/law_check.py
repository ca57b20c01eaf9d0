"""Proof of a law: symbols against numbers, and the balance of power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.tracing.traced_values import traced_values
from jourdain.errors import ModelError
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import parameters_of, with_values
from jourdain.model.laws.law import ForceLaw
from jourdain.spatial.parameter import values_in_force
from jourdain.testing.part_report import Outcome, PartReport, flat, note, report_of

_STEP = 1e-3  # of five-point differences


def check_law(
    law: ForceLaw, size: int = 1, rng: Any = None, *, passive: bool = True, n_states: int = 4
) -> PartReport:
    """Prove a law, built in or your own.

    At random values and rates of the measure, states and inputs: symbols give the same numbers as
    floats; and, for a law that takes no power from outside, what it gives to the bodies, stores
    and loses adds up to nothing, and nothing negative is lost.

    Parameters
    ----------
    law : ForceLaw
        The law.
    size : int
        Number of components of the measure.
    rng : numpy.random.Generator or int
        Source of random numbers, or its seed; default: always the same ones.
    passive : bool
        Whether the balance of power is to be checked: laws with inputs, and functions without a
        potential, do not keep it.
    n_states : int
        Number of samples.

    Raises
    ------
    ModelError
        If a check fails; the text names the law, the check and the numbers.

    Examples
    --------
    >>> import jourdain as jd
    >>> print(jd.testing.check_law(jd.Spring(100.0) + jd.Maxwell(50.0, time=0.1)).n_states)
    4
    """
    rng = np.random.default_rng(0 if rng is None else rng)
    what = f"law {law}"
    values = {p.name: float(p.value) for p in parameters_of(law)}
    plain = with_values(law, values)
    found: dict[str, float] = {}
    with values_in_force(values), np.errstate(all="ignore"):
        for _ in range(n_states):
            x, v = rng.normal(size=size), rng.normal(size=size)
            states = {name: rng.normal() for name in plain.states}
            inputs = {name: rng.normal() for name in plain.inputs}
            at = Snapshot({}, t=rng.uniform(), states=states, inputs=inputs)
            note(found, list(_of_law(plain, size, x, v, at, passive=passive)), what)
    return report_of(law, n_states, found)


def _of_law(
    law: Any, size: int, x: Any, v: Any, at: Snapshot, *, passive: bool
) -> Iterator[Outcome]:
    place, speed = (x[0], v[0]) if size == 1 else (x, v)
    names = [*law.states, *law.inputs]

    def on_symbols(x: Any, v: Any, t: Any, *more: Any) -> list[Any]:
        known = dict(zip(names, more, strict=True))
        states, inputs = ({k: known[k] for k in table} for table in (law.states, law.inputs))
        return _results(law, x, v, Snapshot({}, t=t, states=states, inputs=inputs))

    results = _results(law, place, speed, at)
    numbers = traced_values(on_symbols, x, v, at.t, *at.states.values(), *at.inputs.values())
    for a, b in zip(numbers, results, strict=True):
        yield "symbols", a, flat(b), 0.0
    if law.reach is not None and size == 1:
        beyond = law.reach + abs(place)
        yield "reach", flat(law.force(beyond, speed, at)), np.zeros(1), 0.0
    if passive:
        yield from _balance(law, place, speed, at)


def _results(law: Any, x: Any, v: Any, at: Any) -> list[Any]:
    rates = law.rates(x, v, at)
    if len(rates) != len(law.states) or len(law.start()) != len(law.states):
        raise ModelError(
            f"law {law} has {len(law.states)} states, {len(law.start())} start values and "
            f"{len(rates)} rates: give as many of each."
        )
    parts = [law.force(x, v, at), law.energy(x, at), law.dissipation(x, v, at)]
    return parts + ([math.concatenate(*rates)] if rates else [])


def _balance(law: Any, x: Any, v: Any, at: Snapshot) -> Iterator[Outcome]:
    rates = dict(zip(law.states, law.rates(x, v, at), strict=True))

    def energy(dt: float) -> float:
        states = {name: s + dt * rates[name] for name, s in at.states.items()}
        return float(law.energy(x + dt * v, replace(at, states=states, t=at.t + dt)))

    before, behind, ahead, after = (energy(k * _STEP) for k in (-2, -1, 1, 2))
    stored = (8.0 * (ahead - behind) - (after - before)) / (12.0 * _STEP)
    lost = float(law.dissipation(x, v, at))
    given = float(math.dot(v, law.force(x, v, at)))
    terms = abs(stored) + abs(lost) + abs(given) + abs(ahead)
    yield "power", given + stored + lost, 0.0, terms
    yield "power", min(lost, 0.0), 0.0, terms
