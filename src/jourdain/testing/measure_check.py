"""Proof of a measure: what is derived from it, against differences of its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.connections.scene import Actual, Traced, trace_measure
from jourdain.errors import ModelError
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import parameters_of, with_values
from jourdain.model.measures.measure import Measure
from jourdain.model.model import Model
from jourdain.spatial.parameter import values_in_force
from jourdain.testing.part_report import Outcome, PartReport, flat, note, report_of

_STEP = 1e-3  # of five-point differences


def check_measure(
    measure: Measure, model: Model, rng: Any = None, *, n_states: int = 4
) -> PartReport:
    """Prove a measure, built in or your own.

    At random poses and velocities of all bodies and coordinates of a model, loose from its
    joints: symbols give the same numbers as floats, the derived rate agrees with differences of
    the value, it is linear in the velocities, and a lower bound lies below the value. Poses at
    which the value is not finite, or not smooth, do not count.

    Parameters
    ----------
    measure : Measure
        The measure.
    model : Model
        A model with the bodies and coordinates that it refers to.
    rng : numpy.random.Generator or int
        Source of random poses, or its seed; default: always the same ones.
    n_states : int
        Number of poses.

    Raises
    ------
    ModelError
        If a check fails; the text names the measure, the check and the numbers.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("one")
    >>> ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    >>> report = jd.testing.check_measure(jd.Distance(model.world, ball), model)
    >>> [finding.check for finding in report.findings]
    ['symbols', 'rate', 'jacobian']
    """
    rng = np.random.default_rng(0 if rng is None else rng)
    what = f"measure {measure}"
    values = {p.name: float(p.value) for p in parameters_of((measure, model.joints))}
    plain = with_values(measure, values)
    names = list(_coordinate_names(model))
    with values_in_force(values), np.errstate(all="ignore"):
        traced = trace_measure(plain, names, what)
        found: dict[str, float] = {}
        moments = (_random_moment(model, names, rng) for _ in range(10 * n_states))
        seen = 0
        for at in moments:
            outcomes = list(_of_measure(plain, traced, at))
            if seen < n_states and outcomes:
                seen += 1
                note(found, outcomes, what)
    if not seen:
        raise ModelError(
            f"{what} has no finite value at {10 * n_states} random poses of the bodies of model "
            f"{model.name!r}. Check its formula, or use a model of the size that it needs."
        )
    return report_of(measure, seen, found)


def _of_measure(measure: Any, traced: Traced, at: Snapshot) -> Iterator[Outcome]:
    value = measure.value(at)
    found = flat(measure.rate(at) if value is None else value)
    if not np.isfinite(found).all():
        return
    still = replace(at, twists={}, velocities={})
    quantity, offset = traced.at(_actual(at)), flat(traced.at(_actual(still)).rate)
    rate = flat(quantity.rate)
    if value is None:
        symbols = ("rate" if _is_derived(measure, at) else "symbols", rate, found, 0.0)
    else:
        symbols = ("symbols", flat(quantity.value), found, 0.0)
        coarse, fine = (_difference(measure, at, h) for h in (_STEP, _STEP / 2))
        if not np.abs(coarse - fine).max() < 1e-7 * (1.0 + np.abs(fine).max()):
            return
        yield "rate", rate, fine, 0.0
    yield symbols
    if (bound := measure.lower_bound(at)) is not None:
        yield "lower bound", np.maximum(flat(bound), found), found, 0.0
    other = replace(at, twists={k: (v, w) for k, (w, v) in at.twists.items()})
    linear = offset + _product(quantity, other)
    yield "jacobian", linear, flat(traced.at(_actual(other)).rate), 0.0


class _Noting:
    """A moment that notes whether the rate of another measure is asked for."""

    def __init__(self, at: Snapshot) -> None:
        self._at, self.is_asked = at, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at, name)

    def rate_of(self, measure: Any) -> Any:
        self.is_asked = True
        return self._at.rate_of(measure)


def _is_derived(measure: Any, at: Snapshot) -> bool:
    """Whether the rate of a measure comes from others, in numbers by differences."""
    noting = _Noting(at)
    measure.rate(noting)
    return noting.is_asked


def _product(quantity: Any, at: Snapshot) -> Any:
    """Jacobian times the velocities of a moment."""
    bodies = (
        np.array(J, dtype=float) @ np.concatenate(at.twists[name])
        for name, J in quantity.bodies.items()
    )
    rest = (flat(J) * at.velocities[name] for name, J in quantity.coordinates.items())
    return sum(bodies, 0.0) + sum(rest, 0.0)


def _coordinate_names(model: Model) -> Iterator[str]:
    for joint in model.joints.values():
        yield from (f"{joint.name}.{name}" for name in joint.kind.coordinates)
    yield from model.coordinates


def _random_moment(model: Model, names: list[str], rng: Any) -> Snapshot:
    def turn() -> Any:
        return math.rotation_quaternion(rng.normal(size=4))

    poses = {name: (turn(), rng.uniform(-1.0, 1.0, 3)) for name in model.bodies}
    twists = {name: (rng.normal(size=3), rng.normal(size=3)) for name in model.bodies}
    coordinates, velocities = ({name: rng.normal() for name in names} for _ in range(2))
    return Snapshot(poses, coordinates, rng.uniform(0.0, 1.0), twists, velocities)


def _actual(at: Snapshot) -> Actual:
    zero = np.zeros(6)
    bodies = {
        name: (R, r, np.concatenate(at.twists.get(name, (np.zeros(3), np.zeros(3)))), zero)
        for name, (R, r) in at.poses.items()
    }
    coordinates = {
        name: (x, at.velocities.get(name, 0.0), 0.0) for name, x in at.coordinates.items()
    }
    return Actual(bodies, coordinates, at.t)


def _difference(measure: Any, at: Snapshot, step: float) -> Any:
    before, behind, ahead, after = (flat(measure.value(at.moved(k * step))) for k in (-2, -1, 1, 2))
    return (8.0 * (ahead - behind) - (after - before)) / (12.0 * step)
