"""Driven coordinates with their rates."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.joints.drives import drives
from jourdain.equations.recursion.links import build_links
from jourdain.equations.recursion.sweeps import lay_out
from jourdain.topology import build

SPEED = jd.Parameter("speed", 2.0, "rad/s")


def evaluated(driven, kind, at, **values):
    model = jd.Model("driven")
    body = model.add_body("body", jd.Inertia(1.0))
    model.add_joint("joint", model.world, body, kind, driven=driven)
    t, symbols = ca.SX.sym("t"), {name: ca.SX.sym(name) for name in values}
    links = build_links(model, build(model), symbols, share=False)
    layout = lay_out(links, range(len(links)), list(model.bodies))
    columns = drives(links, layout, symbols, t)
    f = ca.Function("f", [t, *symbols.values()], list(columns))
    return [x.full().ravel() for x in f(at, *values.values())]


def test_value_and_rates():
    e, e1, e2 = evaluated({"angle": lambda t: jd.sin(3 * t)}, jd.Revolute("z"), 0.4)
    assert e == pytest.approx(np.sin(1.2))
    assert e1 == pytest.approx(3 * np.cos(1.2))
    assert e2 == pytest.approx(-9 * np.sin(1.2))


def test_order_is_that_of_the_coordinates():
    driven = {"angle": lambda t: 7 * t, "position.x": lambda t: t**2}
    e, e1, e2 = evaluated(driven, jd.Planar(), 2.0)
    np.testing.assert_allclose(e, (4, 14))
    np.testing.assert_allclose(e1, (4, 7))
    np.testing.assert_allclose(e2, (2, 0))


@pytest.mark.parametrize(
    "function",
    [
        lambda t: (t, 2 * t, 3.0),
        lambda t: [t, 2 * t, 3.0],
        lambda t: jd.math.vector(t, 2 * t, 3.0),
        lambda t: np.array([t, 2 * t, 3.0]),
    ],
)
def test_groups_come_in_any_form(function):
    e, e1, _ = evaluated({"position": function}, jd.Free(), 0.5)
    np.testing.assert_allclose(e, (0.5, 1.0, 3.0))
    np.testing.assert_allclose(e1, (1.0, 2.0, 0.0))


def test_numbers_hold():
    e, e1, e2 = evaluated({"angle": 0.3}, jd.Revolute("z"), 5.0)
    assert (e, e1, e2) == ([0.3], [0.0], [0.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda t: SPEED * t,
        lambda t: t * SPEED,
        lambda t: jd.sin(SPEED * t) / jd.sin(SPEED * t) * t * SPEED,
    ],
)
def test_parameters_on_either_side(function):
    e, e1, _ = evaluated({"angle": function}, jd.Revolute("z"), 0.5, speed=3.0)
    np.testing.assert_allclose(e, [1.5])
    np.testing.assert_allclose(e1, [3.0])


def test_parameters_may_be_held():
    e, e1, _ = evaluated({"angle": 2 * SPEED}, jd.Revolute("z"), 0.5, speed=3.0)
    np.testing.assert_allclose((e, e1), [[6.0], [0.0]])


def test_tables_drive():
    lift = jd.Table((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 4.0, 9.0), kind="cubic", outside="extrapolate")
    e, e1, e2 = evaluated({"position": lift}, jd.Prismatic("z"), 1.5)
    np.testing.assert_allclose((e, e1, e2), [[2.25], [3.0], [2.0]], atol=1e-13)


def test_without_drives_columns_are_empty():
    assert [x.size for x in evaluated({}, jd.Planar(), 0.0)] == [0, 0, 0]
