import numpy as np
import pytest

from jourdain import math
from jourdain.analysis.assembly.contact_search import ContactSearch
from jourdain.model.contours import Curve, Point, Sphere, Surface
from jourdain.model.elements import Frame

EGG = ((0.0, 2.0 * np.pi), (-1.4, 1.4))


def ball(u, v):
    return math.vector(math.cos(u) * math.cos(v), math.sin(u) * math.cos(v), math.sin(v))


@pytest.mark.parametrize("seed", range(5))
def test_the_start_is_found_for_spheres_anywhere(seed):
    rng = np.random.default_rng(seed)
    way = rng.normal(size=3)
    way[2] = 0.3 * abs(way[0])  # away from the poles
    way /= np.linalg.norm(way)
    search = ContactSearch(Surface(Frame("a"), ball, EGG), Surface(Frame("b"), ball, EGG))
    c = search({"a": (np.eye(3), np.zeros(3)), "b": (np.eye(3), 2.5 * way)})
    np.testing.assert_allclose(ball(*c[:2]), way, atol=1e-11)
    np.testing.assert_allclose(ball(*c[2:]), -way, atol=1e-11)


def test_parameters_nearby_are_kept_round_after_round():
    circle = Curve(Frame("cam"), lambda s: ball(s, 0.0), (0.0, 2.0 * np.pi))
    search = ContactSearch(circle, Point(Frame("tip")))
    c = search({"cam": (np.eye(3), np.zeros(3)), "tip": (np.eye(3), np.array([2.0, 0, 0]))})
    for angle in np.arange(0.0, 20.0, 0.3):
        tip = 2.0 * np.array([np.cos(angle), np.sin(angle), 0])
        c = search({"cam": (np.eye(3), np.zeros(3)), "tip": (np.eye(3), tip)}, near=c)
    assert c[0] == pytest.approx(angle, abs=1e-10)


def test_a_point_inside_is_nearest_to_the_outline():
    oval = Surface(Frame("a"), lambda u, v: ball(u, v) * math.vector(2.0, 1.0, 1.5), EGG)
    search = ContactSearch(Sphere(Frame("b"), 0.1), oval)
    c = search({"a": (np.eye(3), np.zeros(3)), "b": (np.eye(3), np.array([0.0, 0.9, 0.0]))})
    np.testing.assert_allclose(c, (np.pi / 2, 0.0), atol=1e-10)
