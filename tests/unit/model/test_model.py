"""The model: adding, looking up, parameters, copies, and what stays after a failure."""

import pickle

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import ModelError, UnknownNameError
from jourdain.model import Body, Constant, Frame, JointElement, Model
from jourdain.model.joints.joint import Joint
from jourdain.model.laws import Spring
from jourdain.model.measures import Coordinate
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


class Hinge(Joint):
    """Turns about z, seen from a place."""

    arm: object = 0.0
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return math.rotation_z(q[0]), (self.arm, 0, 0)


LENGTH = Parameter("length", 0.3, "m")
FOREIGN = Body("foreign", Inertia(1.0))


@pytest.fixture
def model():
    made = Model("machine", gravity=(0, -9.81, 0))
    crank = made.add_body("crank", solid.rod(1.0, (LENGTH, 0, 0)))
    made.add_body("rod", Inertia(2.0))
    made.add_frame("pin", crank.at(LENGTH, 0, 0))
    made.add_joint("main", made.world, crank, Hinge(), driven={"angle": 0.5})
    made.add_joint("big_end", "pin", "rod", Hinge(2 * LENGTH))
    made.add_coordinate("shaft", 0.1)
    made.group("oil")
    return made


def test_elements_come_back_as_they_were_added(model):
    assert list(model.bodies) == ["crank", "rod"]
    assert list(model.joints) == ["main", "big_end"]
    assert list(model.coordinates) == ["shaft"]
    assert list(model.frames) == ["pin"]
    assert model.gravity == (0.0, -9.81, 0.0)
    assert model.bodies["crank"].shapes == solid.rod(1.0, (LENGTH, 0, 0)).shapes
    assert model.joints["main"] == JointElement(
        "main", Frame("world"), Frame("crank"), Hinge(), {"angle": Constant(0.5)}
    )
    assert model.joints["big_end"].parent == Frame("crank", (LENGTH, 0, 0))
    assert model.joints["big_end"].child == Frame("rod")


def test_lookup_by_name(model):
    assert model.body("rod") is model.bodies["rod"]
    assert model.joint("main") is model.joints["main"]
    assert model.coordinate("shaft") is model.coordinates["shaft"]
    assert model.frame("pin") is model.frames["pin"]
    assert model.body("world") is model.world
    assert model.world.inertia == Inertia(0.0)
    for find in (model.body, model.joint, model.coordinate, model.frame):
        for wrong in ("absent", ["rod"], None):
            with pytest.raises(UnknownNameError, match="in model 'machine'"):
                find(wrong)


def test_tables_cannot_be_written_from_outside(model):
    for table in (model.bodies, model.joints, model.coordinates, model.frames, model.parameters):
        with pytest.raises(TypeError):
            table["new"] = 1
    for attribute in ("name", "gravity", "world", "bodies"):
        with pytest.raises(AttributeError):
            setattr(model, attribute, 1)


def test_ends_are_bodies_frames_or_names(model):
    rod = model.bodies["rod"]
    for k, end in enumerate((rod, rod.at(), Frame("rod"), "rod")):
        joint = model.add_joint(f"j{k}", "world", end, Hinge())
        assert (joint.parent, joint.child) == (Frame("world"), Frame("rod"))
    assert model.add_joint("j", model.world.at(1), "pin", Hinge()).child == model.frames["pin"]
    assert model.add_frame("tip", rod) == Frame("rod")


def test_coordinates_may_be_driven(model):
    assert model.coordinates["shaft"].driven is None
    assert model.coordinates["shaft"].unit == "rad"
    held = model.add_coordinate("piston", LENGTH, unit="m", driven=2)
    assert (held.inertia, held.unit, held.driven) == (LENGTH, "m", Constant(2.0))
    assert model.add_coordinate("flow", 0, driven=np.sin).driven is np.sin


