"""What every pair of contours must satisfy."""

import numpy as np
import pytest

from jourdain import math
from jourdain.math import rotation_z
from jourdain.model.contours import ContactPoint, Contour, HalfSpace, all_contours
from jourdain.model.contours.pairs import add_pair, half_space, pair
from jourdain.model.contours.pairs.pair import _PAIRS, all_pairs, find_pair
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

TURNED = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
ONE, TWO = Frame("one", (0.1, -0.2, 0.05)), Frame("two", (0.0, 0.1, -0.1), TURNED)
GAPS = [
    Gap(a, b)
    for a in all_contours(ONE)
    for b in all_contours(TWO)
    if (type(a), type(b)) in all_pairs()
]


def label(gap):
    return f"{type(gap.a).__name__}-{type(gap.b).__name__}"


def draw(rng, turn, gap, distance):
    """Poses of two bodies, the second about a distance away; in a plane for planar contours."""
    way = rng.normal(size=3)
    one, two = turn(rng), turn(rng)
    if is_planar(gap):
        way[2] = 0.0
        one, two = (rotation_z(x) for x in rng.uniform(-3, 3, 2))
    r = rng.normal(size=3)
    return (one, r), (two, r + [0, 0, is_planar(gap) * 0.15] + distance * way / np.linalg.norm(way))


def is_lost(gap, gaps):
    """Tell whether Newton's method has lost a contact of two surfaces, which have poles."""
    return bool(gap.parameters) and not np.all(np.abs(gaps) < pair.OUT_OF_REACH)


def is_planar(gap):
    kinds = {type(c).__name__ for c in (gap.a, gap.b)}
    return bool(kinds & {"Circle", "Curve", "Polygon"}) and "HalfSpace" not in kinds


def test_every_pair_is_in_the_tests():
    tested = {(type(g.a), type(g.b)) for g in GAPS}
    assert tested == set(all_pairs())
    assert {frozenset(pair) for pair in _PAIRS} == {frozenset(pair) for pair in tested}


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_rate_of_the_gap_is_the_velocity_of_the_points_along_the_normal(gap, traced, turn):
    rng = np.random.default_rng(1)
    trace = traced(gap)
    seen = 0
    for k in range(24):
        one, two = draw(rng, turn, gap, 0.25 * (1 + k % 6))
        rates, speeds, gaps = trace(one, two, rng.normal(size=6), rng.normal(size=6))
        if is_lost(gap, gaps):
            continue
        assert np.isfinite(gaps).all()
        np.testing.assert_allclose(rates, speeds, rtol=0, atol=1e-12 * (1 + np.abs(rates).max()))
        seen += np.count_nonzero(np.abs(rates) > 1e-3)
    assert seen > 20


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_numbers_and_symbols_agree_and_points_fit(gap, traced, places, turn):
    rng = np.random.default_rng(2)
    trace = traced(gap)
    for k in range(4):
        one, two = draw(rng, turn, gap, 0.25 * (1 + k % 6))
        points = gap.points(places(one=one, two=two))
        assert len(points) == gap.n_points == gap.size
        gaps = [p.gap for p in points]
        if is_lost(gap, gaps):
            continue
        np.testing.assert_allclose(gaps, trace(one, two, [0] * 6, [0] * 6)[2], rtol=0, atol=1e-13)
        for p in points:
            length = np.linalg.norm(p.normal)
            assert abs(length - 1.0) < 1e-12 or (length == 0.0 and p.gap > 0.0)
            if length:
                np.testing.assert_allclose(p.point_b - p.point_a, p.gap * p.normal, atol=1e-12)


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_the_other_order_is_the_same_seen_from_the_other_side(gap, places, turn):
    rng = np.random.default_rng(3)
    at = places(**dict(zip(("one", "two"), draw(rng, turn, gap, 0.7), strict=True)))
    seen, other = (sorted(g.points(at), key=by_place) for g in (gap, Gap(gap.b, gap.a)))
    for p, q in zip(seen, other, strict=True):
        swapped = ContactPoint(q.gap, -q.normal, q.point_b, q.point_a)
        for name in ("gap", "normal", "point_a", "point_b"):
            np.testing.assert_allclose(getattr(p, name), getattr(swapped, name), atol=1e-12)


def by_place(point):
    return round(point.gap, 9), round(float(sum(point.point_a + point.point_b)), 9)


def test_a_kind_of_its_own_takes_the_formula_of_its_base():
    ball = all_contours(ONE)[1]

    class Marble(type(ball)):
        pass

    assert find_pair(Marble(ONE, 0.1), ball) is find_pair(ball, ball)


def test_a_contour_of_ones_own_touches_by_what_it_tells(monkeypatch, places, turn):
    class Egg(Contour):
        """Two spheres of different size, one above the other."""

        radius: float
        n_extremes = 2

        def extremes(self, direction):
            small = math.vector(0.0, 0.0, self.radius) + 0.5 * self.radius * direction
            return self.radius * direction, small

    monkeypatch.setattr(pair, "_PAIRS", dict(pair._PAIRS))
    add_pair(HalfSpace, Egg, half_space.points, half_space.count)
    gap = Gap(Egg(ONE, 0.2), HalfSpace(TWO))
    at = places(one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([0.0, 0.0, -1.0])))
    np.testing.assert_allclose(gap.value(at), (0.95, 1.25))
