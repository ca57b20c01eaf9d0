"""Double pendulum of point masses with one angle prescribed: motion and load of the drive.

Numbers of an independent program in the matrices of Sol's thesis (V10); also the energy balance.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd

MASSES, LENGTHS = (1.0, 2.0), (1.0, 0.8)


def swing(t):
    return 0.5 * jd.sin(2.0 * t)


def pendulum(driven=None):
    model = jd.Model("pendulum")
    points = [jd.solid.point(m, (0, 0, -length)) for m, length in zip(MASSES, LENGTHS, strict=True)]
    upper, lower = (model.add_body(n, p) for n, p in zip(("upper", "lower"), points, strict=True))
    model.add_joint("hinge_1", model.world, upper, jd.Revolute("y"), driven=driven)
    model.add_joint("hinge_2", upper.at(0, 0, -LENGTHS[0]), lower, jd.Revolute("y"))
    return model


@pytest.fixture(scope="module")
def driven():
    return jd.compile(pendulum({"angle": swing}))


@pytest.fixture(scope="module")
def free():
    return jd.compile(pendulum())


def whole(t, q, v, vdot):
    """State and accelerations of the pendulum without a drive that moves in the same way."""
    first = 0.5 * np.sin(2 * t), np.cos(2 * t), -2.0 * np.sin(2 * t)
    return tuple(np.array((a, b[0])) for a, b in zip(first, (q, v, vdot), strict=True))


def drive_load(free, t, q, v, vdot):
    tau = free.inverse_dynamics(*whole(t, q, v, vdot))
    assert tau[1] == pytest.approx(0.0, abs=1e-12)
    return tau[0]


def test_motion_and_drive_load(driven, free, integrate):
    q, v = integrate(driven, np.array((0.3,)), np.zeros(1), 1.0).at(1.0)
    vdot = driven.forward_dynamics(q, v, t=1.0)
    assert q[0] == pytest.approx(-0.5057393980, abs=1e-10)
    assert v[0] == pytest.approx(0.1454461615, abs=1e-10)
    assert drive_load(free, 1.0, q, v, vdot) == pytest.approx(11.3319827698, abs=1e-9)
    load = driven.loads(q, v, vdot, 1.0).drive["hinge_1.rate"]
    assert load == pytest.approx(11.3319827698, abs=1e-9)


def test_energy_of_the_driven_system_is_that_of_the_free_one(driven, free):
    q, v, t = np.array((0.3,)), np.array((-0.7,)), 0.4
    same = free.energy(*whole(t, q, v, v)[:2])
    np.testing.assert_allclose(driven.energy(q, v, t), same, rtol=1e-14)


def test_drive_does_the_work(driven, free):
    def rates(t, y):
        q, v = y[:1], y[1:2]
        vdot = driven.forward_dynamics(q, v, t=t)
        power = drive_load(free, t, q, v, vdot) * np.cos(2.0 * t)
        return np.concatenate((v, vdot, (power,)))

    solution = solve_ivp(rates, (0.0, 1.0), (0.3, 0.0, 0.0), "DOP853", rtol=1e-12, atol=1e-13)
    q, v, work = solution.y[:1, -1], solution.y[1:2, -1], solution.y[2, -1]
    gain = sum(driven.energy(q, v, 1.0)) - sum(driven.energy(np.array((0.3,)), np.zeros(1), 0.0))
    assert gain == pytest.approx(work, abs=1e-10)
    assert abs(work) > 0.5
