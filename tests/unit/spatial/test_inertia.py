"""Mass properties: storage, legal limits, moving, combining."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial.inertia import Inertia, combined, parallel_axis, problems
from jourdain.spatial.parameter import Parameter, evaluate, nominal, values_of_a_run

CLOSE = {"rtol": 1e-12, "atol": 1e-12}  # products of numbers up to 10: some thousand roundings

numbers = st.floats(-3, 3)
points = st.tuples(numbers, numbers, numbers)
rotations = st.tuples(numbers, numbers, numbers).map(
    lambda a: math.rotation_x(a[0]) @ math.rotation_y(a[1]) @ math.rotation_z(a[2])
)
clouds = st.lists(st.tuples(st.floats(0.1, 5), points), min_size=1, max_size=6)


def cloud_inertia(cloud):
    """Mass, centre of mass and moments of point masses, by their definition."""
    masses, places = np.array([m for m, _ in cloud]), np.array([x for _, x in cloud])
    com = masses @ places / masses.sum()
    d = places - com
    return (
        masses.sum(),
        com,
        sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d, strict=True)),
    )


def assert_same(inertia, mass, com, moments):
    np.testing.assert_allclose(nominal(inertia.mass), mass, **CLOSE)
    np.testing.assert_allclose(nominal(inertia.com), com, **CLOSE)
    np.testing.assert_allclose(nominal(inertia.moments), moments, **CLOSE)


def test_principal_moments_are_stored_as_a_matrix():
    inertia = Inertia(2, (1, 0, 0), np.array([1, 2, 3]))
    assert inertia.moments == ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
    assert inertia == Inertia(2.0, (1.0, 0.0, 0.0), inertia.moments)
    assert hash(inertia) == hash(Inertia(2.0, (1.0, 0.0, 0.0), inertia.moments))


@pytest.mark.parametrize(
    ("mass", "moments"),
    [
        (0, (0, 0, 0)),  # massless
        (1, (0, 0, 0)),  # point
        (0, (1, 1, 1)),  # rotor
        (1, (0, 1, 1)),  # rod
        (1, (1, 1, 2)),  # plate, at the limit
        (1, (0.1, 0.2, 0.1 + 0.2)),  # plate, with rounding
    ],
)
def test_limits_are_legal(mass, moments):
    assert Inertia(mass, moments=moments).moments[2][2] == moments[2]


@pytest.mark.parametrize("moments", [(1, 1, 2.00000004), (-1e-8, 1, 1)])
def test_more_than_rounding_beyond_the_limits_is_refused(moments):
    with pytest.raises(ModelError, match="which no rigid body can have"):
        Inertia(1.0, moments=moments)


def test_rounding_of_symmetry_is_removed():
    noisy = ((1.0, 0.1, 0.0), (0.1 * (1 + 1e-12), 1.0, 0.0), (0.0, 0.0, 1.0))
    stored = Inertia(1.0, moments=noisy).moments
    assert stored == tuple(zip(*stored, strict=True))


@given(clouds)
def test_sum_of_points_is_their_definition(cloud):
    parts = [Inertia(m, x) for m, x in cloud]
    assert_same(combined(parts), *cloud_inertia(cloud))
    one_by_one = parts[0]
    for part in parts[1:]:
        one_by_one = one_by_one + part
    assert_same(one_by_one, *cloud_inertia(cloud))


@given(clouds, points, rotations)
def test_moving_a_body_moves_its_points(cloud, position, rotation):
    inertia = combined([Inertia(m, x) for m, x in cloud]).moved(position, rotation)
    moved = [(m, tuple(rotation @ x + position)) for m, x in cloud]
    assert_same(inertia, *cloud_inertia(moved))


@given(clouds, points, rotations)
def test_moving_keeps_principal_moments(cloud, position, rotation):
    still = combined([Inertia(m, x) for m, x in cloud])
    moved = still.moved(position, rotation)
    before, after = (np.linalg.eigvalsh(i.moments) for i in (still, moved))
    np.testing.assert_allclose(after, before, **CLOSE)
    back = moved.moved(-rotation.T @ position, rotation.T)
    assert_same(back, still.mass, still.com, still.moments)


@given(points)
def test_parallel_axis_theorem(d):
    expected = 2.0 * math.skew(d) @ math.skew(d).T
    np.testing.assert_allclose(parallel_axis(2.0, d), expected, **CLOSE)


def test_arithmetic_with_parameters_is_that_of_numbers():
    names = {"m": 2.0, "x": 0.7, "k": 0.3}
    m, x, k = (Parameter(name, value) for name, value in names.items())
    turn = math.rotation("y", 0.4)

    def build(m, x, k):
        part = Inertia(m, (x, 0, 2 * x), (k, 2 * k, 2 * k)).moved((0, x, 0), turn)
        return part + Inertia(1.0, (0, 0, x), (0.1, 0.1, 0.1)) + Inertia(m, (x, x, x))

    symbolic = build(m, x, k)
    for values in (names, {"m": 3.0, "x": -0.2, "k": 0.5}):
        plain = build(*values.values())
        for attribute in ("mass", "com", "moments"):
            np.testing.assert_allclose(
                evaluate(getattr(symbolic, attribute), values), getattr(plain, attribute), **CLOSE
            )


def test_massless_parts_do_not_move_the_centre_of_mass():
    rotor = Inertia(0.0, (5, 5, 5), (1, 1, 1))
    assert (Inertia(2.0, (1, 2, 3)) + rotor).com == (1.0, 2.0, 3.0)
    assert (rotor + Inertia(2.0, (1, 2, 3))).com == (1.0, 2.0, 3.0)
    assert_same(rotor + Inertia(0.0, moments=(1, 1, 1)), 0.0, (5, 5, 5), 2 * np.eye(3))


def test_sum_with_something_else_is_refused():
    with pytest.raises(TypeError):
        Inertia(1.0) + 1.0


def test_problems_at_given_values():
    payload = Parameter("payload", 1.0, "kg")
    inertia = Inertia(payload, moments=(payload, payload, 1.0 / payload))
    assert problems(inertia) == []
    for value, told in [(-1.0, "has the mass -1 kg"), (0.0, "payload = 0 gives"), (0.1, "exceeds")]:
        with values_of_a_run({"payload": value, "other": 2.0}):
            assert told in problems(inertia)[0]


@given(st.tuples(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.01, 5)), rotations)
def test_triangle_inequality_does_not_depend_on_the_axes(moments, rotation):
    largest = max(moments)
    excess = largest - (sum(moments) - largest)
    matrix = rotation @ np.diag(moments) @ rotation.T
    if abs(excess) < 1e-8 * largest:
        return
    if excess > 0:
        with pytest.raises(ModelError, match="exceeds the sum of the other two"):
            Inertia(1.0, moments=matrix)
    else:
        np.testing.assert_allclose(Inertia(1.0, moments=matrix).moments, matrix, **CLOSE)
