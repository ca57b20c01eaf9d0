from __future__ import annotations

import ctypes

import numpy as np
import pytest

from jourdain.codegen.jit import library
from jourdain.codegen.kernel import address
from jourdain.codegen.module import Core, module_text

LANES = [1, 2, 4, 8]


def core(lanes, n=2, function="erf"):
    """Core of ``y = 3 x`` for n numbers, and a function that it declares."""
    kind = "double" if lanes == 1 else f"<{lanes} x double>"
    three = "3.0" if lanes == 1 else "splat (double 3.0)"
    lines = []
    for k in range(n):
        lines += [f"%a{k} = getelementptr {kind}, ptr %x, i64 {k}"]
        lines += [f"%b{k} = getelementptr {kind}, ptr %y, i64 {k}"]
        lines += [f"%v{k} = load {kind}, ptr %a{k}, align 8"]
        lines += [f"%w{k} = fmul {kind} %v{k}, {three}"]
        lines += [f"store {kind} %w{k}, ptr %b{k}, align 8"]
    body = "\n".join(lines)
    text = f"define internal void @core(ptr %x, ptr %y, ptr %extra) {{\n{body}\nret void\n}}\n"
    return Core(text, frozenset({function}), lanes)


class Entries:
    """The two entries of a module, called with arrays."""

    def __init__(self, lanes, n=2):
        cores = [core(width, n) for width in sorted({1, lanes})]
        self.text = module_text(cores, 1, 1, 1)
        self.library = library(self.text, ["single", "batch"])
        self.lanes, self.n = lanes, n

    def single(self, x):
        y, extra = np.zeros(self.n), np.zeros(1)
        pointers = np.array([address(a) for a in (x, y, extra)])
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.library.addresses["single"])(address(pointers))
        return y

    def batch(self, x, y, strides, begin, end, sizes=None):
        extra = np.zeros(1)
        pointers = np.array([address(a) for a in (x, y, extra)])
        sizes = (self.n, self.n) if sizes is None else sizes
        lane = [np.zeros(self.n * self.lanes) for _ in range(2)]
        lane_pointers = np.array([address(a) for a in (*lane, extra)])
        sizes, strides = np.array(sizes), np.array(strides)
        kinds = [*[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64]
        function = ctypes.CFUNCTYPE(None, *kinds)(self.library.addresses["batch"])
        places = [address(a) for a in (pointers, sizes, strides, lane_pointers)]
        function(*places, begin, end)


@pytest.fixture(scope="module", params=LANES)
def entries(request):
    return Entries(request.param)


def test_single_evaluates_one_system(entries):
    np.testing.assert_array_equal(entries.single(np.array([1.0, -2.0])), [3.0, -6.0])


@pytest.mark.parametrize("count", range(18))
def test_batch_evaluates_blocks_and_the_rest(entries, count):
    x, y = np.arange(2.0 * count), np.full(2 * count + 4, np.nan)
    entries.batch(x, y, (2, 2), 0, count)
    np.testing.assert_array_equal(y[: 2 * count], 3 * x)
    assert np.isnan(y[2 * count :]).all()


@pytest.mark.parametrize(("begin", "end"), [(0, 0), (3, 3), (2, 13), (7, 8), (5, 4)])
def test_batch_touches_its_part_only(entries, begin, end):
    x, y = np.arange(40.0), np.full(40, -1.0)
    entries.batch(x, y, (2, 2), begin, end)
    wanted = np.full(40, -1.0)
    wanted[2 * begin : max(2 * end, 2 * begin)] = 3 * x[2 * begin : max(2 * end, 2 * begin)]
    np.testing.assert_array_equal(y, wanted)


def test_strides(entries):
    x, y = np.arange(60.0), np.full(80, -1.0)
    entries.batch(x, y, (5, 7), 0, 11)
    rows = np.lib.stride_tricks.as_strided(y, (11, 2), (56, 8))
    np.testing.assert_array_equal(rows, 3 * np.stack([x[0:55:5], x[1:56:5]], axis=1))
    assert (y == -1.0).sum() == 80 - 22
    entries.batch(x, y, (0, 2), 0, 11)
    np.testing.assert_array_equal(y[:22], np.tile([0.0, 3.0], 11))


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize("n", [1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24])
def test_rows_of_every_length(lanes, n, rng):
    """Squares of numbers and what is left of them; nothing beside the rows is touched."""
    entries, count = Entries(lanes, n), 2 * lanes + 1
    x, y = rng.normal(size=(count, n + 2)), np.full((count, n + 3), -1.0)
    entries.batch(x, y, (n + 2, n + 3), 0, count)
    np.testing.assert_array_equal(y[:, :n], 3 * x[:, :n])
    assert (y[:, n:] == -1.0).all()
    entries.batch(x, y, (0, n + 3), 1, count)
    np.testing.assert_array_equal(y[1:, :n], np.tile(3 * x[0, :n], (count - 1, 1)))


def test_arguments_without_numbers(entries):
    """Size zero: nothing is moved to lanes or back."""
    x, y = np.arange(40.0), np.full(40, -1.0)
    whole = 10 // entries.lanes * entries.lanes if entries.lanes > 1 else 0
    entries.batch(x, y, (2, 2), 0, whole, sizes=(2, 0))
    assert (y == -1.0).all()


def test_functions_are_declared_once():
    text = module_text([core(1), core(4), core(8)], 1, 1, 1)
    assert text.count("declare double @erf(") == 1
    for lanes in (1, 4, 8):
        assert f"@w{lanes}_jd_erf(" in text
        assert text.count(f"define internal void @w{lanes}_core(") == 1


def test_equal_cores_give_equal_text():
    assert module_text([core(1), core(4)], 1, 1, 1) == module_text([core(1), core(4)], 1, 1, 1)
