from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.contours import Box, Curve, HalfSpace, Polygon, Polyhedron, Sphere, Surface
from jourdain.viz.pages.animate import still
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.shapes.outlines import _shapes, outlines


def touching(contour):
    """Model whose body, without a solid, has a contour."""
    model = jd.Model("touch")
    body = model.add_body("body", jd.Inertia(1.0, moments=(1.0, 1.0, 1.0)))
    model.add_contact("floor", HalfSpace(model.world), contour(body), jd.Coulomb())
    return model


def only(contour):
    (shape,) = outlines(touching(contour), "body", {})
    return shape


def test_solid_contours_say_what_to_draw():
    shape = only(lambda body: Box(body.at(0, 0, 1), (0.2, 0.4, 0.6)))
    assert (shape.kind, shape.size, shape.position) == ("box", (0.2, 0.4, 0.6), (0, 0, 1))


def test_a_polyhedron_is_closed_and_has_its_volume():
    corners = [(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)]
    surface = only(lambda body: Polyhedron(body, corners)).mesh
    assert surface.n_open_edges == 0
    assert surface.enclosed()[0] == pytest.approx(6.0)


def test_flat_outlines_are_seen_from_both_sides():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    surface = only(lambda body: Polygon(body, square)).mesh
    p = surface.points[surface.triangles]
    normals = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 2]
    assert sorted(normals) == [-1.0, -1.0, 1.0, 1.0]  # twice the area of half a square


def test_curves_and_surfaces_are_sampled():
    def ellipse(s):
        return 0.3 * np.cos(s), 0.2 * np.sin(s), 0.0

    model = jd.Model("cam")
    for contour in (
        Curve(model.world, ellipse, (0.0, 2.0 * np.pi)),
        Surface(model.world, lambda u, v: (*ellipse(u)[:2], v), ((0.0, 6.0), (-1.0, 1.0))),
    ):
        x, y, z = _shapes(contour)[0].mesh.points.T
        np.testing.assert_allclose((x / 0.3) ** 2 + (y / 0.2) ** 2, 1.0)
        assert np.abs(z).max() == (1.0 if isinstance(contour, Surface) else 0.0)


def test_bodies_with_solids_are_drawn_by_these():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.box(1.0, (0.1, 0.1, 0.1)))
    model.add_contact("floor", HalfSpace(model.world), Sphere(ball, 0.3), jd.Coulomb())
    data = content({"": still(model)}, Wishes())
    assert [s["kind"] for s in data["solutions"][0]["bodies"][0]["shapes"]] == ["box"]


def test_what_stands_on_the_ground_is_drawn_and_framed():
    model = jd.Model("step")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    step = Box(model.world.at(3, 0, 0), (1.0, 1.0, 0.2))
    model.add_contact("step", step, Sphere(ball, 0.1), jd.Coulomb())
    data = content({"": still(model)}, Wishes())
    (shape,) = data["solutions"][0]["ground"]
    assert (shape["kind"], shape["position"]) == ("box", [3.0, 0.0, 0.0])
    assert data["box"][1][0] == pytest.approx(3.5)


def test_flat_outlines_beyond_solids_are_drawn_too():
    model = jd.Model("pallet")
    hook = model.add_body("hook", jd.solid.box(1.0, (0.1, 0.1, 0.1)))
    for name, x in (("out", 0.3), ("in", 0.0)):
        corners = [(x, 0), (x + 0.04, 0), (x, 0.04)]
        contours = jd.Polygon(hook, corners), jd.Circle(model.world.at(2, 0, 0), 0.01)
        model.add_contact(name, *contours, jd.Coulomb())
    data = content({"": still(model)}, Wishes())
    assert [s["kind"] for s in data["solutions"][0]["bodies"][0]["shapes"]] == ["box", "mesh"]
