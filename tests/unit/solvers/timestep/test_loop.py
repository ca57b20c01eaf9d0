"""The loop over steps: samples, times, and where it stops."""

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def ball():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Coulomb(0.3, restitution=0.5)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    return jd.compile(model)


START = {"ball.position": (0, 0, 0.5), "ball.velocity": (1, 0, 0)}


def test_samples_are_at_whole_steps_and_exact_times(ball):
    sol = jd.simulate(ball, 1.0, start=START, method=jd.MoreauJean(1e-3), sample=0.1)
    np.testing.assert_array_equal(sol.time, np.linspace(0, 1, 11))
    assert sol.statistics.steps == 1000
    between = jd.simulate(ball, 1.0, start=START, method=jd.MoreauJean(1e-3),
                          sample=[0.0, 0.12345, 1.0])  # fmt: skip
    np.testing.assert_array_equal(between.time, [0.0, 0.12345, 1.0])
    assert between.statistics.steps == 1000
    np.testing.assert_array_equal(between.q[-1], sol.q[-1])


def test_more_samples_than_a_chunk_holds(ball):
    sol = jd.simulate(ball, 1.0, start=START, method=jd.MoreauJean(1e-3), sample=1e-3)
    assert len(sol.time) == 1001
    few = jd.simulate(ball, 1.0, start=START, method=jd.MoreauJean(1e-3), sample=0.5)
    np.testing.assert_array_equal(sol.q[[0, 500, 1000]], few.q)


@pytest.mark.parametrize("within", [1, 2, 5, 255, 300])
def test_samples_closer_than_steps_stay_within_their_room(ball, within):
    """The sample behind a step was written beyond the memory when those within had filled it."""
    h, room = 1e-3, 256
    parts = np.arange(1, within + 1) / (within + 1)
    inner = np.concatenate([(k + parts) * h for k in range(-(-room // within))])
    times = np.array([0.0, *inner[:room], *(np.arange(room) + np.ceil(inner[room - 1] / h)) * h])
    sol = jd.simulate(ball, times[-1], start=START, method=jd.MoreauJean(h), sample=times)
    np.testing.assert_array_equal(sol.time, times)
    n = np.searchsorted(sol.time, np.sqrt(0.8 / 9.81) - h)  # in flight steps are exact
    fall = 0.5 - 0.5 * 9.81 * sol.time[:n] ** 2
    np.testing.assert_allclose(sol.values("ball.position")[:n, 2], fall, atol=1e-12)


def test_events_of_the_user_are_found_within_steps(ball):
    events = {"low": jd.Event(lambda t, s: s["ball.position"][2] - 0.3, direction=-1)}
    sol = jd.simulate(ball, 0.3, start=START, method=jd.MoreauJean(1e-3), events=events)
    (found,) = [e for e in sol.events if e.name == "low"]
    assert found.time == pytest.approx(np.sqrt(2 * 0.2 / 9.81), abs=1e-9)
