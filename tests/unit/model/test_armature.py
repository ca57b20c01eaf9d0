"""Armatures as the user gives them, in models and in files."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import ModelError, TopologyError, UnknownNameError


def machine(kind, armature):
    model = jd.Model("machine")
    body = model.add_body("body", jd.Inertia(1.0, moments=(0.1, 0.1, 0.1)))
    model.add_joint("joint", model.world, body, kind, armature=armature)
    return model


@pytest.mark.parametrize(
    ("kind", "given", "stored"),
    [
        (jd.Revolute("x"), 0.2, {"rate": 0.2}),
        (jd.Prismatic("x"), {"position": 0.2}, {"velocity": 0.2}),
        (jd.Universal(), {"angle_2": 1}, {"rate_2": 1.0}),
        (jd.Universal(), {"rate_1": 0.5, "angle_2": 1}, {"rate_1": 0.5, "rate_2": 1.0}),
        (
            jd.Spherical(),
            {"angular_velocity": 0.3},
            {f"angular_velocity.{c}": 0.3 for c in "xyz"},
        ),
    ],
)
def test_names(kind, given, stored):
    model = machine(kind, given)
    assert model.joint("joint").armature == stored
    assert io.loads(io.dumps(model)) == model
    assert "armature" in str(model)


def test_a_number_in_a_file():
    text = io.dumps(machine(jd.Revolute("x"), 0.2)).replace("{ rate = 0.2 }", "0.2")
    assert "armature = 0.2" in text
    assert io.loads(text) == machine(jd.Revolute("x"), 0.2)


def test_a_parameter():
    model = machine(jd.Revolute("x"), jd.Parameter("rotor", 0.2))
    assert io.loads(io.dumps(model)) == model
    system = jd.compile(model)
    assert system.mass_matrix([0.0], parameters={"rotor": 0.9})[0, 0] == pytest.approx(1.0)
    with pytest.raises(ModelError, match=r"the armature of 'rate' is -1: it must be zero or pos"):
        model.validate({"rotor": -1.0})


@pytest.mark.parametrize(
    ("kind", "given", "error", "text"),
    [
        (jd.Revolute("x"), -0.1, ModelError, "joint 'joint': the armature is -0.1: it must be zer"),
        (jd.Revolute("x"), float("nan"), ModelError, "joint 'joint': the armature is nan: give a"),
        (jd.Universal(), 0.1, ModelError, r"but Universal has 2 velocities.*angle_1, angle_2"),
        (
            jd.Universal(),
            {"angle": 0.1},
            UnknownNameError,
            "no coordinate 'angle' in joint 'joint'",
        ),
        (jd.Universal(), {"angle_1": 1, "rate_1": 1}, ModelError, "of 'rate_1' is given twice"),
        (jd.Fixed(), 0.1, ModelError, "Fixed has 0 velocities"),
    ],
)
def test_mistakes(kind, given, error, text):
    with pytest.raises(error, match=text):
        machine(kind, given)


def test_loops_of_joints_that_all_have_one():
    model = jd.Model("loop")
    bodies = [model.add_body(f"b{k}", jd.Inertia(1.0, moments=(1, 1, 1))) for k in range(2)]
    joints = [(model.world, bodies[0]), (*bodies,), (bodies[1], model.world.at(1, 0, 0))]
    for k, ends in enumerate(joints):
        model.add_joint(f"j{k}", *ends, jd.Revolute("z"), armature=0.1)
    with pytest.raises(TopologyError) as error:
        jd.compile(model)
    assert str(error.value) == (
        "joint 'j2' has an armature, but it closes a loop and is cut, because all joints of its "
        "loop have one. An armature acts in joints of the tree.\n"
        "  Cut another joint of the loop, or make the rotor a coordinate of its own that turns "
        "with 'j2':\n"
        "  model.add_coordinate('j2_rotor', inertia) and model.add_connection('j2_shaft', "
        "jd.Coordinate('j2_rotor') - jd.Coordinate('j2.angle'), jd.Equal())."
    )


@pytest.mark.parametrize("execution", [jd.Unrolled(), jd.Looped(), jd.Looped(lanes=4)], ids=repr)
def test_joints_of_more_than_six_velocities(execution):
    """Numbers of the kind, which lie behind the armature, stay in their place."""
    kind = jd.Revolute("x") * jd.Screw("y", 0.3) * jd.Free()
    armature = {name: 0.1 * (k + 1) for k, name in enumerate(kind.velocities)}
    assert len(armature) == 8
    model = machine(kind, armature)
    plain, system = (jd.compile(model, execution=e) for e in (jd.Plain(), execution))
    q, _ = plain.state({"joint.angle_1": 0.3, "joint.angle_2": 0.4})
    v, vdot = np.random.default_rng(3).normal(size=(2, 8))
    found, expected = (s.inverse_dynamics(q, v, vdot) for s in (system, plain))
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    without = jd.compile(machine(kind, None), execution=jd.Plain())
    rest = expected - without.inverse_dynamics(q, v, vdot)
    np.testing.assert_allclose(rest, [*armature.values()] * vdot, rtol=1e-9, atol=1e-12)
