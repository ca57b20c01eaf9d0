"""Quantities are declared once, and depend on what their level says."""

from __future__ import annotations

import casadi as ca
import pytest

import jourdain as jd
from jourdain.equations.mechanism import CORRECTIONS, Mechanism
from jourdain.equations.quantities import Level, MechanismQuantity, declared

QUANTITIES = declared(Mechanism)


def slider():
    """A driven loop with a held measure, a contact with friction, and a spring with an input."""
    model = jd.Model("slider")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    rod = model.add_body("rod", jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)))
    disk = model.add_body("disk", jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("pin", crank.at(1, 0, 0), rod, jd.Revolute("y"))
    guide = jd.Prismatic("x") * jd.Revolute("y")
    model.add_joint("guide", model.world, rod.at(2, 0, 0), guide)
    model.add_joint("axle", rod, disk, jd.Revolute("y"))
    ratio = jd.Coordinate("main.angle") + 2.0 * jd.Coordinate("axle.angle")
    model.add_connection("gear", ratio, jd.Equal(0.3))
    span = jd.Distance(model.world.at(0, 0, 3), rod.at(1, 0, 0))
    model.add_connection("spring", span, jd.Spring(10.0, free=0.5))
    model.add_connection("stop", jd.Coordinate("main.angle"), jd.Unilateral(restitution=0.5))
    model.add_connection("brake", jd.Coordinate("axle.angle"), jd.Interval(0.5))
    return model


@pytest.fixture(scope="module")
def graph():
    return jd.compile(slider()).mode_graph


def test_record_on_the_class_and_expression_on_the_object(graph):
    equations = graph[1]
    assert isinstance(Mechanism.vdot, MechanismQuantity)
    assert Mechanism.vdot.name == "vdot"
    assert equations.vdot is equations.vdot
    assert equations.vdot is Mechanism.vdot.of(equations)


def test_declared():
    assert QUANTITIES["vdot"] is Mechanism.vdot
    assert all(name == quantity.name for name, quantity in QUANTITIES.items())
    assert all(quantity in QUANTITIES.values() for quantity in CORRECTIONS)


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_shape_and_level(graph, quantity):
    x, equations = graph
    value = quantity.of(equations)
    assert quantity.is_matrix or value.shape[1] == 1
    others = {
        Level.POSITION: ("v", "tau", "wrench", "extra"),
        Level.VELOCITY: ("tau", "wrench", "extra"),
        Level.FORCE: (),
    }[quantity.level]
    for name in others:
        assert not ca.depends_on(value, x[name]), f"{quantity.name} depends on {name}"


def test_levels_can_fail(graph):
    x, equations = graph
    assert ca.depends_on(equations.velocity_errors, x["v"])
    assert ca.depends_on(equations.vdot, x["tau"])
