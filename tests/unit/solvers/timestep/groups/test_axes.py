"""Axes of contacts, and relative motion at a point."""

import numpy as np
import pytest

from jourdain.model.contours.pairs.tangents import tangents
from jourdain.solvers.timestep.groups.axes import add_motion, along, motion_into, tangents_into


@pytest.mark.parametrize("seed", range(10))
def test_tangents_are_those_of_single_contacts(seed):
    n = np.random.default_rng(seed).normal(size=3)
    n /= np.linalg.norm(n)
    axes = np.concatenate([n, np.zeros(6)])
    tangents_into(axes, 0, -1.0 if n[2] < 0.0 else 1.0)
    np.testing.assert_allclose(axes[3:].reshape(2, 3), np.array(tangents(n)), atol=1e-15)
    frame = axes.reshape(3, 3)
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-14)


def test_tangents_of_one_sign_turn_without_a_jump():
    """A normal that passes the horizon between middle and end of a step keeps its sign."""
    found = []
    for z in (1e-7, -1e-7):
        axes = np.array([np.sqrt(1.0 - z * z), 0.0, z, *np.zeros(6)])
        tangents_into(axes, 0, 1.0)
        found.append(axes.copy())
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)


class Bodies:
    """Two bodies with frames and twists, the second contour is on the second one."""

    body_of = np.array([0, 1])

    def __init__(self, rng):
        self.frames, self.twists = rng.normal(size=24), rng.normal(size=12)


def test_relative_motion():
    rng = np.random.default_rng(3)
    g, points, found = Bodies(rng), rng.normal(size=6), np.zeros(6)
    motion_into(g, 0, 1, points, 0, 3, found, 0)
    w, v = g.twists.reshape(2, 2, 3).transpose(1, 0, 2)
    arms = points.reshape(2, 3) - g.frames.reshape(2, 12)[:, 9:]
    speeds = v + np.cross(w, arms)
    np.testing.assert_allclose(found, [*(speeds[1] - speeds[0]), *(w[1] - w[0])], atol=1e-14)
    add_motion(g, -1, points, 0, 1.0, found, 0)  # the world stands still
    np.testing.assert_allclose(found[:3], speeds[1] - speeds[0], atol=1e-14)
    assert along(np.eye(3).ravel(), 3, found, 0) == found[1]
