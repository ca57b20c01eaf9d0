"""Moments of a motion in numbers."""

import re

import numpy as np
import pytest

from jourdain import math
from jourdain.equations.connections.law_view import LawView
from jourdain.errors import UnknownNameError
from jourdain.model.checks.snapshot import Snapshot, unseen
from jourdain.model.elements import Frame
from jourdain.model.measures import Distance, Formula

A, B, WORLD = Frame("a", (0.1, 0.2, 0.3), math.rotation_x(0.5)), Frame("b"), Frame("world")


def test_frames_are_carried_by_bodies(moment):
    R, r = moment.poses["a"]
    R_a, r_a = moment.pose(A)
    np.testing.assert_allclose(R_a, R @ math.rotation_x(0.5))
    np.testing.assert_allclose(r_a, r + R @ (0.1, 0.2, 0.3))
    np.testing.assert_array_equal(moment.pose(WORLD)[0], np.eye(3))


def test_relative_pose_leads_back(moment):
    R, r = moment.relative(B, A)
    R_a, r_a = moment.pose(A)
    np.testing.assert_allclose(R_a @ R, moment.pose(B)[0], atol=1e-15)
    np.testing.assert_allclose(r_a + R_a @ r, moment.pose(B)[1], atol=1e-15)


def test_twist_is_the_difference_of_poses(moment):
    h = 1e-5
    w, v = moment.twist(A)
    (R_0, r_0), (R_1, r_1) = moment.moved(-h).pose(A), moment.moved(h).pose(A)
    np.testing.assert_allclose((r_1 - r_0) / (2 * h), v, atol=1e-8)
    np.testing.assert_allclose(
        math.axial((R_1 - R_0) @ moment.pose(A)[0].T) / (2 * h), w, atol=1e-8
    )


def test_rate_of_a_distance(moment):
    (_, r_a), (_, r_b) = moment.pose(A), moment.pose(B)
    (_, v_a), (_, v_b) = moment.twist(A), moment.twist(B)
    expected = (r_b - r_a) @ (v_b - v_a) / np.linalg.norm(r_b - r_a)
    assert moment.rate_of(Distance(A, B)) == pytest.approx(expected, rel=1e-9)


def test_rate_counts_coordinates_and_time(moment):
    measure = Formula(lambda at: at.coordinate("s") * at.t)
    x, v = moment.coordinate("s"), moment.velocity("s")
    assert moment.rate_of(measure) == pytest.approx(x + v * moment.t, rel=1e-9)


def test_unknown_names():
    at = Snapshot({}, {"x": 1.0}, states={"current": 1.0})
    for ask in (at.coordinate, at.velocity, at.state, at.input, at.multiplier):
        with pytest.raises(UnknownNameError, match=r"no .* 'amps'"):
            ask("amps")


def test_names_that_nobody_knows_are_answered_with_those_there_are(moment):
    text = (
        "there is no at.acceleration. Known: at.t, the time [s], at.coordinate(name), at.velocity"
    )
    with pytest.raises(AttributeError, match=re.escape(text)):
        moment.acceleration  # noqa: B018
    with pytest.raises(AttributeError, match="Did you mean 'velocity'"):
        moment.velocty("a")
    listed = re.findall(r"at\.(\w+)", unseen("x"))
    assert all(hasattr(moment, name) for name in listed)
    assert {x for x in vars(LawView) if x[0] != "_"} - {"symbols", "arguments", "energy_rate"} <= {
        *listed
    }
