"""Heavy symmetric top: steady precession, nutation, and the stability of the sleeping top."""

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd


@dataclass(frozen=True)
class Top:
    """Top on its tip, A and C its moments across and along the axis, about the tip."""

    mass: float = 0.5
    length: float = 0.08
    A: float = 0.0045
    C: float = 0.0009
    g: float = 9.81

    def model(self, kind):
        model = jd.Model("top", gravity=(0, 0, -self.g))
        across = self.A - self.mass * self.length**2
        inertia = jd.Inertia(self.mass, (0, 0, self.length), (across, across, self.C))
        top = model.add_body("top", inertia)
        model.add_joint("tip", model.world, top, kind)
        return model

    @property
    def moment(self):
        """Weight times distance of the centre of mass."""
        return self.mass * self.g * self.length

    @property
    def least_spin(self):
        """Spin from which on the upright top sleeps: ω² = 4 A m g l / C²."""
        return 2.0 * np.sqrt(self.A * self.moment) / self.C

    def precessions(self, lean, spin):
        """Slow and fast rate of precession: A Ω² cos θ − C ω₃ Ω + m g l = 0."""
        root = np.sqrt((self.C * spin) ** 2 - 4 * self.A * np.cos(lean) * self.moment)
        return [(self.C * spin + sign * root) / (2 * self.A * np.cos(lean)) for sign in (-1, 1)]

    def lowest(self, lean, spin):
        """Lowest point of a top let go at rest but for its spin: β (1 − u²) = a² (u₀ − u)."""
        a2, beta, u0 = (self.C * spin / self.A) ** 2, 2 * self.moment / self.A, np.cos(lean)
        roots = np.roots((beta, -a2, a2 * u0 - beta)).real
        return np.arccos(roots[np.abs(roots) < 1][0])


TOP, LEAN, SPIN = Top(), 0.6, 400.0


def velocities(rate, lean, spin):
    """Rates of the Euler angles of a steady precession."""
    return np.array((rate, 0.0, spin - rate * np.cos(lean)))


@pytest.fixture(scope="module")
def euler():
    return jd.compile(TOP.model(jd.Euler()))


@pytest.fixture(scope="module")
def ball():
    return jd.compile(TOP.model(jd.Spherical()))


@pytest.mark.parametrize("k", [0, 1], ids=["slow", "fast"])
def test_steady_precession_needs_no_force(euler, k):
    rate = TOP.precessions(LEAN, SPIN)[k]
    q, v = np.array((0.3, LEAN, -0.8)), velocities(rate, LEAN, SPIN)
    largest = TOP.A * rate**2 + TOP.C * SPIN * rate + TOP.moment
    np.testing.assert_allclose(euler.bias(q, v), 0.0, atol=1e-13 * largest)
    scale = largest / TOP.C
    np.testing.assert_allclose(euler.forward_dynamics(q, v), 0.0, atol=1e-13 * scale)


@pytest.mark.parametrize("k", [0, 1], ids=["slow", "fast"])
def test_steady_precession_as_a_motion(ball, integrate, k):
    rate = TOP.precessions(LEAN, SPIN)[k]
    half = 0.5 * LEAN
    q = np.array((np.cos(half), np.sin(half), 0.0, 0.0))  # leans about x: axis in the y-z plane
    w = np.array((0.0, rate * np.sin(LEAN), SPIN))
    angle = 0.4
    end = angle / rate
    axis = ball.poses(integrate(ball, q, w, end).at(end)[0])[0, :3, 2]
    turned = np.array((np.sin(angle), -np.cos(angle))) * np.sin(LEAN)
    np.testing.assert_allclose(axis, (*turned, np.cos(LEAN)), atol=1e-9)


def test_other_rates_of_precession_nutate(euler):
    for rate in TOP.precessions(LEAN, SPIN):
        for factor, sign in ((0.9, 1), (1.1, -1)):
            v = velocities(factor * rate, LEAN, SPIN)
            vdot = euler.forward_dynamics(np.array((0.0, LEAN, 0.0)), v)
            slow = rate == TOP.precessions(LEAN, SPIN)[0]
            assert np.sign(vdot[1]) == (sign if slow else -sign)


def test_top_let_go_nutates_between_two_angles(euler, integrate):
    def turning(t, y):
        return y[4]

    q, v = np.array((0.0, LEAN, 0.0)), np.array((0.0, 0.0, SPIN))
    motion = integrate(euler, q, v, 0.25, events=turning)
    times = [t for t in motion.events[0] if t > 1e-6]
    assert len(times) >= 2
    angles = [motion.at(t)[0][1] for t in times[:2]]
    np.testing.assert_allclose(angles, (TOP.lowest(LEAN, SPIN), LEAN), atol=1e-9)


def test_energy_and_both_momenta_stay(ball, integrate):
    q, v = ball.state({"tip.orientation": (0.8, 0.36, 0.48, 0.0)})
    v += (3.0, -2.0, 100.0)
    motion = integrate(ball, q, v, 0.5)
    first, last = motion.at(0.0), motion.at(0.5)
    assert sum(ball.energy(*last)) == pytest.approx(sum(ball.energy(*first)), rel=1e-10)
    assert ball.momentum(*last)[2] == pytest.approx(ball.momentum(*first)[2], rel=1e-9)
    assert last[1][2] == pytest.approx(100.0, rel=1e-13)
    assert abs(ball.momentum(*last)[0] - ball.momentum(*first)[0]) > 1e-4  # torque of gravity


@pytest.fixture(scope="module")
def gimbal():
    """Angles that are regular in the upright position."""
    return jd.compile(TOP.model(jd.Gimbal()))


@pytest.mark.parametrize("factor", [0.5, 0.95, 1.05, 2.0])
def test_sleeping_top(gimbal, linearised, factor):
    spin = factor * TOP.least_spin
    matrix = linearised(gimbal, np.array((0.0, 0.0, 0.7)), np.array((0.0, 0.0, spin)))
    found = np.linalg.eigvals(matrix)
    root = np.emath.sqrt((TOP.C * spin) ** 2 - 4 * TOP.A * TOP.moment)
    s = [(TOP.C * spin + sign * root) / (2 * TOP.A) for sign in (-1, 1)]
    expected = np.array([sign * 1j * x for x in s for sign in (-1, 1)] + [0.0, 0.0])
    scale = np.abs(expected).max()
    for value in expected:  # the double zero belongs to the spin and is not simple
        assert np.abs(found - value).min() < (1e-8 if value else 1e-6) * scale
    assert bool(found.real.max() < 1e-6 * scale) is (factor > 1.0)
