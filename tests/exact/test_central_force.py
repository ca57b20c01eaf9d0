"""Kepler's problem: a free body drawn to a fixed point by a force as 1/r²."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd

MASS = 2.0


@dataclass(frozen=True)
class Ellipse:
    """Orbit in the x-y plane, started at the near end of the long axis."""

    gravity: float = 3.0  # of the centre, [m³/s²]
    axis: float = 1.4
    eccentricity: float = 0.5

    @property
    def rate(self):
        return np.sqrt(self.gravity / self.axis**3)

    @property
    def period(self):
        return 2.0 * np.pi / self.rate

    def position(self, t):
        e, mean = self.eccentricity, self.rate * t
        E = brentq(lambda E: E - e * np.sin(E) - mean, mean - 1.0, mean + 1.0, xtol=1e-15)
        across = self.axis * np.sqrt(1.0 - e * e) * np.sin(E)
        return np.array((self.axis * (np.cos(E) - e), across, 0.0))

    @property
    def start_speed(self):
        e = self.eccentricity
        return np.sqrt(self.gravity / self.axis * (1 + e) / (1 - e))

    def force(self, r):
        return -self.gravity * MASS * r / np.linalg.norm(r) ** 3


ORBIT = Ellipse()


@pytest.fixture(scope="module")
def system():
    model = jd.Model("planet", gravity=(0, 0, 0))
    model.add_body("planet", jd.Inertia(MASS, moments=(0.1, 0.2, 0.25)))
    return jd.compile(model)


def as_forces(t, q, v):
    return np.concatenate((ORBIT.force(q[:3]), np.zeros(3)))


def as_wrench(t, q, v):
    return np.concatenate((np.zeros(3), ORBIT.force(q[:3])))[np.newaxis]


@pytest.mark.parametrize(
    "load", [{"tau": as_forces}, {"wrenches": as_wrench}], ids=["tau", "wrench"]
)
def test_orbit(system, integrate, load):
    start = {
        "planet.position.x": ORBIT.axis * (1 - ORBIT.eccentricity),
        "planet.velocity.y": ORBIT.start_speed,
        "planet.angular_velocity": (0.4, 1.0, -0.3),  # tumbling does not matter
    }
    motion = integrate(system, *system.state(start), ORBIT.period, **load)
    for t in np.linspace(0.0, ORBIT.period, 7):
        np.testing.assert_allclose(motion.at(t)[0][:3], ORBIT.position(t), atol=1e-9)


def test_circular_orbit_has_the_acceleration_of_the_circle(system):
    radius, rate = 0.8, np.sqrt(3.0 / 0.8**3)
    q, v = system.state({"planet.position.y": radius, "planet.velocity.x": -radius * rate})
    vdot = system.forward_dynamics(q, v, wrenches=as_wrench(0.0, q, v))
    np.testing.assert_allclose(vdot, (0, -radius * rate**2, 0, 0, 0, 0), atol=1e-12)
