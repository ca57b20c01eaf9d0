from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jourdain as jd
from jourdain.model.elements import Frame, JointElement
from jourdain.model.joints import Fixed, Free, Joint, Prismatic, Revolute, Spherical
from jourdain.topology.freedoms import constrained_modes
from jourdain.topology.spanning import build

R, P = Revolute("y"), Prismatic("x")


class Loose(Joint):
    """A kind with any count of freedoms; topology never asks for its pose."""

    freedoms: int

    @property
    def coordinates(self):
        return {f"angle_{k}": "rad" for k in range(self.freedoms)}


@pytest.fixture(scope="session")
def slider_crank(make):
    return make(
        ["crank", "rod", "piston"],
        [
            ("main", "world", "crank", R),
            ("big_end", "crank", "rod", R),
            ("wrist", "rod", "piston", R),
            ("guide", "world", "piston", P),
        ],
    )


def cuts(topology):
    return [cut.name for cut in topology.cuts]


def test_slider_crank_is_cut_at_the_guide(slider_crank):
    topology = build(slider_crank)
    assert [(j.number, j.name, j.inboard, j.outboard) for j in topology.tree] == [
        (1, "main", 0, "crank"),
        (2, "big_end", 1, "rod"),
        (3, "wrist", 2, "piston"),
    ]
    assert cuts(topology) == ["guide"]
    assert topology.cuts[0] is slider_crank.joints["guide"]
    assert not any(j.reversed or j.automatic for j in topology.tree)


@pytest.mark.parametrize("cut", ["main", "big_end", "wrist", "guide"])
def test_a_named_joint_is_cut_and_the_others_stay(slider_crank, cut):
    topology = build(slider_crank, cut=cut)
    assert cuts(topology) == [cut] == cuts(build(slider_crank, cut=(cut, cut)))
    assert {j.name for j in topology.tree} == {"main", "big_end", "wrist", "guide"} - {cut}


def test_branches_against_the_written_direction_are_reversed(slider_crank):
    topology = build(slider_crank, cut="big_end")
    assert [(j.name, j.outboard, j.reversed) for j in topology.tree] == [
        ("main", "crank", False),
        ("guide", "piston", False),
        ("wrist", "rod", True),
    ]
    assert topology.tree[2].joint is slider_crank.joints["wrist"]


def test_a_driven_joint_counts_as_constrained(make):
    model = make(["a", "b"], [("j1", "world", "a", R), ("j2", "a", "b", R)])
    model.add_joint("j3", "world", "b", R, driven={"angle": 0.0})
    assert cuts(build(model)) == ["j2"]


def test_every_floating_part_gets_one_free_joint_to_its_first_body(make):
    model = make(
        ["ball", "arm", "ship", "mast", "dust"],
        [("hinge", "world", "arm", R), ("step", "mast", "ship", Fixed())],
    )
    topology = build(model)
    assert [(j.name, j.outboard, j.automatic) for j in topology.tree] == [
        ("hinge", "arm", False),
        ("ball", "ball", True),
        ("ship", "ship", True),
        ("step", "mast", False),
        ("dust", "dust", True),
    ]
    ball = topology.tree[1].joint
    assert ball == JointElement("ball", Frame("world"), Frame("ball"), Free())
    assert not topology.cuts


def test_a_written_free_joint_yields_to_any_other(make):
    model = make(["a"], [("float", "world", "a", Free()), ("hinge", "world", "a", Spherical())])
    assert cuts(build(model)) == ["float"]
    assert cuts(build(model, cut=("hinge",))) == ["hinge"]


def test_a_loop_of_floating_bodies_is_cut_once(make):
    joints = [("ab", "a", "b", R), ("bc", "b", "c", R), ("ca", "c", "a", Spherical())]
    topology = build(make(["a", "b", "c"], joints))
    assert cuts(topology) == ["ca"]
    assert [j.name for j in topology.tree] == ["a", "ab", "bc"]


def test_a_model_without_bodies_has_an_empty_tree(make):
    topology = build(make([], []))
    assert topology.tree == topology.cuts == ()


