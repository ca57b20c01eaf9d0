"""What users read when contours and contacts are written wrongly."""

import re
import sys

import numpy as np
import pytest

from jourdain import math
from jourdain.analysis.assembly.contact_search import ContactSearch
from jourdain.equations.contact.contact_parameters import ContactParameters
from jourdain.errors import AssemblyError, MissingExtraError, ModelError
from jourdain.model import Model
from jourdain.model.contours import (
    Box,
    Capsule,
    Circle,
    Curve,
    Cylinder,
    Disc,
    HalfSpace,
    Point,
    Polygon,
    Polyhedron,
    Sphere,
    Surface,
)
from jourdain.model.laws import Spring
from jourdain.model.measures import Gap
from jourdain.spatial import solid
from jourdain.system.contact.convex_phase import ConvexPhase


def drop():
    """Model of two balls."""
    model = Model("drop")
    for name in ("ball", "other"):
        model.add_body(name, solid.ball(1.0, 0.1))
    return model


MODEL = drop()
BALL, OTHER, WORLD = MODEL.body("ball"), MODEL.body("other"), MODEL.world


TETRAHEDRON = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def circle(s):
    return math.vector(math.cos(s), math.sin(s), 0.0)


def contact(a, b, law=None):
    return drop().add_contact("floor", a, b, law or Spring(1e3))


