from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.shapes import mesh

AROUND = 24
ROUND = AROUND / (2 * np.pi) * np.sin(2 * np.pi / AROUND)  # area of the polygon per circle
SOLIDS = {
    "box": (jd.solid.box(1, (1, 2, 3)), 6.0, 1e-12),
    "cylinder": (jd.solid.cylinder(1, 0.5, 2.0, "x"), ROUND * np.pi * 0.5, 1e-12),
    "tube": (jd.solid.tube(1, 0.3, 0.5, 2.0), ROUND * np.pi * 0.32, 1e-12),
    "cone": (jd.solid.cone(1, 0.5, 2.0, "-y"), ROUND * np.pi / 6, 1e-12),
    "ball": (jd.solid.ball(1, 0.5), np.pi / 6, 0.03),
    "ellipsoid": (jd.solid.ellipsoid(1, (1, 2, 3)), 8 * np.pi, 0.03),
    "rod": (jd.solid.rod(1, (0, 3, 4)), np.pi * 0.1**2 * (5 + 0.4 / 3), 0.03),
}
ALL = pytest.mark.parametrize("name", SOLIDS)


def made(name):
    solid, volume, tolerance = SOLIDS[name]
    return mesh.shape_mesh(solid.shapes[0]), volume, tolerance


@ALL
def test_triangles_enclose_the_volume(name):
    surface, volume, tolerance = made(name)
    a, b, c = np.moveaxis(surface.points[surface.triangles], 1, 0)
    enclosed = np.sum(a * np.cross(b, c)) / 6.0  # positive when triangles face outwards
    assert enclosed == pytest.approx(volume, rel=tolerance)


@ALL
def test_normals_are_unit_vectors_and_face_outwards(name):
    surface, _, _ = made(name)
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, rtol=1e-14)
    a, b, c = np.moveaxis(surface.points[surface.triangles], 1, 0)
    outwards = np.sum(np.cross(b - a, c - a) * surface.normals[surface.triangles].mean(1), axis=1)
    assert outwards.min() > -1e-15


def test_a_point_has_no_surface():
    assert mesh.shape_mesh(jd.solid.point(1.0).shapes[0]) is None


def test_a_shape_goes_where_its_solid_is():
    solid = jd.solid.box(1.0, (2, 0, 0.2), at=(0, 0, 5), rotation=jd.rotation_z(np.pi / 2))
    points = mesh.shape_mesh(solid.shapes[0]).points
    np.testing.assert_allclose(points.max(axis=0), (0.0, 1.0, 5.1), atol=1e-15)


def test_parameters_count_with_their_nominal_values():
    radius = jd.Parameter("radius", 0.3, "m")
    points = mesh.shape_mesh(jd.solid.ball(1.0, 2 * radius).shapes[0]).points
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.6, rtol=1e-14)


def test_joined_meshes_keep_their_triangles():
    both = mesh.joined([mesh.ball(1.0), mesh.ball(2.0)])
    n = len(mesh.ball(1.0).points)
    second = both.points[both.triangles[len(both.triangles) // 2 :]]
    assert len(both.points) == 2 * n
    np.testing.assert_allclose(np.linalg.norm(second, axis=-1), 2.0, rtol=1e-14)


def test_nothing_joined_is_empty():
    assert mesh.joined([]).points.shape == (0, 3)
