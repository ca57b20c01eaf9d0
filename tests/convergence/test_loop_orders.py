"""Measured order of every integrator with closed loops, redundant rows and moving constraints."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal
from jourdain.model.measures import Coordinate, Distance
from jourdain.solvers import all_integrators


def linkage() -> jd.Model:
    """Four-bar linkage of spatial hinges: five rows of rank two."""
    model = jd.Model("linkage", gravity=(0, -9.81, 0))
    place = model.world.at()
    for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)):
        body = model.add_body(f"{name}_bar", jd.solid.rod(mass=length, end=(0, length, 0)))
        model.add_joint(name, place, body, jd.Revolute("-z"))
        place = body.at(0, length, 0)
    model.add_joint("last", model.world.at(3, 0, 0), place, jd.Revolute("-z"))
    return model


def hanging() -> jd.Model:
    """A free body on a rod of changing length, geared to a wheel: a quaternion, moving rows."""
    model = jd.Model("hanging")
    body = model.add_body("body", jd.Inertia(1.0, moments=(0.2, 0.25, 0.1)))
    model.add_joint("ball", model.world, body.at(0.1, 0.0, 0.6), jd.Prismatic("x") * jd.Spherical())
    model.add_coordinate("wheel", 0.3)
    rod = Distance(model.world.at(0, 0, 1.0), body.at(0, 0.3, 0))
    model.add_connection("rod", rod, Equal(lambda t: 1.7 + 0.05 * jd.sin(3.0 * t)))
    gear = Coordinate("ball.position") + 0.5 * Coordinate("wheel")
    model.add_connection("gear", gear, Equal())
    return model


CASES = {
    "linkage": (linkage, {"crank.angle": 0.3, "crank.rate": 1.0}),
    "hanging": (hanging, {"ball.angular_velocity.z": 1.0}),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """System, start, and the final state by the method of order 8 at tight tolerance."""
    build, start = CASES[request.param]
    system = jd.compile(build())
    found = jd.assemble(system, start)
    best = jd.Dop853(rtol=1e-13, atol=1e-14)
    exact = jd.simulate(system, 0.5, start=found, method=best, sample=[0.0, 0.5])
    return system, found, np.concatenate([exact.q[-1], exact.v[-1]])


def final_error(case, integrator):
    system, start, exact = case
    sol = jd.simulate(system, 0.5, start=start, method=integrator, sample=[0.0, 0.25, 0.5])
    for name in ("position_errors", "velocity_errors"):
        errors = system.answers(name, sol.q, sol.v, t=sol.time)
        assert np.abs(errors).max() < 1e-10, (integrator, name)
    return float(np.max(np.abs(np.concatenate([sol.q[-1], sol.v[-1]]) - exact)))


def fixed():
    return [i for i in all_integrators() if hasattr(i, "dt")]


def adaptive():
    return [i for i in all_integrators() if hasattr(i, "rtol")]


def kind(integrator):
    return type(integrator).__name__


@pytest.mark.parametrize("integrator", fixed(), ids=kind)
def test_fixed_steps_converge_with_their_order(case, integrator):
    steps = np.array([0.01, 0.005, 0.0025])
    errors = [final_error(case, dataclasses.replace(integrator, dt=h)) for h in steps]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert order == pytest.approx(integrator.order, abs=0.3)


@pytest.mark.parametrize("integrator", adaptive(), ids=kind)
def test_large_steps_converge_with_the_order(case, integrator):
    steps = np.array([0.0625, 0.03125]) if integrator.order > 5 else np.array([0.04, 0.02])
    errors = [
        final_error(case, dataclasses.replace(integrator, rtol=1e-2, atol=1e-2, max_step=h))
        for h in steps
    ]
    order = np.log(errors[0] / errors[1]) / np.log(steps[0] / steps[1])
    assert order > integrator.order - 0.7


@pytest.mark.parametrize("integrator", adaptive(), ids=kind)
def test_default_tolerances(case, integrator):
    assert final_error(case, integrator) < 1e-6
