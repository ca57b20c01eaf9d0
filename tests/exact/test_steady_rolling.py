"""Rolling disc: steady circles, stability of straight rolling, energy."""

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd


@dataclass(frozen=True)
class Disc:
    """Thin disc, A and C its moments about a diameter and about the axle."""

    mass: float = 1.2
    radius: float = 0.3
    A: float = 1.2 * 0.3**2 / 4
    C: float = 1.2 * 0.3**2 / 2
    g: float = 9.81

    def model(self):
        model = jd.Model("disc", gravity=(0, 0, -self.g))
        disc = model.add_body("disc", jd.Inertia(self.mass, moments=(self.A, self.C, self.A)))
        model.add_joint("ground", model.world, disc, jd.RollingDisc(self.radius))
        return model

    def spin_rate(self, lean, heading_rate):
        """Spin of a steady circle, from the moments about the horizontal diameter.

        (C + m r²) Ω w cos θ − A Ω² sin θ cos θ + m g r sin θ = 0 with w = spin + Ω sin θ.
        """
        s, c, rate = np.sin(lean), np.cos(lean), heading_rate
        top = self.A * rate**2 * s * c - self.mass * self.g * self.radius * s
        return top / ((self.C + self.mass * self.radius**2) * rate * c) - rate * s

    @property
    def least_spin(self):
        """Spin from which on straight rolling is stable: ω² = A m g r / (C (C + m r²))."""
        rolling = self.C + self.mass * self.radius**2
        return np.sqrt(self.A * self.mass * self.g * self.radius / (self.C * rolling))


@pytest.fixture(scope="module")
def system():
    return jd.compile(Disc().model())


@pytest.mark.parametrize(("lean", "rate"), [(0.4, -1.5), (-0.7, 3.0), (1.1, 2.0), (0.2, -0.3)])
def test_steady_circle(system, integrate, lean, rate):
    q = np.array((0.2, -0.1, 0.5, lean, 0.9))
    v = np.array((rate, 0.0, Disc().spin_rate(lean, rate)))
    scale = rate**2 + v[2] ** 2 + 9.81 / 0.3
    np.testing.assert_allclose(system.forward_dynamics(q, v), 0.0, atol=1e-12 * scale)
    other = system.forward_dynamics(q, v * (1, 1, 1.05))
    assert abs(other[1]) > 1e-3 * scale  # another spin does not keep the lean


def test_contact_point_runs_in_a_circle(system, integrate):
    lean, rate = 0.4, -1.5
    spin = Disc().spin_rate(lean, rate)
    end = 1.7
    q, _ = integrate(system, np.array((0, 0, 0, lean, 0.0)), np.array((rate, 0.0, spin)), end).at(
        end
    )
    radius = 0.3 * spin / rate
    expected = radius * np.sin(rate * end), radius * (1 - np.cos(rate * end))
    np.testing.assert_allclose(q, (*expected, rate * end, lean, spin * end), atol=1e-8)


def test_thin_disc_needs_the_spin_of_the_textbooks():
    assert Disc().least_spin == pytest.approx(np.sqrt(9.81 / (3 * 0.3)), rel=1e-14)


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.1, 2.0])
def test_stability_of_straight_rolling(system, linearised, factor):
    disc = Disc()
    spin = factor * disc.least_spin
    matrix = linearised(system, np.zeros(5), np.array((0.0, 0.0, spin)))
    found = np.linalg.eigvals(matrix)
    tilting = disc.A + disc.mass * disc.radius**2
    rolling = disc.C + disc.mass * disc.radius**2
    square = disc.mass * disc.g * disc.radius / tilting - disc.C * rolling * spin**2 / (
        disc.A * tilting
    )
    expected = np.emath.sqrt(square)
    assert np.abs(found - expected).min() < 1e-8 * abs(expected)
    assert bool(found.real.max() > 0.1) is (factor < 1.0)


def test_energy_stays(system, integrate):
    q, v = np.array((0, 0, 0.2, 0.3, 0.0)), np.array((-1.0, 0.4, 6.0))
    motion = integrate(system, q, v, 1.0)
    first, last = (sum(system.energy(*motion.at(t))) for t in (0.0, 1.0))
    assert last == pytest.approx(first, rel=1e-10)
    assert abs(motion.at(1.0)[0][3] - 0.3) > 0.05  # it does wobble
