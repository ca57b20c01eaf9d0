"""Modes in the place of what decides between pieces of expressions."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.equations.tracing.kinks import LIVE, UNWATCHED, Kinks, frozen, has_kinks

TABLE = jd.Table((0.0, 1.0, 2.0, 4.0), (0.0, 3.0, 4.0, 0.0), kind="cubic")
WHEEL = jd.Table((0.0, 1.0, 2.0, 4.0), (0.0, 3.0, 4.0, 0.0), outside="repeat")
CASES = {
    "where": lambda x, v, t: jd.where(x < 0.3, -x, v * v),
    "both": lambda x, v, t: jd.where(jd.math.both(x > v, t <= 1.0), x, t),
    "abs": lambda x, v, t: abs(v) * v + abs(x - t),
    "sign": lambda x, v, t: jd.math.sign(v) * x,
    "maximum": lambda x, v, t: jd.math.maximum(x, v) - jd.math.minimum(v, x) + jd.clip(t, -1, 1),
    "table": lambda x, v, t: TABLE(x) + WHEEL(t) * v,
    "stairs": lambda x, v, t: jd.math.floor(3 * t) + jd.math.ceil(x) + jd.math.remainder(x, 0.7),
    "copysign": lambda x, v, t: jd.math.copysign(x, v) + jd.math.copysign(2.0, t),
    "nested": lambda x, v, t: jd.where(abs(x) > 1, jd.math.maximum(v, 0), jd.clip(t, 0, x * x)),
    "smooth_step": lambda x, v, t: jd.math.smooth_step(t, 0.5, 1.5) * v,
}  # fmt: skip
NUMBERS = st.floats(-5.0, 5.0)


@cache
def functions(name):
    """The plain function, and the one by modes: value, inside, beyond and now."""
    x, v, t = (ca.SX.sym(n) for n in "xvt")
    plain = ca.SX(CASES[name](x, v, t))
    (value,), found = frozen([plain], [x, v, t])
    kinks = Kinks(found=found)
    outputs = [value, *(kinks.column(n) for n in ("inside", "beyond", "now"))]
    f = ca.Function("f", [x, v, t], [plain])
    g = ca.Function("g", [x, v, t, kinks.modes], outputs)
    return f, lambda *a: [np.array(e).ravel() for e in g(*a)], len(found)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=20, deadline=None)
@given(at=st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_live_and_right_modes_give_the_function_itself(name, at):
    plain, by_modes, n = functions(name)
    value, inside, _, now = by_modes(*at, np.full(n, LIVE))
    np.testing.assert_array_equal(value, np.array(plain(*at)).ravel())
    np.testing.assert_array_equal(inside, 1.0)
    inside = by_modes(*at, now)[1]
    assert (inside >= 0.0).all()
    for more in (0.0, UNWATCHED) if (inside > 0.0).all() else ():  # at a border there are two
        value = by_modes(*at, now + more)[0]
        np.testing.assert_allclose(value, np.array(plain(*at)).ravel(), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_along_a_line_a_mode_ends_where_it_is_left_and_beyond_is_the_next(name):
    """On a fine line, modes that are switched by ``beyond`` are those that are right."""
    plain, by_modes, n = functions(name)
    line = [(0.1 + 0.7 * s, 0.3 - 0.6 * s, s) for s in np.linspace(-3.0001, 2.9997, 700)]
    modes = by_modes(*line[0], np.full(n, LIVE))[3]
    for at in line:
        for _ in range(3):
            _, inside, beyond, now = by_modes(*at, modes)
            wrong = inside < 0.0
            if not wrong.any():
                break
            first = np.flatnonzero(wrong)[0]
            modes[first] = beyond[first] if abs(now[first] - modes[first]) < 1.5 else now[first]
        value = by_modes(*at, modes)[0]
        np.testing.assert_allclose(value, np.array(plain(*at)).ravel(), rtol=1e-12, atol=1e-12)


def test_a_table_needs_one_mode_and_equal_conditions_share_theirs():
    x, v = ca.SX.sym("x"), ca.SX.sym("v")
    many = jd.Table(np.linspace(0.0, 1.0, 50), np.linspace(0.0, 1.0, 50) ** 2)
    assert len(frozen([many(x)], [x])[1]) == 1
    twice = jd.where(x - 1.0 < v, x, v) + jd.where(v < x - 1.0, 2.0, 3.0)
    assert len(frozen([twice], [x, v])[1]) == 1
    assert len(frozen([abs(x) + jd.math.sign(x) + jd.where(x > 1.0, 1.0, 0.0)], [x])[1]) == 1


def test_what_does_not_move_or_is_not_known_has_no_mode():
    x, p, force = (ca.SX.sym(n) for n in ("x", "p", "force"))
    outputs = [jd.where(p > 0.0, x, 2.0 * x), abs(force) * x]
    results, found = frozen(outputs, [x], [force])
    assert not found
    f = ca.Function("f", [x, p, force], [ca.vertcat(*results) - ca.vertcat(*outputs)])
    np.testing.assert_array_equal(np.array(f(0.7, -1.0, -2.0)), 0.0)


def test_smooth_expressions_stay_as_they_are():
    x = ca.SX.sym("x")
    outputs = [ca.sin(x) * x, ca.sqrt(x)]
    assert not has_kinks(outputs)
    assert has_kinks([abs(x)])
    results, found = frozen(outputs, [x])
    assert not found
    assert all(a is b for a, b in zip(results, outputs, strict=True))


def test_values_of_a_piece_that_is_not_taken_do_not_leak():
    x = ca.SX.sym("x")
    (value,), found = frozen([jd.where(x > 0.0, jd.math.sqrt(x), 0.0 * x)], [x])
    f = ca.Function("f", [x, found[0].mode], [value, ca.jacobian(value, x)])
    assert [float(e) for e in f(-1.0, 0.0)] == [0.0, 0.0]
    assert np.isnan(float(f(-1.0, 1.0)[0]))
