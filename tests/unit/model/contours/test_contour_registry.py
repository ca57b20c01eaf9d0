"""What every contour must satisfy."""

import casadi as ca
import numpy as np
import pytest

from jourdain.model import contours
from jourdain.model.contours import Contour, Curve, HalfSpace, Surface, all_contours
from jourdain.model.elements import Frame
from jourdain.viz.shapes.mesh import shape_mesh

CONTOURS = all_contours(Frame("body", (0.1, 0.2, 0.3)))
FLAT = ("Circle", "Curve", "Polygon")


def name(contour):
    return type(contour).__name__


def has_surface(contour):
    return type(contour).surface is not Contour.surface


def test_every_kind_is_there():
    kinds = {k for k in vars(contours).values() if isinstance(k, type) and issubclass(k, Contour)}
    assert {type(c) for c in CONTOURS} == kinds - {Contour}


@pytest.mark.parametrize("contour", [c for c in CONTOURS if has_surface(c)], ids=name)
def test_the_normal_is_the_gradient_of_the_distance(contour):
    p = ca.SX.sym("p", 3)
    distance, normal = contour.surface(p)
    f = ca.Function("f", [p], [distance, normal, ca.jacobian(distance, p)])
    rng = np.random.default_rng(5)
    signs = set()
    for point in [*rng.uniform(-0.7, 0.7, (15, 3)), *rng.uniform(-0.1, 0.1, (8, 3))]:
        x = point * [1, 1, name(contour) not in FLAT]
        d, n, slope = (np.array(v).reshape(-1) for v in f(x))
        if name(contour) == "Surface" and abs(n[2]) > 0.9:
            continue  # near a pole
        np.testing.assert_allclose(n, slope, atol=1e-12)
        assert n @ n == pytest.approx(1.0)
        told = contour.surface(x)
        np.testing.assert_allclose([told[0], *told[1]], [*d, *n], atol=1e-13)
        foot = x - d * n
        np.testing.assert_allclose(contour.surface(foot + 1e-3 * n)[0], 1e-3, atol=1e-12)
        signs.add(bool(d > 0))
    only_outside = name(contour) in ("Disc", "Surface")  # inside, poles of the surface are nearest
    assert signs == ({True} if only_outside else {True, False})


@pytest.mark.parametrize("contour", [c for c in CONTOURS if has_surface(c)], ids=name)
def test_the_middle_has_a_normal_too(contour):
    distance, normal = contour.surface(np.zeros(3))
    assert normal @ normal == pytest.approx(1.0)
    assert distance <= 0.0


@pytest.mark.parametrize("contour", [c for c in CONTOURS if c.n_extremes], ids=name)
def test_extreme_points_are_within_reach_and_as_many_as_told(contour):
    for d in np.random.default_rng(6).normal(size=(10, 3)):
        points = contour.extremes(d / np.linalg.norm(d))
        assert len(points) == contour.n_extremes
        assert all(np.linalg.norm(p) <= contour.reach + 1e-12 for p in points)


@pytest.mark.parametrize("contour", [c for c in CONTOURS if has_surface(c)], ids=name)
def test_nothing_is_beyond_reach(contour):
    if contour.reach == np.inf:
        assert isinstance(contour, HalfSpace | Curve | Surface)
        return
    for d in np.random.default_rng(7).normal(size=(20, 3)):
        x = d * [1, 1, name(contour) not in FLAT]
        assert contour.surface(1.001 * contour.reach * x / np.linalg.norm(x))[0] > 0.0


@pytest.mark.parametrize("contour", [c for c in CONTOURS if c.shapes], ids=name)
def test_shapes_are_drawn_where_the_contour_is(contour):
    for shape in contour.shapes:
        corners = np.array(shape_mesh(shape).points) - contour.frame.position
        assert np.linalg.norm(corners, axis=1).max() <= 1.01 * contour.reach
