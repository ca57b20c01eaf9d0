"""Checks of a whole model: every problem is found, and nothing else."""

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import ModelError, UnknownNameError
from jourdain.model import Model
from jourdain.model.checks.validation import gathered
from jourdain.model.joints.joint import Joint
from jourdain.model.measures import Distance
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


class Hinge(Joint):
    """Turns about z; parts of the kind can be replaced to break it."""

    broken: dict = None
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return math.rotation_z(q[0]), (0, 0, 0)


def broken(**parts):
    """Hinge with some of its parts replaced."""
    return type("Hinge", (Hinge,), parts)()


def model_with(*kinds, **options):
    model = Model("machine")
    model.add_body("rod", Inertia(1.0))
    for k, kind in enumerate(kinds):
        model.add_joint(f"j{k}", "world", "rod", kind, **options)
    return model


KINDS = {
    "fails: ZeroDivisionError": {"pose": lambda self, q, t: 1 / 0},
    "fails: ValueError: not enough values": {"pose": lambda self, q, t: (np.eye(3),)},
    "no pose": {"pose": Joint.pose},
    "orientation R has the shape (2, 2) instead of (3, 3)": {
        "pose": lambda self, q, t: (np.eye(2), (0, 0, 0))
    },
    "orientation R is no rotation matrix: RᵀR differs from the identity by 0.21": {
        "pose": lambda self, q, t: (1.1 * math.rotation_z(q[0]), (0, 0, 0))
    },
    "orientation R is no rotation matrix: its axes are left-handed": {
        "pose": lambda self, q, t: (np.diag([1, 1, -1]), (0, 0, 0))
    },
    "orientation R is not finite": {"pose": lambda self, q, t: (np.eye(3) / q[0], (0, 0, 0))},
    "position r has the shape (2,) instead of (3,)": {
        "pose": lambda self, q, t: (np.eye(3), (0, 0))
    },
    "position r fails: ValueError": {"pose": lambda self, q, t: (np.eye(3), (0, 0, "up"))},
    "pose(q, t) at q = (0.001), t = 0 s: the orientation R": {
        "pose": lambda self, q, t: (math.rotation_z(0) * (1 + q[0]), (0, 0, 0))
    },
    ".coordinates is {'angle': 1}": {"coordinates": {"angle": 1}},
    ".coordinates is ['angle']": {"coordinates": ["angle"]},
    ".velocities is None": {"velocities": None},
    "1 position and 2 velocity coordinates": {"velocities": {"a": "rad/s", "b": "rad/s"}},
    ".start() has the shape (2,) instead of (1,)": {"start": lambda self: (0, 0)},
    ".start() is not finite: [nan]": {"start": lambda self: (float("nan"),)},
    ".start() fails: TypeError": {"start": lambda self: 1 + "x"},
    ".rates(q) has the shape (1,) instead of (1, 1)": {"rates": lambda self, q: (1.0,)},
    ".rates(q) is not finite": {"rates": lambda self, q: ((np.inf,),)},
    ".rates(q) fails: IndexError": {"rates": lambda self, q: q[5]},
    ".modes(q, t) has the shape (3, 1) instead of (6, 1)": {
        "modes": lambda self, q, t: np.ones((3, 1))
    },
    "cannot be evaluated: RuntimeError": {
        "coordinates": property(lambda self: (_ for _ in ()).throw(RuntimeError("no names")))
    },
}


@pytest.mark.parametrize("text", KINDS)
def test_broken_kinds_are_reported(text):
    with pytest.raises(ModelError) as caught:
        model_with(broken(**KINDS[text])).validate()
    message = str(caught.value)
    assert message.startswith("model 'machine' has 1 problem:\n  1. joint 'j0': Hinge")
    assert text in message


DRIVES = {
    "fails: ZeroDivisionError": lambda t: 1 / t,
    "has the shape (2,) instead of (1,)": lambda t: (1.0, 2.0),
    "is not finite: [nan]": lambda t: float("nan"),
    "fails: ValueError": lambda t: "fast",
    "fails: TypeError": lambda: 1.0,
}


@pytest.mark.parametrize("text", DRIVES)
def test_broken_drives_are_reported(text):
    model = model_with(Hinge(), driven={"angle": DRIVES[text]})
    model.add_coordinate("shaft", 1.0, driven=DRIVES[text])
    with pytest.raises(ModelError) as caught:
        model.validate()
    lines = str(caught.value).splitlines()
    assert lines[0] == "model 'machine' has 2 problems:"
    assert lines[1].startswith("  1. joint 'j0': the driven value of 'angle' at t = 0 s " + text)
    assert lines[2].startswith("  2. coordinate 'shaft': the driven value at t = 0 s " + text)


def test_drive_of_a_group_returns_its_numbers():
    class Table(Joint):
        coordinates = {"position.x": "m", "position.y": "m"}

        def pose(self, q, t):
            return np.eye(3), (q[0], q[1], 0)

    model_with(Table(), driven={"position": lambda t: (t, math.sin(t))}).validate()
    with pytest.raises(ModelError, match=r"shape \(1,\) instead of \(2,\)"):
        model_with(Table(), driven={"position": lambda t: t}).validate()


