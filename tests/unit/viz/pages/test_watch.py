from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.elements import Frame
from jourdain.viz.pages.keyframes import keyframes
from jourdain.viz.pages.watch import Watch, courses
from jourdain.viz.shapes.drawables import Moving

NUMBERS = {"cart": 0, "rope": 1, "load": 2}


@pytest.fixture
def watch(solution):
    return Watch(keyframes(solution), NUMBERS, {"length": 2.0})


def test_poses_are_those_of_the_solution(watch, crane, solution):
    watch.move(70)
    assert watch.t == solution.time[70]
    R, r = watch.pose(crane.frames["ring"])
    np.testing.assert_allclose(r, solution.values("ring.position")[70], atol=1e-12)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
    S, s = watch.pose(crane.joints["hook"].parent)  # its place depends on a parameter
    np.testing.assert_allclose(s, solution.values("load.position")[70], atol=1e-9)


def test_the_world_rests(watch):
    R, r = watch.pose(Frame("world", (1, 2, 3), jd.rotation_x(0.3)))
    np.testing.assert_allclose(r, (1, 2, 3))
    np.testing.assert_allclose(R, jd.rotation_x(0.3))


def test_relative_poses(watch, crane):
    R, r = watch.relative(crane.frames["ring"], Frame("load"))
    np.testing.assert_allclose(r, (0, 0, -0.2), atol=1e-12)
    np.testing.assert_allclose(R, np.eye(3), atol=1e-12)


def test_quantities_and_what_is_asked_for_twice(watch, solution):
    watch.move(3)
    assert watch.quantity("rail.position") == solution.values("rail.position")[3]
    calls = []
    for _ in range(2):
        watch.once("key", lambda: calls.append(1))
    assert len(calls) == 1
    watch.move(4)
    watch.once("key", lambda: calls.append(1))
    assert len(calls) == 2


def test_courses_follow_the_function(watch, solution):
    twice = Moving(lambda at: 2.0 * at.pose(Frame("load"))[1])
    found = courses(watch, len(solution.time), [twice])
    np.testing.assert_allclose(found[twice], 2.0 * solution.values("load.position"), atol=1e-12)


def test_long_runs_are_asked_at_some_moments(watch, solution, monkeypatch):
    monkeypatch.setattr("jourdain.viz.pages.watch._MOST_CALLS", 100)
    calls = []
    place = Moving(lambda at: calls.append(1) or at.pose(Frame("load"))[1])
    found = courses(watch, len(solution.time), [place])
    assert len(calls) == 100
    np.testing.assert_allclose(found[place], solution.values("load.position"), atol=2e-3)
