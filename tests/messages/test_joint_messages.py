"""What users read when a joint kind is written wrongly."""

import re

import pytest

from jourdain.errors import ModelError
from jourdain.model.joints import (
    Cylindrical,
    Fixed,
    Free,
    Joint,
    Planar,
    PointOnCurve,
    PointOnSurface,
    Prismatic,
    Product,
    Revolute,
    RollingDisc,
    Screw,
    Spherical,
    Universal,
)
from jourdain.spatial.parameter import Parameter

AXES = [
    (Revolute, "axis of Revolute"),
    (Prismatic, "axis of Prismatic"),
    (lambda axis: Screw(axis, 0.01), "axis of Screw"),
    (Cylindrical, "axis of Cylindrical"),
    (Planar, "normal of Planar"),
    (lambda axis: Universal(axis, "y"), "first axis of Universal"),
    (lambda axis: Universal("x", axis), "second axis of Universal"),
]


@pytest.mark.parametrize(("make", "what"), AXES)
def test_axis_that_is_no_unit_vector(make, what):
    with pytest.raises(ModelError, match=f"^{what} is .*1, 2, 2.* length 3"):
        make((1.0, 2.0, 2.0))


@pytest.mark.parametrize(("make", "what"), AXES)
def test_axis_with_an_unknown_letter(make, what):
    with pytest.raises(ModelError, match=f"^{what} is 'w': give one of 'x', 'y', 'z'"):
        make("w")


@pytest.mark.parametrize("axes", [("x", "x"), ("x", "-x"), ((0.6, 0.0, 0.8), (-0.6, 0.0, -0.8))])
def test_universal_with_parallel_axes(axes):
    with pytest.raises(ModelError, match=r"axes .* of Universal are parallel: .*Revolute\("):
        Universal(*axes)


@pytest.mark.parametrize("radius", [0.0, -0.1, Parameter("radius", -0.1, "m")])
def test_disc_without_a_positive_radius(radius):
    with pytest.raises(ModelError, match=r"^radius of RollingDisc is .* m: it must be positive"):
        RollingDisc(radius)


def test_pitch_that_is_no_number():
    with pytest.raises(ModelError, match=r"^pitch of Screw is nan: give a finite number"):
        Screw("x", float("nan"))


def test_curve_that_is_no_function():
    with pytest.raises(ModelError, match=r"curve of PointOnCurve is \(0, 0, 1\), .* lambda s:"):
        PointOnCurve((0, 0, 1))


def test_surface_that_is_no_function():
    with pytest.raises(ModelError, match=r"surface of PointOnSurface is 'plane', .* lambda u, v:"):
        PointOnSurface("plane")


@pytest.mark.parametrize("kind", [PointOnCurve, PointOnSurface])
def test_orientation_that_is_no_joint_kind(kind):
    match = f"orientation of {kind.__name__} is .*Spherical.*, which is no joint kind"
    with pytest.raises(ModelError, match=match):
        kind(lambda *_: (0, 0, 0), Spherical)


@pytest.mark.parametrize("kind", [PointOnCurve, PointOnSurface])
def test_orientation_that_also_moves(kind):
    match = re.escape("is Free(), which also moves its child (position.x, position.y, position.z")
    with pytest.raises(ModelError, match=match):
        kind(lambda *_: (0, 0, 0), Free())


@pytest.mark.parametrize("factor", [Revolute, 2.0])
def test_product_with_something_else(factor):
    with pytest.raises(ModelError, match=r"factor 2 of a joint product is .*, which is no joint"):
        Fixed() * factor


def test_product_of_nothing():
    with pytest.raises(ModelError, match=r"a joint product has no factors.*Fixed\(\)"):
        Product(())


def test_kind_without_a_pose():
    class Sketch(Joint):
        coordinates = {"angle": "rad"}

    with pytest.raises(NotImplementedError, match=r"joint kind Sketch has no pose\(q, t\)"):
        Sketch().pose([0.0], 0.0)
