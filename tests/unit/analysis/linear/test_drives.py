"""Driven coordinates as inputs, in trees and in closed loops."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.linear.drives import DriveTwin, driven_names
from jourdain.testing.random_loops import random_loop_model

PLACES = ((-2, 1), (-1, -8), (1, 8), (2, -1))


def slider_crank(angle=1.0):
    """Driven crank of 0.1 m, rod of 0.3 m, and a load on a spring that rides on the piston."""
    model = jd.Model("slider crank")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    piston = model.add_body("piston", jd.solid.ball(mass=0.4, radius=0.02))
    load = model.add_body("load", jd.solid.ball(mass=0.2, radius=0.02))
    model.add_joint("main", model.world, crank, jd.Revolute("y"), driven={"angle": angle})
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    model.add_joint("ride", piston, load, jd.Prismatic("x"))
    law = jd.Spring(100.0) + jd.Damper(0.5)
    model.add_connection("spring", jd.Coordinate("ride.position"), law)
    return model


@pytest.mark.parametrize("cut", [(), "guide", "wrist", "big_end"])
def test_a_driven_crank_moves_its_loop(cut):
    system = jd.compile(slider_crank(), cut=cut)
    rest = jd.equilibrium(system, {"guide.position": 0.35})
    names = ["guide.position", "guide.velocity", "load.position.x"]
    lin = jd.linearize(system, rest, inputs=["main.angle"], outputs=names)
    root = np.sqrt(0.09 - 0.01 * np.sin(1.0) ** 2)
    slope = -0.1 * np.sin(1.0) - 0.01 * np.sin(1.0) * np.cos(1.0) / root
    assert lin.states == ("ride.position", "ride.velocity")
    np.testing.assert_allclose(lin.B, [[0, 0, 0], [0, 0, -slope]], atol=1e-12)
    expected = [[slope, 0, 0], [0, slope, 0], [slope, 0, 0]]
    np.testing.assert_allclose(lin.feedthrough[:3], expected, atol=1e-9)
    response = jd.frequency_response(lin, [3.0])
    w = 6.0 * np.pi
    ratio = w**2 / (500.0 - w**2 + 2.5j * w)  # relative motion over motion of the base
    both = response["guide.position"], response["load.position.x"]
    np.testing.assert_allclose(both, [[slope], [slope * (1 + ratio)]], rtol=1e-9)


def test_force_of_a_shaken_joint():
    """A rod hangs on a table: what the joint carries follows from the motion of its centre."""
    model = jd.Model("shaken")
    table = model.add_body("table", jd.solid.ball(mass=1.0, radius=0.1))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("slide", model.world, table, jd.Prismatic("x"), driven={"position": 0.0})
    model.add_joint("hinge", table, rod, jd.Revolute("y"))
    response = jd.frequency_response(
        model, [2.0], inputs=["slide.position"], outputs=["hinge.force", "hinge.angle"]
    )
    w = 4.0 * np.pi
    # Rod about its pin: J φ̈ − m l/2 ẍ + m g l/2 φ = 0, with x of the centre x − l/2 φ.
    swing = -(w**2) * 0.25 / (9.81 * 0.25 - w**2 * 0.25 / 3)
    np.testing.assert_allclose(response["hinge.angle"], swing, rtol=1e-9)
    force = -(w**2) * (1.0 - 0.25 * swing)
    np.testing.assert_allclose(response["hinge.force.x"], force, rtol=1e-8)


def test_a_driven_scalar_coordinate():
    model = jd.Model("shaft")
    model.add_coordinate("motor", 1.0, driven=lambda t: 0.0 * t)
    model.add_coordinate("load", 2.0)
    model.add_connection("c", jd.Coordinate("load") - jd.Coordinate("motor"), jd.Spring(50.0))
    for name in ("motor", "motor.value"):
        lin = jd.linearize(model, inputs=[name], outputs=["load", "c.force"])
        np.testing.assert_allclose(lin.B, [[0, 0, 0], [25.0, 0, 0]], atol=1e-12)
        np.testing.assert_allclose(lin.feedthrough[1], [50.0, 0, 0], atol=1e-9)


def columns_by_differences(lin, system, driven):
    """Rates of the independent states by drives, from runs' own state equation of a twin."""
    twin, at = DriveTwin(lin.point, driven), lin.point.at
    steps, tangent = lin.tangent.steps, lin.tangent
    n = len(steps.places)
    still = np.zeros(n + len(at.v))
    found = []
    for column in range(3 * len(driven)):
        total = np.zeros(len(lin.states))
        for place, weight in PLACES:
            moved, values = twin.moved(column, place * 1e-4, still, steps)
            zdot = twin.system.coordinate_rates(moved.q, moved.v, at.t, parameters=moved.p)
            vdot = twin.system.forward_dynamics(moved.q, moved.v, t=at.t, parameters=moved.p)
            rates = steps.inverse(at.q) @ zdot
            eta = steps.inverse(at.q) @ (moved.q - at.q)  # projection moves independent ones, too
            own = np.r_[eta[tangent.positions], (moved.v - at.v)[tangent.velocities]]
            found_rates = np.r_[rates[tangent.positions], vdot[tangent.velocities]]
            total += weight * (found_rates - lin.A @ own)
        found.append(total / (12 * 1e-4))
    return np.array(found).T


@pytest.mark.parametrize("seed", range(4))
def test_of_random_loops(seed):
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal(), jd.Cylindrical("z"))
    model, start, t = random_loop_model(rng, 4, 1, driven=True, kinds=kinds, closing=kinds)
    system = jd.compile(model)
    driven = driven_names(system)[:1]
    if not driven:
        pytest.skip("nothing is driven")
    state = jd.assemble(system, start, t=t)
    lin = jd.linearize(system, (state.q, state.v), t=t, inputs=driven, moving=True)
    expected = columns_by_differences(lin, system, driven)
    np.testing.assert_allclose(lin.B, expected, atol=2e-6 * (1 + np.abs(expected).max()))
