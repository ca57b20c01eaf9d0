"""Contours from meshes: those of known bodies, and what is refused."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.math import rotation_quaternion
from jourdain.model.contours.geometry.convex_mesh import convex_faces
from jourdain.spatial.mesh import Triangles

trimesh = pytest.importorskip("trimesh")

SIZE = (0.25, 0.375, 0.5)  # which files of single precision hold exactly
LAW = jd.Coulomb(friction=0.4, restitution=0.3)


def read(mesh, path, **options):
    mesh.export(path)
    return jd.Polyhedron.from_mesh(jd.Model("empty").world, path, **options)


def turned(mesh):
    """The same elsewhere, so that files round all numbers."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation_quaternion(np.array([0.7, 0.4, -0.5, 0.3])), (1.0, 2.0, -3.0)
    return mesh.copy().apply_transform(T)


@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "glb", "off"])
def test_the_mesh_of_a_box_is_a_box(tmp_path, ending):
    mesh = trimesh.creation.box(SIZE).subdivide().subdivide()
    found = read(mesh, tmp_path / f"box.{ending}")
    assert [len(face) for face in found.faces] == [4] * 6
    assert {tuple(np.abs(p)) for p in found.points} == {tuple(0.5 * np.array(SIZE))}


def test_what_a_file_rounds_is_set_right(tmp_path):
    box = read(turned(trimesh.creation.box(SIZE).subdivide()), tmp_path / "box.stl")
    assert [len(face) for face in box.faces] == [4] * 6
    edges = [np.linalg.norm(box.points[i] - box.points[j]) for i, j in box.edges]
    np.testing.assert_allclose(sorted(edges), np.repeat(SIZE, 4), atol=1e-6)
    tin = read(turned(trimesh.creation.cylinder(0.1, 0.3, sections=20)), tmp_path / "tin.stl")
    assert sorted(map(len, tin.faces)) == [4] * 20 + [20] * 2


def test_the_scale_is_the_unit_of_the_file(tmp_path):
    mesh = trimesh.creation.box(np.array(SIZE) * 1000.0)
    found = read(mesh, tmp_path / "box.stl", scale=0.001)
    np.testing.assert_allclose(np.abs(found.points), np.tile(0.5 * np.array(SIZE), (8, 1)))


def test_an_icosphere_is_near_a_sphere(tmp_path):
    found = read(trimesh.creation.icosphere(subdivisions=2, radius=0.2), tmp_path / "ball.stl")
    assert (len(found.vertices), len(found.faces)) == (162, 320)
    sagitta = max(0.2 - found.points[list(face)].mean(axis=0) @ normal for face, (normal, *_) in
                  zip(found.faces, found._planes, strict=True))  # fmt: skip
    for p in np.random.default_rng(0).normal(size=(5, 3)):
        gap = float(found.surface(p / np.linalg.norm(p))[0])
        assert 0.8 - 1e-6 <= gap <= 0.8 + 1.001 * sagitta


def refused(mesh):
    with pytest.raises(ModelError) as error:
        convex_faces(Triangles.of(mesh.vertices, mesh.faces), "the mesh 'part.stl'")
    return str(error.value)


def test_what_is_not_convex_is_refused():
    ring = refused(trimesh.creation.annulus(0.1, 0.2, 0.1))
    assert "the mesh 'part.stl' is not convex: a part of it lies 0.0" in ring
    assert "Cut it into convex parts" in ring
    corners = trimesh.creation.box((1.0, 1.0, 1.0))
    corners.vertices = [*corners.vertices, (0.0, 0.0, 0.2)]  # a dent in the upper face
    top = [k for k, n in enumerate(corners.face_normals) if n[2] > 0.5]
    rim = [(0, 1), (1, 2), (2, 3), (3, 0)]
    ring = sorted({i for k in top for i in corners.faces[k]},
                  key=lambda i: np.arctan2(*corners.vertices[i][:2]), reverse=True)  # fmt: skip
    kept = [f for k, f in enumerate(corners.faces) if k not in top]
    dented = trimesh.Trimesh(
        corners.vertices, [*kept, *((ring[i], ring[k], 8) for i, k in rim)], process=False
    )
    assert "is not convex: a part of it lies 0.1 m inside" in refused(dented)


def test_what_is_open_or_flat_is_refused():
    box = trimesh.creation.box(SIZE)
    lidless = trimesh.Trimesh(box.vertices, box.faces[2:], process=False)
    assert "the mesh 'part.stl' is not closed: " in refused(lidless)
    flat = trimesh.Trimesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 1)], process=False)
    assert "the mesh 'part.stl' has no volume" in refused(flat)


START = {
    "one.position": (0.0, 0.0, 0.5),
    "one.orientation": tuple(np.array([0.9, 0.3, 0.2, 0.1]) / np.sqrt(0.95)),
    "one.velocity": (0.5, 0.2, 0.0),
}


def thrown(contour, n, is_group):
    model = jd.Model("box")
    contours = [jd.HalfSpace(model.world)]
    for name in ("one", "two")[:n]:
        contours.append(contour(model.add_body(name, jd.solid.box(mass=1.0, size=SIZE))))
    if is_group:
        model.add_contacts("floor", contours, LAW)
    else:
        model.add_contact("floor", *contours, LAW)
    return model


@pytest.mark.parametrize(
    ("method", "n", "is_group"),
    [
        (jd.MoreauJean(2e-3), 1, False),
        (jd.MoreauJean(2e-3, tolerance=1e-12, iterations=3000), 1, True),
        (jd.MoreauJean(2e-3, tolerance=1e-12, iterations=3000), 2, True),
    ],
    ids=["single", "group", "two in a group"],
)
def test_a_mesh_of_a_box_moves_as_the_box(tmp_path, method, n, is_group):
    trimesh.creation.box(SIZE).export(tmp_path / "box.stl")
    start = START | ({"two.position": (0.05, 0.02, 1.3)} if n > 1 else {})
    box, mesh = (
        jd.simulate(thrown(kind, n, is_group), 0.5, start=start, method=method, sample=0.05)
        for kind in (
            lambda body: jd.Box(body, SIZE),
            lambda body: jd.Polyhedron.from_mesh(body, tmp_path / "box.stl"),
        )
    )
    np.testing.assert_allclose(mesh.q, box.q, rtol=0, atol=1e-10)
    assert [e.time for e in mesh.events] == [e.time for e in box.events] != []
