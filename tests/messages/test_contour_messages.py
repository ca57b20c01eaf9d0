"""What users read when contours and contacts are written wrongly."""

import re

import pytest

from jourdain.errors import ModelError
from jourdain.model import Model
from jourdain.model.contours import HalfSpace, Point, Sphere
from jourdain.model.laws import Spring
from jourdain.model.measures import Gap
from jourdain.spatial import solid


def drop():
    """Model of two balls."""
    model = Model("drop")
    for name in ("ball", "other"):
        model.add_body(name, solid.ball(1.0, 0.1))
    return model


MODEL = drop()
BALL, OTHER, WORLD = MODEL.body("ball"), MODEL.body("other"), MODEL.world


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
