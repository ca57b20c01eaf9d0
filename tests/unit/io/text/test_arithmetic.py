"""Expressions as text: the same tree comes back, with the meaning of Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jourdain as jd
from jourdain.io.text.arithmetic import DEEPEST, LONGEST, ExpressionError, parsed, written
from jourdain.spatial.parameter import Expression, Parameter, nominal

A, B, C = Parameter("a", 2.0), Parameter("b", 3.5, "m"), Parameter("größe", 0.25)
PARAMETERS = {p.name: p for p in (A, B, C)}

NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**70), 2**70))
LEAVES = st.one_of(st.sampled_from([A, B, C]), NUMBERS)


def combined(parts):
    binary = st.tuples(st.sampled_from(["+", "-", "*", "/", "**"]), parts, parts)
    return st.one_of(binary.map(_binary), parts.map(lambda x: -x))


def _binary(given):
    sign, x, y = given
    if not isinstance(x, Expression) and (sign == "**" or not isinstance(y, Expression)):
        x = A
    operations = {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "/": lambda: x / y,
        "**": lambda: x**y,
    }
    return operations[sign]()


EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=25)


@given(EXPRESSIONS)
def test_what_is_written_is_read_back(value):
    back = parsed(written(value), PARAMETERS)
    assert back == value
    assert repr(back) == repr(value)  # -0.0 and 0.0, 2 and 2.0 are told apart


WORDS = st.sampled_from(["a", "b", "2", "0.5", "-", "+", "*", "/", "**", "(", ")", "(a - b)"])


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_the_meaning_is_that_of_python(text):
    names = {"a": 2.0, "b": 3.5}
    try:
        value = parsed(text, PARAMETERS)
    except ExpressionError:
        return
    expected = eval(text, {"__builtins__": {}}, names)  # a sum of the words above
    if isinstance(expected, complex):
        with pytest.raises((TypeError, ArithmeticError)):
            math.isfinite(nominal(value))
    else:
        assert nominal(value) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", A),
        ("2 * a", 2 * A),
        ("a - b - 1", A - B - 1),
        ("a - (b - 1)", A - (B - 1)),
        ("a / b * 2", A / B * 2),
        ("a ** b ** 2", A ** (B**2)),
        ("-a ** 2", -(A**2)),
        ("(-a) ** 2", (-A) ** 2),
        ("a ** -2", A**-2),
        ("-2 * a", -2 * A),
        ("- -a", (-A).__neg__()),
        ("größe*1e-3", C * 1e-3),
        ("\ta\n+ .5", A + 0.5),
        ("2 * 3", 6.0),
        ("pi / 2", math.pi / 2),
        ("7", 7),
    ],
)
def test_examples(text, value):
    assert parsed(text, PARAMETERS) == value


def test_a_parameter_may_be_called_pi():
    mine = Parameter("pi", 3.0)
    assert parsed("pi", {"pi": mine}) is mine


def test_text_is_short():
    assert written(2 * (A + B) / C - A**2) == "2 * (a + b) / größe - a ** 2"
    assert written(-2.0 * A - (-3.0) * -B) == "-2.0 * a - -3.0 * -b"
    assert written(A + (-2.0)) == "a + (-2.0)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends where a number or a name is expected"),
        ("a *", "ends where a number or a name is expected"),
        ("a b", "has 'b' where an operator such as * is expected"),
        ("a (b)", "has '(' where an operator such as * is expected"),
        ("* a", "has '*' where a number or a name is expected"),
        ("+a", "has '+' where a number or a name is expected"),
        ("()", "has ')' where a number or a name is expected"),
        ("(a", "has a parenthesis that is not closed"),
        ("a)", "closes a parenthesis that is not open"),
        ("a; b", "has ';', which has no meaning there"),
        ("a.real", "names 'a.real', which is none of the parameters"),
        ("a. real", "has '.', which has no meaning there"),
        ("a..b", "has '.', which has no meaning there"),
        ("__import__('os')", "names '__import__', which is none of the parameters (a, b, "),
        ("aa", "names 'aa', which is none of the parameters (a, b, größe). Did you mean 'a'?"),
        ("1e999", "holds 1e999, which is too large for a number"),
        ("9" * 400, "holds 9999"),
        ("1 / 0", "cannot be computed (float division by zero)"),
        ("10 ** 400", "cannot be computed ("),
        ("(-8) ** 0.5", "has the value ("),
        ("1e308 * 10", "has the value inf"),
        ("2 ** a", "raises a number to the power of a parameter"),
        ("-" * (DEEPEST + 1) + "a", f"is nested more than {DEEPEST} deep"),
        ("a" + "+a" * (DEEPEST + 1), f"is nested more than {DEEPEST} deep"),
        ("a" * (LONGEST + 1), f"has {LONGEST + 1} characters, {LONGEST} are allowed"),
    ],
    ids=lambda x: x[:20],
)
def test_mistakes(text, message):
    with pytest.raises(ExpressionError) as error:
        parsed(text, PARAMETERS)
    assert str(error.value).startswith(message)


def test_the_deepest_expression_comes_back():
    value = A
    for _ in range(DEEPEST):
        value = 1 - value
    assert parsed(written(value), PARAMETERS) == value
    with pytest.raises(ExpressionError, match=f"nested more than {DEEPEST} deep"):
        written(1 - value)


def test_an_expression_that_would_fill_the_memory_is_refused():
    value = A
    for _ in range(40):  # 2⁴⁰ names
        value = value + value
    with pytest.raises(ExpressionError, match="has more than 100000 characters"):
        written(value)


@pytest.mark.parametrize("part", [np.inf, np.nan, 1j, "b", np.ones(2), 10**400])
def test_what_is_no_number_is_not_written(part):
    with pytest.raises(ExpressionError, match="which is no plain number"):
        written(A * part)


def test_functions_of_parameters_are_not_written():
    with pytest.raises(ExpressionError, match="holds the function sin"):
        written(2 * jd.sin(A))


def test_numbers_of_numpy_are_written_as_plain_ones():
    assert written(A * np.float64(0.5) + np.int64(3)) == "a * 0.5 + 3.0"
