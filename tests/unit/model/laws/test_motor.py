"""Motors against the numbers of Sol's elements, with the sign of the speed voltage corrected."""

import numpy as np
import pytest
from scipy.linalg import expm

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.laws import Motor, Servo

WINDING = {"constant": 0.05, "resistance": 1.0, "inductance": 0.5e-3}
INERTIA = 1e-4


def slopes(law):
    """Rate of (angle, speed, current) of a rotor as an affine function: matrix and column."""

    def rate(state):
        x, v, current = state
        at = Snapshot({}, states={"current": current})
        return np.array((v, law.force(x, v, at) / INERTIA, *law.rates(x, v, at)))

    offset = rate(np.zeros(3))
    return np.column_stack([rate(e) - offset for e in np.eye(3)]), offset


def test_motor_that_starts():
    """V12: eigenvalues, and current and speed after 0.05 s at 12 V."""
    A, b = slopes(Motor(**WINDING, voltage=12.0))
    found = sorted(np.linalg.eigvals(A).real)
    assert found[:2] == pytest.approx((-1974.679434, -25.320566), abs=1e-6)
    whole = np.zeros((4, 4))
    whole[:3, :3], whole[:3, 3] = A, b
    _, speed, current = expm(0.05 * whole)[:3, 3]
    assert current == pytest.approx(3.47128562, abs=5e-9)
    assert speed == pytest.approx(171.45323675, abs=5e-9)
    assert expm(2.0 * whole)[1, 3] == pytest.approx(240.0, rel=1e-12)


def test_servo_is_stable():
    """V12: with the printed signs it would run away."""
    A, _ = slopes(Servo(20.0, **WINDING, target=0.0))
    found = sorted(np.linalg.eigvals(A), key=lambda z: (z.real, z.imag))
    assert found[0] == pytest.approx(-1979.847838, abs=1e-6)
    assert found[1] == pytest.approx(-10.076081 - 100.001295j, abs=1e-6)


def test_servo_rests_at_its_target():
    A, b = slopes(Servo(20.0, **WINDING, target=0.7))
    np.testing.assert_allclose(np.linalg.solve(A, -b), (0.7, 0.0, 0.0), atol=1e-12)


def test_locked_rotor():
    """The current is V/r (1 − exp(−r t/l)): its rate at that current."""
    motor = Motor(**WINDING, voltage=12.0)
    for t in (0.0, 1e-4, 1e-3):
        left = np.exp(-t / 0.5e-3)
        at = Snapshot({}, states={"current": 12.0 * (1 - left)})
        assert motor.rates(0.0, 0.0, at)[0] == pytest.approx(12.0 / 0.5e-3 * left)


def test_inputs_are_there_unless_given():
    assert dict(Motor(**WINDING).inputs) == {"voltage": "V"}
    assert dict(Motor(**WINDING, voltage=1.0).inputs) == {}
    assert dict(Servo(1.0, **WINDING, unit="m").inputs) == {"target": "m"}
    at = Snapshot({}, t=2.0, states={"current": 0.0}, inputs={"voltage": 3.0})
    assert Motor(**WINDING).rates(0.0, 0.0, at) == (6000.0,)
    assert Motor(**WINDING, voltage=lambda t: 2 * t).rates(0.0, 0.0, at) == (8000.0,)