def test_drives_may_use_parameters():
    rate = Parameter("rate", 2.0, "rad/s")
    drive = {"angle": lambda t: rate * math.sin(rate * t + 1.0) / rate}
    model = model_with(Hinge(), driven=drive)
    model.validate()
    assert dict(model.parameters) == {"rate": rate}
    with pytest.raises(ModelError, match=r"driven value of 'angle' .* is not finite: \[nan\]"):
        model.validate({"rate": 0.0})


def test_all_problems_are_collected():
    model = model_with(broken(pose=lambda self, q, t: (2 * np.eye(3), (0, 0))), Hinge())
    model.add_coordinate("shaft", Parameter("length", 1.0), driven=lambda t: np.inf)
    model.add_body("other", Inertia(Parameter("length", 2.0)))
    with pytest.raises(ModelError) as caught:
        model.validate()
    numbers = [line[:4] for line in str(caught.value).splitlines()[1:]]
    assert numbers == ["  1.", "  2.", "  3.", "  4."]


def test_empty_model_is_a_problem_but_a_drive_train_is_none():
    with pytest.raises(ModelError, match=r"1\. there is no body and no coordinate"):
        Model("empty").validate()
    train = Model("train")
    train.add_coordinate("shaft", 0.1)
    train.validate()


def test_given_values_are_checked_with_names():
    mass, arm = Parameter("mass", 1.0, "kg"), Parameter("arm", 1.0, "m")

    class Crank(Joint):
        arm: object
        coordinates = {"angle": "rad"}

        def pose(self, q, t):
            return math.rotation_z(q[0]), (1 / self.arm, 0, 0)

    model = model_with(Crank(arm), driven={"angle": lambda t: arm * t + 1 / mass})
    model.add_body("ball", Inertia(mass, moments=(mass, 1.0, 1.0)))
    model.add_coordinate("shaft", mass)
    model.add_coordinate("line", 1 / mass)
    model.validate()
    model.validate({"mass": 2.0})
    with pytest.raises(ModelError) as caught:
        model.validate({"mass": 3.0})
    assert "body 'ball': inertia has principal moments (3, 1, 1) kg m^2, which no" in str(
        caught.value
    )
    with pytest.raises(ModelError) as caught:
        model.validate({"mass": -1.0})
    assert "body 'ball': inertia has the mass -1 kg" in str(caught.value)
    assert "inertia of coordinate 'shaft' is mass = -1: it must be zero" in str(caught.value)
    with pytest.raises(ModelError) as caught:
        model.validate({"mass": 0.0, "arm": 0.0})
    message = str(caught.value)
    assert "joint 'j0': Crank.pose(q, t) at q = (0), t = 0 s fails: ZeroDivisionError" in message
    assert "coordinate 'line': inertia of coordinate 'line' is 1 / mass, which cannot be" in message


def test_given_values_must_be_numbers_of_known_parameters():
    model = model_with(Hinge())
    model.add_body("ball", Inertia(Parameter("mass", 1.0)))
    with pytest.raises(UnknownNameError, match=r"no parameter 'mas' in .* Did you mean 'mass'"):
        model.validate({"mas": 1.0})
    with pytest.raises(ModelError, match="value of parameter 'mass' is nan"):
        model.validate({"mass": float("nan")})


def test_equal_kinds_are_evaluated_once():
    calls = []

    class Counted(Hinge):
        def pose(self, q, t):
            calls.append(q)
            return np.eye(3), (0, 0, 0)

    model_with(Counted(), Counted(), Counted()).validate()
    assert len(calls) == 2  # at the reference position and next to it
    calls.clear()
    model_with(Counted([1]), Counted([1])).validate()  # unhashable
    assert len(calls) == 4


def test_forty_instances_of_one_mistake_are_one_problem():
    model = Model("machine")
    ball = model.add_body("ball", Inertia(1.0, moments=(1, 1, 1)))
    for k in range(40):
        measure = Distance(ball, model.world.at(0, 0, 1 + k))
        model.add_connection(f"c{k}", measure, lambda x, v: 1.0 / 0)
    with pytest.raises(ModelError) as caught:
        model.validate()
    assert str(caught.value) == (
        "model 'machine' has 1 problem:\n  1. connection 'c0': Law.force(x, v, at) at x = (1) "
        "fails: ZeroDivisionError: float division by zero. The same in 39 more connections: 'c1', "
        "'c2', 'c3', 'c4', 'c5', …."
    )


def test_problems_of_other_kinds_stay_apart():
    same = ["body 'a' has no mass.", "joint 'a' has no mass.", "body 'b' has no mass", "odd", "odd"]
    assert gathered(same) == [
        "body 'a' has no mass.",
        "joint 'a' has no mass.",
        "body 'b' has no mass",
        "odd",
    ]
    assert gathered([f"body '{x}': no." for x in "abc"]) == [
        "body 'a': no. The same in 2 more bodies: 'b', 'c'."
    ]
