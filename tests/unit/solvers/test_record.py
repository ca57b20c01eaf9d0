"""Numbers of an earlier run: each in its range, or refused."""

import math

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.solvers.record import MOST, Record

GOOD = Record(
    {
        "x": 0.5, "n": 3, "yes": True, "one": 1, "word": "a", "words": ["a", "b"],
        "row": [1.0, 2.0], "array": np.array([0.0, 1.0]),
        "table": [[1, 2], [3, 4]], "more": {"a": 1, "b": 2},
        "method": ["Dop853", {"rtol": 1e-8}], "none": [],
    }
)  # fmt: skip


def test_what_is_right_is_given():
    assert GOOD.number("x") == 0.5
    assert GOOD.count("n") == 3
    assert GOOD.flag("yes")
    assert GOOD.flag("one")
    assert GOOD.text("word") == "a"
    assert GOOD.texts("words") == ["a", "b"]
    assert GOOD.array("row", 2).tolist() == [1.0, 2.0]
    assert GOOD.whole("array", None, 0, 1).dtype == np.int64
    assert GOOD.choices("array", 2) == [0, 1]
    assert GOOD.choices("none", 0) == []
    assert [row.tolist() for row in GOOD.table("table", 2)] == [[1, 2], [3, 4]]
    assert GOOD.counts("more", ["b"]) == {"b": 2}
    assert GOOD.method("method") == ("Dop853", {"rtol": 1e-8})
    assert "x" in GOOD
    assert "y" not in GOOD


@pytest.mark.parametrize(
    ("value", "ask"),
    [
        *((x, lambda r: r.number("v")) for x in (math.nan, math.inf, 1e301, True, "1", None, [1])),
        (-1e-9, lambda r: r.number("v", 0.0)),
        (2.0, lambda r: r.number("v", 0.0, 1.0)),
        *((x, lambda r: r.count("v")) for x in (-1, 0.5, math.nan, MOST + 2, 10**400, "3")),
        *((x, lambda r: r.flag("v")) for x in (2, -1, 0.5, "yes", None)),
        *((x, lambda r: r.text("v")) for x in (1, None, ["a"])),
        *((x, lambda r: r.texts("v")) for x in ("a", [1], None, {"a": 1})),
        *((x, lambda r: r.array("v", 2)) for x in ([1], [1, math.nan], [[1, 2]], "ab", [1, "x"])),
        *((x, lambda r: r.array("v", 2)) for x in ([1, 10**400], 3, None, {"a": 1}, [1, [2]])),
        (np.array([0.5, 1.0]), lambda r: r.whole("v", 2, 0, 1)),
        *((x, lambda r: r.choices("v", 3)) for x in ([0, 0], [3], [-1], [0.5])),
        *((x, lambda r: r.table("v", 2)) for x in ([[1]], [[1, math.inf]], [1], {"a": 1}, "ab")),
        *((x, lambda r: r.counts("v", ["a"])) for x in ({}, {"a": -1}, [1], None)),
        *((x, lambda r: r.method("v")) for x in (["a"], ["a", []], [1, {}], "ab", None)),
        *((x, lambda r: r.record("v")) for x in ([], 1, None)),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(value, ask):
    with pytest.raises(ModelError, match="the run cannot be resumed: "):
        ask(Record({"v": value}))
    with pytest.raises(ModelError, match="'v' is missing"):
        ask(Record({}))


def test_an_array_is_a_copy():
    given = np.array([1.0, 2.0])
    Record({"v": given}).array("v", 2)[0] = 5.0
    assert given[0] == 1.0
