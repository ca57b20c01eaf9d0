"""The tree as the recursion sees it."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.links import build_links, driven_indices, flat
from jourdain.topology import build

LENGTH = jd.Parameter("length", 0.5, "m")


@pytest.fixture
def model():
    """Two links; the second joint is written from its outboard to its inboard body."""
    model = jd.Model("pair")
    inertia = jd.Inertia(2.0, (0.1, 0, 0), (0.3, 0.4, 0.5))
    first, second = model.add_body("first", inertia), model.add_body("second", inertia)
    model.add_joint("one", model.world.at(0, 0, 1), first.at(0, 0.2, 0), jd.Revolute("y"))
    turn = jd.rotation_x(0.7)
    model.add_joint("two", second.at(0.3, 0, 0, rotation=turn), first, jd.Screw("y", 0.4))
    return model


def links_of(model, share=False, values=None):
    return build_links(model, build(model), values or {}, share=share)


def test_links_follow_the_tree(model):
    one, two = links_of(model)
    assert (one.name, one.inboard, one.n_q, one.n_v) == ("first", 0, 1, 1)
    assert (two.name, two.inboard) == ("second", 1)
    assert not one.motion.is_reversed
    assert two.motion.is_reversed
    assert [one.count(what) for what in ("q", "v", "e", "body")] == [1, 1, 0, 1]


def test_placements_are_between_joint_frames(model):
    one, two = links_of(model)
    np.testing.assert_array_equal(one.constants["p0"], (0, 0, 1))
    np.testing.assert_allclose(one.constants["pb"], (0, -0.2, 0))
    np.testing.assert_allclose(two.constants["p0"], (0, -0.2, 0))  # from joint to joint
    np.testing.assert_allclose(two.constants["Rb"], jd.rotation_x(-0.7), atol=1e-16)


def test_inertias_are_about_the_joint_frame(model):
    one, _ = links_of(model)
    np.testing.assert_allclose(one.constants["h"], 2.0 * np.array((0.1, -0.2, 0)))
    d = np.array((0.1, -0.2, 0.0))
    expected = np.diag((0.3, 0.4, 0.5)) + 2.0 * (d @ d * np.eye(3) - np.outer(d, d))
    np.testing.assert_allclose(one.constants["J"], expected)


def test_shared_links_differ_in_constants_only():
    axes = [(0.6, 0.0, 0.8), (0.0, 0.6, 0.8)]
    model = jd.Model("chain")
    for k, axis in enumerate(axes):
        body = model.add_body(f"body_{k}", jd.Inertia(1.0))
        model.add_joint(f"joint_{k}", model.world, body, jd.Screw(axis, 0.1 + k))
    one, two = links_of(model, share=True)
    assert one.structure == two.structure
    assert one.motion is two.motion
    np.testing.assert_allclose(one.constants["slots"], [0.1])
    np.testing.assert_allclose(one.constants["R0"][:, 2], axes[0])
    one, two = links_of(model)
    assert one.structure != two.structure


def test_constants_may_be_expressions():
    model = jd.Model("arm")
    body = model.add_body("body", jd.Inertia(LENGTH, (LENGTH, 0, 0)))
    model.add_joint("joint", model.world.at(LENGTH, 0, 0), body, jd.Screw("z", 2 * LENGTH))
    symbol = ca.SX.sym("length")
    (link,) = links_of(model, values={"length": symbol})
    column = flat(link.constants)
    numbers = ca.Function("f", [symbol], [column])(0.7).full().ravel()
    (plain,) = links_of(model, values={"length": 0.7})
    np.testing.assert_allclose(numbers, flat(plain.constants), atol=1e-16)


def test_flat_constants_have_a_fixed_order(model):
    one, _ = links_of(model)
    column = flat(one.constants)
    sizes = [rows * columns for rows, columns in one.constant_shapes.values()]
    assert column.shape == (sum(sizes),)
    np.testing.assert_array_equal(column[9:12], one.constants["p0"])
    np.testing.assert_array_equal(column[:9], one.constants["R0"].ravel("F"))


def test_driven_indices_take_groups_apart():
    model = jd.Model("driven")
    body = model.add_body("body", jd.Inertia(1.0))
    drives = {"position": (0.0, 0.0, 0.0)}
    joint = model.add_joint("joint", model.world, body, jd.Free(), driven=drives)
    assert driven_indices(joint) == (0, 1, 2)


def test_scalar_coordinates_are_wheels():
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 0.7)
    (wheel,) = links_of(model)
    assert (wheel.name, wheel.inboard, wheel.n_v) == ("shaft", 0, 1)
    assert wheel.constants["m"] == 0.0
    np.testing.assert_array_equal(wheel.constants["J"], np.diag((0, 0, 0.7)))
