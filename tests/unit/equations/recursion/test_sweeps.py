"""Sweeps over a tree, and where the coordinates of links lie."""

from types import SimpleNamespace

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.links import build_links
from jourdain.equations.recursion.sweeps import Recursion, Sweep, lay_out, move, run, sweep
from jourdain.topology import build


@pytest.fixture
def tree():
    """World - a - b, and c on a; b has a driven coordinate."""
    model = jd.Model("tree")
    a, b, c = (model.add_body(name, jd.Inertia(1.0)) for name in "abc")
    model.add_joint("to_a", model.world, a, jd.Spherical())
    model.add_joint("to_b", a, b, jd.Planar(), driven={"angle": 0.5})
    model.add_joint("to_c", a, c, jd.Revolute("z"))
    links = build_links(model, build(model), {}, share=False)
    return links, lay_out(links, range(len(links)), list("abc"))


def test_layout_numbers_link_by_link(tree):
    links, layout = tree
    assert [link.name for link in links] == ["a", "b", "c"]
    assert (layout.q_start, layout.v_start, layout.e_start) == ((0, 4, 6), (0, 3, 5), (0, 0, 1))
    assert (layout.n_q, layout.n_v, layout.n_e, layout.n_bodies) == (7, 6, 1, 3)
    assert layout.start("body") == (0, 1, 2)
    assert layout.total("v") == layout.width("v") == 6
    assert layout.width(9) == 9


def test_layout_follows_the_order_asked_for(tree):
    links, _ = tree
    layout = lay_out(links, (2, 0, 1), ["c", "b", "a"])
    assert layout.q_start == (1, 5, 0)
    assert layout.body == (2, 1, 0)


def inputs_for(layout):
    names = {"q": layout.n_q, "v": layout.n_v, "e": layout.n_e, "e1": layout.n_e, "e2": layout.n_e}
    return {"t": 0.0} | {name: np.arange(size, dtype=float) for name, size in names.items()}


def test_sweeps_go_outward_and_inward(tree):
    links, layout = tree

    def count(link, own, inboard):
        own.depth, own.size = inboard.depth + 1, 1

    def gather(link, own, inboard):
        inboard.size += own.size

    counted = Recursion(
        "count",
        (Sweep(count), Sweep(gather, is_outward=False)),
        ("q",),
        {"depth": ("body", 1), "size": ("body", 1)},
        lambda gravity: {"depth": 0, "size": float(gravity[0])},
    )
    found = run(counted, links, layout, inputs_for(layout), np.array((10.0, 0, 0)))
    assert found == {"depth": [1, 2, 2], "size": [3, 1, 1]}
    world = sweep(counted, links, layout, inputs_for(layout), np.array((10.0, 0, 0)))[0]
    assert world.size == 13


def test_links_see_their_own_entries(tree):
    links, layout = tree
    seen = {}

    def look(link, own, inboard):
        seen[link.name] = (own.q.tolist(), own.v.tolist(), own.e.tolist())

    run(
        Recursion("look", (Sweep(look),), ("q", "v"), {}, lambda _: {}),
        links,
        layout,
        inputs_for(layout),
        None,
    )
    assert seen == {
        "a": ([0, 1, 2, 3], [0, 1, 2], []),
        "b": ([4, 5], [3, 4], [0]),
        "c": ([6], [5], []),
    }


def test_move_gives_arrays_of_fixed_shapes(tree):
    links, _ = tree
    own = SimpleNamespace(slots=[], q=[0.1, 0.2], v=[1.0, 2.0], t=0.0, e=[0.5], e1=[3.0], e2=[0.0])
    move(links[1], own)
    shapes = {name: getattr(own, name).shape for name in ("R", "r", "S", "S_x", "c", "qdot", "S_d")}
    assert shapes == {
        "R": (3, 3), "r": (3,), "S": (6, 2), "S_x": (6,), "c": (6,), "qdot": (2,), "S_d": (6, 1),
    }  # fmt: skip
    np.testing.assert_array_equal(own.qdot, (1.0, 2.0))


def test_move_without_velocities_takes_them_as_zero(tree):
    links, _ = tree
    own = SimpleNamespace(slots=[], q=[0.1], t=0.0, e=[], e1=[], e2=[])
    move(links[2], own)
    np.testing.assert_array_equal(own.qdot, [0.0])
