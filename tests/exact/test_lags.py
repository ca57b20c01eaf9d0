"""Lags, dead times and controllers that serve several inputs."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.model.state_rates import pade


def test_a_lag_follows_a_step():
    model = jd.Model("lag")
    model.add_lag("y", lambda at: 3.0, time=0.5, start=1.0)
    sol = jd.simulate(model, 1.0, method=jd.Dop853(1e-11))
    assert sol.final["y.value"] == pytest.approx(3.0 - 2.0 * np.exp(-2.0), rel=1e-9)


@pytest.mark.parametrize("n", range(1, 8))
def test_coefficients_agree_with_the_exponential(n):
    """The quotient agrees with exp(−s) to the order 2 n − 1, and is stable."""
    a, b = pade(n)
    s = 0.05

    def error(s):
        return np.polyval(b, s) / np.polyval([1.0, *a], s) - np.exp(-s)

    if n <= 3:
        assert error(2 * s) / error(s) == pytest.approx(2.0 ** (2 * n), rel=0.1)
    assert abs(error(s)) < max(2e-3**n, 1e-15)
    assert np.roots([1.0, *a]).real.max() < 0.0


@pytest.mark.parametrize("n", [2, 4, 6])
def test_a_delayed_oscillation_has_the_gain_and_phase_of_the_quotient(n):
    model, w, T = jd.Model("delay"), 4.0, 0.5
    model.add_pade_delay("y", lambda at: jd.sin(w * at.t), time=T, order=n)
    sol = jd.simulate(model, 20.0, sample=0.01, method=jd.Dop853(1e-10))
    a, b = pade(n)
    G = np.polyval(b, 1j * w * T) / np.polyval([1.0, *a], 1j * w * T)
    t = np.ravel(sol.time)
    exact = np.abs(G) * np.sin(w * t + np.angle(G))
    late = t > 15.0
    assert np.ravel(sol["y.value"].values)[late] == pytest.approx(exact[late], abs=1e-7)


def test_more_states_come_nearer_to_the_dead_time():
    errors = []
    for n in (2, 4, 6):
        model = jd.Model("delay")
        model.add_pade_delay("y", lambda at: jd.sin(at.t) ** 2, time=0.4, order=n)
        final = jd.simulate(model, 5.0, method=jd.Dop853(1e-12)).final["y.value"]
        errors.append(abs(final - np.sin(4.6) ** 2))
    assert errors[0] > 30.0 * errors[1] > 900.0 * errors[2]


def test_a_delay_at_rest_stays_there():
    model = jd.Model("delay")
    model.add_pade_delay("y", lambda at: 2.5, time=0.4, start=2.5)
    values = np.ravel(jd.simulate(model, 1.0)["y.value"].values)
    assert np.ptp(values) < 1e-8 * 2.5  # rtol of the default method
    assert values[0] == 2.5


@pytest.mark.parametrize("order", [0, 11, 2.0, True])
def test_orders_that_are_none(order):
    with pytest.raises(ModelError, match="delay 'y' has order="):
        jd.Model("m").add_pade_delay("y", lambda at: 0.0, time=1.0, order=order)


def two_shafts():
    model = jd.Model("two")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 2.0)
    return model


def test_one_controller_for_two_inputs_is_called_once():
    calls = []

    def controller(t, s):
        calls.append(t)
        return 1.0 + t, -2.0 * s["a.rate"]

    inputs = {("a", "b"): jd.Sampled(controller, 0.1)}
    both = jd.simulate(two_shafts(), 1.0, inputs=inputs).final
    assert len(calls) == 10
    assert calls == pytest.approx(np.arange(10) * 0.1)
    apart = {"a": jd.Sampled(lambda t: 1.0 + t, 0.1),
             "b": jd.Sampled(lambda t, s: -2.0 * s["a.rate"], 0.1)}  # fmt: skip
    assert jd.simulate(two_shafts(), 1.0, inputs=apart).final == both


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({("a", "b"): 3.0}, "several inputs are served by jd.Sampled"),
        ({("a", "b"): jd.Sampled(lambda t: (1.0, 2.0), 0.1), "a": 1.0}, "'a' is given twice"),
        ({("a", "b"): jd.Sampled(lambda t: (1.0,), 0.1)}, "gave [1.0] at t = 0 s: return 2 finite"),
        ({("a", "b"): jd.Sampled(lambda t: 1 / 0, 0.1)}, "sampled inputs a, b failed at t = 0 s"),
    ],
)
def test_what_does_not_serve_several_inputs(inputs, text):
    with pytest.raises(ModelError) as error:
        jd.simulate(two_shafts(), 1.0, inputs=inputs)
    assert text in str(error.value)
