"""Runs from event to event that turn out to be stiff: another integrator takes over."""

import numpy as np
import pytest

import jourdain as jd

RATE = 1e5  # [1/s] of a state that follows the cosine
START = {"x": 0.115, "lag.s": 1.0}
END = 3.0
RTOL = 1e-8  # of the method that takes over; the swing is 0.1 m


@pytest.fixture(scope="module")
def system():
    """Mass on a spring with dry friction, beside a state that is fast."""
    model = jd.Model("stiff", gravity=(0, 0, 0))
    mass = model.add_coordinate("x", inertia=1.0, unit="m")
    model.add_connection("spring", jd.Coordinate(mass), jd.Spring(100.0))
    model.add_connection("friction", jd.Coordinate(mass), jd.Interval(1.0))
    model.add_states("lag", {"s": "1"}, lambda at: RATE * (jd.cos(at.t) - at.state("s")))
    return jd.compile(model)


@pytest.fixture(scope="module")
def sol(system):
    return jd.simulate(system, END, start=START, sample=0.01)


def swing(t):
    """Half swings of π/10 s lose 2 F/c = 0.02 m each; the mass sticks where |x| < F/c = 0.01 m."""
    k = np.minimum(np.floor(t * 10.0 / np.pi), 6.0)
    side = (-1.0) ** k
    turned = side * (0.115 - 0.02 * k)
    moves = (turned - side * 0.01) * np.cos(10.0 * t - k * np.pi) + side * 0.01
    return np.where(k < 6.0, moves, turned)


def test_it_is_exact_and_takes_few_steps(sol):
    np.testing.assert_allclose(sol.values("x"), swing(sol.time), rtol=0.0, atol=RTOL)
    s = (RATE**2 * np.cos(sol.time) + RATE * np.sin(sol.time)) / (RATE**2 + 1.0)
    between = 10.0 * RTOL  # by a cubic between steps
    np.testing.assert_allclose(sol.values("lag.s")[1:], s[1:], rtol=0.0, atol=between)
    turns = [e.time for e in sol.events]
    np.testing.assert_allclose(turns, np.pi / 10.0 * np.arange(1, 7), rtol=0.0, atol=10.0 * RTOL)
    assert sol.statistics.steps < 0.2 * RATE * END / 6.0


def test_the_explicit_method_goes_on_if_it_is_told_to(system):
    method = jd.EventDriven(stiff=None)
    sol = jd.simulate(system, 1.0, start=START, sample=0.01, method=method)
    assert sol.statistics.steps > 0.9 * RATE / 6.0
    np.testing.assert_allclose(sol.values("x"), swing(sol.time), atol=1e-9)


@pytest.mark.parametrize("first", [0.1, 0.5, 2.0])
def test_a_resumed_run_takes_over_at_the_same_place(system, sol, first):
    half = jd.simulate(system, first, start=START, sample=0.01)
    whole = jd.simulate(system, END, sample=0.01, resume=half)
    np.testing.assert_array_equal(whole.time, sol.time)
    np.testing.assert_array_equal(whole.values("x"), sol.values("x"))
    assert whole.statistics.steps == sol.statistics.steps


def test_what_breaks_away_slides_at_once():
    """Radau's polynomials have slopes of their own at the start: a slip is one event still."""
    model = jd.Model("pulled", gravity=(0, 0, 0))
    model.add_coordinate("x", inertia=2.0, unit="m")
    model.add_states("lag", {"s": "N"}, lambda at: RATE * (5.0 * at.t - at.state("s")))
    model.add_connection("pull", jd.Coordinate("x"), lambda x, v, at: at.state("lag.s"))
    model.add_connection("friction", jd.Coordinate("x"), jd.Interval(1.0))
    sol = jd.simulate(model, 1.0, method=jd.EventDriven(jd.Radau5()), sample=0.1)
    assert [e.kind for e in sol.events] == ["stick", "slip"]
    assert sol.final["x"] == pytest.approx(5.0 / 12.0 * (0.8 - 1.0 / RATE) ** 3, rel=1e-8)


def test_error():
    with pytest.raises(jd.ModelError, match="stiff of EventDriven is 3: give a method such as"):
        jd.EventDriven(stiff=3)
