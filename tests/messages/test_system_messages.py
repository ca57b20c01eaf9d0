"""Error texts of compiled systems."""

from __future__ import annotations

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError, UnknownNameError

EXECUTIONS = [jd.Plain(), jd.Unrolled(), jd.Looped()]


def make():
    model = jd.Model("crane")
    model.add_body("ship", jd.Inertia(mass=5.0, moments=(1, 2, 3)))
    model.add_body("boom", jd.Inertia(mass=jd.Parameter("mass", 2.0, "kg"), moments=(1, 1, 1)))
    model.add_joint("slew", "ship", "boom", jd.Revolute("z"))
    model.add_frame("tip", model.body("boom").at(jd.Parameter("reach", 3.0, "m"), 0, 0))
    return model


@pytest.fixture
def system():
    return jd.compile(make())


def says(text):
    return re.escape(text)


# ---- names


def test_unknown_quantity(system):
    text = "no quantity 'multiplier' in the equations of a mechanism. Quantities: "
    with pytest.raises(UnknownNameError, match=says(text)) as error:
        system.answers("multiplier", np.zeros(8), np.zeros(7))
    assert str(error.value).endswith("Did you mean 'multipliers'?")


def test_unknown_coordinate(system):
    text = "no coordinate 'slew.angl' in model 'crane'. Coordinates: ship.position.x, "
    with pytest.raises(UnknownNameError, match=says(text)) as error:
        system.index("slew.angl")
    assert str(error.value).endswith("Did you mean 'slew.angle'?")
    with pytest.raises(LookupError):
        system.index("nothing")


def test_unknown_coordinate_of_a_start(system):
    with pytest.raises(UnknownNameError, match=says("Did you mean 'slew.rate'?")):
        system.state({"slew.rat": 1.0})


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("slew.angle", (1.0, 2.0), "start value (1.0, 2.0) of 'slew.angle' should be one finite"),
        ("slew.angle", np.nan, "start value nan of 'slew.angle' should be one finite number."),
        ("ship.position", (1, 2), "start value (1, 2) of 'ship.position' should be 3 finite num"),
        ("ship.position", (0, np.inf, 0), "of 'ship.position' should be 3 finite numbers."),
        ("ship.position", np.ones((2, 3)), "start value an array of shape (2, 3) of 'ship.posit"),
        ("slew.angle", "fast", "'fast' is no number and no array of numbers."),
        ("slew.angle", "a", "start value of 'slew.angle' is wrong: 'a' is no number and no array"),
        ("slew.angle", None, "start value None of 'slew.angle' should be one finite number."),
    ],
)
def test_wrong_start_value(system, name, value, text):
    with pytest.raises(ModelError, match=says(text)):
        system.state({name: value})


def test_unknown_parameter(system):
    text = "no parameter 'mas' in model 'crane'. Parameters: mass, reach. Did you mean 'mass'?"
    with pytest.raises(UnknownNameError, match=says(text)):
        system.poses(system.state()[0], parameters={"mas": 1.0})


def test_parameter_of_a_model_without_any():
    model = jd.Model("bare")
    model.add_coordinate("x", 1.0)
    text = "no parameter 'mass' in model 'bare'. It has no parameters yet."
    with pytest.raises(UnknownNameError, match=says(text)):
        jd.compile(model).poses([0.0], parameters={"mass": 1.0})
    text = "parameters are [1.0], but the last axis must hold 0: the model has none."
    with pytest.raises(ModelError, match=says(text)):
        jd.compile(model).poses([0.0], parameters=[1.0])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([1.0], "model 'crane': parameters are [1.0], but the last axis must hold 2: mass, reach."),
        (3.0, "parameters are 3.0, but the last axis must hold 2: mass, reach."),
        (np.ones((5, 3)), "parameters are an array of shape (5, 3), but the last axis must hold 2"),
        (
            {"mass": np.ones(3), "reach": np.ones(4)},
            "do not fit: mass (3,), reach (4,).",
        ),
        ({"mass": "heavy"}, "value of parameter 'mass' is 'heavy': give a number."),
        ({"mass": ["a", 1.0]}, "value of parameter 'mass' is wrong: ['a', 1.0] is no number"),
        ({"mass": True}, "value of parameter 'mass' is True: give a number."),
        ({"mass": [1.0, np.nan]}, "value of parameter 'mass' is not finite in all of the batch"),
    ],
)
def test_wrong_parameters(system, given, text):
    with pytest.raises(ModelError, match=says(text)):
        system.poses(system.state()[0], parameters=given)


