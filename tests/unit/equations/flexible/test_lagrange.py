"""Flexible bodies by themselves: Lagrange's equations of their kinetic energy."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.flexible.lagrange import deforming

SECTION = jd.flexible.Section(20.0, 10.0, 8.0, 50.0, 2.0, (0.02, 0.01, 0.01))
BEAM = jd.flexible.beam(0.8, SECTION, modes=3, fields=("y", "z", "twist"), functions=4)


@pytest.fixture
def state():
    rng = np.random.default_rng(1)
    return rng.normal(size=6), 0.01 * rng.normal(size=3), 0.2 * rng.normal(size=3)


def test_without_deformation_it_is_the_rigid_body():
    M, bias = deforming(BEAM).twists(np.array([0, 0, 2.0, 0, 0, 0]), np.zeros(3), np.zeros(3))
    whole = BEAM.inertia
    assert np.diag(M)[3:6] == pytest.approx([1.6, 1.6, 1.6])
    about_end = whole.moments[2][2] + whole.mass * whole.com[0] ** 2
    assert M[2, 2] == pytest.approx(about_end)
    assert bias[3] == pytest.approx(-4.0 * whole.mass * whole.com[0])  # centripetal


def test_natural_coordinates_have_the_same_energy(state):
    V, d, rate = state
    own = deforming(BEAM)
    T, momentum = own.energy(V, d, rate)
    w, v = V[:3], V[3:]
    z_dot = np.concatenate([v, *(np.cross(w, axis) for axis in np.eye(3))])
    M, _ = own.natural(np.eye(3), z_dot, d, rate)
    speeds = np.concatenate([z_dot, rate])
    assert 0.5 * speeds @ M @ speeds == pytest.approx(T, rel=1e-12)
    assert momentum[3:] == pytest.approx((M @ speeds)[:3], rel=1e-12)


def test_energy_grows_by_the_power_of_its_forces(state):
    """dT/dt = F·V + Q·ḋ with [F; Q] = 𝓜 [A; d̈] + bias."""
    V, d, rate = state
    own, rng = deforming(BEAM), np.random.default_rng(2)
    A, second = rng.normal(size=6), rng.normal(size=3)
    M, bias = own.twists(V, d, rate)
    power = (M @ np.concatenate([A, second]) + bias) @ np.concatenate([V, rate])
    V_dot = A - np.concatenate([np.zeros(3), np.cross(V[:3], V[3:])])  # components

    def energy(h):
        return own.energy(V + h * V_dot, d + h * rate + 0.5 * h**2 * second, rate + h * second)[0]

    h = 1e-5
    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(power, rel=1e-8)
