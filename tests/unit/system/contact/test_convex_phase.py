import numpy as np
import pytest

from jourdain.math import rotation_quaternion
from jourdain.model.contours import Box, Capsule, Cylinder, Polyhedron, Sphere
from jourdain.model.contours.pairs import find_pair
from jourdain.model.contours.registry import PYRAMID
from jourdain.model.elements import Frame

pytest.importorskip("coal")
from jourdain.system.contact.convex_phase import ConvexPhase

FRAME = Frame("body")
BOX, BALL = Box(FRAME, (0.3, 0.4, 0.6)), Sphere(FRAME, 0.2)
ROD, TIN = Capsule(FRAME, 0.1, 0.5, "x"), Cylinder(FRAME, 0.2, 0.5, (0.0, 0.6, 0.8))
GEM = Polyhedron(FRAME, PYRAMID)


def draw(rng):
    turns = [rotation_quaternion(e) for e in rng.normal(size=(2, 4))]
    way = rng.normal(size=3)
    return (turns[0], np.zeros(3)), (turns[1], way / np.linalg.norm(way))


def row(at_a, at_b):
    return [*at_a[0].ravel(), *at_a[1], *at_b[0].ravel(), *at_b[1]]


@pytest.mark.parametrize(
    ("a", "b"), [(BOX, BOX), (BALL, BOX), (ROD, ROD), (BALL, TIN), (GEM, BALL)]
)
def test_it_agrees_with_the_formulas(a, b):
    rng, find, pair = np.random.default_rng(3), ConvexPhase(a, b), find_pair(a, b)
    for _ in range(10):
        at_a, at_b = draw(rng)
        found = find.rows(row(at_a, at_b))
        told = min(pair.points(a, b, at_a, at_b), key=lambda p: p.gap)
        assert found.gaps[0, 0] == pytest.approx(told.gap, abs=1e-8)
        np.testing.assert_allclose(found.normals[0, 0], told.normal, atol=1e-5)


def test_two_polyhedra_are_apart_by_a_slab_of_the_width_of_the_gap():
    rng, find, corners = np.random.default_rng(4), ConvexPhase(GEM, GEM), np.array(PYRAMID)
    for _ in range(10):
        (R_a, r_a), (R_b, r_b) = draw(rng)
        found = find.rows(row((R_a, r_a), (R_b, r_b)))
        gap, n = found.gaps[0, 0], found.normals[0, 0]
        below, above = (corners @ R_a.T + r_a) @ n, (corners @ R_b.T + r_b) @ n
        assert above.min() - below.max() == pytest.approx(gap, abs=1e-7)
        offset = found.points_b[0, 0] - found.points_a[0, 0]
        np.testing.assert_allclose(offset, gap * n, atol=1e-7)


def test_no_pairs():
    assert ConvexPhase(BALL, GEM).rows(np.zeros((0, 24))).gaps.shape == (0, 1)
