"""Points of outlines by functions: exact for ellipses."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.contours import Curve, Surface
from jourdain.model.contours.geometry.nearest import solved
from jourdain.model.contours.geometry.poles import poles_of
from jourdain.model.contours.registry import ellipse, ellipsoid
from jourdain.model.elements import Frame

OVAL = Curve(Frame("body"), ellipse, (0.0, 2.0 * np.pi))
EGG = Surface(Frame("body"), ellipsoid, ((0.0, 2.0 * np.pi), (-1.2, 1.2)))


@pytest.mark.parametrize("angle", np.linspace(0.0, 6.0, 7))
def test_the_furthest_point_of_an_ellipse(angle):
    d = np.array([np.cos(angle), np.sin(angle), 0.0])
    (x,) = OVAL.extremes(d)
    told = np.array([0.16, 0.04, 0.0]) * d / np.linalg.norm([0.4 * d[0], 0.2 * d[1]])
    np.testing.assert_allclose(x, told, atol=1e-14)


@pytest.mark.parametrize("z", [-0.4, 0.0, 0.6])
def test_the_furthest_point_of_an_ellipsoid(z):
    d = np.array([0.6, -0.8, z]) / np.linalg.norm([0.6, -0.8, z])
    (x,) = EGG.extremes(d)
    axes = np.array([0.4, 0.3, 0.2])
    np.testing.assert_allclose(x, axes**2 * d / np.linalg.norm(axes * d), atol=1e-14)


def test_points_on_the_axes():
    for contour in (OVAL, EGG):
        assert contour.surface(np.array([0.37, 0.0, 0.0]))[0] == pytest.approx(-0.03, abs=1e-14)
        assert contour.surface(np.array([-0.5, 0.0, 0.0]))[0] == pytest.approx(0.1, abs=1e-14)
    distance, normal = OVAL.surface(np.array([0.0, 0.3, 5.0]))
    assert distance == pytest.approx(0.1, abs=1e-14)
    np.testing.assert_allclose(normal, (0, 1, 0), atol=1e-12)


WHOLE = ((0.0, 2.0 * np.pi), (-0.5 * np.pi, 0.5 * np.pi))
ELLIPSOIDS = [(0.4, 0.3, 0.2), (0.4, 0.3, 0.05), (0.1, 0.15, 0.6)]


def semi_axes(a, b, c):
    def function(u, v):
        across = math.cos(v)
        return math.vector(a * math.cos(u) * across, b * math.sin(u) * across, c * math.sin(v))

    return function


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-3, 0.01, 0.4])
@pytest.mark.parametrize("axes", ELLIPSOIDS, ids=str)
def test_points_near_a_pole_and_at_it(axes, tilt):
    """Points are exact, and within 1e-9 m of the pole they are as near as that."""
    body, axes = Surface(Frame("body"), semi_axes(*axes), WHOLE), np.array(axes)
    for side, turn in ((1.0, 0.0), (-1.0, 2.1), (1.0, 3.1409)):
        d = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
        d[2] *= side
        told, near = axes**2 * d / np.linalg.norm(axes * d), 1e-9 if tilt < 1e-8 else 1e-13
        (x,) = body.extremes(d)
        np.testing.assert_allclose(x, told, rtol=0, atol=near)
        assert d @ (x - told) == pytest.approx(0.0, abs=1e-15)
        for distance in (0.2, -0.002):
            found, normal = body.surface(told + distance * d)
            assert found == pytest.approx(distance, abs=1e-14)
            np.testing.assert_allclose(normal, d, rtol=0, atol=100.0 * near)


def test_poles_are_seen():
    """The ellipsoid has one at both ends of its second parameter, a belt of it has none."""
    whole = [bool(p.is_one) for p in poles_of(ellipsoid, WHOLE)]
    assert whole == [False, False, True, True]
    assert not any(p.is_one for p in poles_of(ellipsoid, ((0.0, 2.0 * np.pi), (-1.2, 1.2))))
    assert poles_of(ellipse, ((0.0, 6.0),)) == []


def test_a_step_over_a_pole_comes_out_on_the_other_side():
    pole = poles_of(ellipsoid, WHOLE)[3]
    assert (pole.number, pole.end) == (1, 0.5 * np.pi)
    u, v = pole.moved(np.array([0.3, 0.5 * np.pi - 0.1]), np.array([0.0, -0.3]), 1.0)
    assert v == pytest.approx(0.5 * np.pi - 0.2)
    assert (u - 0.3) % (2.0 * np.pi) == pytest.approx(np.pi)


def test_two_equations():
    np.testing.assert_allclose(solved([5.0, 6.0], [[1.0, 2.0], [3.0, 4.0]]), (-4.0, 4.5))
