"""Two surfaces: spheres have a closed form, and parameters nearby lead to the same point."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.contours import Surface
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap

SPAN = ((0.0, 2.0 * np.pi), (-1.4, 1.4))


def ellipsoid(a, b, c):
    def point(u, v):
        return math.vector(
            a * math.cos(u) * math.cos(v), b * math.sin(u) * math.cos(v), c * math.sin(v)
        )

    return point


def pair(one, two):
    return Gap(
        Surface(Frame("one"), ellipsoid(*one), SPAN), Surface(Frame("two"), ellipsoid(*two), SPAN)
    )


def at(places, way, distance):
    return places(one=(np.eye(3), np.zeros(3)), two=(math.rotation_z(1.0), distance * way))


@pytest.mark.parametrize("angle", np.linspace(0.1, 6.0, 5))
@pytest.mark.parametrize("distance", [0.9, 1.5])
def test_two_balls_apart_or_overlapping(places, angle, distance):
    gap = pair((0.7, 0.7, 0.7), (0.3, 0.3, 0.3))
    way = np.array([np.cos(angle), 0.8 * np.sin(angle), 0.6 * np.sin(angle)])
    (p,) = gap.points(at(places, way, distance))
    assert p.gap == pytest.approx(distance - 1.0, abs=1e-12)
    np.testing.assert_allclose(p.normal, way, atol=1e-9)


def test_contact_parameters_of_two_ellipsoids(places):
    """Along a common axis the points are known; from parameters nearby they are found again."""
    gap = pair((0.7, 0.5, 0.4), (0.3, 0.3, 0.2))
    assert list(gap.parameters) == ["contact_1", "contact_2", "contact_3", "contact_4"]
    view = places(
        one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([1.2, 0.0, 0.0]))
    )  # fmt: skip
    (p,), c = gap.near(view, None)
    assert p.gap == pytest.approx(0.2, abs=1e-12)
    np.testing.assert_allclose(np.cos([c[0], c[2]]), [1.0, -1.0], atol=1e-12)
    np.testing.assert_allclose([c[1], c[3]], 0.0, atol=1e-9)
    (q,), again = gap.near(view, c + 1e-3)
    assert q.gap == pytest.approx(p.gap, abs=1e-12)
    np.testing.assert_allclose(again, c, atol=1e-9)


def test_parameters_far_away_lose_the_point(places):
    gap = pair((0.7, 0.5, 0.4), (0.3, 0.3, 0.2))
    view = places(one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([1.2, 0.0, 0.0])))
    (p,), _ = gap.near(view, np.array([1.5, 0.4, 1.0, -0.7]))
    assert np.isnan(p.gap)


def test_bodies_deep_in_each_other_overlap(places):
    gap = pair((0.7, 0.5, 0.4), (0.3, 0.3, 0.2))
    view = places(one=(np.eye(3), np.zeros(3)), two=(np.eye(3), np.array([0.01, 0.02, 0.0])))
    assert gap.points(view)[0].gap < -0.01
