import numpy as np

from jourdain.model.contours.box import CORNERS
from jourdain.model.contours.registry import PYRAMID
from jourdain.solvers.collision.tables import Tables, hull_edges, hull_faces


def test_a_cube_has_six_faces_of_four_corners():
    points = np.array(CORNERS)
    normals, offsets, rings = hull_faces(points)
    assert sorted(map(tuple, normals.round(12))) == sorted(
        tuple(s * np.eye(3)[k]) for k in range(3) for s in (-1.0, 1.0)
    )
    np.testing.assert_allclose(offsets, 1.0)
    assert [len(ring) for ring in rings] == [4] * 6


def test_rings_run_to_the_left_seen_from_outside():
    points = np.array(PYRAMID, dtype=float)
    normals, offsets, rings = hull_faces(points)
    for n, d, ring in zip(normals, offsets, rings, strict=True):
        own = points[ring]
        area = np.cross(own - own[0], np.roll(own, -1, axis=0) - own[0]).sum(axis=0)
        assert area @ n > 0
        np.testing.assert_allclose(own @ n, d, atol=1e-12)
        assert (points @ n <= d + 1e-12).all()


def test_edges_run_along_the_product_of_the_normals_of_left_and_right():
    points = np.array(PYRAMID, dtype=float)
    normals, _, rings = hull_faces(points)
    edges = hull_edges(rings)
    assert len(edges) == len(points) + len(rings) - 2
    for a, b, left, right in edges:
        assert (points[b] - points[a]) @ np.cross(normals[left], normals[right]) > 0


def test_equal_polyhedra_share_a_table():
    tables = Tables()
    first, other, again = (tables.add(p) for p in (CORNERS, PYRAMID, CORNERS))
    assert first == again != other
    assert (tables.most_corners, tables.most_faces) == (8, 6)
