"""Choices by counts and time scales."""

from __future__ import annotations

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.plan import (
    FOLLOWED_UP_TO,
    LONGEST_STEP,
    MOST_STEPS,
    TimeScales,
    contact_cost,
    integrator_for,
    step_for,
)


def test_a_stop_costs_one_and_a_spatial_contact_six():
    model = jd.Model("m")
    model.add_coordinate("x", 1.0)
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral())
    model.add_connection("pad", jd.Coordinate("x"), jd.Interval(1.0))
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(1.0))
    assert contact_cost(model.connections.values()) == 2
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("flight", model.world, ball, jd.Free())
    law = jd.Coulomb(0.3, rolling=0.01)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    assert contact_cost(model.connections.values()) == 8


@pytest.mark.parametrize(
    ("length", "scales", "step", "word"),
    [
        (2.0, TimeScales(), LONGEST_STEP, "longest"),
        (0.01, TimeScales(), 1e-5, "thousandth"),
        (3600.0, TimeScales(), 3600.0 / MOST_STEPS, "longest"),
        (2.0, TimeScales(vibration=0.01), 2e-4, "period"),
        (2.0, TimeScales(flight=0.002), 1e-4, "flight"),
        (2e-6, TimeScales(flight=0.002e-6), 1e-10, "flight"),
        (2e4, TimeScales(flight=20.0), 2e4 / MOST_STEPS, "longest"),
        (2.0, TimeScales(vibration=1e-9), 2.0 / MOST_STEPS, "too long for a fiftieth"),
    ],
)
def test_steps_resolve_the_shortest_time_scale(length, scales, step, word):
    found, why = step_for(length, scales)
    assert found == pytest.approx(step, rel=1e-12)
    assert word in why


def test_stiff_is_what_dies_out_long_before_the_end():
    assert integrator_for(-1e6 + 0j, 1.0)[0] == jd.Radau5()
    assert integrator_for(-1e6 + 0j, 1e-3)[0] == jd.Dop853()
    assert integrator_for(1e6j, 1.0)[0] == jd.Dop853()


def row(n: int, speed: float = 1.0, unit: float = 1.0) -> tuple[jd.Model, dict[str, float]]:
    """Masses on springs that hit each other and a wall, in units of time [s]."""
    model, start = jd.Model("row"), {}
    rng = np.random.default_rng(n)
    for k in range(n):
        x = jd.Coordinate(f"x{k}")
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        before = x if k == 0 else x - jd.Coordinate(f"x{k - 1}")
        model.add_connection(f"stop{k}", before, jd.Unilateral(restitution=0.8))
        model.add_connection(f"spring{k}", x, jd.Spring(100.0 / unit**2, free=0.05 * (k + 1)))
        rate = speed * float(rng.normal()) / unit
        start |= {f"x{k}.value": 0.05 * (k + 1), f"x{k}.rate": rate}
    return model, start


def impacts(sol: jd.Solution) -> list[str]:
    """Stops that were hit, one by one; time steps may note several at once."""
    found = [e.details["contacts"] for e in sol.events if e.kind == "impact"]
    return [str(name) for names in found for name in names]


@pytest.mark.parametrize("unit", [1e-6, 1.0, 3600.0])
@pytest.mark.parametrize("n", [5, 12, 24])
def test_the_default_finds_all_impacts_of_a_row_of_masses(n, unit):
    """A31: it went by steps of 1 ms, missed impacts and got others in the wrong order."""
    model, start = row(n)
    exact = jd.simulate(model, 1.0, start=start, method=jd.EventDriven(jd.Dop853(rtol=1e-12)))
    model, start = row(n, unit=unit)
    sol = jd.simulate(model, unit, start=start)
    assert impacts(sol) == impacts(exact)
    assert len(impacts(sol)) > n
    np.testing.assert_allclose(sol.q[-1], exact.q[-1], atol=1e-7)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 3600.0])
def test_the_default_steps_of_many_masses_find_all_impacts(unit):
    """A31 for more stops than are followed: by steps of order two, at any time scale."""
    model, start = row(30)
    exact = jd.simulate(model, 1.0, start=start, method=jd.EventDriven())
    model, start = row(30, unit=unit)
    sol = jd.simulate(model, unit, start=start)
    assert "time stepping of order two" in sol.statistics.reason
    assert sorted(impacts(sol)) == sorted(impacts(exact))  # within a step their order is unknown
    off = np.abs(sol.q[-1] - exact.q[-1]).max()
    travel = np.ptp(exact.q, axis=0).max()
    assert off <= 2e-3 * travel


def test_a_plan_tells_what_is_done_and_why():
    model, start = row(FOLLOWED_UP_TO + 2, speed=10.0)
    found = jd.plan(model, 1.0, start=start)
    sol = jd.simulate(model, 1e-2, start=start)
    assert found.method.dt < LONGEST_STEP  # type: ignore[attr-defined]
    assert "flight" in found.reason
    assert "26 single contacts" in str(found)
    assert "time stepping" in sol.statistics.reason
    assert all(len(line) <= 100 for line in str(found).splitlines())
    vibration = 2.0 * math.pi / 10.0
    assert found.method.dt < vibration / 50.0  # type: ignore[attr-defined]
