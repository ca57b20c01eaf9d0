"""Single values: what is taken, and as what."""

import math

import pytest

from jourdain.io.text.readers import chosen, number, numbers, table, text
from jourdain.io.text.section import ContentError, Value
from jourdain.spatial.parameter import Parameter

LENGTH = Parameter("length", 0.3, "m")


def value(data):
    return Value(data, ("body", "rod", "key"), {"length": LENGTH})


@pytest.mark.parametrize(
    ("data", "result"),
    [(2, 2.0), (-0.5, -0.5), ("=2 * length", 2 * LENGTH), ("= pi", math.pi), ("=length", LENGTH)],
)
def test_numbers_and_expressions(data, result):
    assert number(value(data)) == result
    assert type(number(value(2))) is float


@pytest.mark.parametrize(
    ("data", "result"),
    [
        ([], ()),
        ([1, "=length"], (1.0, LENGTH)),
        ([[1, 2], [3, 4]], ((1.0, 2.0), (3.0, 4.0))),
    ],
)
def test_arrays(data, result):
    assert numbers(value(data)) == result


def test_texts_tables_and_words():
    assert text(value("a")) == "a"
    assert table(value({"a": 1}), "") == {"a": 1}
    assert chosen(value("b"), {"a": 1, "b": 2}, "letter") == 2


@pytest.mark.parametrize(
    ("reader", "data", "place"),
    [
        (number, True, ()),
        (number, None, ()),
        (number, [1.0], ()),
        (number, math.inf, ()),
        (number, math.nan, ()),
        (number, 10**400, ()),
        (number, "length", ()),
        (number, "=speed", ()),
        (numbers, 1.0, ()),
        (numbers, [1.0, True], (1,)),
        (numbers, [[1.0, "x"]], (0, 1)),
        (numbers, [[[1.0]]], (0, 0)),
        (text, 1, ()),
        (lambda v: table(v, ""), [], ()),
        (lambda v: chosen(v, {"a": 1}, "letter"), "b", ()),
        (lambda v: chosen(v, {"a": 1}, "letter"), ["a"], ()),
    ],
)
def test_wrong_values_are_told_with_their_place(reader, data, place):
    with pytest.raises(ContentError) as error:
        reader(value(data))
    assert [path for path, _ in error.value.found] == [("body", "rod", "key", *place)]
