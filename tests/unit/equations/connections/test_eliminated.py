"""Elimination of internal coordinates, against closed forms."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.connections.eliminated import eliminate, singular
from jourdain.equations.connections.inner import Inner
from jourdain.equations.connections.law_view import Known
from jourdain.equations.connections.scene import Actual
from jourdain.errors import SingularSystemError


def inner_of(composite):
    """Parts of a composite on one shaft, whose coordinate is the only thing outside."""
    model = jd.Model("drive")
    model.add_coordinate("shaft", 1.0)
    element = model.add_connection("c", composite)
    parts = list(model.connections.values())
    states = [f"{c.name}.{name}" for c in parts for name in getattr(c.law, "states", {})]
    return element, Inner(list(element.coordinates), parts, {}, Known(["shaft"], states))


def solved(composite, gamma, shaft=(0.7, 2.0, 0.0), multipliers=None, s=()):
    """Refined values, rates and forces of the parts, as numbers."""
    element, inner = inner_of(composite)
    symbols = [ca.SX.sym("shaft") for _ in range(3)]
    carried = ca.SX.sym("carried", inner.n)
    actual = Actual({}, {"shaft": tuple(symbols)}, ca.SX(0))
    arguments = inner.arguments(actual, ca.SX(list(s)), ca.SX(0, 1))
    lam = None
    if element.is_kinematic:
        lam = {n: ca.SX(list(x)) for n, x in (multipliers or {}).items()}
    found = eliminate(inner, "connection 'c'", carried, arguments, lam)
    outputs = [found.gamma, found.rates, *(a.force for a in found.answers.values())]
    f = ca.Function("f", [carried, *symbols], outputs)
    return [np.array(x).ravel() for x in f(gamma, *shaft)]


def series(**laws):
    return jd.in_series(jd.Coordinate("shaft"), **laws)


def test_linear_springs_need_one_step_from_anywhere():
    gamma, rate, *forces = solved(series(a=jd.Spring(30.0), b=jd.Spring(10.0)), 1e3)
    assert gamma == pytest.approx(0.75 * 0.7, rel=1e-12)
    assert rate == pytest.approx(0.75 * 2.0)
    assert forces == [pytest.approx(-7.5 * 0.7)] * 2


def test_a_hardening_spring_is_found_near_its_place():
    law = jd.Spring(jd.Polynomial((0.0, 0.0, 0.0, 10.0)))
    g = float(np.roots((10.0, 0.0, 30.0, -30.0 * 0.7))[-1].real)
    gamma, rate, *forces = solved(series(a=jd.Spring(30.0), b=law), g + 1e-2)
    assert gamma == pytest.approx(g, abs=1e-15)
    assert rate == pytest.approx(30.0 / (30.0 + 30.0 * g * g) * 2.0)
    assert forces[0] == pytest.approx(forces[1], abs=1e-12)


def test_far_from_its_place_it_gives_no_numbers():
    law = jd.Spring(jd.Polynomial((0.0, 0.0, 0.0, 10.0)))
    _, _, *forces = solved(series(a=jd.Spring(30.0), b=law), 1e3)
    assert np.isnan(forces).all()


def test_a_damper_makes_it_creep():
    gamma, rate, *forces = solved(series(a=jd.Spring(30.0), b=jd.Damper(5.0)), 0.1)
    assert gamma == pytest.approx(0.1)
    assert rate == pytest.approx(30.0 * (0.7 - 0.1) / 5.0)
    assert forces == [pytest.approx(-30.0 * 0.6)] * 2


def test_what_no_damper_touches_follows_at_once():
    """Damper, spring and spring in a row: one elongation creeps, the springs share the rest."""
    parts = {
        "oil": (jd.Coordinate("x"), jd.Damper(5.0)),
        "coil": (jd.Coordinate("shaft") - jd.Coordinate("x") - jd.Coordinate("y"), jd.Spring(30.0)),
        "rubber": (jd.Coordinate("y"), jd.Spring(10.0)),
    }
    composite = jd.Composite(parts, coordinates={"x": "m", "y": "m"})
    gamma, rate, *forces = solved(composite, (0.1, 77.0))
    pull = 7.5 * (0.7 - 0.1)
    assert gamma == pytest.approx((0.1, pull / 10.0))
    assert rate == pytest.approx((pull / 5.0, 0.75 * (2.0 - pull / 5.0)))
    assert forces == [pytest.approx(-pull)] * 3


def test_nonlinear_dampers():
    law = jd.Damper(jd.Polynomial((0.0, 1.0, 0.0, 0.5)))
    _, rate, *_ = solved(series(a=jd.Spring(3.0), b=law), 0.1)
    assert rate + 0.5 * rate**3 == pytest.approx(3.0 * 0.6, rel=1e-9)


def test_held_parts_place_it_and_carry_the_rest():
    """A gear y = 3 shaft holds y; a spring on y loads the gear."""
    gear = (jd.Coordinate("y") - 3.0 * jd.Coordinate("shaft"), jd.Equal())
    parts = {"gear": gear, "coil": (jd.Coordinate("y"), jd.Spring(10.0))}
    composite = jd.Composite(parts, coordinates={"y": "rad"})
    gamma, rate, gear, coil = solved(composite, 5.0, multipliers={"c.gear": [123.0]})
    assert (gamma, rate) == (pytest.approx(2.1), pytest.approx(6.0))
    assert coil == pytest.approx(-21.0)
    assert gear == pytest.approx(21.0, abs=1e-9)  # whatever the multiplier


def test_held_parts_beside_springs():
    """A link x + y = shaft between two springs of the ground."""
    link = (jd.Coordinate("x") + jd.Coordinate("y") - jd.Coordinate("shaft"), jd.Equal())
    springs = {n: (jd.Coordinate(n), jd.Spring(k)) for n, k in (("x", 10.0), ("y", 30.0))}
    parts = {"link": link, "a": springs["x"], "b": springs["y"]}
    composite = jd.Composite(parts, coordinates={"x": "m", "y": "m"})
    gamma, rate, link, *_ = solved(composite, (9.0, 9.0))
    assert gamma == pytest.approx((0.75 * 0.7, 0.25 * 0.7))
    assert rate == pytest.approx((1.5, 0.5))
    assert link == pytest.approx(7.5 * 0.7)


def test_held_parts_beside_dampers():
    """The same link between a damper and a damper: rates share as dampings do."""
    link = (jd.Coordinate("x") + jd.Coordinate("y") - jd.Coordinate("shaft"), jd.Equal())
    laws = (jd.Damper(1.0), jd.Damper(3.0))
    parts = {"link": link, "a": (jd.Coordinate("x"), laws[0]), "b": (jd.Coordinate("y"), laws[1])}
    composite = jd.Composite(parts, coordinates={"x": "m", "y": "m"})
    gamma, rate, link, *_ = solved(composite, (0.5, 0.2))
    assert gamma == pytest.approx((0.5, 0.2))
    assert rate == pytest.approx((1.5, 0.5))
    assert link == pytest.approx(1.5)


def test_states_of_laws_take_part_in_the_rate():
    """A spring before a Maxwell element: γ̇ counts the creep that γ̇ itself causes."""
    composite = series(a=jd.Spring(30.0), b=jd.Maxwell(10.0, time=0.5))
    gamma, rate, *_ = solved(composite, 0.0, s=[0.2])
    own = (30.0 * 0.7 + 10.0 * 0.2) / 40.0
    assert gamma == pytest.approx(own)
    assert rate == pytest.approx((30.0 * 2.0 + 10.0 * (own - 0.2) / 0.5) / 40.0)


def test_coordinates_that_enter_nothing_are_named():
    idle = jd.Composite(
        {"a": (jd.Coordinate("x"), jd.Spring(1.0))}, coordinates={"x": "m", "z": "m"}
    )
    with pytest.raises(
        SingularSystemError, match=r"its internal coordinate 'c\.z' has no stiffness"
    ):
        solved(idle, (0.0, 0.0))


def test_error_of_several():
    text = str(singular("connection 'c'", ["a", "b"], "no stiffness"))
    assert "internal coordinates 'a', 'b' have no stiffness, so nothing says where they are" in text
