"""Solids: formulas against volume integrals, against each other, and their shapes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter, evaluate, nominal, parameters_in

CLOSE = {"rtol": 1e-12, "atol": 1e-12}

sizes = st.floats(0.1, 3)
numbers = st.floats(-3, 3)
points = st.tuples(numbers, numbers, numbers)
rotations = points.map(
    lambda a: math.rotation_x(a[0]) @ math.rotation_y(a[1]) @ math.rotation_z(a[2])
)
MAKERS = {
    "box": lambda m, **k: solid.box(m, (0.1, 0.2, 0.3), **k),
    "ball": lambda m, **k: solid.ball(m, 0.2, **k),
    "ellipsoid": lambda m, **k: solid.ellipsoid(m, (0.1, 0.2, 0.3), **k),
    "cylinder": lambda m, **k: solid.cylinder(m, 0.1, 0.5, "x", **k),
    "tube": lambda m, **k: solid.tube(m, 0.1, 0.2, 0.5, (0.6, 0, 0.8), **k),
    "cone": lambda m, **k: solid.cone(m, 0.1, 0.5, "-y", **k),
}


def assert_same(first, second):
    for attribute in ("mass", "com", "moments"):
        np.testing.assert_allclose(
            nominal(getattr(first.inertia, attribute)),
            nominal(getattr(second.inertia, attribute)),
            **CLOSE,
        )


def moments(made):
    return np.diagonal(made.inertia.moments)


def round_body(profile, length, mass):
    """Mass properties of a body of revolution about z, by Gauss quadrature over discs.

    ``profile(z)`` gives inner and outer radius, as polynomials of degree one: exact with 4 points.
    """
    nodes, weights = np.polynomial.legendre.leggauss(4)
    z, w = 0.5 * length * (nodes + 1), 0.5 * length * weights
    inner, outer = profile(z)
    area, second = np.pi * (outer**2 - inner**2), np.pi / 4 * (outer**4 - inner**4)
    density = mass / (w @ area)
    com = density * (w @ (area * z)) / mass
    across = density * (w @ (second + area * (z - com) ** 2))
    return com, (across, across, density * 2 * (w @ second))


@given(sizes, sizes, sizes)
def test_cone_against_volume_integral(mass, radius, height):
    made = solid.cone(mass, radius, height)
    com, expected = round_body(lambda z: (0 * z, radius * (1 - z / height)), height, mass)
    np.testing.assert_allclose(made.inertia.com, (0, 0, com), **CLOSE)
    np.testing.assert_allclose(moments(made), expected, **CLOSE)


@given(sizes, sizes, sizes, st.floats(0, 0.95))
def test_tube_and_cylinder_against_volume_integral(mass, radius, length, ratio):
    made = solid.tube(mass, ratio * radius, radius, length)
    com, expected = round_body(lambda z: (ratio * radius + 0 * z, radius + 0 * z), length, mass)
    np.testing.assert_allclose(moments(made), expected, **CLOSE)
    assert com == pytest.approx(length / 2)
    assert made.inertia.com == (0.0, 0.0, 0.0)
    assert_same(solid.tube(mass, 0, radius, length), solid.cylinder(mass, radius, length))


@given(sizes, sizes, st.floats(0.1, 0.9))
def test_tube_and_its_core_make_the_full_cylinder(radius, length, ratio):
    core = solid.cylinder(ratio**2, ratio * radius, length, "x")
    tube = solid.tube(1 - ratio**2, ratio * radius, radius, length, "x")
    assert_same(tube + core, solid.cylinder(1.0, radius, length, "x"))


@given(sizes, sizes, sizes)
def test_box_of_two_halves(x, y, z):
    half = solid.box(1.0, (x, y, z))
    both = half.moved((x / 2, 0, 0)) + half.moved((-x / 2, 0, 0))
    assert_same(both, solid.box(2.0, (2 * x, y, z)))


@given(sizes, sizes, sizes, sizes)
def test_ellipsoid_against_volume_integral(mass, a, b, c):
    # second moments of an ellipsoid from those of the unit ball, ∫ x² dV = 4π/15
    second = mass * np.array([a, b, c]) ** 2 * (4 * np.pi / 15) / (4 * np.pi / 3)
    np.testing.assert_allclose(
        moments(solid.ellipsoid(mass, (a, b, c))), second.sum() - second, **CLOSE
    )
    assert_same(solid.ellipsoid(mass, (a, a, a)), solid.ball(mass, a))


@given(points, points)
def test_rod_against_line_integral(start, end):
    d = np.subtract(end, start)
    if np.linalg.norm(d) < 1e-3:
        return
    made = solid.rod(2.0, end, start)
    nodes, weights = np.polynomial.legendre.leggauss(2)
    parts = [
        solid.point(w, np.array(start) + 0.5 * (1 + x) * d)
        for x, w in zip(nodes, weights, strict=True)
    ]
    assert_same(made, solid.compound(*parts))


def test_textbook_values():
    assert moments(solid.rod(12.0, (1, 0, 0))) == pytest.approx((0, 1, 1))
    assert moments(solid.box(12.0, (1, 2, 3))) == pytest.approx((13, 10, 5))
    assert moments(solid.ball(5.0, 1.0)) == pytest.approx((2, 2, 2))
    assert moments(solid.ellipsoid(5.0, (1, 2, 3))) == pytest.approx((13, 10, 5))
    assert moments(solid.cylinder(12.0, 1.0, 3.0)) == pytest.approx((12, 12, 6))
    assert moments(solid.cylinder(12.0, 1.0, 3.0, "x")) == pytest.approx((6, 12, 12))
    assert moments(solid.tube(12.0, 1.0, 2.0, 3.0, "y")) == pytest.approx((24, 30, 24))
    assert moments(solid.cone(80.0, 1.0, 2.0)) == pytest.approx((24, 24, 24))
    assert moments(solid.cylinder(4.0, 1.0, 0.0)) == pytest.approx((1, 1, 2))
    assert solid.point(2.0, (1, 2, 3)).inertia == Inertia(2.0, (1, 2, 3))


def test_dumbbell_compound():
    balls = [solid.ball(2.0, 0.1, at=(x, 0, 0)) for x in (-0.5, 0.5)]
    made = solid.compound(*balls, solid.rod(1.2, (0.5, 0, 0), (-0.5, 0, 0)), at=(0, 0, 1))
    across = 2 * (0.4 * 2 * 0.01 + 2 * 0.25) + 0.1
    assert made.inertia.mass == pytest.approx(5.2)
    np.testing.assert_allclose(made.inertia.com, (0, 0, 1), **CLOSE)
    np.testing.assert_allclose(moments(made), (0.016, across, across), **CLOSE)
    assert [shape.kind for shape in made.shapes] == ["ball", "ball", "rod"]


def test_cone_points_along_its_axis():
    for axis, com in (("z", (0, 0, 0.1)), ("-x", (-0.1, 0, 0)), ((0, 0.6, 0.8), (0, 0.06, 0.08))):
        made = solid.cone(1.0, 0.2, 0.4, axis)
        np.testing.assert_allclose(made.inertia.com, com, **CLOSE)
        np.testing.assert_allclose(np.array(made.shapes[0].rotation)[:, 2], np.array(com) / 0.1)


@pytest.mark.parametrize("kind", MAKERS)
@given(points, rotations)
def test_placing_keywords_move_the_solid(kind, position, rotation):
    make = MAKERS[kind]
    placed = make(2.0, at=position, rotation=rotation)
    assert_same(placed, make(2.0).moved(position, rotation))
    shape, still = placed.shapes[0], make(2.0).shapes[0]
    assert (shape.kind, shape.size) == (kind, still.size)
    np.testing.assert_allclose(shape.position, position, **CLOSE)
    np.testing.assert_allclose(shape.rotation, rotation @ still.rotation, **CLOSE)


@pytest.mark.parametrize("axis", ["x", "y", "z", "-x", "-y", "-z", (0.6, 0.0, -0.8)])
def test_shape_of_a_round_solid_has_its_z_along_the_axis(axis):
    turn = np.array(solid.cylinder(1.0, 0.1, 0.4, axis).shapes[0].rotation)
    letters = dict(zip("xyz", np.eye(3), strict=True))
    expected = axis if isinstance(axis, tuple) else letters[axis[-1]] * (-1 if "-" in axis else 1)
    np.testing.assert_allclose(turn[:, 2], expected, **CLOSE)
    np.testing.assert_allclose(turn.T @ turn, np.eye(3), **CLOSE)
    assert np.linalg.det(turn) == pytest.approx(1.0)


def test_rod_shape_is_its_line():
    length = Parameter("length", 0.3, "m")
    shape = solid.rod(1.0, (length, 0, 1), (0, 0, 1)).shapes[0]
    assert (shape.kind, shape.size, shape.position) == ("rod", (length, 0.0, 0.0), (0.0, 0.0, 1.0))


def test_dimensions_and_masses_may_be_parameters():
    values = {"m": 2.0, "a": 0.1, "b": 0.3, "c": 0.5}
    other = {"m": 1.0, "a": 0.2, "b": 0.4, "c": 0.1}

    def build(m, a, b, c):
        return solid.compound(
            solid.box(m, (a, b, c)),
            solid.ball(m, a, at=(b, 0, 0)),
            solid.ellipsoid(m, (a, b, c)),
            solid.cylinder(m, a, c, "x"),
            solid.tube(m, a, b, c, "-y"),
            solid.cone(m, a, c, (0.6, 0, 0.8)),
            solid.rod(m, (a, b, c)),
            solid.point(m, (a, 0, c)),
            at=(c, 0, 0),
            rotation=math.rotation_z(0.3),
        )

    made = build(*(Parameter(name, value) for name, value in values.items()))
    assert {p.name for p in parameters_in(made.inertia.moments)} == set(values)
    for chosen in (values, other):
        plain = build(*chosen.values()).inertia
        for attribute in ("mass", "com", "moments"):
            np.testing.assert_allclose(
                evaluate(getattr(made.inertia, attribute), chosen),
                getattr(plain, attribute),
                **CLOSE,
            )


def test_expressions_do_not_grow_with_powers():
    parts = [
        solid.point(Parameter(f"m{k}", 1.0 + k), (Parameter(f"x{k}", 0.1 * k), 0, 0))
        for k in range(20)
    ]
    n_uses = sum(1 for _ in parameters_in(solid.compound(*parts).inertia.moments))
    assert n_uses < 20 * 20 * 60


def test_equal_solids_are_equal():
    assert solid.box(1.0, (1, 2, 3)) == solid.box(1, np.array([1, 2, 3]))
    assert solid.box(1.0, (1, 2, 3)) != solid.box(1.0, (1, 2, 3), at=(0, 0, 1))
    assert solid.box(1.0, (1, 2, 3)).moved() == solid.box(1.0, (1, 2, 3))


def test_sum_with_something_else_is_refused():
    with pytest.raises(TypeError):
        solid.ball(1.0, 0.1) + 2.0


def test_shapes_without_mass_and_mass_without_shapes_are_added():
    inertia = Inertia(2.0, com=(0.1, 0, 0), moments=(0.1, 0.2, 0.25))
    shape = solid.ball(0.0, 0.1, at=(0, 0, 1))
    for made in (shape + inertia, inertia + shape, solid.compound(shape, inertia)):
        assert made.shapes == shape.shapes
        assert made.inertia.mass == 2.0
        np.testing.assert_allclose(made.inertia.moments, inertia.moments, atol=1e-15)


@pytest.mark.parametrize(
    "make",
    [
        lambda: solid.ball(1.0, 0.0),
        lambda: solid.ball(1.0, -Parameter("r", 0.1)),
        lambda: solid.ball(-1.0, 0.1),
        lambda: solid.ball("heavy", 0.1),
        lambda: solid.box(1.0, (1, -1, 1)),
        lambda: solid.box(1.0, 0.1),
        lambda: solid.ellipsoid(1.0, (1, 0, 1)),
        lambda: solid.cylinder(1.0, 0.0, 1.0),
        lambda: solid.cylinder(1.0, 0.1, -1.0),
        lambda: solid.cylinder(1.0, 0.1, 1.0, (1, 1, 0)),
        lambda: solid.tube(1.0, -0.1, 0.2, 1.0),
        lambda: solid.tube(1.0, 0.2, 0.1, 1.0),
        lambda: solid.cone(1.0, 0.1, 0.0),
        lambda: solid.cone(1.0, float("nan"), 1.0),
        lambda: solid.rod(1.0, (0, 0, 0)),
        lambda: solid.rod(1.0, (1, 2)),
        lambda: solid.point(1.0, (1, 2)),
        solid.compound,
        lambda: solid.box(1.0, (1, 1, 1), at=(1, 2)),
        lambda: solid.box(1.0, (1, 1, 1), rotation=np.eye(3) * 2),
    ],
)
def test_impossible_solids_are_refused(make):
    with pytest.raises(ModelError):
        make()
