"""Relative position and rotation."""

import casadi
import numpy as np
import pytest

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.measures import Relative
from jourdain.model.measures.relative import bryant_angles, rotation_vector

A, B, WORLD = Frame("a", (0.1, 0.0, 0.2)), Frame("b", (0.0, 0.3, 0.0)), Frame("world")


def test_bryant_angles_come_back(rng):
    for _ in range(20):
        x, y, z = rng.uniform(-1, 1, 3) * (3.1, 1.5, 3.1)
        R = math.rotation_x(x) @ math.rotation_y(y) @ math.rotation_z(z)
        np.testing.assert_allclose(bryant_angles(R), (x, y, z), atol=1e-12)


def test_bryant_angles_at_a_quarter_turn_are_finite():
    assert np.isfinite(bryant_angles(math.rotation_y(np.pi / 2))).all()


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-4, 0.044, 0.0447, 0.045, 1.0, 3.1])
def test_rotation_vector_is_angle_times_axis(rng, angle):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    found = rotation_vector(math.rotation(axis, angle))
    np.testing.assert_allclose(found, angle * axis, rtol=1e-11, atol=1e-15)


def test_rotation_vector_of_small_turns_is_exact_to_the_last_digits():
    """The series meets the closed form where they change over."""
    for angle in (0.0447212, 0.0447216):
        assert rotation_vector(math.rotation_z(angle))[2] == pytest.approx(angle, rel=1e-13)


def test_derivative_at_no_rotation():
    angle = casadi.SX.sym("angle")
    slope = casadi.jacobian(rotation_vector(casadi.SX(math.rotation_z(angle))), angle)
    np.testing.assert_allclose(casadi.Function("f", [angle], [slope])(0.0), [[0], [0], [1]])


def test_positions_in_three_axes(moment):
    R_a, r_a = moment.pose(A)
    R_b, r_b = moment.pose(B)
    found = {axes: Relative(A, B, "xyz", axes).value(moment) for axes in ("start", "end", "world")}
    np.testing.assert_allclose(R_a @ found["start"], r_b - r_a, atol=1e-14)
    np.testing.assert_allclose(R_b @ found["end"], r_b - r_a, atol=1e-14)
    np.testing.assert_allclose(found["world"], r_b - r_a, atol=1e-14)


def test_rotation_vector_in_three_axes(moment):
    start, end, world = (
        Relative(A, B, "rotation", axes, "vector").value(moment)
        for axes in ("start", "end", "world")
    )
    np.testing.assert_array_equal(start, end)
    np.testing.assert_allclose(moment.pose(A)[0] @ start, world, atol=1e-14)
    np.testing.assert_allclose(moment.pose(B)[0] @ start, world, atol=1e-14)


def test_components_are_chosen_in_any_order(moment):
    whole = Relative(A, B, "pose").value(moment)
    assert Relative(A, B, "ry").value(moment) == whole[4]
    np.testing.assert_array_equal(Relative(A, B, "rz, x").value(moment), whole[[5, 0]])


@pytest.mark.parametrize(
    ("given", "stored", "units"),
    [
        ("x", "x", ("m", "m/s", "N")),
        ("xy", "x y", ("m", "m/s", "N")),
        ("position", "x y z", ("m", "m/s", "N")),
        ("rxry", "rx ry", ("rad", "rad/s", "N m")),
        ("rotation", "rx ry rz", ("rad", "rad/s", "N m")),
        (" x, y  rz", "x y rz", ("m, rad", "m/s, rad/s", "N, N m")),
        ("pose", "x y z rx ry rz", ("m, rad", "m/s, rad/s", "N, N m")),
    ],
)
def test_words_for_components(given, stored, units):
    measure = Relative(A, B, given)
    assert measure.components == stored
    assert measure.size == len(stored.split())
    assert (measure.unit, measure.rate_unit, measure.force_unit) == units


def test_attitude_of_a_body_in_the_world():
    R = math.rotation_x(0.3) @ math.rotation_y(-0.4) @ math.rotation_z(0.7)
    at = Snapshot({"a": (R, np.zeros(3))})
    attitude = Relative(WORLD, Frame("a"), "rotation").value(at)
    np.testing.assert_allclose(attitude, (0.3, -0.4, 0.7), atol=1e-15)
