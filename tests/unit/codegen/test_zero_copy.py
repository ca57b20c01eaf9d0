from __future__ import annotations

import sys

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen import zero_copy
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core


def make():
    """Kernel of ``y = t q`` and ``z = v``; it has no way but the short one."""
    q, v, t = ca.SX.sym("q", 3), ca.SX.sym("v", 2), ca.SX.sym("t")
    inputs, outputs = {"q": q, "v": v, "t": t}, {"y": t * q, "z": v}

    def core(lanes):
        return unrolled_core(inputs, outputs, lanes)

    return Kernel(core, 4, [("q", 3), ("v", 2), ("t", 1)], [("y", (3,)), ("z", (2,))])


@pytest.fixture
def kernel(monkeypatch):
    kernel = make()

    def refuse(*arguments):
        raise AssertionError("took the general way")

    monkeypatch.setattr(kernel, "run", refuse)
    return kernel


def unaligned(numbers):
    raw = np.zeros(8 * len(numbers) + 1, np.uint8)[1:].view(float)
    raw[:] = numbers
    assert not raw.flags.aligned
    return raw


NUMBERS = np.array([1.0, -2.0, 3.5])
READ_ONLY = NUMBERS.copy()
READ_ONLY.flags.writeable = False
COLUMNS = {
    "plain": NUMBERS,
    "with gaps": np.column_stack([NUMBERS, NUMBERS + 7.0])[:, 0],
    "backwards": NUMBERS[::-1].copy()[::-1],
    "field of records": np.array([(1, x) for x in NUMBERS], dtype="i4, f8")["f1"],
    "unaligned": unaligned(NUMBERS),
    "read-only": READ_ONLY,
    "part of a row": np.concatenate([[9.0], NUMBERS, [9.0]])[1:4],
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_columns_are_read_where_they_lie(kernel, column):
    for _ in range(2):  # the first call goes through a stand-in
        y, z = kernel(column, np.array([5.0, 6.0]), 2.0)
        np.testing.assert_array_equal(y, 2.0 * NUMBERS)
        np.testing.assert_array_equal(z, [5.0, 6.0])


def test_one_number_for_all(kernel):
    y, _ = kernel(np.broadcast_to(4.0, 3), np.zeros(2), 0.5)
    np.testing.assert_array_equal(y, [2.0, 2.0, 2.0])


@pytest.mark.parametrize("t", [2, np.float64(2.0), np.float32(2.0), np.int64(2), np.array(2.0)])
def test_time_may_be_any_real_number(kernel, t):
    np.testing.assert_array_equal(kernel(NUMBERS, np.zeros(2), t)[0], 2.0 * NUMBERS)


@pytest.mark.parametrize(
    ("q", "t"),
    [
        (NUMBERS.astype(np.float32), 2.0),
        (NUMBERS.astype(">f8"), 2.0),
        (NUMBERS.tolist(), 2.0),
        (NUMBERS.view(np.recarray), 2.0),
        (NUMBERS[:2], 2.0),
        (NUMBERS[np.newaxis], 2.0),
        (np.array(1.0), 2.0),
        (None, 2.0),
        (1.0, 2.0),
        (NUMBERS, np.ones(1)),
        (NUMBERS, "2"),
        (NUMBERS, np.array("2")),
        (NUMBERS, None),
        (NUMBERS, 2j),
        (NUMBERS, NUMBERS),
    ],
)
def test_all_else_takes_the_general_way(kernel, q, t):
    for _ in range(2):
        with pytest.raises(AssertionError, match="took the general way"):
            kernel(q, np.zeros(2), t)
        kernel(NUMBERS, np.zeros(2), 2.0)


def test_layout_is_known_here():
    assert zero_copy.knows_objects()


@pytest.mark.parametrize("offset", ["_ITEMS", "_HEAD", "_TYPE", "_AXES", "_DIMENSIONS", "_DESCR"])
def test_another_layout_is_noticed(monkeypatch, offset):
    monkeypatch.setattr(zero_copy, offset, getattr(zero_copy, offset) - 8)
    assert not zero_copy.knows_objects.__wrapped__()


def test_other_interpreters_take_the_general_way(monkeypatch):
    monkeypatch.setattr(sys.implementation, "name", "other")
    assert not zero_copy.knows_objects.__wrapped__()
    monkeypatch.setattr(zero_copy, "knows_objects", lambda: False)
    np.testing.assert_array_equal(make()(NUMBERS, np.zeros(2), 2.0)[0], 2.0 * NUMBERS)
