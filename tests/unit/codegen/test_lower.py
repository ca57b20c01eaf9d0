"""Every operation of CasADi's SX as machine code, against CasADi's own evaluation."""

from __future__ import annotations

import functools
import itertools
import math
from types import SimpleNamespace

import casadi as ca
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, given
from hypothesis import strategies as st

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.lower import Lowering, Place, constant, element_type, lower
from jourdain.codegen.module import Core
from jourdain.errors import ModelError

RTOL = 1e-14
LANES = [1, 4, 8]
MATRIX_OPERATIONS = range(ca.OP_PARAMETER, ca.OP_HORZREPSUM + 1)  # of MX only, or no arithmetic
OTHERS = {
    ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_EINSTEIN, ca.OP_BSPLINE, ca.OP_CONVEXIFY,
    ca.OP_SPARSITY_CAST, ca.OP_LOGSUMEXP, ca.OP_DUMP, ca.OP_KRON, ca.OP_KRON_CONTRACT,
}  # fmt: skip
OPERATIONS = {
    name: number
    for name, number in vars(ca).items()
    if name.startswith("OP_") and number not in {*MATRIX_OPERATIONS, *OTHERS}
}
BINARY = {
    ca.OP_ADD, ca.OP_SUB, ca.OP_MUL, ca.OP_DIV, ca.OP_POW, ca.OP_CONSTPOW, ca.OP_LT, ca.OP_LE,
    ca.OP_EQ, ca.OP_NE, ca.OP_AND, ca.OP_OR, ca.OP_FMOD, ca.OP_COPYSIGN, ca.OP_IF_ELSE_ZERO,
    ca.OP_FMIN, ca.OP_FMAX, ca.OP_ATAN2, ca.OP_PRINTME, ca.OP_HYPOT, ca.OP_REMAINDER,
}  # fmt: skip
HALF = [0.0, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 40.0, 1e10, 1e300, math.inf, math.nan, 1e-10, 5e-324]
SPECIAL = np.array([*HALF, *(-x for x in HALF), 1e-310, 2.0**-1022, np.pi / 2, 2.0**53 + 2])


def expression(op, x, y):
    return ca.SX.binary(op, x, y) if op in BINARY else ca.SX.unary(op, x)


@functools.cache
def evaluator(op):
    """Evaluate one operation on numbers as CasADi does."""
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    f = ca.Function("f", [x, y], [ca.SX(x) if op == ca.OP_PRINTME else expression(op, x, y)])
    return lambda a, b: float(f(a, b))


def reference(op, a, b):
    """One operation; CasADi's inverse error function is too coarse to compare with."""
    if op == ca.OP_ERFINV:
        return float(scipy.special.erfinv(a))
    return evaluator(op)(a, b)


def assert_same(got, wanted, where=""):
    """Equal to 14 digits; NaN and infinity at the same places; zeros of either sign."""
    np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted), err_msg=where)
    ordinary = np.isfinite(wanted) & (np.abs(wanted) > 1e-300)
    np.testing.assert_allclose(got[ordinary], wanted[ordinary], rtol=RTOL, atol=0, err_msg=where)
    rest = ~ordinary & ~np.isnan(wanted)
    np.testing.assert_allclose(got[rest], wanted[rest], rtol=0, atol=1e-300, err_msg=where)


@pytest.fixture(scope="module")
def all_operations(kernel_of):
    """Kernels of all operations at once, by lanes."""
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    column = ca.vertcat(*(expression(op, x, y) for op in OPERATIONS.values()))
    inputs, outputs = {"x": x, "y": y}, {"z": column}
    return {lanes: kernel_of(inputs, outputs, lanes) for lanes in LANES}


# ---- one operation


