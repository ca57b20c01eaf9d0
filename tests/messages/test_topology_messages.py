from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from jourdain.errors import TopologyError, UnknownNameError
from jourdain.model.elements import Frame, JointElement
from jourdain.model.joints import Free, Revolute
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia
from jourdain.topology import build, from_beta

ROWS = [
    ("main", "world", "crank"),
    ("big_end", "crank", "rod"),
    ("wrist", "rod", "piston"),
    ("guide", "world", "piston"),
]


def make(bodies, rows, name="slider_crank"):
    model = Model(name)
    for body in bodies:
        model.add_body(body, Inertia(mass=1.0))
    for joint, parent, child in rows:
        model.add_joint(joint, parent, child, Revolute("y"))
    return model


@pytest.fixture
def slider_crank():
    return make(["crank", "rod", "piston"], ROWS)


def says(text):
    return re.escape(text)


def test_unknown_joint_to_cut(slider_crank):
    text = (
        "no joint 'giude' in model 'slider_crank'. Joints: main, big_end, wrist, guide. "
        "Did you mean 'guide'?"
    )
    with pytest.raises(UnknownNameError, match=says(text)):
        build(slider_crank, cut=("giude",))


def test_cutting_a_joint_of_no_loop():
    pendulum = make(["rod", "bob"], [("hinge", "world", "rod"), ("pin", "rod", "bob")], "pendulum")
    with pytest.raises(TopologyError) as error:
        build(pendulum, cut="hinge")
    assert str(error.value) == (
        "cutting joint 'hinge' of model 'pendulum' would leave bodies 'rod' and 'bob' loose:\n"
        "  no other joint path leads there from 'world', so the cut opens no loop. Either take "
        "'hinge' out of cut=(...),\n"
        "  or let the bodies float and keep the cut as a constraint: "
        'model.add_joint("rod_free", model.world, "rod", jd.Free()).'
    )


def test_the_advice_for_a_joint_of_no_loop_works():
    pendulum = make(["rod"], [("hinge", "world", "rod")], "pendulum")
    with pytest.raises(TopologyError, match="would leave body 'rod' loose"):
        build(pendulum, cut="hinge")
    pendulum.add_joint("rod_free", pendulum.world, "rod", Free())
    assert [cut.name for cut in build(pendulum, cut="hinge").cuts] == ["hinge"]


def test_cutting_one_loop_twice(slider_crank):
    text = (
        "cutting joints 'main' and 'guide' of model 'slider_crank' would leave bodies 'crank', "
        "'rod' and 'piston' loose"
    )
    with pytest.raises(TopologyError, match=says(text)):
        build(slider_crank, cut=("guide", "main"))


def test_cutting_leaves_out_the_joints_that_are_no_part_of_the_trouble(slider_crank):
    slider_crank.add_body("flag", Inertia(mass=1.0))
    slider_crank.add_joint("pole", "rod", "flag", Revolute("z"))
    with pytest.raises(TopologyError, match=says("cutting joint 'pole' of model")) as error:
        build(slider_crank, cut=("guide", "pole"))
    assert "would leave body 'flag' loose" in str(error.value)


def test_cutting_within_a_floating_part():
    ship = make(["hull", "mast"], [("step", "hull", "mast")], "ship")
    with pytest.raises(TopologyError, match=r"body 'mast' loose:\n.*leads there from 'hull'"):
        build(ship, cut="step")


def test_many_loose_bodies_are_counted():
    names = ["world", *(f"b{k}" for k in range(20))]
    rows = [(f"j{k}", names[k], names[k + 1]) for k in range(20)]
    with pytest.raises(TopologyError, match="'b6', 'b7' and 12 more loose"):
        build(make(names[1:], rows), cut="j0")


@pytest.mark.parametrize("body", ["world", "rod"])
def test_joint_with_both_ends_on_one_body(body):
    joint = JointElement("knot", Frame(body), Frame(body, (1.0, 0.0, 0.0)), Revolute("y"))
    model = SimpleNamespace(name="m", bodies={"rod": None}, joints={"knot": joint})
    text = f"joint 'knot' has both ends on '{body}', so it can move nothing. Put one end on another"
    with pytest.raises(TopologyError, match=says(text)):
        build(model)


def test_loop_of_a_joint_that_is_not_cut(slider_crank):
    text = "no cut joint 'wrist' in the tree of model 'slider_crank'. Cut joints: guide."
    with pytest.raises(UnknownNameError, match=says(text)):
        build(slider_crank).loop("wrist")


@pytest.mark.parametrize("query", ["path", "children", "subtree", "depth"])
def test_query_for_an_unknown_body(slider_crank, query):
    ask = getattr(build(slider_crank), query)
    text = "no body 'pistn' in model 'slider_crank'. Bodies: crank, rod, piston. Did you mean"
    with pytest.raises(UnknownNameError, match=says(text)):
        ask("pistn")
    text = "no body '4' in model 'slider_crank', which has the numbers 0 (world) to 3."
    with pytest.raises(UnknownNameError, match=says(text)):
        ask(4)
    with pytest.raises(UnknownNameError, match="no body '-1'"):
        ask(-1)


def test_order_that_misses_a_body(slider_crank):
    text = (
        "the order must name each of the 3 bodies of model 'slider_crank' once, but has 2 names "
        "and misses 'piston'. Start from topology.names[1:]"
    )
    with pytest.raises(TopologyError, match=says(text)):
        build(slider_crank).matrices_in(("crank", "rod"))


def test_order_that_names_a_body_twice(slider_crank):
    with pytest.raises(TopologyError, match=says("once, but has 4 names. Start from")):
        build(slider_crank).matrices_in(("crank", "rod", "piston", "rod"))


def test_order_that_is_not_regular(slider_crank):
    with pytest.raises(TopologyError, match="beta gives body 1 the inboard body 2"):
        build(slider_crank).matrices_in(("rod", "crank", "piston"))


@pytest.mark.parametrize(("beta", "body", "inboard"), [([0, 2], 2, 2), ([0, 1, -1], 3, -1)])
def test_beta_that_is_not_regular(beta, body, inboard):
    text = (
        f"beta gives body {body} the inboard body {inboard}: it must lie between 0 (world) and "
        f"{body - 1}, because inboard bodies are numbered first."
    )
    with pytest.raises(TopologyError, match=says(text)):
        from_beta(beta)


def test_chord_to_a_body_that_is_not_there():
    text = "chord 2 joins bodies 0 and 3, but beta has the bodies 0 (world) to 2."
    with pytest.raises(TopologyError, match=says(text)):
        from_beta([0, 1], [(0, 2), (0, 3)])
