import numpy as np
import pytest

from jourdain.math import rotation_quaternion
from jourdain.model.contours import Box, Cylinder, HalfSpace, Sphere, all_contours
from jourdain.model.contours.pairs import all_pairs, find_pair
from jourdain.model.elements import Frame
from jourdain.spatial.parameter import Parameter
from jourdain.system.contact.narrow_phase import NarrowPhase, dimensions, form

FRAME = Frame("body")
SMALL = [
    (a, b)
    for a in all_contours(FRAME)
    for b in all_contours(FRAME)
    if (type(a), type(b)) in all_pairs() and find_pair(a, b).n_points(a, b) < 4
]


def poses(rng, n):
    """Rotations and positions of frames, and the same as rows of numbers."""
    turns = [rotation_quaternion(e) for e in rng.normal(size=(n, 4))]
    places = rng.normal(size=(n, 3))
    rows = [[*R.ravel(), *r] for R, r in zip(turns, places, strict=True)]
    return list(zip(turns, places, strict=True)), np.array(rows)


@pytest.mark.parametrize(
    ("a", "b"), SMALL[::4], ids=lambda c: type(c).__name__ if not isinstance(c, tuple) else ""
)
def test_points_are_those_of_the_formula(a, b):
    rng = np.random.default_rng(1)
    (at_a, x_a), (at_b, x_b) = poses(rng, 5), poses(rng, 5)
    sizes = np.tile([*dimensions(a), *dimensions(b)], (5, 1))
    found = NarrowPhase(a, b).rows(np.hstack([x_a, x_b, sizes]))
    pair = find_pair(a, b)
    for k in range(5):
        for j, p in enumerate(pair.points(a, b, at_a[k], at_b[k])):
            assert found.gaps[k, j] == pytest.approx(p.gap, abs=1e-13)
            np.testing.assert_allclose(found.normals[k, j], p.normal, atol=1e-12)
            np.testing.assert_allclose(found.points_a[k, j], p.point_a, atol=1e-12)
            np.testing.assert_allclose(found.points_b[k, j], p.point_b, atol=1e-12)


@pytest.mark.slow
def test_boxes_of_all_sizes_share_one_function():
    a, b = Box(FRAME, (0.2, 0.3, 0.4)), Box(FRAME, (0.5, 0.1, 0.2))
    assert form(a) == form(b)
    rng = np.random.default_rng(2)
    (at_a, x_a), (at_b, x_b) = poses(rng, 3), poses(rng, 3)
    sizes = np.tile([*dimensions(a), *dimensions(b)], (3, 1))
    found = NarrowPhase(b, a).rows(np.hstack([x_a, x_b, sizes]))
    for k in range(3):
        points = find_pair(a, b).points(a, b, at_a[k], at_b[k])
        np.testing.assert_allclose(found.gaps[k], [p.gap for p in points], atol=1e-12)


def test_forms_differ_in_all_but_place_and_dimensions():
    assert form(Sphere(FRAME, 0.1)) == form(Sphere(Frame("other"), 0.2))
    assert form(Cylinder(FRAME, 0.1, 0.2)) != form(Cylinder(FRAME, 0.1, 0.2, "x"))
    assert form(HalfSpace(FRAME)) != form(HalfSpace(FRAME, "x"))


def test_dimensions_are_plain_numbers():
    edge = Parameter("edge", 0.3)
    assert dimensions(Box(FRAME, (edge, 2 * edge, 1.0))) == (0.3, 0.6, 1.0)
    assert dimensions(HalfSpace(FRAME)) == ()


def test_no_pairs_have_no_points():
    found = NarrowPhase(HalfSpace(FRAME), Sphere(FRAME, 0.1)).rows(np.zeros((0, 25)))
    assert found.gaps.shape == (0, 1)
