from __future__ import annotations

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.driving import with_drives
from jourdain.errors import ModelError, SingularSystemError, UnknownNameError


def says(text):
    return re.escape(text)


@pytest.fixture(scope="module")
def loop():
    model = jd.Model("loop")
    a = model.add_body("a", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    b = model.add_body("b", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("left", model.world, a, jd.Revolute("y"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("right", b.at(1, 0, 0), model.world.at(1, 0, 0), jd.Revolute("y"))
    return model


def test_positions_to_examine(loop):
    with pytest.raises(ModelError, match=says("at is 3; give an assembly, jd.assemble(model), or")):
        jd.structure(loop, at=3)
    other = jd.Model("other")
    other.add_coordinate("shaft", 1.0)
    text = "at is an assembly of 'other' with other coordinates than model 'loop' has. Assemble"
    with pytest.raises(ModelError, match=says(text)):
        jd.structure(loop, at=jd.assemble(other))


def test_choices_of_driven_coordinates(loop):
    with pytest.raises(UnknownNameError, match=says("no coordinate 'lft.angle' in model 'loop'.")):
        jd.structure(loop, driven="lft.angle")


def sway(t):
    return 1.0 + 0.1 * t


def test_what_can_be_driven(loop):
    with pytest.raises(ModelError, match=says("cannot move 3; give a jd.Model or a compiled")):
        jd.kinematics(3, 1.0)
    with pytest.raises(ModelError, match=says("driven is 3; name the coordinates, for example")):
        jd.kinematics(loop, 1.0, driven=3)
    with pytest.raises(UnknownNameError, match=says("no coordinate 'lft.angle' in 'loop'.")):
        jd.kinematics(loop, 1.0, driven={"lft.angle": sway})
    twice = with_drives(loop, {"left.angle": sway})
    with pytest.raises(ModelError, match=says("'left.angle' is driven by model 'loop' already.")):
        jd.kinematics(twice, 1.0, driven={"left.angle": sway})


def four_bar():
    model = jd.Model("four_bar")
    a, b, c = (model.add_body(x, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for x in "abc")
    model.add_joint("left", model.world, a, jd.Revolute("y"))
    model.add_joint("first", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("second", b.at(1, 0, 0), c, jd.Revolute("y"))
    model.add_joint("right", c.at(1, 0, 0), model.world.at(1.5, 0, 0), jd.Revolute("y"))
    return model


def test_freedoms_that_nothing_drives():
    text = "model 'four_bar' has 1 degree of freedom that nothing drives at t = 0 s: drive also '"
    with pytest.raises(ModelError, match=says(text)):
        jd.kinematics(four_bar(), 1.0)


def test_drives_that_contradict_each_other():
    model = four_bar()
    at = jd.assemble(model, {"left.angle": 1.0})
    held = at["first.angle"]
    text = "model 'four_bar': at t = 0 s its constraints contradict each other: whatever the"
    with pytest.raises(jd.AssemblyError, match=says(text)):
        jd.kinematics(model, 1.0, driven={"left.angle": sway, "first.angle": held}, near=at)


def test_a_drive_that_jumps():
    drive = {"left.angle": lambda t: 1.0 + 0.5 * jd.where(t < 0.55, 0.0, 1.0)}
    text = "model 'four_bar' stops at t = 0.5"
    with pytest.raises(jd.IntegrationError, match=says(text)) as caught:
        jd.kinematics(four_bar(), 1.0, driven=drive, sample=0.1)
    assert "the constraints cannot hold beyond it. Likely causes: a drive that jumps" in str(
        caught.value
    )
    assert len(caught.value.solution.time) == 6


def test_forces_that_cannot_cause_a_motion(loop):
    with pytest.raises(ModelError, match=says("cannot load 3; give a jd.Model or a compiled")):
        jd.inverse_dynamics(3, {}, actuated=())
    model = four_bar()
    with pytest.raises(ModelError, match=says("motion is 3; give a solution, an assembly, or")):
        jd.inverse_dynamics(model, 3, actuated="left.angle")
    at = jd.assemble(model, {"left.angle": 1.0})
    text = (
        "model 'four_bar': forces along no coordinate cannot cause the motion at t = 0 s: the rate"
    )
    with pytest.raises(SingularSystemError, match=says(text)):
        jd.inverse_dynamics(model, at, actuated=(), accelerations={"left.angle": 1.0})
    wanted = {"left.angle": 1.0, "first.angle": 7.0}
    text = "the accelerations of 'left.angle', 'first.angle' contradict the constraints of model"
    with pytest.raises(ModelError, match=says(text)) as caught:
        jd.inverse_dynamics(model, at, actuated="left.angle", accelerations=wanted)
    loop = r"  the loop left - first - second - right opens at joint '\w+' by [\d.]+ m/s\^2 and"
    assert re.search(loop, str(caught.value))
    assert "Give fewer of them (1 is enough); the others follow." in str(caught.value)
    wanted = {"left.angle": 1.0, "left.rate": 2.0}
    with pytest.raises(ModelError, match=says("two accelerations of 'left.rate' are given, 1 and")):
        jd.inverse_dynamics(model, at, actuated="left.angle", accelerations=wanted)
    with pytest.raises(UnknownNameError, match=says("no coordinate 'third.angle' in model")):
        jd.inverse_dynamics(model, at, actuated="left.angle", accelerations={"third.angle": 1.0})
    with pytest.raises(ModelError, match=says("the acceleration of 'left.angle' is nan")):
        jd.inverse_dynamics(model, at, actuated="left.angle", accelerations={"left.angle": np.nan})
    with pytest.raises(
        UnknownNameError, match=says("no weighted force 'first.angle' in actuated.")
    ):
        jd.inverse_dynamics(model, at, actuated="left.angle", weights={"first.angle": 2.0})
    with pytest.raises(ModelError, match=says("the weight of 'left.angle' is -1; give a positive")):
        jd.inverse_dynamics(model, at, actuated="left.angle", weights={"left.angle": -1})


def test_accelerations_that_contradict_held_measures_and_cut_joints():
    model = jd.Model("gears")
    for name in ("pinion", "wheel"):
        model.add_coordinate(name, 1.0)
    mesh = 2.0 * jd.Coordinate("pinion") + jd.Coordinate("wheel")
    model.add_connection("mesh", mesh, jd.Equal())
    wanted = {"pinion": 1.0, "wheel": 1.0}
    with pytest.raises(ModelError, match=says("  connection 'mesh' is off by 3")):
        jd.inverse_dynamics(model, {}, actuated="pinion", accelerations=wanted)


def test_motions_of_another_machine(loop):
    other = jd.Model("other")
    other.add_coordinate("shaft", 1.0)
    sol = jd.simulate(other, 0.1)
    text = "the motion is one of model 'other', which has no 'left.angle'; give a solution of the"
    with pytest.raises(ModelError, match=says(text)):
        jd.inverse_dynamics(loop, sol, actuated="left.angle")
    with pytest.raises(ModelError, match=says("accelerations belong to one state; a solution has")):
        jd.inverse_dynamics(other, sol, actuated="shaft", accelerations={"shaft": 1.0})
    none = jd.Solution(sol.system, [], np.zeros((0, 1)), np.zeros((0, 1)))
    with pytest.raises(ModelError, match=says("the solution of model 'other' has no samples.")):
        jd.inverse_dynamics(other, none, actuated="shaft")
