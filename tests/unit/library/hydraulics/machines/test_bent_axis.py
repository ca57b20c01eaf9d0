"""Kinematics of bent-axis machines: 4.V33."""

import numpy as np
import pytest

from jourdain.library import hydraulics as hy

AXES, ALPHA = hy.BentAxis(0.05, 0.05, 0.1), np.radians(25.0)
TURN = np.linspace(0.0, 2.0 * np.pi, 20001)


def slope(of, phi, h=1e-5):
    """Fourth-order difference."""
    return (8 * (of(phi + h) - of(phi - h)) - (of(phi + 2 * h) - of(phi - 2 * h))) / (12 * h)


def height(phi, axes=AXES, alpha=ALPHA):
    return axes.height(phi, phi, alpha)


def test_stroke_and_angles():
    h = np.array([height(phi) for phi in TURN[::10]])
    assert np.ptp(h) == pytest.approx(42.2618e-3, abs=1e-7)
    assert np.ptp(h) == pytest.approx(AXES.stroke(ALPHA), rel=1e-12)
    tilts = np.degrees([AXES.tilt(phi, phi, ALPHA) for phi in TURN[::10]])
    np.testing.assert_allclose(np.abs(tilts).max(axis=0), (2.685, 1.342), atol=6e-4)


@pytest.mark.parametrize("lag", [0.0, 0.05])
def test_the_loop_of_a_rod_closes(lag):
    """r_TF = h + r_K + l_K, to rounding; the drum may lag behind the flange."""
    for phi in TURN[::1000]:
        e, drum = AXES.direction(phi, phi - lag, ALPHA), phi - lag
        piston = [AXES.height(phi, drum, ALPHA), 0.05 * np.cos(drum), 0.05 * np.sin(drum)]
        np.testing.assert_allclose(piston + 0.1 * e, AXES.ball(phi, ALPHA), atol=2e-16)


def test_torques_have_the_power_of_the_pressure():
    """4.F63: T_flange + T_drum = −F cos β cos γ dh/dφ, and the numbers at φ = 0.7."""
    flange, drum = AXES.arms(0.7, 0.7, ALPHA)
    assert slope(height, 0.7) == pytest.approx(-0.0135047, abs=5e-8)
    assert flange == pytest.approx(0.01465015, abs=5e-9)
    assert drum == pytest.approx(-0.00115411, abs=5e-9)
    for phi in np.random.default_rng(1).uniform(0.0, 2.0 * np.pi, 40):
        beta, gamma = AXES.tilt(phi, phi, ALPHA)
        power = -np.cos(beta) * np.cos(gamma) * slope(height, phi)
        assert sum(AXES.arms(phi, phi, ALPHA)) == pytest.approx(power, abs=1e-8 * 0.02)
