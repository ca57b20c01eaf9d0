import math

import pytest

import jourdain as jd
from jourdain.model import Body, Frame
from jourdain.model.contours import Box, Contour, Curve, HalfSpace, Sphere
from jourdain.model.elements import parameters_of, with_values
from jourdain.spatial.inertia import Inertia

BODY = Body("ball", Inertia(1.0))


def test_a_body_stands_for_its_frame():
    assert Sphere(BODY, 0.1).frame == Frame("ball")
    assert Sphere(BODY.at(0.1, 0, 0), 0.1).frame.position == (0.1, 0.0, 0.0)


def test_contours_of_equal_content_are_equal():
    assert Sphere(BODY, 0.1) == Sphere(BODY, 0.1)
    assert hash(Sphere(BODY, 0.1)) == hash(Sphere(BODY, 0.1))
    assert Sphere(BODY, 0.1) != Sphere(BODY, 0.2)


def test_functions_are_shown_by_name():
    def oval(s):
        return s

    assert "function=oval" in repr(Curve(BODY, oval, (0, 1)))


def test_dimensions_may_be_parameters():
    edge = jd.Parameter("edge", 0.3, "m")
    box = Box(BODY, (edge, 0.2, 2 * edge))
    assert set(parameters_of(box)) == {edge}
    assert with_values(box, {"edge": 0.5}).size == (0.5, 0.2, 1.0)


def test_a_contour_of_ones_own_needs_only_what_it_is_used_for():
    class Blob(Contour):
        size: float

    blob = Blob(BODY, 0.3)
    assert (blob.n_extremes, blob.extremes((0, 0, 1)), blob.shapes) == (0, (), ())
    assert blob.reach == math.inf
    assert repr(blob).endswith("size=0.3)")


def test_a_half_space_has_no_end():
    assert HalfSpace(BODY).reach == math.inf
    with pytest.raises(AttributeError):
        HalfSpace(BODY).normal = "x"


def test_points_on_a_face_of_several_triangles_have_no_height(rng):
    """Rounding puts them above one triangle and below its neighbour in the same plane."""
    ring = [
        (0.2 * math.cos(0.4 * math.pi * k), 0.2 * math.sin(0.4 * math.pi * k)) for k in range(5)
    ]
    prism = jd.Polyhedron(BODY, [(x, y, z) for z in (-0.3, 0.1) for x, y in ring])
    for z in (-0.3, 0.1):
        for share in rng.dirichlet([1.0] * 5, size=100):
            x, y = (sum(s * p[i] for s, p in zip(share, ring, strict=True)) for i in range(2))
            height, _ = prism.surface(jd.math.vector(x, y, z))
            assert abs(height) < 1e-12
