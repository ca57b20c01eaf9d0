"""Tables: values, derivatives and ends of every kind, on numbers and on symbols."""

from __future__ import annotations

import pickle

import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator

from jourdain.errors import ModelError
from jourdain.math import Table
from jourdain.spatial.parameter import Parameter

KINDS = ("linear", "cubic", "monotone")
OUTSIDE = ("hold", "extrapolate", "repeat")
EPS = np.finfo(float).eps


def points(rng, n=8, m=None, *, closed=False):
    x = np.cumsum(rng.uniform(0.3, 1.0, n)) - 2.0
    y = rng.normal(size=n if m is None else (n, m))
    if closed:
        y[-1] = y[0]
    return x, y


def graphs(table):
    """Value and first two derivatives of a table, as functions."""
    x = casadi.SX.sym("x")
    value = table(x)
    slope = casadi.jacobian(value, x)
    return [evaluator(x, e) for e in (value, slope, casadi.jacobian(slope, x))]


def evaluator(x, expression):
    graph = casadi.Function("f", [x], [expression])
    return lambda at: np.asarray(graph(at)).ravel()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("outside", OUTSIDE)
def test_table_passes_through_its_points(kind, outside, rng):
    x, y = points(rng, closed=True)
    np.testing.assert_allclose(Table(x, y, kind, outside)(x), y, rtol=0, atol=16 * EPS)


def test_kinds_agree_with_scipy_inside(rng):
    x, y = points(rng)
    at = rng.uniform(x[0], x[-1], 50)
    np.testing.assert_allclose(Table(x, y)(at), np.interp(at, x, y), rtol=0, atol=16 * EPS)
    for kind, reference in (("cubic", CubicSpline(x, y)), ("monotone", PchipInterpolator(x, y))):
        # the same coefficients; only the order of the operations differs
        bound = 8 * EPS * np.abs(reference.c).max()
        np.testing.assert_allclose(Table(x, y, kind)(at), reference(at), rtol=0, atol=bound)


def test_cubic_table_is_exact_for_a_cubic(rng):
    x = points(rng)[0]
    at = rng.uniform(x[0], x[-1], 20)
    table = Table(x, x**3 - 2 * x, "cubic")
    bound = 100 * EPS * np.abs(x).max() ** 3
    np.testing.assert_allclose(table(at), at**3 - 2 * at, rtol=0, atol=bound)


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=12), st.floats(0, 1))
def test_monotone_table_never_overshoots(y, part):
    at = part * (len(y) - 1)
    i = min(int(at), len(y) - 2)
    value = Table(range(len(y)), y, "monotone")(at)
    slack = 16 * EPS * max(map(abs, y))
    assert min(y[i : i + 2]) - slack <= value <= max(y[i : i + 2]) + slack


@pytest.mark.parametrize("kind", KINDS)
def test_hold_keeps_the_end_values(kind, rng):
    x, y = points(rng)
    table = Table(x, y, kind)
    assert table(x[0] - 3.0) == y[0]
    assert table(x[-1] + 3.0) == y[-1]
    value, slope, _ = graphs(table)
    assert value(x[-1] + 3.0) == y[-1]
    assert slope(x[0] - 3.0) == slope(x[-1] + 3.0) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_extrapolation_goes_on_with_the_end_slope(kind, rng):
    x, y = points(rng)
    table, step = Table(x, y, kind, "extrapolate"), 1e-6
    for end, inwards in ((0, step), (-1, -step)):
        # one-sided difference: its error is half the step times the second derivative
        slope = (table(x[end] + inwards) - y[end]) / inwards
        beyond = table(x[end] - 1e6 * inwards)
        np.testing.assert_allclose(beyond, y[end] - 1e6 * inwards * slope, rtol=0, atol=1e-4)
        assert graphs(table)[2](x[end] - 1e6 * inwards) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_repeating_table_has_a_period(kind, rng):
    x, y = points(rng, closed=True)
    table, period = Table(x, y, kind, "repeat"), x[-1] - x[0]
    at = rng.uniform(x[0], x[-1], 20)
    scale = np.abs(np.diff(y) / np.diff(x)).max() * 10 * period  # slope times size of x
    for turns in (-7, -1, 1, 3):
        shifted = table(at + turns * period)
        np.testing.assert_allclose(shifted, table(at), rtol=0, atol=20 * EPS * scale)


@pytest.mark.parametrize(("kind", "smooth"), [("cubic", 2), ("monotone", 1)])
def test_repeating_table_is_smooth_at_the_seam(kind, smooth, rng):
    x, y = points(rng, closed=True)
    seam, step = x[-1], 1e-9
    for derivative in graphs(Table(x, y, kind, "repeat"))[: smooth + 1]:
        # two steps times a derivative that is of the order of 1000 at most here
        np.testing.assert_allclose(derivative(seam - step), derivative(seam + step), atol=2e-6)


