from __future__ import annotations

import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.model.joints import Prismatic, Revolute, Spherical
from jourdain.topology.spanning import build

R, P = Revolute("y"), Prismatic("x")


@pytest.fixture(scope="session")
def crane(make):
    """A base that carries an arm of two parts, and a winch; a rope closes a loop, so does a rod."""
    joints = [
        ("swivel", "world", "base", R),
        ("luff", "base", "arm", R),
        ("tip", "arm", "jib", R),
        ("drum", "base", "winch", R),
        ("rope", "jib", "winch", Spherical()),
        ("prop", "arm", "world", Spherical()),
    ]
    return build(make(["base", "arm", "jib", "winch"], joints))


def test_names_and_numbers_belong_together(crane):
    assert crane.names == ("world", "base", "arm", "jib", "winch")
    assert dict(crane.number) == {"world": 0, "base": 1, "arm": 2, "jib": 3, "winch": 4}


def test_paths_run_from_world(crane):
    assert crane.path("world") == ()
    assert crane.path("jib") == crane.path(3) == (1, 2, 3)
    assert crane.path("winch") == (1, 4)


def test_neighbours_depths_and_subtrees(crane):
    assert crane.children("world") == (1,)
    assert crane.children("base") == crane.children(1) == (2, 4)
    assert crane.children("winch") == ()
    assert [crane.depth(k) for k in range(5)] == [0, 1, 2, 3, 2]
    assert crane.subtree("world") == range(5)
    assert crane.subtree("arm") == crane.subtree(2) == range(2, 4)


def test_a_loop_starts_at_its_body_nearest_to_world_on_the_lower_branch(crane):
    assert crane.loop("rope") == ("luff", "tip", "rope", "drum")
    assert crane.loop("prop") == ("swivel", "luff", "prop")


def test_a_loop_reads_the_same_whichever_way_the_cut_is_written(make):
    bodies, chain = ["a", "b"], [("ja", "world", "a", R), ("jb", "world", "b", R)]
    for parent, child in (("a", "b"), ("b", "a")):
        topology = build(make(bodies, [*chain, ("cut", parent, child, Spherical())]))
        assert topology.loop("cut") == ("ja", "cut", "jb")


@pytest.mark.parametrize("cut", ["main", "big_end", "wrist", "guide"])
def test_a_loop_of_one_mechanism_has_the_same_joints_for_every_cut(make, cut):
    joints = [("main", "world", "a", R), ("big_end", "a", "b", R)]
    joints += [("wrist", "b", "c", R), ("guide", "world", "c", P)]
    loop = build(make(["a", "b", "c"], joints), cut=cut).loop(cut)
    start = loop.index("main")
    turned = loop[start:] + loop[:start]
    assert turned in (
        ("main", "big_end", "wrist", "guide"),
        ("main", "guide", "wrist", "big_end"),
    )


@given(st.data())
def test_queries_agree_with_the_tree_matrix(make, data):
    n = data.draw(st.integers(1, 12))
    names = ["world", *(f"b{k}" for k in range(1, n + 1))]
    joints = [
        (f"j{k}", names[data.draw(st.integers(0, k - 1))], names[k], R) for k in range(1, n + 1)
    ]
    a, b = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    topology = build(make(names[1:], [*joints, ("cut", a, b, Spherical())]))
    T = topology.matrices.T
    for k in range(1, n + 1):
        assert topology.path(k) == tuple((T[:, k - 1].nonzero()[0] + 1).tolist())
        assert [*topology.subtree(k)] == (T[k - 1].nonzero()[0] + 1).tolist()
        assert topology.depth(k) == T[:, k - 1].sum()
    branches = {topology.tree[k].name for k in topology.matrices.loops[:, 0].nonzero()[0]}
    assert {*topology.loop("cut")} == branches | {"cut"}
    assert len(topology.loop("cut")) == len(branches) + 1


def test_a_topology_cannot_be_changed(crane):
    with pytest.raises(dataclasses.FrozenInstanceError):
        crane.tree = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        crane.tree[0].inboard = 3
    with pytest.raises(TypeError):
        crane.number["base"] = 7


def test_a_topology_survives_pickling_after_use(crane):
    crane.matrices.T.sum()
    copy = pickle.loads(pickle.dumps(crane))
    assert copy == crane
    assert copy.loop("rope") == crane.loop("rope")


def test_matrices_in_the_order_of_a_book(crane):
    found = crane.matrices_in(("base", "winch", "arm", "jib"))
    assert found.inboard == (0, 1, 1, 3)
    assert found.chords == ((4, 2), (3, 0))


def test_a_topology_prints_itself_in_one_line(crane):
    assert str(crane) == "topology of 'machine': 4 bodies in 1 tree, cut joints: rope, prop"


def test_many_cuts_are_not_all_printed(make):
    joints = [("hinge", "world", "a", R), *((f"c{k}", "world", "a", R) for k in range(20))]
    text = str(build(make(["a"], joints)))
    assert text.endswith("cut joints: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, …")
