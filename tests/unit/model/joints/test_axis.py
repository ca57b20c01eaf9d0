"""Frames about an axis."""

import numpy as np
import pytest

from jourdain.model.joints.axis import frame_about

EPS = np.finfo(float).eps


@pytest.mark.parametrize(
    ("letter", "columns"), [("x", ("y", "z", "x")), ("y", ("z", "x", "y")), ("z", ("x", "y", "z"))]
)
def test_letters_move_on_in_the_cycle(letter, columns):
    expected = np.eye(3)[:, ["xyz".index(c) for c in columns]]
    np.testing.assert_array_equal(frame_about(letter), expected)


@pytest.mark.parametrize("z", [1.0, -1.0])
def test_poles_are_exact(z):
    np.testing.assert_array_equal(frame_about((0.0, 0.0, z)), np.diag((1.0, z, z)))


@pytest.mark.parametrize("tilt", [0.0, 1.0, 1e-9, -1e-9, -1e-3])
def test_random_axes_give_proper_frames(tilt, rng):
    for _ in range(20):
        a = rng.normal(size=3)
        a[2] = tilt * a[2] - (1.0 if tilt < 0.0 else 0.0)
        a /= np.linalg.norm(a)
        A = frame_about(tuple(a))
        np.testing.assert_array_equal(A[:, 2], a)
        np.testing.assert_allclose(A.T @ A, np.eye(3), atol=10 * EPS)
        assert np.linalg.det(A) == pytest.approx(1.0)


def test_frame_turns_the_shortest_way():
    s, c = np.sin(0.4), np.cos(0.4)
    A = frame_about((0.0, -s, c))
    np.testing.assert_allclose(A, [[1, 0, 0], [0, c, -s], [0, s, c]], atol=2 * EPS)
