"""What must hold for every built-in measure."""

import pickle
from dataclasses import fields, replace

import numpy as np
import pytest

from jourdain.model import measures
from jourdain.model.elements import Frame, parameters_of, with_values
from jourdain.model.measures import (
    Formula,
    Gap,
    Measure,
    OnCurve,
    OnSurface,
    Sum,
    Touch,
    all_measures,
)
from jourdain.spatial.parameter import Parameter

MEASURES = [pytest.param(m, id=f"{k}-{type(m).__name__}") for k, m in enumerate(all_measures())]


@pytest.fixture(params=MEASURES)
def measure(request):
    return request.param


def numbers(x):
    return np.asarray(x, dtype=float).reshape(-1)


def test_every_exported_measure_is_in_the_registry():
    exported = {getattr(measures, name) for name in measures.__all__ if name != "all_measures"}
    assert {type(m) for m in all_measures()} == exported - {Measure, Gap, Touch}


def test_as_many_finite_numbers_as_it_says(measure, moments):
    for at in moments:
        value, rate = measure.value(at), measure.rate(at)
        assert (value is None) != (rate is None)
        found = numbers(rate if value is None else value)
        assert found.shape == (measure.size,)
        assert np.isfinite(found).all()


def test_one_component_is_a_number(measure, moment):
    value = measure.value(moment)
    if measure.size == 1 and value is not None:
        assert np.ndim(value) == 0


def difference(measure, at, step):
    """Rate of a measure by five points along the motion."""
    before, behind, ahead, after = (
        numbers(measure.value(at.moved(k * step))) for k in (-2, -1, 1, 2)
    )
    return (8.0 * (ahead - behind) - (after - before)) / (12.0 * step)


def test_rate_is_the_difference_of_values(measure, symbols, moments):
    """Exact differentiation of the graph against differences, where two steps tell the same."""
    if measure.value(symbols.at) is None:
        return
    rate, n_smooth = symbols.at.rate_of(measure), 0
    for at in moments:
        coarse, fine = difference(measure, at, 1e-3), difference(measure, at, 5e-4)
        if np.abs(coarse - fine).max() < 1e-7:
            n_smooth += 1
            np.testing.assert_allclose(symbols.evaluate(rate, at), fine, rtol=2e-8, atol=2e-8)
    assert n_smooth > len(moments) / 2


def test_symbols_give_the_same_numbers(measure, symbols, moments):
    traced = measure.value(symbols.at)
    traced = measure.rate(symbols.at) if traced is None else traced
    for at in moments:
        value = measure.value(at)
        found = measure.rate(at) if value is None else value
        np.testing.assert_allclose(symbols.evaluate(traced, at), numbers(found), atol=1e-12)


def test_speeds_are_linear(measure, moment):
    if measure.value(moment) is not None:
        return
    twice = replace(
        moment,
        twists={k: (2 * w, 2 * v) for k, (w, v) in moment.twists.items()},
        velocities={k: 2 * v for k, v in moment.velocities.items()},
    )
    rest = replace(moment, twists={}, velocities={})
    np.testing.assert_allclose(measure.rate(rest), 0.0, atol=1e-12)
    np.testing.assert_allclose(measure.rate(twice), 2 * numbers(measure.rate(moment)), atol=1e-12)


def test_only_its_frames_matter(measure, moment):
    used = {frame.body for frame in measure.frames}
    if isinstance(measure, Formula) or any(isinstance(m, Formula) for m in terms(measure)):
        assert not used or isinstance(measure, Sum)  # functions keep their frames to themselves
        return
    others = {name: pose for name, pose in moment.poses.items() if name in used}
    seen = replace(moment, poses=others, twists={k: moment.twists[k] for k in others})
    value = measure.value(seen)
    np.testing.assert_array_equal(
        numbers(measure.rate(seen) if value is None else value),
        numbers(measure.rate(moment) if value is None else measure.value(moment)),
    )


def terms(measure):
    return [m for _, m in measure.terms] if isinstance(measure, Sum) else [measure]


def test_units(measure):
    assert measure.unit
    assert measure.rate_unit.endswith("/s")
    assert measure.force_unit


def test_measures_are_values(measure):
    twin = next(m for m in all_measures() if m == measure)
    assert twin is not measure
    assert hash(twin) == hash(measure)
    assert sum(m == measure for m in all_measures()) == 1
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_repr_is_the_code_that_makes_it(measure):
    if any(isinstance(m, Formula | OnSurface | OnCurve) for m in terms(measure)):
        assert repr(measure).startswith(f"{type(measure).__name__}(")
        assert " at 0x" not in repr(measure)
    else:
        assert eval(repr(measure), vars(measures) | {"Frame": Frame}) == measure


def test_short_text(measure):
    text = str(measure)
    assert len(text) < 200
    assert " at 0x" not in text
    assert "rotation=" not in text


def test_numbers_may_be_parameters(measure, moment):
    names = [f.name for f in fields(measure) if f.name in ("radius", "on_radius")]
    p = Parameter("p", 0.02, "m")
    for name in names:
        if getattr(measure, name) in (None, 0.0):
            continue
        varied = replace(measure, **{name: 2.0 * p})
        assert list(parameters_of(varied)) == [p]
        filled, plain = with_values(varied, {"p": 0.03}), replace(measure, **{name: 0.06})
        value = plain.value(moment)
        np.testing.assert_array_equal(
            filled.rate(moment) if value is None else filled.value(moment),
            plain.rate(moment) if value is None else value,
        )