def test_loops_refuse_parameters_that_differ_within_a_batch():
    looped = jd.compile(make(), execution=jd.Looped())
    text = (
        "parameters that differ within a batch need straight-line code. "
        "Compile with jd.compile(model, execution=jd.Unrolled())."
    )
    with pytest.raises(ModelError, match=says(text)):
        looped.poses(looped.state()[0], parameters={"mass": [1.0, 2.0]})


def test_the_advice_for_parameters_in_a_batch_works():
    unrolled = jd.compile(make(), execution=jd.Unrolled())
    poses = unrolled.poses(unrolled.state()[0], parameters={"mass": [1.0, 2.0]})
    assert poses.shape == (2, 2, 4, 4)


# ---- frames


def test_unknown_frame(system):
    text = "no frame 'tipp' in model 'crane'. Frames: world, ship, boom, tip. Did you mean 'tip'?"
    with pytest.raises(UnknownNameError, match=says(text)):
        system.jacobian("tipp", system.state()[0])


def test_frame_on_a_body_of_another_model(system):
    other = jd.Model("other").add_body("cart", jd.Inertia(mass=1.0))
    text = "no body 'cart' in model 'crane'. Bodies: ship, boom."
    with pytest.raises(UnknownNameError, match=says(text)):
        system.jacobian(other, system.state()[0])
    with pytest.raises(UnknownNameError, match=says(text)):
        system.jacobian(other.at(1, 0, 0), system.state()[0])


@pytest.mark.parametrize("frame", [3, None, (0, 0, 1)])
def test_something_that_is_no_frame(system, frame):
    text = f"frame {frame!r} is no body and no frame. Give a body, body.at(x, y, z), or the name"
    with pytest.raises(ModelError, match=says(text)):
        system.jacobian(frame, system.state()[0])


# ---- arrays


@pytest.mark.parametrize("execution", EXECUTIONS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    ("q", "v", "t", "text"),
    [
        (np.ones(7), np.ones(7), 0.0, "q has the shape (7,), but its last axis must be 8 long."),
        (np.ones(8), np.ones((3, 8)), 0.0, "v has the shape (3, 8), but its last axis must be 7"),
        (np.ones(8), 1.0, 0.0, "v has the shape (), but its last axis must be 7 long."),
        (
            np.ones((3, 8)),
            np.ones((4, 7)),
            0.0,
            "do not fit: q (3,), v (4,), t (), p ()",
        ),
        (np.ones((3, 8)), np.ones(7), np.ones(2), "q (3,), v (), t (2,), p ()."),
        ("now", np.ones(7), 0.0, "q is 'now', which is no array of real numbers."),
        (np.ones(8) * 1j, np.ones(7), 0.0, "which is no array of real numbers."),
        (np.ones(8), np.ones(7), None, "t is None, which is no array of real numbers."),
    ],
)
def test_wrong_arrays(execution, q, v, t, text):
    system = jd.compile(make(), execution=execution)
    with pytest.raises(ModelError, match=says(text)) as error:
        system.twists(q, v, t)
    assert str(error.value).startswith("model 'crane': ")


def test_time_in_place_of_velocities_is_found(system):
    """A forgotten argument shifts the others."""
    q, _ = system.state()
    with pytest.raises(ModelError, match=says("v has the shape (), but its last axis must be 7")):
        system.twists(q, 0.5)