@pytest.mark.parametrize("kind", ["cubic", "monotone"])
def test_where_a_repeating_table_begins_does_not_matter(kind, rng):
    x, y = points(rng, closed=True)
    period, at = x[-1] - x[0], rng.uniform(x[0], x[-1], 20)
    turned_x = np.concatenate([x[3:], x[1:4] + period])
    turned_y = np.concatenate([y[3:], y[1:4]])
    turned = Table(turned_x, turned_y, kind, "repeat")
    np.testing.assert_allclose(Table(x, y, kind, "repeat")(at), turned(at), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("outside", OUTSIDE)
@pytest.mark.parametrize("m", [None, 1, 3])
def test_symbols_give_the_numbers(kind, outside, m, rng):
    x, y = points(rng, m=m, closed=True)
    table = Table(x, y, kind, outside)
    value = graphs(table)[0]
    for at in [*rng.uniform(x[0] - 3, x[-1] + 3, 30), *x]:
        np.testing.assert_array_equal(value(at), np.ravel(table(at)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("outside", OUTSIDE)
def test_derivatives_by_differentiation_of_the_graph(kind, outside, rng):
    x, y = points(rng, m=2, closed=True)
    table, step = Table(x, y, kind, outside), 1e-4
    _, slope, curvature = graphs(table)
    middles = (x[1:] + x[:-1]) / 2
    for at in [*middles, middles[0] - (x[1] - x[0]), x[-1] + 0.2]:
        before, here, after = table(at - step), table(at), table(at + step)
        # pieces are cubic: the differences are exact but for step² y'''/6 and rounding
        np.testing.assert_allclose(slope(at), (after - before) / (2 * step), atol=1e-5)
        second = (after - 2 * here + before) / step**2
        np.testing.assert_allclose(curvature(at), second, atol=1e-5)


@pytest.mark.parametrize("kind", ["cubic", "monotone"])
def test_derivatives_are_those_of_scipy_also_at_the_points(kind, rng):
    x, y = points(rng)
    reference = (CubicSpline if kind == "cubic" else PchipInterpolator)(x, y)
    _, slope, curvature = graphs(Table(x, y, kind))
    for at in [*x[:-1], *rng.uniform(x[0], x[-1], 10)]:
        np.testing.assert_allclose(slope(at), reference(at, 1), atol=1e-13)
        np.testing.assert_allclose(curvature(at), reference(at, 2), atol=1e-12)


def test_at_a_corner_the_piece_to_the_right_counts():
    table = Table((0.0, 1.0, 2.0), (0.0, 1.0, 4.0))
    slope = graphs(table)[1]
    assert [slope(at).item() for at in (-0.1, 0.0, 1.0, 2.0)] == [0.0, 1.0, 3.0, 0.0]


@pytest.mark.parametrize("m", [None, 3])
def test_shapes(m, rng):
    x, y = points(rng, m=m)
    table = Table(x, y)
    one = () if m is None else (m,)
    assert np.shape(table(0.5)) == one
    assert table(np.zeros((2, 5))).shape == (2, 5, *one)
    assert table(casadi.SX.sym("x")).shape == (1 if m is None else m, 1)
    assert table(casadi.SX.sym("x", 4)).shape == (4, 1 if m is None else m)
    if m is None:
        assert isinstance(table(0.5), float)


@pytest.mark.parametrize("m", [None, 3])
@pytest.mark.parametrize("outside", ["hold", "repeat"])
def test_vector_of_symbols(m, outside, rng):
    x, y = points(rng, m=m, closed=True)
    table, at = Table(x, y, "cubic", outside), rng.uniform(x[0], x[-1], 4)
    s = casadi.SX.sym("s", 4)
    values = np.asarray(casadi.Function("f", [s], [table(s)])(at))
    np.testing.assert_array_equal(values, table(at).reshape(4, -1))


def test_row_of_symbols_stays_a_row(rng):
    table = Table(*points(rng))
    assert table(casadi.SX.sym("s", 1, 3)).shape == (1, 3)
    assert table((casadi.SX.sym("s"), 0.5)).shape == (2, 1)


@pytest.mark.parametrize(("kind", "most"), [("linear", 12), ("cubic", 18), ("monotone", 18)])
def test_graph_grows_with_the_number_of_points_only(kind, most, rng):
    x = casadi.SX.sym("x")

    def operations(n):
        value = Table(*points(rng, n), kind)(x)
        return casadi.Function("f", [x], [value, casadi.jacobian(value, x)]).n_nodes()

    added = (operations(200) - operations(100)) / 100
    constants = 1 + {"linear": 3, "cubic": 5, "monotone": 5}[kind]
    assert added <= most + constants


def test_components_that_do_not_vary_cost_nothing():
    x = casadi.SX.sym("x")
    flat = Table(range(10), [(i**2, 3.0) for i in range(10)])(x)
    plain = Table(range(10), [i**2 for i in range(10)])(x)
    assert flat[1].is_constant()
    assert casadi.n_nodes(flat) <= casadi.n_nodes(plain) + 2


def test_tables_compare_hash_and_travel():
    table = Table([0, 1, 2], np.array([0, 1, 0]), "cubic", "repeat")
    same = Table((0.0, 1.0, 2.0), (0.0, 1.0, 0.0), "cubic", "repeat")
    assert table == same
    assert hash(table) == hash(same)
    assert table != Table((0, 1, 2), (0, 1, 0), "cubic")
    copy = pickle.loads(pickle.dumps(table))
    assert copy == table
    assert copy(0.3) == table(0.3)
    assert eval(repr(table)) == table
    assert str(table) == "cubic table of 3 points from 0 to 2, outside: repeat"


def test_later_changes_of_the_arrays_do_not_reach_the_table():
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    table = Table(x, y)
    y[1] = 7.0
    x[1] = 2.0
    assert table(1.5) == 1.0


def test_ends_that_differ_by_rounding_are_closed():
    x = np.linspace(0.0, 2 * np.pi, 9)
    table = Table(x, np.sin(x), "cubic", "repeat")
    assert table.y[0] == table.y[-1] == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0, 1), (0, 1), "cubical"), r"no table with kind='cubical'.*Did you mean 'cubic'\?"),
        (((0, 1), (0, 1), "linear", "wrap"), "no table with outside='wrap'. Use one of 'hold'"),
        (((0, 2, 2), (0, 1, 2)), r"must increase, but x\[2\] = 2 follows x\[1\] = 2. Sort"),
        (((0, 0.5, 0.2), (0, 1, 2)), r"but x\[2\] = 0.2 follows x\[1\] = 0.5"),
        (((0, np.nan), (0, 1)), r"x\[1\] of a table is nan: give finite numbers"),
        (((0, 1), ((0, 1), (np.inf, 2))), r"y\[1\]\[0\] of a table is inf"),
        (((0, 1, 2), (0, 1)), "3 values of x but 2 of y: give one y for each x"),
        (((0,), (1,)), "a table has 1 points, at least 2 are needed here"),
        (((0, 1), (1, 1), "cubic", "repeat"), "a table has 2 points, at least 3 are needed"),
        (((0, 1), np.zeros((2, 0))), "at least 2 are needed"),
        ((((0, 1), (2, 3)), (0, 1)), r"x of a table has the shape \(2, 2\)"),
        (((0, 1), 5.0), r"y the shape \(\): give x as \(n,\)"),
        (((0, 1), ((0, 1), (2,))), "y of a table must hold plain numbers, all rows of one length"),
        (((0, "b"), (0, 1)), "x of a table must hold plain numbers"),
        (((0, 1), (0, Parameter("a", 1.0))), "y of a table must hold plain numbers.*parameter"),
        (
            ((0, 1, 3), (0.5, 1, 0.7), "linear", "repeat"),
            r"but y = 0.5 at x = 0 and y = 0.7 at x = 3. Add the closing point",
        ),
        (((0, 1, 1 + 1e-15), (0, 1e300, -1e300)), r"x\[1\] = 1 and x\[2\] = 1 lie too close"),
        (((0, 1e-300, 1), (0, 1e10, 0), "cubic"), "has no finite slopes: .* Remove points"),
        (((0, 5e-324, 1, 2), (0, 1, 2, 0), "cubic", "repeat"), "has no finite slopes"),
        (((0, 5e-324, 1, 2), (0, 1, 2, 0), "monotone"), "has no finite slopes"),
    ],
)
def test_wrong_points(arguments, message):
    with pytest.raises(ModelError, match=message):
        Table(*arguments)


