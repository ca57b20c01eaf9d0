"""What every pair of contours must satisfy."""

import numpy as np
import pytest

from jourdain.model.contours import ContactPoint, all_contours
from jourdain.model.contours.pairs.pair import _PAIRS, all_pairs, find_pair
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

TURNED = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
ONE, TWO = Frame("one", (0.1, -0.2, 0.05)), Frame("two", (0.0, 0.1, -0.1), TURNED)
GAPS = [
    Gap(a, b) for a in all_contours(ONE) for b in all_contours(TWO) if (type(a), type(b)) in _PAIRS
]


def label(gap):
    return f"{type(gap.a).__name__}-{type(gap.b).__name__}"


def draw(rng, turn, distance):
    """Poses of two bodies, the second about a distance away from the first."""
    way = rng.normal(size=3)
    one = turn(rng), rng.normal(size=3)
    return one, (turn(rng), one[1] + distance * way / np.linalg.norm(way))


def test_every_pair_is_in_the_tests():
    tested = {(type(g.a), type(g.b)) for g in GAPS}
    assert tested == set(_PAIRS)
    assert {*all_pairs()} <= tested
    assert len(all_pairs()) == len({frozenset(pair) for pair in _PAIRS})


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_rate_of_the_gap_is_the_velocity_of_the_points_along_the_normal(gap, traced, turn):
    rng = np.random.default_rng(1)
    trace = traced(gap)
    seen = 0
    for k in range(24):
        one, two = draw(rng, turn, 0.25 * (1 + k % 6))
        rates, speeds, gaps = trace(one, two, rng.normal(size=6), rng.normal(size=6))
        assert np.isfinite(gaps).all()
        np.testing.assert_allclose(rates, speeds, rtol=0, atol=1e-12 * (1 + np.abs(rates).max()))
        seen += np.count_nonzero(np.abs(rates) > 1e-3)
    assert seen > 20


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_numbers_and_symbols_agree_and_points_fit(gap, traced, places, turn):
    rng = np.random.default_rng(2)
    trace = traced(gap)
    for k in range(12):
        one, two = draw(rng, turn, 0.25 * (1 + k % 6))
        points = gap.points(places(one=one, two=two))
        assert len(points) == gap.n_points == gap.size
        gaps = [p.gap for p in points]
        np.testing.assert_allclose(gaps, trace(one, two, [0] * 6, [0] * 6)[2], rtol=0, atol=1e-13)
        for p in points:
            length = np.linalg.norm(p.normal)
            assert abs(length - 1.0) < 1e-12 or (length == 0.0 and p.gap > 0.0)
            if length:
                np.testing.assert_allclose(p.point_b - p.point_a, p.gap * p.normal, atol=1e-12)


@pytest.mark.parametrize("gap", GAPS, ids=label)
def test_the_other_order_is_the_same_seen_from_the_other_side(gap, places, turn):
    rng = np.random.default_rng(3)
    at = places(**dict(zip(("one", "two"), draw(rng, turn, 0.7), strict=True)))
    for p, q in zip(gap.points(at), Gap(gap.b, gap.a).points(at), strict=True):
        swapped = ContactPoint(q.gap, -q.normal, q.point_b, q.point_a)
        for name in ("gap", "normal", "point_a", "point_b"):
            np.testing.assert_allclose(getattr(p, name), getattr(swapped, name), atol=1e-12)


def test_a_kind_of_its_own_takes_the_formula_of_its_base():
    ball = all_contours(ONE)[1]

    class Marble(type(ball)):
        pass

    assert find_pair(Marble(ONE, 0.1), ball) is find_pair(ball, ball)
