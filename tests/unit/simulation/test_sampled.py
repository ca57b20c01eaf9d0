from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.sampled import Held, Sampled


def calls_of(held, end):
    """Times at which a loop as that of a run calls, and the held inputs from then on."""
    t, told = 0.0, []
    while t < end:
        if held.call_due(t, None):
            told.append((t, *held.u))
        t = held.next_stop(end)
    return np.array(told)


def test_each_is_called_at_its_rate():
    inputs = {"a": Sampled(lambda t: t, 0.3), "b": Sampled(lambda t: -t, 0.2), "c": 1.0}
    told = calls_of(Held(inputs, 0.0), 0.85)
    np.testing.assert_allclose(told[:, 0], [0.0, 0.2, 0.3, 0.4, 0.6, 0.8], atol=1e-15)
    np.testing.assert_allclose(told[:, 1], [0.0, 0.0, 0.3, 0.3, 0.6, 0.6], atol=1e-15)
    np.testing.assert_allclose(told[:, 2], [0.0, -0.2, -0.2, -0.4, -0.6, -0.8], atol=1e-15)


def test_moments_that_differ_by_rounding_are_one():
    """Three times 0.1 is more than 0.3 by rounding."""
    inputs = {"a": Sampled(lambda t: 1.0, 0.1), "b": Sampled(lambda t: 1.0, 0.3)}
    assert len(calls_of(Held(inputs, 0.0), 0.95)) == 10


def test_none_is_called_at_the_end():
    inputs = {"a": Sampled(lambda t: 1.0, 0.1)}
    assert len(calls_of(Held(inputs, 0.0), 0.3)) == 3
    assert len(calls_of(Held(inputs, 0.0), 0.7)) == 7


def test_the_number_of_calls_is_kept():
    held = Held({"a": Sampled(lambda t: 1.0, 0.1)}, 0.0)
    calls_of(held, 0.55)
    assert held.calls == {"a": 6}


def test_functions_of_time_and_of_state():
    held = Held({"a": Sampled(lambda t, s: s["x"] + t, 0.1)}, 2.0)
    assert held.call_due(2.0, {"x": 3.0})
    assert held.u == pytest.approx([5.0])


def test_times_that_are_a_call_but_for_rounding_are_moved():
    held = Held({"a": Sampled(lambda t: 1.0, 0.1), "b": Sampled(lambda t: 1.0, 0.3)}, 0.0)
    times = np.array([0.0, 0.05, 0.3, 3 * 0.1, 0.31, 0.7])
    np.testing.assert_array_equal(held.aligned(times), [0.0, 0.05, 0.3, 0.3, 0.31, 0.7])
    np.testing.assert_array_equal(Held({}, 0.0).aligned(times), times)
    assert len(held.aligned(times[:0])) == 0


@pytest.mark.parametrize(
    ("t", "end", "is_called"),
    [
        (0.0, 0.1, False),
        (0.1, 0.2, False),
        (0.05, 0.1, False),
        (0.05, 0.15, True),
        (0.1, 0.3, True),
    ],
)
def test_calls_between_two_times(t, end, is_called):
    held = Held({"a": Sampled(lambda t: t, 0.1)}, 0.0)
    assert held.has_call_between(t, end) == is_called
    shifted = Held({"a": Sampled(lambda t: t, 0.1)}, 7.0)
    assert shifted.has_call_between(7.0 + t, 7.0 + end) == is_called


def test_what_stays_is_no_reason_to_stop():
    """Of ten calls one changes the force: there alone are two samples at one time."""
    model = jd.Model("sled", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("x", 1.0, unit="m"))
    model.add_connection("push", x, jd.Law(lambda q, v, at: at.input("f"), inputs={"f": "N"}))
    model.add_connection("ground", x, jd.Interval(0.5))
    push = jd.Sampled(lambda t: 2.0 if t > 0.45 else 1.0, 0.1)
    sol = jd.simulate(model, 1.0, inputs={"push.f": push})
    doubled = sol.time[1:][np.diff(sol.time) == 0.0]
    np.testing.assert_allclose(doubled, [0.5], atol=1e-12)
    assert sol.values("x.rate")[-1] == pytest.approx(1.0, rel=1e-12)
