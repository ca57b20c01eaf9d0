"""Joints in series."""

import casadi
import numpy as np
import pytest

from jourdain.model.joints import (
    Cylindrical,
    Fixed,
    Free,
    Planar,
    PointOnSurface,
    Prismatic,
    Product,
    Revolute,
    RollingDisc,
    Skate,
    Spherical,
    Universal,
)
from jourdain.model.joints.registry import saddle

EPS = np.finfo(float).eps


def homogeneous(kind, q):
    R, r = kind.pose(q, 0.0)
    return np.block([[R, np.reshape(r, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def test_pose_is_the_product_of_poses(rng):
    kinds = (Planar("y"), Spherical(), Fixed(), Cylindrical((0.6, 0.0, 0.8)), Free())
    parts = [rng.normal(size=len(kind.coordinates)) for kind in kinds]
    expected = np.eye(4)
    for kind, part in zip(kinds, parts, strict=True):
        expected = expected @ homogeneous(kind, part)
    found = homogeneous(Product(kinds), np.concatenate(parts))
    np.testing.assert_allclose(found, expected, atol=50 * EPS)


def test_later_factors_act_in_turned_axes():
    _, r = (Revolute("z") * Prismatic("x")).pose([np.pi / 2, 0.5], 0.0)
    np.testing.assert_allclose(r, (0.0, 0.5, 0.0), atol=EPS)


def test_series_is_associative():
    a, b, c = Prismatic("x"), Revolute("z"), Universal()
    assert (a * b) * c == a * (b * c) == Product((a, b, c))
    assert hash((a * b) * c) == hash(a * (b * c))
    assert repr(a * b) == "Product(factors=(Prismatic(axis='x'), Revolute(axis='z')))"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Prismatic("x") * Revolute("z"), "position angle velocity rate"),
        (Revolute("x") * Revolute("y"), "angle_1 angle_2 rate_1 rate_2"),
        (Revolute("x") * Universal(), "angle_1 angle_2 angle_3 rate_1 rate_2 rate_3"),
        (Universal() * Prismatic("x"), "angle_1 angle_2 position rate_1 rate_2 velocity"),
        (
            Planar() * Prismatic("z"),
            "position_1.x position_1.y angle position_2 velocity_1.x velocity_1.y rate velocity_2",
        ),
        (
            PointOnSurface(saddle, Fixed()) * PointOnSurface(saddle, Fixed()),
            " ".join(f"parameter_{k}" for k in range(1, 5))
            + " "
            + " ".join(f"parameter_rate_{k}" for k in range(1, 5)),
        ),
        (
            Spherical() * Spherical(),
            " ".join(f"orientation_{i}.{k}" for i in (1, 2) for k in "wxyz")
            + " "
            + " ".join(f"angular_velocity_{i}.{k}" for i in (1, 2) for k in "xyz"),
        ),
        (Skate() * Revolute("x"), "position.x position.y angle_1 angle_2 speed rate_1 rate_2"),
    ],
)
def test_words_used_twice_are_numbered(kind, names):
    assert " ".join([*kind.coordinates, *kind.velocities]) == names


def test_units_follow_their_names():
    kind = Revolute("x") * Prismatic("x") * Revolute("y")
    assert kind.coordinates == {"angle_1": "rad", "position": "m", "angle_2": "rad"}
    assert kind.velocities == {"rate_1": "rad/s", "velocity": "m/s", "rate_2": "rad/s"}


def test_rates_stand_along_the_diagonal(rng):
    kind = Prismatic("x") * Skate() * Fixed() * Spherical()
    q = rng.normal(size=8)
    Y = kind.rates(q)
    expected = np.zeros((8, 6))
    expected[0, 0] = 1.0
    expected[1:4, 1:3] = Skate().rates(q[1:4])
    expected[4:, 3:] = Spherical().rates(q[4:])
    np.testing.assert_array_equal(Y, expected)
    symbol = casadi.SX.sym("q", 8)
    evaluated = casadi.Function("Y", [symbol], [kind.rates(symbol)])(q).full()
    np.testing.assert_allclose(evaluated, expected, atol=EPS)


def test_rates_are_none_where_velocities_are_derivatives():
    assert (Prismatic("x") * Revolute("z")).rates([0.1, 0.2]) is None
    assert (Prismatic("x") * Revolute("z")).modes([0.1, 0.2], 0.0) is None


def test_start_joins_the_starts():
    kind = Prismatic("x") * Spherical() * RollingDisc(0.1)
    assert kind.start() == (0.0, 1.0, *([0.0] * 8))


def test_canonical_of_factors_about_one_axis():
    plain, A = (Prismatic("x") * Revolute("x")).canonical()
    assert plain == Prismatic("z") * Revolute("z")
    np.testing.assert_array_equal(A @ np.array((0.0, 0.0, 1.0)), (1.0, 0.0, 0.0))


@pytest.mark.parametrize("kind", [Prismatic("x") * Revolute("z"), Revolute("y") * Spherical()])
def test_canonical_of_mixed_axes_is_itself(kind):
    assert kind.canonical() == (kind, None)
