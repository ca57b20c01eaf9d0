"""The smallest gap is the distance: a separating plane of that width proves it.

For points x of A and y of B and any unit vector n, |y − x| ≥ min n·y − max n·x over the two sets.
So points of the sets that are as far apart as the slab between them is wide are the closest.
"""

import numpy as np
import pytest

from jourdain.math import axis_vector, rotation_z
from jourdain.model.contours import all_contours
from jourdain.model.contours.pairs import all_pairs
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

ONE, TWO = Frame("one", (0.1, -0.2, 0.05)), Frame("two", (0.0, 0.1, -0.1))
GAPS = [
    Gap(a, b)
    for a in all_contours(ONE)
    for b in all_contours(TWO)
    if (type(a), type(b)) in all_pairs()
]


def furthest(contour, d):
    """Largest d·x over the contour, in the axes of its frame."""
    kind = type(contour).__name__
    if kind == "Point":
        return 0.0
    if kind == "HalfSpace":
        return 0.0 if axis_vector(contour.normal) @ d > 1.0 - 1e-12 else np.inf
    if kind in ("Polygon", "Polyhedron"):
        return max(np.array(contour.vertices) @ d)
    if kind == "Box":
        return 0.5 * np.abs(contour.size) @ np.abs(d)
    if kind in ("Curve", "Surface"):
        axes = (0.4, 0.2, 0.0) if kind == "Curve" else (0.4, 0.3, 0.2)
        return np.linalg.norm(np.array(axes) * d)
    if kind == "Sphere":
        return contour.radius
    across = np.linalg.norm(np.cross(axis_vector(contour.axis), d))
    if kind in ("Circle", "Disc"):
        return contour.radius * across
    end = 0.5 * contour.length * abs(axis_vector(contour.axis) @ d)
    return end + contour.radius * (1.0 if kind == "Capsule" else across)


def draw(rng, gap, turn):
    way, turns, shift = rng.normal(size=3), (turn(rng), turn(rng)), 0.0
    kinds = {type(c).__name__ for c in (gap.a, gap.b)}
    if kinds & {"Circle", "Curve", "Polygon"} and "HalfSpace" not in kinds:
        way[2], shift = 0.0, 0.15  # puts the two frames into one plane
        turns = rotation_z(rng.uniform(-3, 3)), rotation_z(rng.uniform(-3, 3))
    place = rng.uniform(0.4, 1.5) * way / np.linalg.norm(way) + [0, 0, shift]
    return {"one": (turns[0], np.zeros(3)), "two": (turns[1], place)}


@pytest.mark.parametrize("gap", GAPS, ids=lambda g: f"{type(g.a).__name__}-{type(g.b).__name__}")
def test_the_smallest_gap_is_the_distance(gap, places, turn):
    rng = np.random.default_rng(4)
    seen = 0
    for _ in range(20):
        at = places(**draw(rng, gap, turn))
        p = min(gap.points(at), key=lambda point: point.gap)
        if p.gap < 1e-3:
            continue
        seen += 1
        for contour, n, point in ((gap.a, p.normal, p.point_a), (gap.b, -p.normal, p.point_b)):
            R, r = at.pose(contour.frame)
            local = R.T @ (point - r)
            assert R.T @ n @ local == pytest.approx(furthest(contour, R.T @ n), abs=1e-9)
            for way in rng.normal(size=(20, 3)):
                d = way / np.linalg.norm(way)
                assert d @ local <= furthest(contour, d) + 1e-9
        assert np.linalg.norm(p.point_b - p.point_a) == pytest.approx(p.gap, abs=1e-12)
    assert seen > 3