VERTICES = ["world", "a", "b", "c", "d"]
ends = st.tuples(st.sampled_from(VERTICES), st.sampled_from(VERTICES)).filter(
    lambda e: e[0] != e[1]
)


def graph(bodies, joints):
    """Stand-in for a model, so that kinds without a pose may be used."""
    elements = (JointElement(n, Frame(a), Frame(b), Loose(k)) for n, (a, b), k in joints)
    return SimpleNamespace(
        name="graph", bodies=dict.fromkeys(bodies), joints={j.name: j for j in elements}
    )


@given(st.data(), st.lists(ends, max_size=7))
def test_with_different_weights_the_order_of_adding_changes_no_cut(data, edges):
    freedoms = data.draw(st.permutations(range(7)))
    joints = [(f"j{k}", e, f) for k, (e, f) in enumerate(zip(edges, freedoms, strict=False))]
    shuffled = graph(data.draw(st.permutations(VERTICES[1:])), data.draw(st.permutations(joints)))
    assert set(cuts(build(shuffled))) == set(cuts(build(graph(VERTICES[1:], joints))))


@given(st.data(), st.lists(st.tuples(ends, st.integers(0, 6)), max_size=12))
def test_with_equal_weights_the_order_of_adding_changes_no_count(data, edges):
    joints = [(f"j{k}", e, f) for k, (e, f) in enumerate(edges)]
    shuffled = graph(data.draw(st.permutations(VERTICES[1:])), data.draw(st.permutations(joints)))
    rows = [
        Counter(constrained_modes(cut) for cut in build(model).cuts)
        for model in (graph(VERTICES[1:], joints), shuffled)
    ]
    assert rows[0] == rows[1]


@given(st.lists(st.tuples(ends, st.integers(0, 6)), max_size=12))
def test_numbering_is_regular_and_depth_first(edges):
    topology = build(graph(VERTICES[1:], [(f"j{k}", e, f) for k, (e, f) in enumerate(edges)]))
    assert sorted(topology.names) == sorted(VERTICES)
    reached = {0}
    for k, branch in enumerate(topology.tree, 1):
        written = branch.joint.parent.body, branch.joint.child.body
        tree_way = topology.names[branch.inboard], branch.outboard
        assert tree_way == (written[::-1] if branch.reversed else written)
        assert branch.number == k == topology.number[branch.outboard]
        assert branch.inboard in {0, *topology.path(k - 1)}  # depth first: up along the last path
        reached.add(k)
    assert reached == set(range(len(VERTICES)))


def test_ten_thousand_bodies():
    n = 10_000
    names = ["world", *(f"b{k}" for k in range(1, n + 1))]
    joints = (
        JointElement(f"j{k}", Frame(names[k - 1]), Frame(names[k]), R) for k in range(1, n + 1)
    )
    model = SimpleNamespace(
        name="chain", bodies=dict.fromkeys(names[1:]), joints={j.name: j for j in joints}
    )
    topology = build(model)  # a quadratic search would take minutes
    assert topology.depth(f"b{n}") == n == len(topology.path(f"b{n}")) == len(topology.subtree(1))


@pytest.mark.parametrize(("n", "cut"), [(10, "ground"), (11, "right")])
def test_many_loops_have_short_paths(n, cut):
    """Parallelograms written one by one: with many of them all cranks hang on the ground."""
    model, hinge = jd.Model("cells"), jd.Revolute("z")
    left = model.add_body("crank0", jd.Inertia(mass=1.0))
    model.add_joint("ground0", model.world, left, hinge)
    for k in range(1, n + 1):
        coupler, right = (model.add_body(f"{w}{k}", jd.Inertia(mass=1.0)) for w in ("bar", "crank"))
        model.add_joint(f"left{k}", left, coupler, hinge)
        model.add_joint(f"right{k}", coupler, right, hinge)
        model.add_joint(f"ground{k}", model.world, right, hinge)
        left = right
    assert {joint.name.rstrip("0123456789") for joint in build(model).cuts} == {cut}
