"""Physical pendulum: frequency of small swings, period of large ones."""

import numpy as np
import pytest
from scipy.special import ellipk

import jourdain as jd

MASS, ARM, MOMENT, G = 0.8, 0.35, 0.06, 9.81
ABOUT_HINGE = MOMENT + MASS * ARM**2
FREQUENCY = np.sqrt(MASS * G * ARM / ABOUT_HINGE)


@pytest.fixture(scope="module")
def system():
    model = jd.Model("pendulum")
    inertia = jd.Inertia(MASS, (0, 0, -ARM), (0.05, MOMENT, 0.03))
    body = model.add_body("body", inertia)
    model.add_joint("hinge", model.world.at(0.3, 0.1, 2.0), body, jd.Revolute("y"))
    return jd.compile(model)


def test_small_swings(system, linearised):
    values = np.linalg.eigvals(linearised(system, np.zeros(1), np.zeros(1)))
    np.testing.assert_allclose(sorted(values.imag), (-FREQUENCY, FREQUENCY), rtol=1e-10)


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.1])
def test_large_swings(system, integrate, amplitude):
    def lowest(t, y):
        return y[0]

    quarter = ellipk(np.sin(0.5 * amplitude) ** 2) / FREQUENCY
    start = np.array((amplitude,)), np.zeros(1)
    found = integrate(system, *start, 1.1 * quarter, events=lowest).events[0]
    np.testing.assert_allclose(found, (quarter,), rtol=1e-9)


def test_rod_and_its_centre_of_percussion():
    """A rod on a hinge swings as a point mass at two thirds of its length."""
    systems = []
    for solid in (jd.solid.rod(1.7, (0.9, 0, 0)), jd.solid.point(0.4, (0.6, 0, 0))):
        model = jd.Model("rod")
        body = model.add_body("body", solid)
        model.add_joint("hinge", model.world, body, jd.Revolute("y"))
        systems.append(jd.compile(model, execution=jd.Plain()))
    for angle in (0.0, 0.4, -2.0):
        both = [s.forward_dynamics(np.array((angle,)), np.zeros(1)) for s in systems]
        np.testing.assert_allclose(both[0], both[1], rtol=1e-13)
        assert both[0][0] == pytest.approx(1.5 * G / 0.9 * np.cos(angle), rel=1e-13)