CASES = [
    (
        lambda: Sphere("ball", 0.1),
        "Sphere is on 'ball': its first argument is a body, or a frame such as "
        "body.at(0.1, 0, 0); the ground is model.world.",
    ),
    (lambda: Sphere(BALL, -0.1), "radius of Sphere is -0.1 m: it must be positive."),
    (
        lambda: HalfSpace(WORLD, (0, 0, 0)),
        "normal of HalfSpace is (0, 0, 0) with length 0: it must have unit length. "
        "Give the direction of the axis.",
    ),
    (
        lambda: HalfSpace(WORLD, (0, 0, 2)),
        "normal of HalfSpace is (0, 0, 2) with length 2: it must have unit length. "
        "Use (0.0, 0.0, 1.0).",
    ),
    (lambda: Circle(BALL, 0.0), "radius of Circle is 0 m: it must be positive."),
    (lambda: Disc(BALL, -1.0), "radius of Disc is -1 m: it must be positive."),
    (lambda: Capsule(BALL, 0.1, 0.0), "length of Capsule is 0 m: it must be positive."),
    (lambda: Cylinder(BALL, -0.1, 1.0), "radius of Cylinder is -0.1 m: it must be positive."),
    (
        lambda: Cylinder(BALL, 0.1, 1.0, "u"),
        "axis of Cylinder is 'u': give one of 'x', 'y', 'z', '-x', '-y', '-z' or a unit vector.",
    ),
    (
        lambda: Disc(BALL, 0.1, rim_points=2),
        "rim_points of Disc is 2: give 0, or a whole number from 3, which carry it when it lies "
        "or stands flat.",
    ),
    (
        lambda: Box(BALL, (0.1, -0.2, 0.3)),
        "component y of size of Box is -0.2 m: it must be positive.",
    ),
    (
        lambda: Box(BALL, 0.1),
        "size of Box is 0.1: give three numbers such as (0.0, 0.0, 0.3).",
    ),
    (lambda: Polygon(BALL, ()), "Polygon has 0 vertices: give at least 3."),
    (
        lambda: Polygon(BALL, "abc"),
        "vertices of Polygon are 'abc': give plain numbers, three for each corner (...).",
    ),
    (
        lambda: Polygon(BALL, ((0, 0), (1, 0), (np.inf, 1))),
        "vertices of Polygon are ((0, 0), (1, 0), (inf, 1)): give three finite numbers for each "
        "corner [m].",
    ),
    (
        lambda: Polygon(BALL, ((0, 0), (1, 1), (2, 2))),
        "Polygon has no area: its corners lie on a line. Move or remove corners.",
    ),
    (
        lambda: Polygon(BALL, ((0, 0, 0), (1, 0, 0), (1, 1, 0.1), (0, 1, 0))),
        "Polygon is not flat: its corners are up to 0.0249 m out of a plane. Use triangles, or "
        "move corners.",
    ),
    (
        lambda: Polygon(BALL, ((0, 0), (1, 0), (1, 0), (0, 1))),
        "Polygon has the same corner twice, one after the other. Remove one.",
    ),
    (
        lambda: Polygon(BALL, ((0, 0), (1, 0), (0.1, 0.1), (0, 1))),
        "Polygon is not convex: a corner is 0.883 m outside the line of an edge. Give the corners "
        "in the order round it, or make two contours of it.",
    ),
    (
        lambda: Polyhedron(BALL, ((0, 0, 0), (1, 0, 0), (0, 1, 0))),
        "Polyhedron has 3 vertices: give at least 4.",
    ),
    (
        lambda: Polyhedron(BALL, ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))),
        "Polyhedron has no volume: its 4 vertices lie in a plane. Move one, or use Polygon for "
        "planar problems.",
    ),
    (
        lambda: Polyhedron(BALL, (*TETRAHEDRON, (0.1, 0.1, 0.1))),
        "vertex 4 of Polyhedron, (0.1, 0.1, 0.1) m, is no corner: no face has it. Remove it.",
    ),
    (
        lambda: Polyhedron(BALL, TETRAHEDRON, 7),
        "faces of Polyhedron are 7: give lists of numbers of corners.",
    ),
    (
        lambda: Polyhedron(BALL, TETRAHEDRON, ((0, 1, 2), (0, 1, 4), (1, 2, 3), (2, 0, 3))),
        "faces of Polyhedron are ((0, 1, 2), (0, 1, 4), (1, 2, 3), (2, 0, 3)): give at least four "
        "faces of at least three corners from 0 to 3.",
    ),
    (
        lambda: Polyhedron(
            BALL, (*TETRAHEDRON, (1, 1, 1)), ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (1, 2, 4))
        ),
        "Polyhedron is not convex: a vertex is 0.577 m above face 3. Make several contours of it, "
        "or leave out the faces for its convex hull.",
    ),
    (
        lambda: Curve(BALL, 3, (0, 1)),
        "function of Curve is 3: give a function that returns a point, such as lambda s: "
        "(jd.cos(s), jd.sin(s), 0).",
    ),
    (
        lambda: Curve(BALL, circle, 6.28),
        "span of Curve is 6.28: give two numbers, such as (0.0, 6.28).",
    ),
    (
        lambda: Curve(BALL, circle, (1, 0)),
        "span of Curve goes from 1 to 0: the second must be larger.",
    ),
    (
        lambda: Surface(BALL, None, ((0, 1), (0, 1))),
        "function of Surface is None: give a function that returns a point, such as lambda u, v: "
        "(jd.cos(u), jd.sin(u), v).",
    ),
    (
        lambda: Surface(BALL, max, (0, 1, 2)),
        "span of Surface is (0, 1, 2): give an interval for each of the two parameters, such as "
        "((0.0, 6.28), (-1.0, 1.0)).",
    ),
    (
        lambda: Surface(BALL, max, ((0, 1), (0, 0))),
        "second span of Surface goes from 0 to 0: the second must be larger.",
    ),
    (
        lambda: ContactParameters(Curve(BALL, circle, (0, 6)), Box(WORLD, (1, 1, 1))),
        "Box has no contact with curves and surfaces. Use Curve, Surface, HalfSpace, Point, Sphere "
        "or Circle.",
    ),
    (
        lambda: ContactParameters(Sphere(BALL, 0.1), HalfSpace(WORLD)),
        "neither Sphere nor HalfSpace is a curve or a surface: use Gap, which knows their closest "
        "points.",
    ),
    (
        lambda: Gap(BALL, Point(WORLD)),
        "Gap: a is Frame(body=...",
    ),
    (
        lambda: contact(Sphere(BALL, 0.1), 3),
        "contact 'floor': Gap: b is 3: give a contour such as jd.Sphere(body, 0.1) or "
        "jd.HalfSpace(model.world).",
    ),
    (
        lambda: contact(Sphere(BALL, 0.1), Point(BALL)),
        "contact 'floor': Gap: both contours, Sphere and Point, are on body 'ball'. A contact "
        "needs two bodies: change one of them.",
    ),
    (
        lambda: contact(HalfSpace(WORLD), HalfSpace(BALL)),
        "contact 'floor': there is no contact between HalfSpace and HalfSpace. There is: "
        "HalfSpace with ...",
    ),
    (
        lambda: contact(Box(WORLD, (1, 1, 1)), Capsule(BALL, 0.1, 0.5)),
        "contact 'floor': there is no contact between Box and Capsule. ... In a group, which is "
        "stepped over in time, they meet: model.add_contacts('floor', [a, b], law, "
        "with_joined=True).",
    ),
    (
        lambda: Gap(Point(BALL), Point(OTHER)),
        "there is no contact between Point and Point. There is: Point with ...",
    ),
    (
        lambda: contact(HalfSpace(WORLD), Sphere(BALL, 0.1), "hard"),
        "connection 'floor': the law is 'hard'. Give one, ...",
    ),
]


