"""What must hold for every built-in joint kind."""

import pickle
import re

import casadi
import numpy as np
import pytest

from jourdain.model import joints
from jourdain.model.joints import (
    Cylindrical,
    Joint,
    Planar,
    PointOnCurve,
    PointOnSurface,
    Prismatic,
    Revolute,
    RollingDisc,
    Screw,
    all_joint_kinds,
)

EPS = np.finfo(float).eps
OFF_ORIGIN = (PointOnCurve, PointOnSurface, RollingDisc)  # their reference origin is elsewhere
NAME = re.compile(r"[a-z]+(_[a-z]+)*(_\d+)?(\.[wxyz])?")
KINDS = [
    pytest.param(kind, id=f"{k}-{type(kind).__name__}") for k, kind in enumerate(all_joint_kinds())
]


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def q(kind, rng):
    return np.array(kind.start()) + rng.uniform(-1.2, 1.2, len(kind.coordinates))


def test_every_exported_kind_is_in_the_registry():
    exported = {getattr(joints, name) for name in joints.__all__ if name != "all_joint_kinds"}
    assert {type(kind) for kind in all_joint_kinds()} == exported - {Joint}


def test_orientation_is_a_proper_rotation(kind, q):
    R, r = kind.pose(q, 0.3)
    assert R.shape == (3, 3)
    assert r.shape == (3,)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=30 * EPS)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=30 * EPS)


def test_reference_position_is_the_parent_frame(kind):
    R, r = kind.pose(kind.start(), 0.0)
    np.testing.assert_array_equal(R, np.eye(3))
    if not isinstance(kind, OFF_ORIGIN):
        np.testing.assert_array_equal(r, np.zeros(3))


def test_lengths_agree(kind, q):
    n_q, n_v = len(kind.coordinates), len(kind.velocities)
    assert len(kind.start()) == n_q
    Y = kind.rates(q)
    assert n_q == n_v if Y is None else Y.shape == (n_q, n_v)


def test_names_are_words_and_differ(kind):
    names = [*kind.coordinates, *kind.velocities]
    assert all(NAME.fullmatch(name) for name in names)
    assert len(set(names)) == len(names)
    assert all(unit.endswith("/s") for unit in kind.velocities.values())


def test_velocities_are_independent(kind, q, twist):
    n_v = len(kind.velocities)
    modes = np.array([np.concatenate(twist(kind, q, v)) for v in np.eye(n_v)]).reshape(n_v, 6)
    assert np.linalg.matrix_rank(modes, tol=1e-3) == n_v


def test_symbols_give_the_same_numbers(kind, q):
    symbol = casadi.SX.sym("q", len(q))
    Y, Y_symbol = kind.rates(q), kind.rates(symbol)
    assert (Y is None) == (Y_symbol is None)
    pairs = list(zip(kind.pose(q, 0.0), kind.pose(symbol, 0.0), strict=True))
    pairs += [] if Y is None else [(Y, Y_symbol)]
    for numbers, graph in pairs:
        evaluated = casadi.Function("f", [symbol], [graph])(q).full()
        np.testing.assert_allclose(evaluated.reshape(numbers.shape), numbers, atol=20 * EPS)


def test_coordinates_may_come_as_a_list(kind, q):
    for listed, array in zip(kind.pose(list(q), 0.0), kind.pose(q, 0.0), strict=True):
        np.testing.assert_array_equal(listed, array)


def test_canonical_is_the_same_motion_in_turned_frames(kind, q):
    plain, A = kind.canonical()
    A = np.eye(3) if A is None else A
    np.testing.assert_allclose(A.T @ A, np.eye(3), atol=20 * EPS)
    assert np.linalg.det(A) == pytest.approx(1.0)
    R, r = kind.pose(q, 0.0)
    R_plain, r_plain = plain.pose(q, 0.0)
    np.testing.assert_allclose(A @ R_plain @ A.T, R, atol=30 * EPS)
    np.testing.assert_allclose(A @ r_plain, r, atol=30 * EPS)
    assert plain.canonical() == (plain, None)


def test_kinds_are_values(kind):
    twin = next(k for k in all_joint_kinds() if k == kind)
    assert twin is not kind
    assert hash(twin) == hash(kind)
    assert sum(k == kind for k in all_joint_kinds()) == 1
    assert pickle.loads(pickle.dumps(kind)) == kind


def test_repr_is_the_code_that_makes_it(kind):
    if isinstance(kind, PointOnCurve | PointOnSurface):
        assert repr(kind).startswith(f"{type(kind).__name__}(")
    else:
        assert eval(repr(kind), vars(joints)) == kind


@pytest.mark.parametrize(
    "make", [Revolute, Prismatic, lambda axis: Screw(axis, 0.3), Cylindrical, Planar]
)
def test_canonical_of_random_axes(make, rng):
    for _ in range(10):
        axis = rng.normal(size=3)
        kind = make(tuple(axis / np.linalg.norm(axis)))
        q = rng.uniform(-3.0, 3.0, len(kind.coordinates))
        plain, A = kind.canonical()
        assert plain == make("z")
        for turned, found in zip(plain.pose(q, 0.0), kind.pose(q, 0.0), strict=True):
            expected = A @ turned @ A.T if turned.ndim == 2 else A @ turned
            np.testing.assert_allclose(found, expected, atol=60 * EPS)