def test_the_list_of_operations_is_the_one_of_casadi():
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    found = set()
    for op in OPERATIONS.values():
        graph = ca.Function("f", [x, y], [expression(op, x, y)])
        found |= {graph.instruction_id(k) for k in range(graph.n_instructions())}
    folded = {ca.OP_ASSIGN, ca.OP_LIFT, ca.OP_CONSTPOW}  # CasADi never lists them by themselves
    assert found - {ca.OP_INPUT, ca.OP_OUTPUT} == set(OPERATIONS.values()) - folded
    for name in set(vars(ca)) - set(OPERATIONS):
        if name.startswith("OP_") and getattr(ca, name) not in (ca.OP_INPUT, ca.OP_OUTPUT):
            value = ca.SX.unary(getattr(ca, name), x)
            assert value.is_constant(), f"{name} has become an operation on scalars: translate it"


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_operation_agrees_with_casadi(name, all_operations):
    op, pairs = OPERATIONS[name], list(itertools.product(SPECIAL, repeat=2))
    pairs = pairs if op in BINARY else [(a, 0.7) for a in SPECIAL]
    x, y = np.array(pairs).T
    wanted = np.array([reference(op, *pair) for pair in pairs])
    row = list(OPERATIONS).index(name)
    for lanes, kernel in all_operations.items():
        got = kernel(x[:, np.newaxis], y[:, np.newaxis])[0][:, row]
        assert_same(got, wanted, f"{name} in {lanes} lanes")


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_operation_agrees_with_casadi_on_ordinary_numbers(name, all_operations, rng):
    op = OPERATIONS[name]
    x, y = rng.uniform(-1, 1, (2, 101))
    x, y = np.append(x, 8 * x), np.append(y, -3 * y)
    wanted = np.array([reference(op, a, b) for a, b in zip(x, y, strict=True)])
    row = list(OPERATIONS).index(name)
    for lanes, kernel in all_operations.items():
        got = kernel(x[:, np.newaxis], y[:, np.newaxis])[0][:, row]
        assert_same(got, wanted, f"{name} in {lanes} lanes")


def test_one_system_equals_the_batch_of_one_lane(all_operations, rng):
    kernel = all_operations[1]
    x, y = rng.normal(size=(2, 9, 1))
    batch = kernel(x, y)[0]
    for k in range(9):
        np.testing.assert_array_equal(kernel(x[k], y[k])[0], batch[k])


@pytest.mark.parametrize("lanes", LANES)
def test_sines_of_many_inputs(kernel_of, lanes, rng):
    for n in (1, 2, 3, 4, 5, 9):  # angles are treated in groups
        x = ca.SX.sym("x", n)
        kernel = kernel_of({"x": x}, {"y": ca.vertcat(ca.sin(x), ca.cos(x), ca.tan(x))}, lanes)
        rows = rng.uniform(-7, 7, (lanes + 1, n))
        rows[0, -1] = 1e300
        wanted = np.hstack([np.sin(rows), np.cos(rows), np.tan(rows)])
        np.testing.assert_allclose(kernel(rows)[0], wanted, rtol=RTOL, atol=1e-15)
        np.testing.assert_allclose(kernel(rows[0])[0], wanted[0], rtol=RTOL, atol=1e-15)


# ---- constants, powers, choices


