"""What is known of a step before it is made: linear, constant, straight."""

import pytest

import jourdain as jd
from jourdain.system.contact.step_kernels import step_kernels


def net(law):
    model = jd.Model("net", gravity=(0, 0, 0))
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 2.0)
    model.add_connection("law", jd.Coordinate("a") - jd.Coordinate("b"), law)
    model.add_connection("dry", jd.Coordinate("b"), jd.Interval(1.0))
    return jd.compile(model)


@pytest.mark.parametrize(
    ("law", "is_linear"),
    [
        (jd.Spring(10.0) + jd.Damper(2.0), True),
        (jd.Force(lambda t: 2.0 * jd.sin(t)), True),
        (jd.Law(lambda x, v: -(x**3)), False),
        (jd.Law(lambda x, v: -v * abs(v)), False),
    ],
)
def test_linear_machines(law, is_linear):
    kernels = step_kernels(net(law), {}, {})
    assert kernels.is_linear == is_linear
    assert kernels.is_straight


def test_feedback_from_elsewhere_is_not_symmetric():
    system = net(jd.Spring(1.0))
    one_way = {"a": lambda t, s: -3.0 * s["b.value"]}
    assert step_kernels(system, {}, {}).is_linear
    assert not step_kernels(system, one_way, {}).is_linear


def test_rows_of_bodies_turn():
    model = jd.Model("rod")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("pin", model.world, rod, jd.Revolute("y"))
    model.add_contact(
        "floor", jd.HalfSpace(model.world), jd.Point(rod.at(1, 0, 0)), jd.Coulomb(0.3)
    )
    kernels = step_kernels(jd.compile(model), {}, {})
    assert not kernels.is_straight
    assert not kernels.is_linear
    assert kernels.mass.places == [(0, 0)]


def test_kernels_are_kept():
    system = net(jd.Spring(1.0))
    assert step_kernels(system, {}, {}) is step_kernels(system, {}, {})
