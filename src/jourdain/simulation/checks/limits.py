"""Bounds of what a run may be asked for: steps, calls, samples, sizes of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, ModelError
from jourdain.simulation.sampled import Called
from jourdain.simulation.times import Span

MOST_STEPS = 1e10
"""Steps of one run: about three hours of the smallest model."""
MOST_CALLS = 1e8
"""Calls of a sampled input in one run."""
_RESOLVED = 1e-15  # part of a time that a step has to exceed
_MEASURE = 1e150  # acceleration whose square has no number any more
_LONGER = 1e9  # steps cut short by the end of a run are fine; this one is a mistake


def require_accelerations(names: Sequence[str], vdot: Any) -> None:
    """Refuse a start with accelerations beyond all measure, which no step can follow.

    Raises
    ------
    ModelError
        If there is one; the text names the coordinate.
    """
    worst = int(np.argmax(np.abs(np.nan_to_num(vdot)))) if len(vdot) else 0
    if len(vdot) and abs(vdot[worst]) > _MEASURE:
        raise ModelError(
            f"{names[worst]!r} would change by {vdot[worst]:.3g} per second at the start, beyond "
            "all measure. Likely cause: an input, a parameter or a start value with a wrong unit."
        )


def require_steps(method: Any, span: Span) -> None:
    """Refuse a step that is far longer than the run, or so short that the run would never end.

    Raises
    ------
    ModelError
        If it is; the text gives bounds.
    """
    method = getattr(method, "integrator", method)
    word, length = type(method).__name__, span.end - span.begin
    dt, largest = getattr(method, "dt", None), getattr(method, "max_step", np.inf)
    if dt is not None and dt > _LONGER * length:
        raise ModelError(
            f"{word} has the step dt = {dt:g} s, for a run of {length:g} s. "
            f"Give dt={_round(length / 100)} or less."
        )
    name, step = ("max_step", largest) if dt is None else ("dt", dt)
    latest = max(abs(span.begin), abs(span.end))
    if length / step > MOST_STEPS or step < _RESOLVED * latest:
        least = max(length / MOST_STEPS, 2 * _RESOLVED * latest)
        raise ModelError(
            f"{word} has {name} = {step:g} s: a run of {length:g} s takes {length / step:.2g} steps"
            f" then. Give {name}={_round(length / 1000)}, and no less than {least:.2g}."
        )


def require_calls(inputs: Mapping[str, Any], span: Span) -> None:
    """Refuse sampled inputs that are called so often that the run would never end.

    Raises
    ------
    ModelError
        If there is one; the text names it.
    """
    for name, x in inputs.items():
        calls = (span.end - span.begin) / x.period if isinstance(x, Called) else 0.0
        if calls > MOST_CALLS:
            raise ModelError(
                f"sampled input {name!r} has the period {x.period:g} s: a run of "
                f"{span.end - span.begin:g} s calls it {calls:.2g} times. Give a period of "
                f"{(span.end - span.begin) / MOST_CALLS:.2g} s or more; a function of t or (t, s) "
                "without jd.Sampled needs no calls."
            )


def _round(step: float) -> str:
    return f"{step:.1g}"


@contextmanager
def within_numbers() -> Iterator[None]:
    """Tell overflows and matrices without inverse as errors of a run, not as those of numpy.

    Raises
    ------
    IntegrationError
        If arithmetic fails, with the reason.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
            yield
    except (ArithmeticError, np.linalg.LinAlgError, MemoryError) as error:
        raise IntegrationError(
            f"the run cannot be computed: {type(error).__name__}: {error}. Likely causes: "
            "start values, parameters or inputs beyond all measure, or so many samples that they "
            "do not fit into memory. Next: look at the largest numbers that are given."
        ) from error
