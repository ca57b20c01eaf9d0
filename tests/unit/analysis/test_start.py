from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.start import start_state
from jourdain.simulation.checkpoint import Past
from jourdain.simulation.times import Span, sample_times


def span(t):
    return Span.of(t, Past())


def test_a_number_is_a_duration_from_zero():
    assert span(2.5) == Span(0.0, 0.0, 2.5)
    assert span((1.0, 2.5)) == span(np.array([1.0, 2.5])) == Span(1.0, 1.0, 2.5)
    assert span((-3.0, 0.0)).end == 0.0


def test_a_spacing_gives_a_grid_to_the_end():
    np.testing.assert_array_equal(sample_times(span(1.0), 0.25), [0.0, 0.25, 0.5, 0.75, 1.0])
    np.testing.assert_allclose(sample_times(span((2.0, 3.0)), 0.4), [2.0, 2.4, 2.8, 3.0])
    np.testing.assert_array_equal(sample_times(span((-0.3, 0.0)), 0.1)[[0, -1]], [-0.3, 0.0])
    assert len(sample_times(span((-0.3, 0.0)), 0.1)) == 4


def test_after_an_earlier_run_only_what_lies_ahead():
    resumed = Span(0.0, 0.45, 1.0, is_resumed=True)
    np.testing.assert_array_equal(sample_times(resumed, 0.25), [0.5, 0.75, 1.0])
    np.testing.assert_array_equal(sample_times(resumed, [0.1, 0.45, 0.9]), [0.9])


def test_quaternions_get_unit_length():
    model = jd.Model("top")
    body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("ball", model.world, body, jd.Spherical())
    system = jd.compile(model, execution=jd.Plain())
    near = (0.6, 0.8 + 1e-8, 0.0, 0.0)
    y = start_state(system, {"ball.orientation": near})
    assert np.linalg.norm(y[:4]) == pytest.approx(1.0, abs=1e-16)
    assert y[1] == pytest.approx(0.8 + 3.6e-9, abs=1e-12)
