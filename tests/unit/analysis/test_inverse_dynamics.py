from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal, Law
from jourdain.model.measures import Coordinate, Distance

Y = jd.Revolute("y")


def four_bar():
    model = jd.Model("four_bar")
    a, b, c = (
        model.add_body(name, jd.solid.rod(mass=l, end=(l, 0, 0)))
        for name, l in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5))
    )
    model.add_joint("main", model.world, a, Y)
    model.add_joint("first", a.at(1, 0, 0), b, Y)
    model.add_joint("second", b.at(3, 0, 0), c.at(2.5, 0, 0), Y)
    model.add_joint("pivot", model.world.at(3, 0, 0), c, Y)
    return model


@pytest.fixture(scope="module")
def system():
    return jd.compile(four_bar())


@pytest.fixture(scope="module")
def motion():
    drive = {"main.angle": lambda t: -1.0 + jd.sin(2.0 * t)}
    return jd.kinematics(four_bar(), 2.0, driven=drive, sample=0.01)


def test_one_force_is_that_of_the_drive(system, motion):
    sol = jd.inverse_dynamics(system, motion, actuated="main.angle")
    expected = motion["main.applied_torque"].values
    assert sol["main.applied_torque"].values == pytest.approx(expected, rel=1e-9, abs=1e-8)
    assert sol["first.force"].values[:, ::2] == pytest.approx(
        motion["first.force"].values[:, ::2], rel=1e-8, abs=1e-7
    )


def test_the_forces_cause_the_motion(system, motion):
    """Forward dynamics with the forces over time gives the motion back."""
    few = motion.at(np.linspace(0.0, 1.0, 26))
    sol = jd.inverse_dynamics(system, few, actuated=["main.angle", "pivot.angle"])
    vdot = system.answers("vdot", sol.q, sol.v, sol.tau, sol.time, extra=sol.extra)
    assert vdot == pytest.approx(sol.vdot, rel=1e-9, abs=1e-9)
    torques = {
        f"{name}.angle": jd.Table(sol.time, sol[f"{name}.applied_torque"].values, kind="cubic")
        for name in ("main", "pivot")
    }
    start = {name: float(sol[name][0]) for name in ("main.angle", "main.rate")}
    near = {name: float(sol[name][0]) for name in ("first.angle", "second.angle")}
    at = jd.assemble(system, start, near=near)
    run = jd.simulate(system, 1.0, start=at, inputs=torques, sample=0.1)
    # forces are interpolated between 26 points: (0.04 s)^3 of the fast parts remain
    assert run["main.angle"].values == pytest.approx(-1 + np.sin(2 * run.time), abs=1e-4)


def test_redundant_forces_have_the_least_norm(system, motion):
    """Of forces u along rates w with the same power, the least is u = power w / (w · w)."""
    names = ["main", "second", "pivot"]
    sol = jd.inverse_dynamics(system, motion, actuated=[f"{n}.angle" for n in names])
    w = np.array([sol[f"{n}.rate"].values for n in names])
    u = np.array([sol[f"{n}.applied_torque"].values for n in names])
    moving = np.abs(w[0]) > 1e-2
    power = np.sum(u * w, axis=0)
    one = motion["main.applied_torque"].values * motion["main.rate"].values
    assert power == pytest.approx(one, abs=1e-7)
    least = power * w / np.sum(w * w, axis=0)
    assert u[:, moving] == pytest.approx(least[:, moving], abs=1e-6)


def test_weights_move_the_load_away(system, motion):
    heavy = {"main.angle": 1e3}
    names = ["main.angle", "pivot.angle"]
    sol = jd.inverse_dynamics(system, motion, actuated=names, weights=heavy)
    only = jd.inverse_dynamics(system, motion, actuated="pivot.angle")
    free = np.abs(sol["pivot.rate"].values) > 0.1
    expected = only["pivot.applied_torque"].values[free]
    assert sol["pivot.applied_torque"].values[free] == pytest.approx(expected, rel=1e-3)


def test_one_state_with_accelerations(system):
    at = jd.assemble(system, {"main.angle": -1.0, "main.rate": 2.0})
    sol = jd.inverse_dynamics(system, at, actuated="main.angle", accelerations={"main.angle": 5.0})
    assert float(sol["main.angular_acceleration"][0]) == pytest.approx(5.0, rel=1e-14)
    tau = {"main.angle": float(sol["main.applied_torque"][0])}
    vdot = system.forward_dynamics(at.q, at.v, tau)
    assert vdot == pytest.approx(sol.vdot[0], rel=1e-10)


def test_a_tree_and_other_inputs():
    model = jd.Model("cart")
    cart = model.add_body("cart", jd.solid.box(mass=2.0, size=(1, 1, 1)))
    model.add_joint("rail", model.world, cart, jd.Prismatic("x"))
    sol = jd.inverse_dynamics(
        model,
        {"rail.velocity": 3.0},
        actuated="rail.position",
        accelerations={"rail.velocity": 4.0},
        inputs={"rail.position": lambda t, s: -0.5 * s["rail.velocity"]},
    )
    # all forces together are mass times acceleration
    assert float(sol["rail.applied_force"][0]) == pytest.approx(8.0)


def test_an_input_of_a_law_can_be_what_is_looked_for():
    model = jd.Model("press", gravity=(0, 0, -10))
    ram = model.add_body("ram", jd.solid.box(mass=2.0, size=(1, 1, 1)))
    model.add_joint("guide", model.world, ram, jd.Prismatic("z"))
    law = Law(lambda x, v, at: 0.01 * at.input("pressure"), inputs={"pressure": "Pa"})
    model.add_connection("cylinder", Coordinate("guide.position"), law)
    sol = jd.inverse_dynamics(model, {}, actuated="cylinder.pressure")
    assert float(sol["cylinder.pressure"][0]) == pytest.approx(2000.0)


def test_a_law_that_asks_for_a_constraint_force():
    """Friction of a sliding block on a rod: the push grows with the friction it causes."""
    model = jd.Model("friction", gravity=(0, 0, -10))
    block = model.add_body("block", jd.solid.box(mass=2.0, size=(1, 1, 1)))
    model.add_joint("plane", model.world, block, jd.Planar("y"), driven={"angle": 0.0})
    names = list(jd.compile(model).names.q)
    along, up = ("plane.position.x", "plane.position.z")
    assert set(names) == {along, up}
    model.add_connection("floor", Coordinate(up), Equal())
    law = Law(lambda x, v, at: -0.3 * at.multiplier("floor"))
    model.add_connection("friction", Coordinate(along), law)
    sol = jd.inverse_dynamics(model, {}, actuated=along, accelerations={along: 1.0})
    assert float(sol["plane.applied_force.x"][0]) == pytest.approx(2.0 + 0.3 * 20.0)


def test_forces_for_a_motion_of_a_machine_with_other_drives():
    """A strut by its length: driven there, pushed by a force here."""

    def crane(value):
        model = jd.Model("crane")
        arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
        model.add_joint("foot", model.world, arm, Y)
        measure = Distance(arm.at(1, 0, 0), model.world.at(0, 0, -1))
        if value is None:
            model.add_connection("strut", measure, Law(lambda x, v, at: at.input("push"),
                                                       inputs={"push": "N"}))  # fmt: skip
        else:
            model.add_connection("strut", measure, Equal(value))
        return model

    moved = jd.kinematics(crane(lambda t: 1.4 + 0.1 * t), 1.0, sample=0.1)
    sol = jd.inverse_dynamics(crane(None), moved, actuated="strut.push")
    assert sol["strut.push"].values == pytest.approx(moved["strut.force"].values, rel=1e-9)
