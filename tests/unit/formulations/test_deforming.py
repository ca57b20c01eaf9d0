"""Flexible bodies at one state."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.formulations.deforming import Deformed
from jourdain.model.flexible.ritz import gauss

SECTION = jd.flexible.Section(20.0, 10.0, 8.0, 50.0, 2.0, (0.02, 0.01, 0.01))
BEAM = jd.flexible.beam(0.8, SECTION, modes=3, fields=("y", "z", "twist"), functions=4)


@pytest.fixture
def state():
    rng = np.random.default_rng(1)
    return rng.normal(size=6), 0.01 * rng.normal(size=3), 0.2 * rng.normal(size=3)


def test_reference_point_does_not_matter(state):
    """The same forces from accelerations of another point of the frame."""
    V, d, rate = state
    own = Deformed(0, "arm", BEAM, d, rate, np.zeros(3), np.eye(3))
    rng = np.random.default_rng(3)
    A, second, arm = rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)
    at_frame, bias = own.twists(np.eye(3), V, np.zeros(3))
    F = at_frame @ np.concatenate([A, second]) + bias
    w, alpha = V[:3], A[:3]
    a = A[3:] - np.cross(alpha, arm) - np.cross(w, np.cross(w, arm))
    M, bias = own.twists(np.eye(3), V, arm)
    G = M @ np.concatenate([alpha, a, second]) + bias
    assert G[3:] == pytest.approx(F[3:], abs=1e-12)
    assert G[:3] == pytest.approx(F[:3] + np.cross(arm, F[3:6]), abs=1e-12)


def test_first_moment_is_the_place_of_the_mass(state):
    _, d, rate = state
    own = Deformed(0, "arm", BEAM, d, rate, np.zeros(3), np.eye(3))
    x, weights = gauss([0.0, 0.8], 12)
    places = [BEAM.elasticity.place((s, 0.0, 0.0)) for s in x]
    moved = [p.x + p.A @ d + 0.5 * np.einsum("aij,i,j", p.B, d, d) for p in places]
    summed = SECTION.mass * (weights @ moved)
    assert own.first_moment == pytest.approx(summed, abs=1e-13)