@pytest.mark.parametrize(("make", "text"), CASES, ids=range(len(CASES)))
def test_message(make, text):
    pattern = re.escape(text).replace(r"\.\.\.", ".*")
    with pytest.raises(ModelError, match=f"^{pattern}$"):
        make()


@pytest.mark.parametrize("other", [HalfSpace(WORLD, "y"), Point(WORLD)], ids=["line", "point"])
def test_a_search_that_ends_on_the_far_side_says_so(other):
    search = ContactSearch(Curve(BALL, circle, (0, 6)), other)
    text = (
        rf"the contact of Curve and {type(other).__name__} was not found: Newton's method went to "
        r"the parameters \(1\.5708\), where its conditions are off by \S+\. Likely causes: a start "
        r"on the far side, .* Leave out near=\.\.\., or give parameters nearby\."
    )
    with pytest.raises(AssemblyError, match=text):
        search({"ball": (np.eye(3), np.array([0.0, 3.0, 0.0]))}, near=[1.4])


def test_a_contour_without_a_surface_says_so():
    with pytest.raises(NotImplementedError, match=r"contour Point has no surface\(p\)"):
        Point(BALL).surface((0, 0, 0))


def test_a_contact_of_another_model_is_refused():
    stranger = Model("other").add_body("stranger", solid.ball(1.0, 0.1))
    with pytest.raises(ModelError, match="'stranger', which belongs to another model"):
        contact(HalfSpace(WORLD), Sphere(stranger, 0.1))


def test_a_refused_contact_leaves_the_model_as_it_was():
    model = drop()
    with pytest.raises(ModelError):
        model.add_contact("floor", HalfSpace(WORLD), 3, Spring(1.0))
    assert not model.connections


def test_a_half_space_is_no_body_for_general_contacts():
    pytest.importorskip("coal")
    text = "HalfSpace is no convex body for general contacts. Use one of Box, Sphere, Capsule, "
    with pytest.raises(ModelError, match=text):
        ConvexPhase(HalfSpace(WORLD), Sphere(BALL, 0.1))


def test_general_contacts_name_the_library_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jourdain\[collision\]'"):
        ConvexPhase(Sphere(BALL, 0.1), Sphere(OTHER, 0.1))


def test_a_curve_out_of_its_plane():
    model = Model("track")
    track = Curve(model.world, lambda s: (math.sin(s), 0.0, -math.cos(s)), (-1.0, 1.0))
    with pytest.raises(ModelError) as caught:
        track.surface(np.zeros(3))
    assert str(caught.value) == (
        "Curve runs 0.433 m along its axis 'z': it must lie in a plane normal to it. Change the "
        "function, or give axis='y'."
    )