FAILURES = {
    "name is taken by a body": lambda m: m.add_body("rod", Inertia(1.0)),
    "name is taken by a joint": lambda m: m.add_coordinate("main", 1.0),
    "name is taken by a group": lambda m: m.add_body("oil", Inertia(1.0)),
    "name of a group is taken by a body": lambda m: m.group("rod"),
    "name is taken by a coordinate": lambda m: m.add_joint("shaft", "world", "rod", Hinge()),
    "name is taken by a frame": lambda m: m.add_coordinate("pin", 1.0),
    "name is taken, for a frame": lambda m: m.add_frame("rod", "rod"),
    "name with a dot": lambda m: m.add_body("a.b", Inertia(1.0)),
    "name of the ground": lambda m: m.add_body("world", Inertia(1.0)),
    "no name": lambda m: m.add_body(Inertia(1.0)),
    "no inertia": lambda m: m.add_body("new"),
    "no solid": lambda m: m.add_body("new", 2.0),
    "impossible inertia": lambda m: m.add_body("new", Inertia(1.0, moments=(0.9, 0.1, 0.2))),
    "body of another model": lambda m: m.add_joint("new", "world", FOREIGN, Hinge()),
    "body of another model, same name": lambda m: m.add_joint(
        "new", "world", Body("rod", Inertia(7.0)), Hinge()
    ),
    "frame of another model": lambda m: m.add_joint("new", FOREIGN.at(1), "rod", Hinge()),
    "unknown body": lambda m: m.add_joint("new", "wrld", "rod", Hinge()),
    "name of a joint as an end": lambda m: m.add_joint("new", "main", "rod", Hinge()),
    "no body": lambda m: m.add_joint("new", None, "rod", Hinge()),
    "joint as an end": lambda m: m.add_joint("new", m.joints["main"], "rod", Hinge()),
    "body to itself": lambda m: m.add_joint("new", "rod", m.bodies["rod"].at(1), Hinge()),
    "frame to its body": lambda m: m.add_joint("new", "pin", "crank", Hinge()),
    "class as a kind": lambda m: m.add_joint("new", "world", "rod", Hinge),
    "text as a kind": lambda m: m.add_joint("new", "world", "rod", "hinge"),
    "unknown driven coordinate": lambda m: m.add_joint(
        "new", "world", "rod", Hinge(), driven={"angel": 1.0}
    ),
    "drive without a name": lambda m: m.add_joint("new", "world", "rod", Hinge(), driven=abs),
    "wrong drive": lambda m: m.add_joint("new", "world", "rod", Hinge(), driven={"angle": "1"}),
    "negative inertia": lambda m: m.add_coordinate("new", -1.0),
    "inertia of no number": lambda m: m.add_coordinate("new", (1.0, 2.0)),
    "no unit": lambda m: m.add_coordinate("new", 1.0, unit=""),
    "unit of no text": lambda m: m.add_coordinate("new", 1.0, unit=1),
    "wrong drive of a coordinate": lambda m: m.add_coordinate("new", 1.0, driven="fast"),
    "frame on an unknown body": lambda m: m.add_frame("new", "absent"),
    "frame of another model, named": lambda m: m.add_frame("new", FOREIGN.at(1)),
    "no frame": lambda m: m.add_frame("new", (1, 2, 3)),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_nothing_is_left_of_a_failed_addition(model, failure):
    before = model.copy()
    with pytest.raises((ModelError, UnknownNameError)):
        FAILURES[failure](model)
    assert model == before
    assert model.add_body("new", Inertia(1.0)).name == "new"


@pytest.mark.parametrize(
    ("name", "gravity"), [("", (0, 0, 0)), ("a.b", (0, 0, 0)), ("m", 9.81), ("m", (0, 0, np.nan))]
)
def test_wrong_models_are_refused(name, gravity):
    with pytest.raises(ModelError):
        Model(name, gravity)


def test_parameters_of_the_whole_model(model):
    assert dict(model.parameters) == {"length": LENGTH}
    names = ["gravity", "mass", "arm", "frame", "inertia", "held", "inside"]
    p = {name: Parameter(name, 0.5) for name in names}
    other = Model("other", gravity=(0, 0, -p["gravity"]))
    body = other.add_body("body", Inertia(p["mass"]))
    inside = p["inside"]
    other.add_joint("j", other.world, body, Hinge(p["arm"]), driven={"angle": p["held"]})
    other.add_frame("f", body.at(p["frame"] + 1))
    other.add_coordinate("c", p["inertia"], driven=lambda t: inside * t)
    assert dict(other.parameters) == p


def test_two_parameters_of_one_name_clash(model):
    model.add_body("other", Inertia(Parameter("length", 0.3, "m")))
    assert dict(model.parameters) == {"length": LENGTH}
    model.add_body("clash", Inertia(Parameter("length", 0.4, "m")))
    with pytest.raises(ModelError, match=r"'length': 0\.3 \[m\] and 0\.4 \[m\]"):
        _ = model.parameters


def test_parameters_that_differ_in_unit_clash(model):
    model.add_coordinate("angle", Parameter("length", 0.3, "rad"))
    with pytest.raises(ModelError, match=r"'length': 0\.3 \[m\] and 0\.3 \[rad\]"):
        _ = model.parameters


def test_copy_is_equal_and_independent(model):
    twin = model.copy()
    assert twin == model
    twin.add_body("more", Inertia(1.0))
    assert twin != model
    assert "more" not in model.bodies
    assert twin.add_joint("j", model.world, model.bodies["rod"], Hinge()).name == "j"


def test_equality_is_by_content_and_order():
    def build(names, name="m", gravity=(0, 0, 0), mass=1.0):
        made = Model(name, gravity)
        for body in names:
            made.add_body(body, Inertia(mass))
        return made

    assert build("ab") == build("ab")
    assert build("ab") != build("ba")
    assert build("ab") != build("ab", name="n")
    assert build("ab") != build("ab", gravity=(0, 0, 1))
    assert build("ab") != build("ab", mass=2.0)
    assert build("ab") != "model"
    with pytest.raises(TypeError, match="unhashable"):
        hash(build("ab"))


def test_model_travels_through_pickle(model):
    assert pickle.loads(pickle.dumps(model)) == model


def test_valid_model_passes(model):
    model.validate()
    model.validate({"length": 0.7})


def test_a_copy_without_some_connections():
    model = Model("springs")
    for name in ("x", "y"):
        model.add_coordinate(name, 1.0)
        model.add_connection(f"spring_{name}", Coordinate(name), Spring(2.0))
    twin = model.without(["spring_x"])
    assert list(twin.connections) == ["spring_y"]
    assert len(model.connections) == 2
    with pytest.raises(UnknownNameError, match="'spring_z'"):
        model.without(["spring_z"])
