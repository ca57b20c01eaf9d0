from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.system.description import Description


@pytest.fixture
def described(crane):
    return Description(crane, share=False)


def test_links_follow_the_tree_and_then_the_scalar_coordinates(described):
    assert [link.name for link in described.links] == ["ship", "boom", "hook", "winch"]
    assert [link.inboard for link in described.links] == [0, 1, 2, 0]


def test_layout_counts(described):
    assert (described.n_q, described.n_v) == (11, 10)
    assert described.layout.q_start == (0, 7, 8, 10)
    assert described.layout.v_start == (0, 6, 7, 9)
    assert described.layout.n_bodies == 4  # scalar coordinates lie behind the bodies


def test_parameters_are_symbols_until_they_get_values(described):
    assert list(described.symbols) == ["mass", "reach"]
    np.testing.assert_array_equal(described.nominal, [2.0, 3.0])
    boom = described.links[1]
    assert isinstance(boom.constants["m"], ca.SX)
    (_, boom, hook, _) = described.links_for({"mass": 7.0, "reach": 4.0})
    assert boom.constants["m"] == 7.0
    np.testing.assert_allclose(np.ravel(hook.constants["p0"]), [4.0, 0.0, 0.0])


def test_gravity_may_be_a_parameter():
    g = jd.Parameter("g", 9.81, "m/s^2")
    model = jd.Model("moon", gravity=(0, 0, -g))
    bob = model.add_body("bob", jd.Inertia(mass=2.0, com=(1.0, 0, 0)))
    model.add_joint("hinge", model.world, bob, jd.Revolute("y"))
    d = Description(model, share=False)
    np.testing.assert_array_equal(d.gravity({"g": 1.62}), [0, 0, -1.62])
    for execution in (jd.Plain(), jd.Unrolled(), jd.Looped()):
        system = jd.compile(model, execution=execution)
        for value in (9.81, 1.62):
            force = system.gravity_forces([0.0], parameters={"g": value})
            np.testing.assert_allclose(force, [-2.0 * value], rtol=1e-14)


def test_drives_give_values_and_rates():
    model = jd.Model("table")
    plate = model.add_body("plate", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    speed = jd.Parameter("speed", 2.0, "rad/s")
    model.add_joint("turn", model.world, plate, jd.Revolute("z"), driven={"angle": speed_of(speed)})
    model.add_coordinate("lift", 1.0, driven=lambda t: t**3)
    d = Description(model, share=False)
    e, e1, e2 = (np.array(x).reshape(-1) for x in d.drives(2.0, [5.0]))
    np.testing.assert_allclose([e, e1, e2], [[10.0, 8.0], [5.0, 12.0], [0.0, 12.0]])
    model = jd.Model("free")
    model.add_coordinate("lift", 1.0)
    assert Description(model, share=False).drives is None


def speed_of(speed):
    return lambda t: speed * t
