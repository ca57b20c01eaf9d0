"""A swinging parallelogram, whose closed loop moves as a pendulum, with every integrator."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import all_integrators

LENGTH, CRANK, COUPLER = 0.5, 0.6, 1.4  # [m, kg, kg]
START = {"left.angle": 0.8}
METHODS = {type(x).__name__: x for x in all_integrators()}
LIMITS = {"SemiImplicitEuler": 5e-3, "GeneralizedAlpha": 5e-5}


@pytest.fixture(scope="module")
def system():
    """Two cranks side by side, and a bar between their ends that only translates."""
    model = jd.Model("parallelogram")
    left, right = (
        model.add_body(name, jd.solid.rod(mass=CRANK, end=(0, 0, -LENGTH)))
        for name in ("crank_left", "crank_right")
    )
    bar = model.add_body("bar", jd.solid.rod(mass=COUPLER, end=(1, 0, 0)))
    model.add_joint("left", model.world, left, jd.Revolute("y"))
    model.add_joint("right", model.world.at(1, 0, 0), right, jd.Revolute("y"))
    model.add_joint("lower_left", left.at(0, 0, -LENGTH), bar, jd.Revolute("y"))
    model.add_joint("lower_right", right.at(0, 0, -LENGTH), bar.at(1, 0, 0), jd.Revolute("y"))
    return jd.compile(model)


@pytest.fixture(scope="module")
def pendulum():
    """Angles and rates of the pendulum with its inertia and weight."""
    inertia = 2 * CRANK * LENGTH**2 / 3 + COUPLER * LENGTH**2
    weight = (2 * CRANK * 0.5 + COUPLER) * LENGTH  # mass times lever [kg m]
    model = jd.Model("pendulum")
    mass = weight**2 / inertia  # a point mass at a distance has both
    body = model.add_body("bob", jd.Inertia(mass, com=(0, 0, -inertia / weight)))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"))
    tight = jd.Dop853(rtol=1e-13, atol=1e-14)
    sol = jd.simulate(model, 3.0, start={"hinge.angle": 0.8}, method=tight, sample=0.1)
    return sol.q[:, 0], sol.v[:, 0]


def compare(system, pendulum, integrator, limit):
    sol = jd.simulate(system, 3.0, start=START, method=integrator, sample=0.1)
    for name in ("left", "right"):
        np.testing.assert_allclose(sol.values(f"{name}.angle"), pendulum[0], atol=limit)
        np.testing.assert_allclose(sol.values(f"{name}.rate"), pendulum[1], atol=5 * limit)
    ends = [sol.values(f"{x}.position") for x in ("crank_right", "bar")]
    angle = sol.values("right.angle")
    corner = ends[0] - LENGTH * np.column_stack((np.sin(angle), 0.0 * angle, np.cos(angle)))
    np.testing.assert_allclose(ends[1] + (1.0, 0.0, 0.0), corner, atol=1e-12)  # it stays closed
    return sol


@pytest.mark.parametrize("name", METHODS)
def test_it_moves_as_the_pendulum(system, pendulum, name):
    compare(system, pendulum, METHODS[name], LIMITS.get(name, 1e-7))


@pytest.mark.parametrize("method", [jd.Cvode(), jd.Cvode(is_stiff=False), jd.Ida()])
def test_sundials(system, pendulum, method):
    pytest.importorskip("sksundae")
    compare(system, pendulum, method, 1e-7)
