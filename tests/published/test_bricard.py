"""Bricard's six-bar loop of the IFToMM library (A05): five rods, hinges at right angles.

Six hinges leave one freedom where counting them leaves none. Where three angles pass a right angle
together, constraints that repeat others on the loop contradict them beside it.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

EDGES = np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])


@pytest.fixture(scope="module")
def system():
    """Rods of 1 m and 1 kg along edges of a cube; the sixth edge is the ground."""
    model = jd.Model("bricard", gravity=(0, -9.81, 0))
    place = model.world.at()
    for k in range(5):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=tuple(EDGES[k])))
        axis = tuple(np.cross(EDGES[k - 1], EDGES[k]))
        model.add_joint(f"hinge_{k}", place, rod, jd.Revolute(axis))
        place = rod.at(*EDGES[k])
    axis = tuple(np.cross(EDGES[4], EDGES[5]))
    model.add_joint("hinge_5", model.world.at(0, 0, 1), place, jd.Revolute(axis))
    return jd.compile(model)


@pytest.fixture(scope="module")
def reference(system):
    return jd.simulate(system, 10.0, method=jd.Dop853(rtol=1e-12), sample=0.1)


def test_it_swings_back_to_its_start(system):
    """Released at rest, it stands again after half a period, and is back after a whole one."""
    stands = {"stands": jd.Event(lambda t, s: s["hinge_0.rate"])}
    sol = jd.simulate(system, 10.0, method=jd.Dop853(rtol=1e-11), events=stands)
    found = [event for event in sol.events if event.time > 1e-6]
    times = [event.time for event in found if np.abs(event.v).max() < 1e-4]
    half = times[0]
    assert half == pytest.approx(2.746, abs=1e-3)
    np.testing.assert_allclose(times, half * np.arange(1, len(times) + 1), rtol=1e-8)
    period = jd.simulate(system, 2 * half, method=jd.Dop853(rtol=1e-11), sample=[0.0, 2 * half])
    np.testing.assert_allclose(period.q[-1], period.q[0], atol=1e-7)
    np.testing.assert_allclose(period.v[-1], 0.0, atol=1e-6)


METHODS = {
    jd.Gauss4(2e-2): 1e-4,
    jd.Gauss4(1e-2): 1e-5,
    jd.Gauss4(1e-3): 1e-8,
    jd.GeneralizedAlpha(2e-2): 0.2,
    jd.GeneralizedAlpha(1e-2): 0.05,
    jd.GeneralizedAlpha(1e-3): 1e-3,
    jd.Radau5(): 1e-5,
    jd.Dop853(): 1e-4,
}


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_implicit_methods_pass_the_right_angles(system, reference, method):
    """A7: they stopped at 1.2 s to 1.4 s with every step; energy within 10 J of potential."""
    sol = jd.simulate(system, 10.0, method=method, sample=0.1)
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < METHODS[method]  # [J]
    assert np.abs(sol.q - reference.q).max() < 3 * METHODS[method]
    for name in ("position_errors", "velocity_errors"):
        assert np.abs(system.answers(name, sol.q, sol.v, t=sol.time)).max() < 1e-10


@pytest.mark.parametrize(("kind", "order"), [(jd.Gauss4, 4), (jd.GeneralizedAlpha, 2)])
def test_orders_beyond_the_right_angles(system, reference, kind, order):
    errors = []
    for dt in (1e-2, 5e-3, 2.5e-3):
        sol = jd.simulate(system, 3.0, method=kind(dt), sample=0.1)
        errors.append(np.abs(sol.q - reference.q[:31]).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize("method", [jd.Dop853(0.1, 0.1), jd.Tsit5(0.1, 0.1), jd.Radau5(0.5, 0.5)])
def test_steps_that_cannot_be_closed_are_taken_again(system, method):
    """Tolerances so loose that steps end where no projection closes the loop."""
    sol = jd.simulate(system, 10.0, method=method, sample=[0.0, 10.0])
    assert sol.statistics.rejected > 50
    assert np.abs(system.answers("position_errors", sol.q, sol.v, t=sol.time)).max() < 1e-10
