"""Torque-free body over many periods, against Jacobi's elliptic functions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import jourdain as jd

MOMENTS = np.array((1.0, 2.0, 2.7))
START = np.array((0.6, 0.0, 1.1))


class Exact:
    """Landau & Lifshitz, Mechanics, section 37: I1 < I2 < I3 and L² > 2 E I2."""

    def __init__(self):
        I1, I2, I3 = MOMENTS
        L2, E2 = float(np.sum((MOMENTS * START) ** 2)), float(MOMENTS @ START**2)
        low, high = E2 * I3 - L2, L2 - E2 * I1
        self.rate = np.sqrt((I3 - I2) * high / (I1 * I2 * I3))
        self.m = (I2 - I1) * low / ((I3 - I2) * high)
        sizes = low / (I1 * (I3 - I1)), low / (I2 * (I3 - I2)), high / (I3 * (I3 - I1))
        self.sizes = np.sqrt(sizes)

    @property
    def period(self):
        return 4.0 * ellipk(self.m) / self.rate

    def angular_velocity(self, t):
        sn, cn, dn, _ = ellipj(self.rate * t, self.m)
        return self.sizes * np.column_stack((cn, sn, dn))


@pytest.fixture(scope="module")
def system():
    model = jd.Model("satellite", gravity=(0, 0, 0))
    model.add_body("satellite", jd.Inertia(3.0, moments=tuple(MOMENTS)))
    return jd.compile(model)


@pytest.fixture(scope="module")
def sol(system):
    return jd.simulate(
        system,
        100.0 * Exact().period,
        start={"satellite.angular_velocity": START},
        method=jd.Dop853(rtol=1e-13, atol=1e-14),
    )


def test_angular_velocity_over_a_hundred_periods(sol):
    exact = Exact().angular_velocity(sol.time)
    np.testing.assert_allclose(sol.values("satellite.angular_velocity"), exact, atol=1e-9)


def test_orientation_keeps_the_angular_momentum(sol):
    """The momentum is turned back by the quaternion, so it tells whether that is right too."""
    momentum = sol.values("momentum.angular")
    np.testing.assert_allclose(
        momentum, np.broadcast_to(MOMENTS * START, momentum.shape), atol=1e-9
    )


def test_energy_and_unit_length_stay(sol):
    energy = sol.values("energy.kinetic")
    np.testing.assert_allclose(energy, 0.5 * MOMENTS @ START**2, rtol=1e-11)
    lengths = np.linalg.norm(sol.values("satellite.orientation"), axis=1)
    np.testing.assert_allclose(lengths, 1.0, atol=4 * np.finfo(float).eps)


def test_default_tolerances_over_ten_periods(system):
    sol = jd.simulate(system, 10.0 * Exact().period, start={"satellite.angular_velocity": START})
    exact = Exact().angular_velocity(sol.time)
    np.testing.assert_allclose(sol.values("satellite.angular_velocity"), exact, atol=1e-5)


def test_turning_points_by_events(system):
    """The rotation about the middle axis passes zero twice in a period."""
    events = {"turn": lambda t, s: s["satellite.angular_velocity.y"]}
    tight = jd.Dop853(rtol=1e-13, atol=1e-14)
    start, period = {"satellite.angular_velocity": START}, Exact().period
    sol = jd.simulate(system, 5.2 * period, start=start, method=tight, events=events)
    times = [event.time for event in sol.events]
    np.testing.assert_allclose(times, 0.5 * period * np.arange(1, 11), atol=1e-10)
