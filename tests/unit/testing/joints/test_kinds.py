"""Kinds of users in the test kit: their poses."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.testing.joints.kinds import Cam, Crank, Rocker, Tilt, Turntable, all_user_kinds


def test_rocker_rolls_without_slip():
    R, r = Rocker(0.2).pose([0.5], 0.0)
    np.testing.assert_array_equal(R, jd.rotation_y(0.5))
    assert r == (0.1, 0, 0.2)


def test_turntable_turns_with_time():
    _, start = Turntable(2.0, 0.1).pose([0.25], 0.0)
    np.testing.assert_allclose(start, (0.75, 0, 0))
    _, later = Turntable(2.0, 0.1).pose([0.25], np.pi / 4)
    np.testing.assert_allclose(later, (0, 0.75, 0.1 * np.sin(3 * np.pi / 4)), atol=1e-15)


def test_cam_lifts_through_its_points():
    cam = next(kind for kind in all_user_kinds() if isinstance(kind, Cam))
    _, r = cam.pose([0.4], 0.0)
    np.testing.assert_allclose(r, (0, 0, 0.05), atol=1e-16)


def test_crank_carries_the_child_at_the_end_of_its_arm():
    _, r = Crank(0.4).pose([np.pi / 2], 0.0)
    np.testing.assert_allclose(r, (0, 0.4, 0), atol=1e-16)


def test_tilt_is_twice_the_tangent_of_half_the_angle():
    R, _ = Tilt().pose([0.0, 0.0, 2 * np.tan(0.35)], 0.0)
    np.testing.assert_allclose(R, jd.rotation_z(0.7), atol=1e-15)


def test_tilt_velocities_are_in_the_axes_of_the_parent():
    modes = jd.mode_vectors(Tilt(), (0.3, -0.2, 0.5)).free
    np.testing.assert_allclose(modes[:3], np.eye(3), atol=1e-14)
    assert not modes[3:].any()


def test_kinds_differ():
    kinds = all_user_kinds()
    assert len({type(kind) for kind in kinds}) == len(kinds)
    assert kinds == all_user_kinds()


@pytest.mark.parametrize("kind", all_user_kinds(), ids=lambda kind: type(kind).__name__)
def test_kinds_start_where_their_pose_is_defined(kind):
    R, r = kind.pose(kind.start(), 0.0)
    assert np.isfinite(np.array(R)).all()
    assert np.isfinite(np.array(r)).all()
