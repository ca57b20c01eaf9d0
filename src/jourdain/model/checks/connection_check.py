"""Checks of the connections of a model: every problem as a sentence, none raised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import JourdainError, ModelError
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import SetValued
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.touch import Touch
from jourdain.model.parts.completing import completed
from jourdain.model.reference import reference
from jourdain.spatial import check
from jourdain.spatial.parameter import evaluate, values_in_force

if TYPE_CHECKING:
    from jourdain.model.model import Model

_RATE_ONLY = "; its measure has a rate only, so x is empty: use a law of the rate v"
_STEP = 1e-3  # a law that is singular in the reference position only is none to report


def connection_problems(model: Model, values: Mapping[str, float]) -> list[str]:
    """Say what is wrong with the connections of a model at values of its parameters."""
    if not model.connections and not model.states:
        return []
    model = completed(model)
    at = reference(model, values)
    found = []
    with values_in_force(values), np.errstate(all="ignore"):
        for connection in (*model.connections.values(), *model.states.values()):
            problem = _problem(connection, at, values)
            word = "states of" if connection.name in model.states else "connection"
            found += [f"{word} {connection.name!r}: {problem}"] if problem else []
    return found


def _problem(connection: Connection, at: Snapshot, values: Mapping[str, float]) -> str:
    try:
        filled = with_values(connection, values) if values else connection
        return next(_problems(filled, at, values), "")
    except ModelError as error:
        return str(error)
    except Exception as error:  # user code: any failure is a problem to report
        return f"{type(connection.law).__name__} cannot be evaluated: {_reason(error)}"


def _problems(connection: Connection, at: Snapshot, values: Mapping[str, float]) -> Iterator[str]:
    measure, law = connection.measure, connection.law
    if hasattr(measure, "contacts") and isinstance(law, SetValued):
        yield from _contact_problems(measure, at)
        return
    problem, x = _measured(measure, at)
    if problem:
        yield f"its measure {problem}"
    elif isinstance(law, Equal):
        yield from _equal_problems(law, measure, values)
    elif isinstance(law, ForceLaw):
        yield from _law_problems(law, measure, x, at)


def _contact_problems(measure: Any, at: Snapshot) -> Iterator[str]:
    """What is wrong with gaps in the reference position."""
    try:
        gaps = _numbers([gap for gap, _ in measure.contacts(at)])
    except ArithmeticError:  # a pole, may be regular elsewhere
        return
    if gaps is None or np.isnan(gaps).any():
        yield f"its measure {measure} gives no numbers in the reference position: {gaps}"


def _measured(measure: Measure, at: Snapshot) -> tuple[str, Any]:
    """What is wrong with a measure, and its value in the reference position."""
    word = type(measure).__name__
    try:
        value = measure.value(at)
        found = measure.rate(at) if value is None else value
    except ArithmeticError:  # singular here, may be regular elsewhere
        return "", np.ones(measure.size)
    except Exception as error:  # user code: any failure is a problem to report
        return f"{word} fails in the reference position: {_reason(error)}", None
    if found is None and isinstance(measure, Touch):
        return f"{word} takes a law of contact, such as jd.Coulomb(0.3)", None
    if found is None:
        return f"{word} has neither a value nor a rate: give value(at)", None
    numbers = _numbers(found)
    if numbers is None:
        return f"{word} gives {check.shown(found)}: it has to give numbers", None
    if numbers.shape != (measure.size,):
        return (
            f"{word} gives {_count(numbers.size)}, but its size is {measure.size}: "
            "set size to the number of components",
            None,
        )
    return "", np.where(np.isfinite(numbers), numbers, 1.0)


def _equal_problems(law: Equal, measure: Measure, values: Mapping[str, float]) -> Iterator[str]:
    n = measure.size
    try:
        given = evaluate(law.at(0.0), values)
    except Exception as error:  # user code: any failure is a problem to report
        yield f"the value of Equal at t = 0 s fails: {_reason(error)}"
        return
    numbers = _numbers(given)
    if numbers is None:
        yield f"the value of Equal at t = 0 s is {check.shown(given)}: it has to be numbers"
    elif numbers.size not in (1, n):
        yield (
            f"Equal has {_count(numbers.size)}, but its measure {measure} has {n} "
            f"component{'s' * (n > 1)}: give one for each"
        )
    elif not np.isfinite(numbers).all():
        yield f"the value of Equal at t = 0 s is not finite: {numbers.tolist()}"


def _law_problems(law: ForceLaw, measure: Measure, x: Any, at: Snapshot) -> Iterator[str]:
    word = type(law).__name__
    start = _numbers(law.start())
    if start is None or start.size != len(law.states) or not np.isfinite(start).all():
        yield (
            f"{word}.start() is {check.shown(law.start())}: give a finite number for each of the "
            f"states ({', '.join(law.states) or 'none'})"
        )
        return
    states = {**at.states, **dict(zip(law.states, start.tolist(), strict=True))}
    seen = replace(at, states=states, inputs={**at.inputs, **dict.fromkeys(law.inputs, 0.0)})
    near = x + _STEP * np.arange(1, measure.size + 1)
    points = [(p[0], v[0]) if measure.size == 1 else (p, v) for p, v in ((x, 0 * x), (near, x))]
    only_rate = _has_only_rate(measure, at)
    if only_rate:
        points = [(np.zeros(0), v) for _, v in points]
    parts: dict[str, tuple[Callable[[Any, Any], Any], int]] = {
        "force(x, v, at)": (lambda x, v: law.force(x, v, seen), measure.size),
        "rates(x, v, at)": (lambda x, v: law.rates(x, v, seen), len(law.states)),
        "energy(x, at)": (lambda x, v: law.energy(x, seen), 1),
        "dissipation(x, v, at)": (lambda x, v: law.dissipation(x, v, seen), 1),
    }
    for name, (function, n) in parts.items():
        problem = "" if only_rate and "energy" in name else _result_problem(function, n, points)
        if problem:
            yield f"{word}.{name} {problem}{_RATE_ONLY * (only_rate and measure.size > 0)}"


def _has_only_rate(measure: Measure, at: Snapshot) -> bool:
    try:
        return measure.value(at) is None
    except ArithmeticError:
        return False


def _result_problem(function: Callable[[Any, Any], Any], n: int, points: list[Any]) -> str:
    """Say why a function gives no finite numbers, neither in the reference position nor near."""
    problem = ""
    for x, v in points:
        try:
            given = function(x, v)
        except ArithmeticError as error:
            problem = problem or f"{_where(x)} fails: {_reason(error)}"
            continue
        except ModelError:
            raise
        except Exception as error:  # user code: any failure is a problem to report
            return f"{_where(x)} fails: {_reason(error)}"
        numbers = _numbers(given)
        if numbers is None:
            return f"{_where(x)} is {check.shown(given)}: it has to give numbers"
        if numbers.size != n:
            return f"{_where(x)} gives {_count(numbers.size)} instead of {n}"
        if np.isfinite(numbers).all():
            return ""
        problem = problem or f"{_where(x)} is not finite: {numbers.tolist()}"
    return problem


def _where(x: Any) -> str:
    return f"at x = {check.listed(np.reshape(x, -1))}"


def _numbers(given: Any) -> Any:
    """Flat array of what is given; None if it holds something else than numbers."""
    try:
        return np.array(given, dtype=float).reshape(-1)
    except Exception:  # user code
        return None


def _count(n: int) -> str:
    return f"{n} number{'s' * (n != 1)}"


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, JourdainError) else f"{type(error).__name__}: {error}"
