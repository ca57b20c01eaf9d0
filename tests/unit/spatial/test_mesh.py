"""Surfaces of triangles: integrals against closed forms, and files."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.spatial.mesh import Triangles

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
SIZE, PLACE = np.array((0.2, 0.3, 0.5)), np.array((1.0, -2.0, 0.5))


def box():
    return Triangles.of(CORNERS * SIZE + PLACE, FACES)


def stl(surface):
    """STL file with three digits more than enough."""
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in surface.points[surface.triangles]
    )
    return f"solid box\n{facets}endsolid box\n"


@pytest.fixture
def file(tmp_path):
    pytest.importorskip("trimesh")
    path = tmp_path / "box.stl"
    path.write_text(stl(box()))
    return path


def test_a_box_has_the_volume_the_centre_and_the_moments_of_a_box():
    volume, centre, second = box().enclosed()
    assert volume == pytest.approx(SIZE.prod())
    np.testing.assert_allclose(centre, PLACE + 0.5 * SIZE)
    np.testing.assert_allclose(second, volume * np.diag(SIZE**2) / 12.0, atol=1e-12)


def test_a_tetrahedron_has_its_products_of_inertia():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    surface = Triangles.of(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    volume, centre, second = surface.enclosed()
    np.testing.assert_allclose((volume, *centre), (1 / 6, 0.25, 0.25, 0.25))
    about_origin = second + volume * np.outer(centre, centre)  # ∫x² = 1/60, ∫xy = 1/120
    np.testing.assert_allclose(about_origin, (np.eye(3) + np.ones((3, 3))) / 120.0)


def test_open_edges_are_counted():
    assert box().n_open_edges == 0
    assert Triangles.of(CORNERS, FACES[:-1]).n_open_edges == 3
    turned = [(0, 3, 1), *FACES[1:]]
    assert Triangles.of(CORNERS, turned).n_open_edges > 0


def test_equal_surfaces_are_equal():
    assert box() == box()
    assert len({box(), box()}) == 1


def test_a_file_gives_the_solid_of_its_inside(file):
    made = jd.solid.mesh(file, mass=3.0)
    exact = jd.solid.box(3.0, SIZE, at=PLACE + 0.5 * SIZE).inertia
    assert made.inertia.mass == 3.0
    np.testing.assert_allclose(made.inertia.com, exact.com, atol=1e-8)
    np.testing.assert_allclose(made.inertia.moments, exact.moments, atol=1e-8)


@pytest.mark.parametrize("ending", ["obj", "glb", "stl"])
def test_all_forms_of_files_give_the_same_solid(ending, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / f"box.{ending}"
    trimesh.Trimesh(CORNERS * SIZE + PLACE, FACES).export(path)
    exact = jd.solid.box(3.0, SIZE, at=PLACE + 0.5 * SIZE).inertia
    made = jd.solid.mesh(path, mass=3.0).inertia
    np.testing.assert_allclose(made.com, exact.com, atol=1e-6)  # single precision
    np.testing.assert_allclose(made.moments, exact.moments, atol=1e-6)


def test_density_scale_and_place(file):
    made = jd.solid.mesh(file, density=1000.0, scale=0.1, at=(0, 0, 1))
    assert made.inertia.mass == pytest.approx(SIZE.prod())  # 1000 kg/m³, a thousandth of it
    np.testing.assert_allclose(made.inertia.com, 0.1 * (PLACE + 0.5 * SIZE) + (0, 0, 1), atol=1e-8)
    assert made.shapes[0].position == (0.0, 0.0, 1.0)
    assert np.ptp(made.shapes[0].mesh.points, axis=0) == pytest.approx(0.1 * SIZE)


def test_a_surface_can_be_drawn_only(file):
    inertia = jd.Inertia(2.0, moments=(0.1, 0.1, 0.1))
    made = jd.solid.mesh(file, inertia=inertia)
    assert made.inertia == inertia
    assert made.shapes[0].kind == "mesh"


def test_masses_may_be_parameters(file):
    m = jd.Parameter("m", 2.0, "kg")
    model = jd.Model("part")
    model.add_body("part", jd.solid.mesh(file, mass=m))
    assert list(model.parameters) == ["m"]


def test_pages_and_pictures_show_it(file, tmp_path):
    model = jd.Model("part")
    model.add_body("part", jd.solid.mesh(file, mass=1.0))
    assert '"kind":"mesh"' in jd.show(model).text
    sol = jd.simulate(model, 0.1)
    assert jd.render(sol, tmp_path / "part.png", size=(32, 24)).is_file()
