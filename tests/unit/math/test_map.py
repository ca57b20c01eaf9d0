"""Maps: values on the grid, polynomials reproduced, derivatives against differences, borders."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError

X, Y = np.array((0.0, 0.7, 1.5, 2.0, 3.2)), np.array((-1.0, 0.0, 0.4, 2.0))


def cubic(x, y):
    """Polynomial of third degree in both numbers, which splines through these points are."""
    return (1.0 + x - 0.5 * x**3) * (2.0 - y**2 + 0.3 * y**3)


Z = cubic(X[:, None], Y[None, :])


def symbolic(table, x, y):
    """Value and first derivatives of the graph."""
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    value = table(a, b)
    f = ca.Function("f", [a, b], [value, ca.jacobian(value, ca.vertcat(a, b))])
    return [np.array(part).ravel() for part in f(x, y)]


@pytest.mark.parametrize("kind", ["cubic", "linear"])
def test_the_points_lie_on_it(kind):
    table = jd.Map(X, Y, Z, kind)
    assert table(X[:, None], Y[None, :]) == pytest.approx(Z, rel=1e-12, abs=1e-12)


def test_cubic_maps_reproduce_cubic_polynomials(rng):
    x, y = rng.uniform(0.0, 3.2, 50), rng.uniform(-1.0, 2.0, 50)
    assert jd.Map(X, Y, Z)(x, y) == pytest.approx(cubic(x, y), rel=1e-11, abs=1e-11)


def test_linear_maps_reproduce_bilinear_functions(rng):
    x, y = rng.uniform(-1.0, 5.0, 50), rng.uniform(-3.0, 4.0, 50)
    table = jd.Map(X, Y, 2.0 + X[:, None] * Y[None, :] - Y[None, :], "linear")
    assert table(x, y) == pytest.approx(2.0 + x * y - y, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("outside", ["hold", "extrapolate", ("extrapolate", "hold")])
@pytest.mark.parametrize("kind", ["cubic", "linear"])
def test_symbols_and_derivatives(kind, outside, rng):
    table = jd.Map(X, Y, rng.normal(size=Z.shape), kind, outside)
    for x, y in zip(rng.uniform(-1.0, 4.0, 20), rng.uniform(-2.0, 3.0, 20), strict=True):
        value, slopes = symbolic(table, x, y)
        assert value == pytest.approx(table(x, y), rel=1e-12, abs=1e-12)
        h = 1e-5
        dx, dy = table(x + h, y) - table(x - h, y), table(x, y + h) - table(x, y - h)
        assert slopes == pytest.approx((dx / 2 / h, dy / 2 / h), rel=1e-6, abs=1e-6)


def test_extrapolation_keeps_the_slope_and_hold_takes_it_away(rng):
    z = rng.normal(size=Z.shape)
    going, holding = jd.Map(X, Y, z), jd.Map(X, Y, z, outside="hold")
    for y in (-0.5, 1.0):
        inside, outside = (symbolic(going, 3.2 + d, y)[1] for d in (-1e-9, 1e-9))
        assert inside == pytest.approx(outside, abs=1e-6)
        assert going(4.2, y) == pytest.approx(going(3.2, y) + inside[0], rel=1e-6)
        assert holding(9.0, y) == holding(3.2, y)
        assert symbolic(holding, 3.3, y)[1][0] == 0.0
    assert holding(9.0, 9.0) == pytest.approx(z[-1, -1])


def test_an_axis_repeats():
    angle = np.linspace(0.0, 2.0 * np.pi, 13)
    z = np.outer(1.0 + X, np.sin(angle))
    table = jd.Map(X, angle, z, outside=("extrapolate", "repeat"))
    assert table(1.0, 0.3) == pytest.approx(table(1.0, 0.3 - 4.0 * np.pi), rel=1e-10)
    assert table(1.0, angle) == pytest.approx(2.0 * np.sin(angle), abs=1e-12)
    assert table(0.5, 0.3) == pytest.approx(1.5 * np.sin(0.3), abs=1e-3)


def test_a_map_as_a_law():
    """A clutch whose capacity is a map of angle and speed, with exact slopes in it."""
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    capacity = jd.Map((0.0, 10.0), (0.0, 10.0), ((1.0, 1.0), (1.0, 1.0)), "linear")
    model.add_connection("c", jd.Coordinate("a"), jd.Interval(capacity))
    sol = jd.simulate(model, 3.0, start={"a.rate": 2.0})
    assert sol.final["a.value"] == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((X, Y, Z.T), "z of the shape (4, 5): give z as 5 rows of 4 numbers"),
        ((X, Y, Z, "monotone"), "no map with kind='monotone'. Use 'cubic' or 'linear'."),
        ((X, Y, Z, "cubic", ("hold",) * 3), "give one word for both axes, or two"),
        ((X, Y, Z, "cubic", "stay"), "no table with outside='stay'"),
        ((X[::-1], Y, Z), "x of a table must increase"),
        ((X, Y, "words"), "z of a map must hold plain numbers"),
        ((X, Y, Z, "cubic", ("hold", "repeat")), "a repeating table must end with the y it begins"),
    ],
)
def test_what_is_no_map(arguments, text):
    with pytest.raises(ModelError) as error:
        jd.Map(*arguments)
    assert text in str(error.value)
