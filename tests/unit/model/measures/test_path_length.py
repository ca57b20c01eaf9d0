"""Lengths of ropes."""

from math import acos, pi, sqrt

import casadi
import numpy as np
import pytest

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.measures import Distance, PathLength
from jourdain.model.measures.path_length import wrapped_length

WORLD = Frame("world")


def place(x, y, z=0.0):
    return Frame("world", (x, y, z))


AT = Snapshot({})


def test_straight_parts_add_up(moment):
    points = (Frame("a"), Frame("b", (0.1, 0, 0)), WORLD)
    expected = sum(Distance(*pair).value(moment) for pair in (points[:2], points[1:]))
    assert PathLength(points).value(moment) == pytest.approx(expected, rel=1e-15)


def test_half_way_about_a_drum():
    """From (d, 0) to (−d, 0): two tangents and the arc between, over the top."""
    d, r = 0.5, 0.2
    expected = 2 * sqrt(d * d - r * r) + r * (pi - 2 * acos(r / d))
    rope = PathLength((place(d, 0), place(-d, 0)), WORLD, r)
    assert rope.value(AT) == pytest.approx(expected, rel=1e-15)
    helix = PathLength((place(d, 0), place(-d, 0, 0.7)), WORLD, r)
    assert helix.value(AT) == pytest.approx(sqrt(expected**2 + 0.7**2), rel=1e-15)


@pytest.mark.parametrize("degrees", [5.0, 100.0, 179.0, 181.0, 265.0, 350.0])
def test_arc_grows_with_the_angle(degrees):
    """Points just off the surface: the length is the arc."""
    angle, r, d = np.deg2rad(degrees), 0.2, 0.2 * (1 + 1e-12)
    start, end = place(d, 0), place(d * np.cos(angle), d * np.sin(angle))
    assert PathLength((start, end), WORLD, r).value(AT) == pytest.approx(r * angle, rel=1e-12)


def test_line_lifts_off_where_nothing_is_in_the_way():
    ends = place(0.5, 0.1), place(0.4, 0.6)
    muscle = PathLength(ends, WORLD, 0.2, lifts=True)
    assert muscle.value(AT) == Distance(*ends).value(AT)


def test_lifting_or_not_is_one_where_it_touches():
    p, q = np.array((0.5, 0.0, 0.1)), np.array((-0.4, 0.2, 0.0))
    wrapped, lifted = (wrapped_length(p, q, 0.2, lifts=x) for x in (False, True))
    assert wrapped == pytest.approx(lifted, rel=1e-15)


def test_a_rope_stays_on_its_pulley():
    """Both ends hang down: half a turn, though a straight line between them is free."""
    rope = PathLength((place(0.2, -1.0), place(-0.2, -1.0)), WORLD, 0.2)
    assert rope.value(AT) == pytest.approx(2.0 + 0.2 * pi, rel=1e-15)
    crossed = PathLength((place(-0.2, -1.0), place(0.2, -1.0)), WORLD, 0.2)
    wrap = 2 * pi - 2 * (acos(0.2 / sqrt(1.04)) - np.arctan2(0.2, 1.0))
    assert crossed.value(AT) == pytest.approx(2.0 + 0.2 * wrap, rel=1e-12)


def test_axis_and_frame_of_the_cylinder():
    """The drum lies along y and stands off the origin; the rope runs over its top."""
    drum = Frame("world", (0.0, 0.3, 2.0))
    over, under = (
        PathLength((place(0.5, 0, 1.9), place(-0.5, 0, 1.9)), drum, 0.2, axis)
        for axis in ("-y", "y")
    )
    assert over.value(AT) > 1.01
    assert under.value(AT) < over.value(AT)


@pytest.mark.parametrize("lifts", [True, False])
def test_a_rope_pulls_with_its_own_force(rng, lifts):
    """The gradient by either end is a unit vector: a rope of force F pulls with F."""
    p, q = casadi.SX.sym("p", 3), casadi.SX.sym("q", 3)
    length = wrapped_length(p, q, 0.3, lifts=lifts)
    slopes = casadi.Function("f", [p, q], [casadi.gradient(length, e) for e in (p, q)])
    wrapped = 0
    for _ in range(50):
        ends = [np.array((*(rng.uniform(0.4, 1) * unit(rng)), rng.normal())) for _ in range(2)]
        wrapped += wrapped_length(*ends, 0.3, lifts=lifts) > np.linalg.norm(ends[1] - ends[0])
        for slope in slopes(*ends):
            assert float(casadi.norm_2(slope)) == pytest.approx(1.0, rel=1e-12)
    assert (10 < wrapped < 45) if lifts else wrapped == 50


def unit(rng):
    angle = rng.uniform(0, 2 * pi)
    return np.array((np.cos(angle), np.sin(angle)))


def test_length_and_force_are_continuous_where_it_lifts_off():
    p, r = np.array((0.5, 0.0, 0.0)), 0.2
    touching = 2 * acos(r / 0.5)
    lengths = [
        wrapped_length(p, 0.5 * np.array((np.cos(a), np.sin(a), 0.4)), r, lifts=True)
        for a in touching + np.array((-2e-5, -1e-5, 1e-5, 2e-5))
    ]
    steps = np.diff(lengths)
    assert steps[0] == pytest.approx(steps[2], rel=1e-4)
    assert steps[1] == pytest.approx(2 * steps[0], rel=1e-4)
