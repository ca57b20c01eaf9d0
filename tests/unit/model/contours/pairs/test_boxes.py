import numpy as np
import pytest

from jourdain.math import rotation_x, rotation_y, rotation_z
from jourdain.model.contours import Box
from jourdain.model.contours.pairs.pair import OUT_OF_REACH
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

LOW, HIGH = Frame("one"), Frame("two")


def touching(places, gap, R, r, depth=1e-6):
    points = gap.points(places(one=(np.eye(3), np.zeros(3)), two=(R, np.array(r))))
    return [p for p in points if p.gap < depth]


def patch(points):
    """Corners of the contact patch as seen from above, each once."""
    return sorted({tuple(np.round(p.point_b[:2], 6) + 0.0) for p in points})


@pytest.mark.parametrize("overlap", [-1e-7, 0.0, 1e-9, 1e-4])
@pytest.mark.parametrize("shift", [0.0, 1e-17, -1e-12, 1e-9])
def test_equal_boxes_stack(places, overlap, shift):
    gap = Gap(Box(LOW, (0.2, 0.3, 0.4)), Box(HIGH, (0.2, 0.3, 0.4)))
    found = touching(places, gap, np.eye(3), (shift, 0, 0.4 - overlap))
    assert patch(found) == [(-0.1, -0.15), (-0.1, 0.15), (0.1, -0.15), (0.1, 0.15)]
    for p in found:
        np.testing.assert_allclose([p.gap, *p.normal], [-overlap, 0, 0, 1], atol=1e-12)


def test_a_small_box_on_a_large_one_stands_on_its_corners(places):
    gap = Gap(Box(LOW, (2, 2, 0.4)), Box(HIGH, (0.2, 0.3, 0.4)))
    found = touching(places, gap, rotation_z(0.3), (0.5, 0.2, 0.4 - 1e-9))
    assert len(found) == 4
    assert all(np.allclose(p.normal, (0, 0, 1), atol=1e-12) for p in found)
    assert all(p.gap == pytest.approx(-1e-9, abs=1e-15) for p in found)


def test_an_overhanging_box_touches_where_the_two_overlap(places):
    gap = Gap(Box(LOW, (0.2, 0.2, 0.2)), Box(HIGH, (0.2, 0.2, 0.2)))
    found = touching(places, gap, np.eye(3), (0.05, 0, 0.2 - 1e-9))
    assert patch(found) == [(-0.05, -0.1), (-0.05, 0.1), (0.1, -0.1), (0.1, 0.1)]
    assert all(np.allclose(p.normal, (0, 0, 1)) for p in found)


def test_crossed_planks_touch_at_the_crossings_of_their_edges(places):
    gap = Gap(Box(LOW, (1.0, 0.1, 0.1)), Box(HIGH, (1.0, 0.2, 0.1)))
    found = touching(places, gap, rotation_z(np.pi / 2), (0.2, 0, 0.1 - 1e-9))
    assert patch(found) == [(0.1, -0.05), (0.1, 0.05), (0.3, -0.05), (0.3, 0.05)]
    assert all(np.allclose(p.normal, (0, 0, 1), atol=1e-12) for p in found)


@pytest.mark.parametrize("height", [0.3, 0.01, -0.01])
def test_two_edges_meet_at_a_right_angle(places, height):
    gap = Gap(Box(LOW, (1, 1, 1)), Box(HIGH, (1, 1, 1)))
    R_a, R_b = rotation_x(np.pi / 4), rotation_y(np.pi / 4)
    at = places(one=(R_a, np.zeros(3)), two=(R_b, np.array([0.1, 0.2, np.sqrt(2) + height])))
    p = min(gap.points(at), key=lambda point: point.gap)
    np.testing.assert_allclose(p.point_a, (0.1, 0, np.sqrt(0.5)), atol=1e-12)
    np.testing.assert_allclose(p.point_b, (0.1, 0, np.sqrt(0.5) + height), atol=1e-12)
    np.testing.assert_allclose([p.gap, *p.normal], [height, 0, 0, 1], atol=1e-12)


def test_a_corner_meets_a_corner(places):
    gap = Gap(Box(LOW, (1, 1, 1)), Box(HIGH, (1, 1, 1)))
    at = places(one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([1.1, 1.2, 1.2])))
    p = min(gap.points(at), key=lambda point: point.gap)
    assert p.gap == pytest.approx(0.3, abs=1e-12)
    np.testing.assert_allclose(p.normal, np.array([1, 2, 2]) / 3, atol=1e-12)


def test_the_gap_is_continuous_along_a_path_of_separate_boxes(traced):
    gap = Gap(Box(LOW, (1, 0.6, 0.4)), Box(HIGH, (0.5, 0.7, 0.9)))
    trace = traced(gap)

    def smallest(s):
        R = rotation_x(3 * s) @ rotation_y(2 * s) @ rotation_z(s)
        r = 1.4 * np.array([np.cos(5 * s), np.sin(5 * s) * np.cos(s), np.sin(5 * s) * np.sin(s)])
        return trace((np.eye(3), np.zeros(3)), (R, r), np.zeros(6), np.zeros(6))[2].min()

    gaps = np.array([smallest(s) for s in np.linspace(0, 1, 201)])
    assert gaps.min() > 0.1
    assert np.abs(np.diff(gaps)).max() < 0.05  # at most 8 m per unit along the path


def test_candidates_that_cannot_touch_are_out_of_reach(places):
    gap = Gap(Box(LOW, (0.2, 0.2, 0.2)), Box(HIGH, (0.2, 0.2, 0.2)))
    at = places(one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([0, 0, 0.2])))
    away = [p for p in gap.points(at) if not p.normal.any()]
    assert away
    assert all(p.gap == OUT_OF_REACH for p in away)
