"""Tumbling body in free fall: its centre of mass follows a parabola."""

import numpy as np
import pytest

import jourdain as jd

GRAVITY = np.array((0.5, -1.0, -9.0))


@pytest.fixture(scope="module")
def system():
    model = jd.Model("stone", gravity=GRAVITY)
    moments = ((0.3, 0.02, -0.05), (0.02, 0.4, 0.01), (-0.05, 0.01, 0.35))
    model.add_body("stone", jd.Inertia(1.6, (0.2, -0.1, 0.3), moments))
    return jd.compile(model)


def test_parabola(system, integrate):
    start = {
        "stone.position": (0.3, 1.0, -2.0),
        "stone.velocity": (2.0, -1.0, 4.0),
        "stone.angular_velocity": (3.0, 5.0, -2.0),
    }
    q, v = system.state(start)
    motion = integrate(system, q, v, 1.2)
    place, drift = system.centre_of_mass(q), system.centre_of_mass_jacobian(q) @ v
    for t in (0.4, 1.2):
        expected = place + drift * t + 0.5 * GRAVITY * t**2
        np.testing.assert_allclose(system.centre_of_mass(motion.at(t)[0]), expected, atol=1e-10)


def test_momentum_grows_with_the_weight(system, integrate):
    q, v = system.state({"stone.angular_velocity": (3.0, 5.0, -2.0)})
    motion = integrate(system, q, v, 1.0)
    gain = system.momentum(*motion.at(1.0)) - system.momentum(q, v)
    np.testing.assert_allclose(gain[3:], 1.6 * GRAVITY, rtol=1e-10)
    energies = [sum(system.energy(*motion.at(t))) for t in (0.0, 1.0)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-10)
