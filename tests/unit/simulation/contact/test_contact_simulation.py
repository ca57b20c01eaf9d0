"""Choice of methods, samples and inputs of runs with contacts."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.plan import FOLLOWED_UP_TO

G = 9.81


def stack(n):
    model = jd.Model("stack", gravity=(0.0, 0.0, 0.0))
    for k in range(n):
        model.add_coordinate(f"z{k}", 1.0, unit="m")
        model.add_connection(f"floor{k}", jd.Coordinate(f"z{k}"), jd.Unilateral())
    return jd.compile(model)


@pytest.fixture(scope="module")
def ball():
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.5))
    return jd.compile(model)


def test_few_contacts_go_by_events_many_by_steps():
    assert jd.plan(stack(FOLLOWED_UP_TO)).method == jd.EventDriven()
    found = jd.plan(stack(FOLLOWED_UP_TO + 1), 2.0)
    assert found.method == jd.NonsmoothAlpha(1e-3)
    assert found.reason == (
        "many contacts: time stepping of order two with the longest step by default"
    )


def test_an_integrator_serves_the_phases_between_events(ball):
    rough = jd.Dopri5(rtol=1e-6)
    found = jd.plan(ball, method=rough)
    assert found.method == jd.EventDriven(rough)
    assert found.reason == "chosen by the user, from event to event"


def test_states_before_and_after_an_impact_are_sampled(ball):
    sol = jd.simulate(ball, 0.6, start={"z.value": 1.0}, sample=0.1)
    twice = np.flatnonzero(np.diff(sol.time) == 0.0)
    assert len(twice) == 1
    before, after = sol.v[twice[0], 0], sol.v[twice[0] + 1, 0]
    assert after == pytest.approx(-0.5 * before, rel=1e-12)
    assert set(np.round(np.arange(7) * 0.1, 12)) <= set(np.round(sol.time, 12))


@pytest.mark.parametrize("method", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_steps_end_at_the_end(ball, method):
    """300 steps of 10 ms add up to 3 s but for rounding, which is no step of its own."""
    sol = jd.simulate(ball, 3.0, start={"z.value": 50.0}, sample=0.5, method=method(1e-2))
    assert sol.statistics.steps == 300
    assert sol.time[-1] == 3.0
    assert float(sol.at(3.0)["z.value"]) == sol.final["z.value"]


def test_events_of_the_user_are_found_between_impacts(ball):
    low = jd.Event(lambda t, s: s["z.value"] - 0.1, terminal=True, direction=1)
    sol = jd.simulate(ball, 2.0, start={"z.value": 1.0}, events={"rising": low})
    assert [event.kind for event in sol.events] == ["impact", "event"]
    assert sol.statistics.status == "terminal_event"
    assert sol.final["z.value"] == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-2)], ids=["events", "steps"])
def test_sampled_inputs_lift_what_rests(ball, method):
    """Twice the weight, from 0.5 s on: it leaves the floor with the acceleration g."""
    lift = jd.Sampled(lambda t, s: 2 * G if t > 0.49 else 0.5 * G, 0.25)
    sol = jd.simulate(ball, 1.0, inputs={"z.value": lift}, method=method, sample=0.25)
    assert np.abs(sol.q[sol.time <= 0.5]).max() <= 1e-12
    assert sol.q[-1, 0] == pytest.approx(0.5 * G * 0.25, rel=1e-9)
    assert sol.values("floor.normal_force")[1] == pytest.approx(0.5 * G, rel=1e-9)


def test_the_rest_of_accumulating_impacts_is_left_out(ball):
    fine, coarse = (
        jd.simulate(ball, 2.0, start={"z.value": 1.0}, method=jd.EventDriven(rest_speed=s))
        for s in (1e-7, 1e-2)
    )
    assert len(coarse.events) < len(fine.events)
    rest = np.sqrt(2 / G) * 3.0
    assert fine.events[-1].time == pytest.approx(rest, abs=1e-6)
    assert coarse.events[-1].time == pytest.approx(rest, abs=2 * 0.02 / G)
    assert np.abs(coarse.q[-1]).max() <= 1e-12


def test_stiff_springs_between_events_by_an_implicit_method():
    """A light foot on a stiff damped spring: the same landing in a fifth of the steps."""
    model = jd.Model("leg", gravity=(0.0, 0.0, 0.0))
    for name, mass in (("body", 1.0), ("foot", 1e-3)):
        model.add_coordinate(name, mass, unit="m")
        model.add_connection(f"{name}_weight", jd.Coordinate(name), jd.Force(-G * mass))
    stretch = jd.Coordinate("body") - jd.Coordinate("foot")
    model.add_connection("leg", stretch, jd.Spring(1e4, free=0.1) + jd.Damper(200.0))
    model.add_connection("floor", jd.Coordinate("foot"), jd.Unilateral())
    model.add_connection("dry", jd.Coordinate("body"), jd.Interval(1.0))
    system, start = jd.compile(model), {"body.value": 0.3, "foot.value": 0.2}
    explicit, implicit = (
        jd.simulate(system, 0.5, start=start, method=method, sample=0.1)
        for method in (jd.EventDriven(), jd.Radau5(rtol=1e-9, atol=1e-12))
    )
    np.testing.assert_allclose(implicit.q[-1], explicit.q[-1], atol=1e-9)
    kinds = [event.kind for event in explicit.events]
    assert [event.kind for event in implicit.events] == kinds
    assert kinds[:2] == ["impact", "contact"]
    assert implicit.statistics.steps < 0.2 * explicit.statistics.steps


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)])
def test_samples_where_a_held_input_jumps_are_there_twice(method):
    """1 N against a brake of 0.2 N, from 0.1 s on 3 N: the work of both is known."""
    model = jd.Model("brake", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(0.2))
    push = {"x": jd.Sampled(lambda t, s: 1.0 if t < 0.095 else 3.0, 0.1)}
    sol = jd.simulate(model, 0.2, inputs=push, sample=0.1, method=method)
    np.testing.assert_allclose(sol.time, [0.0, 0.1, 0.1, 0.2], atol=1e-12)
    np.testing.assert_allclose(sol.values("x.applied_force"), [1.0, 1.0, 3.0, 3.0])
    assert sol.final["x.rate"] == pytest.approx(0.1 * (0.8 + 2.8), rel=1e-9)
