"""Rigid body without torque: Euler's equations and their solution by Jacobi's functions."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import jourdain as jd

MOMENTS = (1.0, 2.0, 2.7)


@dataclass(frozen=True)
class FreeBody:
    """Solution of Landau and Lifshitz, Mechanics, section 37, for moments I1 < I2 < I3.

    It starts with no rotation about the middle axis. Where the axis of the largest moment is
    not the one that the rotation stays near, the axes 1 and 3 change places.
    """

    first: float
    third: float

    def __post_init__(self):
        L2, E2 = self.momentum**2, self.twice_energy
        object.__setattr__(self, "order", (0, 1, 2) if L2 > E2 * MOMENTS[1] else (2, 1, 0))

    @property
    def start(self):
        return np.array((self.first, 0.0, self.third))

    @property
    def momentum(self):
        return float(np.linalg.norm(MOMENTS * self.start))

    @property
    def twice_energy(self):
        return float(MOMENTS @ self.start**2)

    def _constants(self):
        I1, I2, I3 = (MOMENTS[k] for k in self.order)
        low = self.twice_energy * I3 - self.momentum**2
        high = self.momentum**2 - self.twice_energy * I1
        rate = np.sqrt((I3 - I2) * high / (I1 * I2 * I3))
        return I1, I2, I3, low, high, rate, (I2 - I1) * low / ((I3 - I2) * high)

    @property
    def period(self):
        *_, rate, m = self._constants()
        return 4.0 * ellipk(m) / rate

    def angular_velocity(self, t):
        I1, I2, I3, low, high, rate, m = self._constants()
        sn, cn, dn, _ = ellipj(rate * t, m)
        values = (
            np.sqrt(low / (I1 * (I3 - I1))) * cn,
            np.sqrt(low / (I2 * (I3 - I2))) * sn,
            np.sqrt(high / (I3 * (I3 - I1))) * dn,
        )
        return np.array([values[k] for k in self.order])


@pytest.fixture(scope="module")
def system():
    model = jd.Model("satellite", gravity=(0, 0, 0))
    model.add_body("satellite", jd.Inertia(3.0, moments=MOMENTS))
    return jd.compile(model)


def test_eulers_equations(system, rng):
    J = np.diag(MOMENTS)
    for _ in range(20):
        q, v, torque = rng.normal(size=7), rng.uniform(-3, 3, 6), rng.uniform(-2, 2, 3)
        q[3:] /= np.linalg.norm(q[3:])
        tau = np.concatenate((np.zeros(3), torque))
        w = v[3:]
        expected = np.linalg.solve(J, torque - np.cross(w, J @ w))
        vdot = system.forward_dynamics(q, v, tau)
        np.testing.assert_allclose(vdot[3:], expected, atol=1e-12)
        np.testing.assert_allclose(vdot[:3], 0.0, atol=1e-13)


@pytest.mark.parametrize(
    "exact", [FreeBody(0.6, 1.1), FreeBody(1.6, 0.5)], ids=["largest", "least"]
)
def test_motion(system, integrate, exact):
    start = {"satellite.angular_velocity": exact.start}
    motion = integrate(system, *system.state(start), exact.period)
    momentum = system.momentum(*motion.at(0.0))
    for t in np.linspace(0.0, exact.period, 9):
        q, v = motion.at(t)
        np.testing.assert_allclose(v[3:], exact.angular_velocity(t), atol=1e-10)
        np.testing.assert_allclose(system.momentum(q, v), momentum, atol=1e-10)
        assert 2.0 * system.energy(q, v)[0] == pytest.approx(exact.twice_energy, rel=1e-10)


def test_period(system, integrate):
    exact = FreeBody(1.6, 0.5)
    motion = integrate(
        system, *system.state({"satellite.angular_velocity": exact.start}), exact.period
    )
    np.testing.assert_allclose(motion.at(exact.period)[1][3:], exact.start, atol=1e-10)
    half = motion.at(0.5 * exact.period)[1][3:]
    np.testing.assert_allclose(half, exact.start * (1, 1, -1), atol=1e-10)
