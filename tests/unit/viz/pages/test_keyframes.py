from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages.keyframes import display_speed, keyframes


def spinning(rate, duration, sample):
    model = jd.Model("spin")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1.0, 0, 0)))
    model.add_joint("hub", model.world, rod, jd.Revolute("z"))
    tip = model.add_body("tip", jd.solid.ball(mass=0.1, radius=0.1))
    model.add_joint("weld", rod.at(1, 0, 0), tip, jd.Fixed())
    return jd.simulate(model, duration, start={"hub.rate": rate}, sample=sample)


@pytest.mark.parametrize(
    ("span", "speed"), [(10.0, 1.0), (0.1, 0.02), (1e-5, 0.001), (600.0, 10.0), (0.0, 1.0)]
)
def test_runs_are_shown_in_seconds_not_in_flashes(span, speed):
    assert display_speed(span) == speed


def test_dense_samples_are_taken_as_they_are(solution):
    found = keyframes(solution)
    assert found.solution is solution
    np.testing.assert_array_equal(found.times, solution.time)
    np.testing.assert_allclose(found.positions[:, 2], solution.values("load.position"), atol=1e-12)


def test_fast_turning_gets_more_moments_than_the_screen_shows():
    sol = spinning(rate=50.0, duration=4.0, sample=0.5)
    found = keyframes(sol)
    assert np.diff(found.times).max() < 1.001 * 0.2 / 50.0
    angle = 50.0 * found.times
    exact = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    np.testing.assert_allclose(found.positions[:, 1], exact, atol=1e-6)


def test_a_cubic_between_the_moments_shows_the_motion():
    sol = spinning(rate=20.0, duration=4.0, sample=0.5)
    found = keyframes(sol)
    t, x = found.times, found.positions[:, 1]
    middle = 0.5 * (t[2:-1] + t[1:-2])
    cubic = (9.0 * (x[1:-2] + x[2:-1]) - x[:-3] - x[3:]) / 16.0  # of Lagrange, as the page has it
    exact = np.column_stack([np.cos(20.0 * middle), np.sin(20.0 * middle), 0.0 * middle])
    assert np.abs(cubic - exact).max() < 5e-5


def test_the_sign_of_quaternions_does_not_jump():
    found = keyframes(spinning(rate=20.0, duration=4.0, sample=0.05))
    assert np.abs(np.diff(found.orientations, axis=0)).max() < 0.15


def bounce():
    """Ball that falls 1 m, is thrown back, and falls again; two coarse samples an arc."""
    model = jd.Model("bounce", gravity=(0, 0, -2.0))
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("way", model.world, ball, jd.Prismatic("z"))
    system = jd.compile(model, execution=jd.Plain())
    times = np.array((0.0, 0.5, 1.0, 1.0, 2.0, 3.0))
    heights = np.array((1.0, 0.75, 0.0, 0.0, 1.0, 0.0))
    speeds = np.array((0.0, -1.0, -2.0, 2.0, 0.0, -2.0))
    return jd.Solution(system, times, heights[:, np.newaxis], speeds[:, np.newaxis])


def test_a_jump_has_both_sides():
    found = keyframes(bounce())
    t = found.times
    assert np.count_nonzero(t == 1.0) == 2
    exact = np.where(t <= 1.0, 1.0 - t**2, 1.0 - (t - 2.0) ** 2)
    np.testing.assert_allclose(found.positions[:, 0, 2], exact, atol=1e-8)


def test_many_poses_are_too_many(monkeypatch):
    sol = spinning(rate=20.0, duration=4.0, sample=0.5)
    monkeypatch.setattr("jourdain.viz.pages.keyframes._MOST_POSES", 300)
    assert len(keyframes(sol).times) == 151  # of two bodies each


def test_one_moment_is_enough_for_a_still():
    model = jd.Model("still")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    system = jd.compile(model, execution=jd.Plain())
    q, v = system.state({"ball.position": (1.0, 2.0, 3.0)})
    found = keyframes(jd.Solution(system, [0.0], [q], [v]))
    np.testing.assert_allclose(found.positions, [[(1.0, 2.0, 3.0)]])
