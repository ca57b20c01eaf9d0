from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.solid import Shape, Solid
from jourdain.viz.pages import packing
from jourdain.viz.shapes.bodies import Meshes, quaternion, reach, shapes, thicken_rods


def only(solid, values=None):
    model = jd.Model("one")
    body = model.add_body("body", solid)
    (shape,) = shapes(model, body, values or {}, 0.05, Meshes())
    return shape


@pytest.mark.parametrize(
    ("solid", "low", "high"),
    [
        (jd.solid.box(1, (0.2, 0.4, 0.6)), (-0.1, -0.2, -0.3), (0.1, 0.2, 0.3)),
        (jd.solid.ball(1, 0.2, at=(1, 0, 0)), (0.8, -0.2, -0.2), (1.2, 0.2, 0.2)),
        (jd.solid.cylinder(1, 0.1, 0.6, "x"), (-0.3, -0.1, -0.1), (0.3, 0.1, 0.1)),
        (jd.solid.tube(1, 0.1, 0.2, 0.6), (-0.2, -0.2, -0.3), (0.2, 0.2, 0.3)),
        (jd.solid.cone(1, 0.1, 0.5), (-0.1, -0.1, 0.0), (0.1, 0.1, 0.5)),
        (jd.solid.ellipsoid(1, (0.1, 0.2, 0.3)), (-0.1, -0.2, -0.3), (0.1, 0.2, 0.3)),
        (jd.solid.rod(1, (0, 0, -2), (1, 0, 0)), (0, 0, -2), (1, 0, 0)),
    ],
)
def test_boxes_around_shapes(solid, low, high):
    np.testing.assert_allclose(reach(only(solid)), (low, high), atol=1e-12)


def test_parameters_have_the_values_of_the_run():
    length = jd.Parameter("length", 1.0, "m")
    shape = only(jd.solid.rod(1.0, (0, 0, 2 * length)), {"length": 3.0})
    assert shape["size"] == [0.0, 0.0, 6.0]


def test_a_body_without_shape_is_bars_between_its_joints():
    model = jd.Model("bare")
    a = model.add_body("a", jd.Inertia(1.0, com=(0.5, 0, 0)))
    b, c = (model.add_body(name, jd.Inertia(1.0)) for name in "bc")
    model.add_joint("root", model.world, a, jd.Revolute("z"))
    model.add_joint("left", a.at(1, 0.5, 0), b, jd.Revolute("z"))
    model.add_joint("right", a.at(1, -0.5, 0), c, jd.Revolute("z"))
    kinds = [shape["kind"] for shape in shapes(model, a, {}, 0.05, Meshes())]
    assert kinds == ["bar", "bar", "bar", "ball"]
    ends = [shape["size"][3:6] for shape in shapes(model, a, {}, 0.05, Meshes())[:3]]
    assert ends == [[1.0, 0.5, 0.0], [1.0, -0.5, 0.0], [0.5, 0.0, 0.0]]
    (ball,) = shapes(model, b, {}, 0.05, Meshes())
    assert (ball["kind"], ball["size"]) == ("ball", [0.05])
    first = shapes(model, a, {}, 0.05, Meshes())[0]
    expected = (-0.039, -0.039, -0.039), (1.039, 0.539, 0.039)
    np.testing.assert_allclose(reach(first), expected, atol=1e-3)


def test_rods_are_of_like_thickness():
    rods = [{"shapes": [{"kind": "rod", "size": [0, 0, x]}, {"kind": "ball"}]} for x in (1, 4, 9)]
    thicken_rods(rods)
    assert [body["shapes"][0]["radius"] for body in rods] == pytest.approx([0.04, 0.08, 0.12])
    assert "radius" not in rods[0]["shapes"][1]


def test_a_point_mass_is_a_bar_too():
    model = jd.Model("bob")
    bob = model.add_body("bob", jd.solid.point(1.0, (0, 0, -1)))
    model.add_joint("pivot", model.world, bob, jd.Spherical())
    assert [shape["kind"] for shape in shapes(model, bob, {}, 0.05, Meshes())] == ["bar", "ball"]


def test_quaternions_have_the_scalar_last():
    assert quaternion(jd.rotation_z(np.pi / 2)) == pytest.approx((0, 0, np.sqrt(0.5), np.sqrt(0.5)))


def test_equal_meshes_are_stored_once():
    surface = Triangles.of(np.eye(3), [(0, 1, 2)])
    twin = Triangles.of(np.eye(3), [(0, 1, 2)])
    model = jd.Model("meshes")
    solids = [Solid(jd.Inertia(1.0), (Shape("mesh", (), mesh=m),)) for m in (surface, twin)]
    meshes = Meshes()
    found = [
        shapes(model, model.add_body(f"b{k}", own), {}, 0.05, meshes)[0]
        for k, own in enumerate(solids)
    ]
    assert [shape["mesh"] for shape in found] == [0, 0]
    np.testing.assert_allclose(reach(found[0]), ((0, 0, 0), (1, 1, 1)))
    (entry,) = meshes.content()
    np.testing.assert_array_equal(packing.unplain(entry["triangles"]), (0, 1, 2))
