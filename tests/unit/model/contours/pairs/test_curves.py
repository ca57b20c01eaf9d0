"""The validation case V05 of the theory notes, without parameters as states."""

import numpy as np
import pytest

from jourdain import math
from jourdain.math import rotation_z
from jourdain.model.contours import Curve
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

TURN = (0.0, 2.0 * np.pi)


def ellipse(a, b):
    return lambda s: math.vector(a * math.cos(s), b * math.sin(s), 0.0)


GAP = Gap(
    Curve(Frame("one"), ellipse(1.0, 0.6), TURN), Curve(Frame("two"), ellipse(0.8, 1.3), TURN)
)


def poses(t):
    one = rotation_z(0.3 + 0.7 * t + 0.2 * t**2), (0.1 * np.sin(2 * t), 0.2 * t + 0.1 * t**2, 0)
    two = rotation_z(-0.5 - 0.9 * t + 0.1 * t**3), (2.3 - 0.3 * t, 0.4 + 0.25 * np.sin(t), 0)
    return {"one": (one[0], np.array(one[1])), "two": (two[0], np.array(two[1]))}


def test_gap_of_two_ellipses(places):
    (p,) = GAP.points(places(**poses(0.2)))
    assert p.gap == pytest.approx(0.2719074312, abs=1e-9)


def test_rate_of_the_gap(places):
    h, t = 1e-3, 0.2
    gaps = [GAP.points(places(**poses(t + k * h)))[0].gap for k in (-2, -1, 1, 2)]
    slope = (gaps[0] - 8 * gaps[1] + 8 * gaps[2] - gaps[3]) / (12 * h)
    assert slope == pytest.approx(-0.6187818641, abs=1e-8)


@pytest.mark.parametrize("angle", np.linspace(0.1, 6.0, 5))
@pytest.mark.parametrize("distance", [1.0, 3.0])
def test_two_circles_anywhere_apart_or_overlapping(places, angle, distance):
    one, two = (Curve(Frame(name), ellipse(0.7, 0.7), TURN) for name in ("one", "two"))
    way = np.array([np.cos(angle), np.sin(angle), 0])
    at = places(one=(np.eye(3), np.zeros(3)), two=(rotation_z(1.0), distance * way))
    (p,) = Gap(one, two).points(at)
    assert p.gap == pytest.approx(distance - 1.4, abs=1e-12)
    np.testing.assert_allclose(p.normal, way, atol=1e-10)
