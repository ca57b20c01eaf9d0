"""Planar double pendulum: mass matrix, velocity and gravity forces in closed form."""

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd

RTOL = 1e-13  # some hundred operations on numbers of size one


@dataclass(frozen=True)
class DoublePendulum:
    """Two links in the x-y plane; angle_1 counts from x, angle_2 from the first link."""

    m1: float = 1.3
    m2: float = 0.7
    l1: float = 0.9
    a1: float = 0.4
    a2: float = 0.25
    J1: float = 0.11
    J2: float = 0.05
    g: float = 9.81

    def model(self):
        model = jd.Model("double_pendulum", gravity=(0, -self.g, 0))
        moments = [(0.5 * J, 0.7 * J, J) for J in (self.J1, self.J2)]
        upper = model.add_body("upper", jd.Inertia(self.m1, (self.a1, 0, 0), moments[0]))
        lower = model.add_body("lower", jd.Inertia(self.m2, (self.a2, 0, 0), moments[1]))
        model.add_joint("shoulder", model.world, upper, jd.Revolute("z"))
        model.add_joint("elbow", upper.at(self.l1, 0, 0), lower, jd.Revolute("z"))
        return model

    def mass_matrix(self, q):
        c2 = np.cos(q[1])
        m22 = self.J2 + self.m2 * self.a2**2
        m12 = m22 + self.m2 * self.l1 * self.a2 * c2
        first = self.J1 + self.m1 * self.a1**2 + self.m2 * self.l1**2
        m11 = first + m22 + 2 * self.m2 * self.l1 * self.a2 * c2
        return np.array(((m11, m12), (m12, m22)))

    def velocity_forces(self, q, v):
        c = self.m2 * self.l1 * self.a2 * np.sin(q[1])
        return np.array((-c * (2 * v[0] * v[1] + v[1] ** 2), c * v[0] ** 2))

    def gravity_forces(self, q):
        g2 = self.m2 * self.a2 * self.g * np.cos(q[0] + q[1])
        return np.array(((self.m1 * self.a1 + self.m2 * self.l1) * self.g * np.cos(q[0]) + g2, g2))

    def energies(self, q, v):
        height = self.a1 * np.sin(q[0]), self.l1 * np.sin(q[0]) + self.a2 * np.sin(q[0] + q[1])
        potential = self.g * (self.m1 * height[0] + self.m2 * height[1])
        return 0.5 * v @ self.mass_matrix(q) @ v, potential


@pytest.fixture(scope="module", params=[jd.Unrolled(), jd.Looped(), jd.Plain()], ids=str)
def system(request):
    return jd.compile(DoublePendulum().model(), execution=request.param)


@pytest.fixture
def states(rng):
    return zip(rng.uniform(-4, 4, (20, 2)), rng.uniform(-5, 5, (20, 2)), strict=True)


def test_terms_of_the_equations_of_motion(system, states):
    exact = DoublePendulum()
    for q, v in states:
        np.testing.assert_allclose(system.mass_matrix(q), exact.mass_matrix(q), rtol=RTOL)
        gyroscopic, weight = exact.velocity_forces(q, v), exact.gravity_forces(q)
        np.testing.assert_allclose(system.velocity_forces(q, v), gyroscopic, atol=20 * RTOL)
        np.testing.assert_allclose(system.gravity_forces(q), weight, rtol=RTOL, atol=RTOL)
        np.testing.assert_allclose(
            system.bias(q, v), gyroscopic + weight, rtol=RTOL, atol=20 * RTOL
        )


def test_accelerations(system, states, rng):
    exact = DoublePendulum()
    for q, v in states:
        tau = rng.uniform(-5, 5, 2)
        rest = tau - exact.velocity_forces(q, v) - exact.gravity_forces(q)
        vdot = np.linalg.solve(exact.mass_matrix(q), rest)
        given = {"shoulder.angle": tau[0], "elbow.angle": tau[1]}
        np.testing.assert_allclose(system.forward_dynamics(q, v, given), vdot, atol=1e-10)


def test_energies(system, states):
    for q, v in states:
        np.testing.assert_allclose(system.energy(q, v), DoublePendulum().energies(q, v), atol=1e-12)