CONSTANTS = [0.0, 1.0, math.pi, 0.1, -1e300, 5e-324, 1e-310, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("lanes", LANES)
def test_constants_are_exact_to_the_bit(kernel_of, lanes):
    x = ca.SX.sym("x")
    kernel = kernel_of({"x": x}, {"y": ca.SX(ca.DM(CONSTANTS))}, lanes)
    for row in kernel(np.zeros((9, 1)))[0]:
        assert row.tobytes() == np.array(CONSTANTS).tobytes()


@pytest.mark.parametrize("value", CONSTANTS)
def test_constants_meet_variables(kernel_of, value):
    x = ca.SX.sym("x")
    parts = [x + value, x * value, value / x, ca.fmin(x, value), x < value, x == value]
    parts += [ca.copysign(x, value), ca.atan2(x, value)]
    if not 0 < abs(value) < 2.0**-1022:  # quotients may become products with the reciprocal
        parts.append(x / value)
    graph = ca.Function("f", [x], [ca.vertcat(*parts)])
    rows = np.array([[-2.0], [0.7], [3.0], [1e-300], [5e-324]])
    wanted = np.array([graph(row) for row in rows])[..., 0]
    got = kernel_of({"x": x}, {"y": ca.vertcat(*parts)})(rows)[0]
    np.testing.assert_allclose(got, wanted, rtol=RTOL, atol=0)


def test_spelling_of_numbers_and_types():
    assert constant(1.0, 1) == "0x3FF0000000000000"
    assert constant(-0.0, 4) == "splat (double 0x8000000000000000)"
    assert (element_type(1), element_type(8)) == ("double", "<8 x double>")


@pytest.mark.parametrize("lanes", LANES)
def test_powers(kernel_of, lanes):
    x = ca.SX.sym("x")
    exponents = [*range(-9, 10), 0.5, -0.5, 1.5, 1 / 3, 100, math.inf, -math.inf, math.nan]
    column = ca.vertcat(*(x**e for e in exponents))
    rows = np.array([[0.3], [1.0], [-1.3], [2.5], [0.0], [1e20], [math.inf], [math.nan], [1e-20]])
    with np.errstate(all="ignore"):
        wanted = rows ** np.array(exponents, dtype=float)
    assert_same(kernel_of({"x": x}, {"y": column}, lanes)(rows)[0], wanted)


@pytest.mark.parametrize("exponent", [*range(-9, 10), 2.5, math.inf])
def test_powers_by_lowering(exponent):
    """CasADi multiplies most powers out itself; what it leaves as a power is multiplied here."""
    low = Lowering(1)
    low.operation(ca.OP_POW, ["%base", low.constant(float(exponent))])
    called = low.functions == {"pow"}
    assert called == (abs(exponent) > 8 or exponent != int(exponent))
    if called:
        return
    values = {"%base": 1.25, **low.constants}
    for line in low.lines:
        name, text = line.split(" = ")
        word, a, b = text.split()[0], *(part.strip(",") for part in text.split()[-2:])
        values[name] = {"fmul": float.__mul__, "fdiv": float.__truediv__}[word](
            float(values[a]), float(values[b])
        )
    result = low.lines[-1].split(" = ")[0] if low.lines else "%base" if exponent else "0x3FF"
    assert values.get(result, 1.0) == pytest.approx(1.25**exponent, rel=1e-15)


@pytest.mark.parametrize("lanes", LANES)
def test_comparisons_with_nan(kernel_of, lanes):
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    parts = [x < y, x <= y, x == y, x != y, ca.logic_not(x), ca.logic_and(x, y), ca.logic_or(x, y)]
    rows = np.array(list(itertools.product([math.nan, 0.0, -0.0, 1.0, math.inf], repeat=2)))
    a, b = rows.T
    p, q = a != 0, b != 0  # NaN is not zero, so it counts as true
    wanted = np.stack([a < b, a <= b, a == b, a != b, ~p, p & q, p | q], axis=1)
    kernel = kernel_of({"x": x, "y": y}, {"z": ca.vertcat(*parts)}, lanes)
    np.testing.assert_array_equal(kernel(rows[:, :1], rows[:, 1:])[0], wanted)


@pytest.mark.parametrize("lanes", LANES)
def test_branch_not_taken_may_be_nan_or_infinite(kernel_of, lanes):
    x = ca.SX.sym("x")
    root = ca.if_else(x >= 0, ca.sqrt(x), -ca.sqrt(-x))
    inverse = ca.if_else(x == 0, 7.0, 1 / x)
    logarithm = ca.if_else(x > 0, ca.log(x), -1.0)
    kernel = kernel_of({"x": x}, {"y": ca.vertcat(root, inverse, logarithm)}, lanes)
    rows = np.array([-4.0, 0.0, 4.0, -0.0, -1e-300, 9.0, 0.25, -1.0, 1.0])
    with np.errstate(all="ignore"):
        wanted = [
            np.copysign(np.sqrt(np.abs(rows)), rows),
            np.where(rows == 0, 7.0, 1 / rows),
            np.where(rows > 0, np.log(rows), -1.0),
        ]
    got = kernel(rows[:, np.newaxis])[0]
    np.testing.assert_allclose(got, np.transpose(wanted), rtol=RTOL)


# ---- places


@pytest.mark.parametrize("lanes", LANES)
def test_uniform_places_serve_all_lanes(lanes, rng):
    x, c = ca.SX.sym("x", 2), ca.SX.sym("c", 2)
    graph = ca.Function("f", [ca.vertcat(x, c)], [ca.vertcat(x[0] * c[0], x[1] + c[1])])

    def core(width):
        reads = [Place("x", 0), Place("x", 1)]
        reads += [Place("c", 3, is_uniform=True), Place("c", 1, is_uniform=True)]
        writes = [Place("y", 1), Place("y", 0)]
        text, functions = lower("core", graph, reads, writes, ["x", "y", "c"], width)
        return Core(text, frozenset(functions), width)

    constants = rng.normal(size=4)
    kernel = Kernel(core, lanes, [("x", 2)], [("y", (2,))], [constants])
    rows = rng.normal(size=(2 * lanes + 1, 2))
    wanted = np.stack([rows[:, 1] + constants[1], rows[:, 0] * constants[3]], axis=1)
    np.testing.assert_array_equal(kernel(rows)[0], wanted)
    np.testing.assert_array_equal(kernel(rows[0])[0], wanted[0])


def test_function_without_inputs_or_outputs():
    empty = ca.Function("f", [ca.SX(0, 1)], [ca.SX(0, 1)])
    text, functions = lower("core", empty, [], [], ["x"], 4)
    assert text == "define internal void @core(ptr noalias %x) #0 {\n\nret void\n}\n"
    assert functions == set()


def test_calls_of_functions_that_are_no_graph_are_refused():
    x = ca.SX.sym("x")
    table = ca.interpolant("table", "linear", [[0.0, 1.0]], [0.0, 2.0])
    graph = ca.Function("f", [x], [table(x)])
    text = "has the CasADi operation 48, which cannot be compiled: it calls a function that is no"
    with pytest.raises(ModelError, match=text):
        lower("core", graph, [Place("x", 0)], [Place("y", 0)], ["x", "y"], 1)


# ---- random graphs


def _bounded(e):
    return 0.9 * ca.sin(e)


def _positive(e):
    return e * e + 0.1


UNARY_GRAPHS = [
    *(lambda e, f=f: f(e) for f in (ca.sin, ca.cos, ca.tanh, ca.atan, ca.asinh, ca.fabs, ca.erf)),
    *(lambda e, f=f: f(_bounded(e)) for f in (ca.asin, ca.acos, ca.atanh, ca.erfinv, ca.tan)),
    *(lambda e, f=f: f(2 * ca.sin(e)) for f in (ca.exp, ca.expm1, ca.sinh, ca.cosh)),
    *(lambda e, f=f: f(_positive(e)) for f in (ca.sqrt, ca.log, ca.log1p)),
    *(lambda e, f=f: f(e) for f in (ca.floor, ca.ceil, ca.sign, ca.logic_not)),
    lambda e: ca.acosh(1 + _positive(e)),
    lambda e: 1 / _positive(e),
    lambda e: _positive(e) ** -3,
    lambda e: (e - 0.3) ** 5,
    lambda e: -e,
    lambda e: e + e,
]
BINARY_GRAPHS = [
    *(lambda a, b, f=f: f(a, b) for f in (ca.atan2, ca.hypot, ca.fmin, ca.fmax, ca.copysign)),
    *(lambda a, b, f=f: f(a, _positive(b)) for f in (ca.fmod, ca.remainder, ca.rdivide)),
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: _positive(a) ** _bounded(b),
    lambda a, b: ca.if_else(a < b, a, 2 * b),
    lambda a, b: ca.if_else(ca.logic_or(a <= 0, b != 1), ca.sqrt(-a), b),
    lambda a, b: ca.if_else(ca.logic_and(a > 0, b < 9), b, ca.log(-a)),
]
N_INPUTS = 3
LARGE = 1e-6  # error beyond which a result says nothing


@st.composite
def graphs(draw):
    """Function of three numbers with up to 25 operations, chosen among all of them."""
    x = ca.SX.sym("x", N_INPUTS)
    known = [x[k] for k in range(N_INPUTS)] + [ca.SX(draw(st.floats(-3, 3)))]
    pick = st.integers(0, 10**6)
    for _ in range(draw(st.integers(1, 25))):
        a, b = (known[draw(pick) % len(known)] for _ in range(2))
        if draw(st.booleans()):
            known.append(BINARY_GRAPHS[draw(pick) % len(BINARY_GRAPHS)](a, b))
        else:
            known.append(UNARY_GRAPHS[draw(pick) % len(UNARY_GRAPHS)](a))
    return SimpleNamespace(x=x, y=ca.vertcat(*known[N_INPUTS + 1 :]))


def running(graph, numbers):
    """Values of all outputs and bounds of their rounding errors.

    Each operation adds eight units in the last place to what its arguments carry; that is found
    by moving the arguments by their errors, so jumps count in full.
    """
    work, out = {}, {}
    for k in range(graph.n_instructions()):
        op, i, o = graph.instruction_id(k), graph.instruction_input(k), graph.instruction_output(k)
        if op == ca.OP_CONST:
            work[o[0]] = graph.instruction_constant(k), 0.0
        elif op == ca.OP_INPUT:
            work[o[0]] = numbers[i[1]], 0.0
        elif op == ca.OP_OUTPUT:
            out[o[1]] = work[i[0]]
        else:
            work[o[0]] = _with_error(op, [work[j] for j in i])
    return np.array([out[k] for k in range(len(out))]).T


def _with_error(op, arguments):
    (a, da), (b, db) = arguments[0], arguments[-1]
    if op == ca.OP_IF_ELSE_ZERO and a == da == 0.0:
        return 0.0, 0.0
    value = reference(op, a, b)
    corners = {(a + s * da, b + r * db) for s in (-1, 0, 1) for r in (-1, 0, 1)}
    if len(arguments) == 1:
        corners = {(x, 0.0) for x, _ in corners}
    values = [reference(op, *corner) for corner in corners]
    if max(da, db) > LARGE or not np.isfinite([value, *values]).all():
        return value, math.inf
    spread = max(abs(other - value) for other in values)
    return value, spread + 8 * np.finfo(float).eps * abs(value)


@given(graphs(), st.integers(0, 2**32 - 1))
def test_random_graphs_agree_within_rounding(kernel_of, graph, seed):
    rows = np.random.default_rng(seed).uniform(-2, 2, (9, N_INPUTS))
    function = ca.Function("f", [graph.x], [graph.y])
    pairs = np.array([running(function, row) for row in rows])
    wanted, error = pairs[:, 0], pairs[:, 1]
    safe = np.isfinite(wanted) & (error < LARGE)
    assume(safe.any())
    kernel = kernel_of({"x": graph.x}, {"y": graph.y}, lanes=4)
    scalar = np.array([kernel(row)[0] for row in rows])
    for got in (scalar, kernel(rows)[0]):
        assert (np.abs(got[safe] - wanted[safe]) <= 2 * error[safe]).all()


def test_equal_operations_are_done_once():
    """Sums and products whichever way round; differences are not to be mixed up."""
    x = ca.SX.sym("x", 2)
    a, b = x[0], x[1]
    values = ca.vertcat((a + b) * ca.sin(a), (b + a) * ca.sin(a), a - b, b - a)
    graph = ca.Function("f", [x], [values])
    places = [[Place(name, k) for k in range(n)] for name, n in (("x", 2), ("y", 4))]
    text, _ = lower("core", graph, *places, ["x", "y"], 1)
    counts = {word: text.count(f" {word} ") for word in ("fadd", "fmul", "fsub", "load", "call")}
    assert counts == {"fadd": 1, "fmul": 1, "fsub": 2, "load": 2, "call": 1}