@pytest.mark.parametrize("kind", ["linear", "cubic", "monotone"])
@pytest.mark.parametrize("outside", ["hold", "extrapolate", "repeat"])
def test_integral_is_the_area(kind, outside):
    """Against Gauss quadrature from point to point, which is exact for the pieces."""
    x, y = np.array((0.0, 0.5, 1.2, 2.0)), np.array((0.1, 1.0, -0.3, 0.1))
    table = Table(x, y, kind, outside)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    grid = np.concatenate([x + 2.0 * k for k in range(-2, 4)])
    grid = np.unique(np.concatenate([grid, (-1.7, 0.3, 1.9, 2.7)]))
    half = 0.5 * np.diff(grid)[:, None]
    areas = (half * weights * table(grid[:-1, None] + half * (1 + nodes))).sum(axis=1)
    total = np.concatenate([(0.0,), np.cumsum(areas)])
    total -= total[grid == 0.0]
    np.testing.assert_allclose(table.integral(grid), total, atol=1e-13)
    s = casadi.SX.sym("s")
    symbolic = casadi.Function("f", [s], [table.integral(s)])
    np.testing.assert_allclose([float(symbolic(z)) for z in grid], total, atol=1e-13)


def test_integral_of_a_curve():
    table = Table((0, 1, 3), ((0, 0), (1, 2), (0, 0)), outside="repeat")
    np.testing.assert_allclose(table.integral(3.0), (1.5, 3.0))
    np.testing.assert_allclose(table.integral(np.array((6.0, 1.0))), ((3.0, 6.0), (0.5, 1.0)))
