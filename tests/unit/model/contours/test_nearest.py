"""Points of outlines by functions: exact for ellipses."""

import numpy as np
import pytest

from jourdain.model.contours import Curve, Surface
from jourdain.model.contours.nearest import solved
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


def test_two_equations():
    np.testing.assert_allclose(solved([5.0, 6.0], [[1.0, 2.0], [3.0, 4.0]]), (-4.0, 4.5))
