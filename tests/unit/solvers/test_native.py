from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen import jit
from jourdain.codegen.translator.loop_records import LoopRecord
from jourdain.codegen.translator.loops import result_of
from jourdain.solvers import native
from jourdain.solvers.ode.explicit import explicit_run


def double(x, n):
    for i in range(n):
        x[i] *= 2.0
    return n


@native.native("pi")
def halve(x, n):
    for i in range(n):
        x[i] *= 0.5
    return n


def quarter(x, n):
    halve(x, n)
    return 10 * halve(x, n)


def test_loops_call_other_marked_loops():
    x = np.array([4.0, 8.0])
    assert native.native("pi")(quarter)(x.ctypes.data, 2) == 20
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_own_loops_are_found_without_translating_them(monkeypatch):
    """The sources are their key in the cache."""
    asked = []

    def library_of(identity, make_text, names, code):
        asked.append((identity, make_text))
        return jit.library_of(identity, make_text, names, code)

    def translate(*arguments):
        raise AssertionError("translated")

    assert explicit_run._compiled  # now it is in the cache
    monkeypatch.setattr(native, "library_of", library_of)
    monkeypatch.setattr(native, "loop_text", translate)
    again = native.NativeLoop(explicit_run.function, explicit_run.signature)
    assert again._compiled
    assert "def explicit_run" in asked[0][0]
    assert "class _Translation" in asked[0][0] or "def loop_text" in asked[0][0]


def test_loops_of_others_are_keyed_by_their_translation():
    loop = native.native("pi")(double)
    assert loop._identity() == loop._text()
    other = native.native("pd")(double)
    assert other._identity is not None


def test_loops_written_out_give_the_same():
    def powers(x, n, y):
        for k in range(3):
            y[k] = 1.0
            for _ in range(n):
                y[k] = y[k] * x[k]
        return 0

    x, plain, unrolled = np.array([2.0, 3.0, 0.5]), np.zeros(3), np.zeros(3)
    for is_unrolled, y in ((False, plain), (True, unrolled)):
        native.NativeLoop(powers, "pip", is_unrolled)(x.ctypes.data, 4, y.ctypes.data)
    np.testing.assert_array_equal(plain, [16.0, 81.0, 0.0625])
    np.testing.assert_array_equal(unrolled, plain)


def test_a_bound_loop_passes_the_other_arguments_only():
    """Integers, doubles and pointers that stay are read from memory, and can be changed."""

    def add(x, scale, n, places, shift):
        for i in range(n):
            x[places[i]] += scale * i + shift
        return n

    x, places = np.zeros(4), np.array([3, 1, 0], dtype=np.int64)
    given = {"n": 3, "places": places.ctypes.data, "shift": 0.5, "unknown": 7}
    bound = native.BoundLoop(native.native("pdiad")(add), given)
    assert bound.passed == ["x", "scale"]
    assert bound(x.ctypes.data, 2.0) == 3
    np.testing.assert_array_equal(x, [4.5, 2.5, 0.0, 0.5])
    bound.bind(given | {"n": 1, "shift": -0.5})
    assert bound(x.ctypes.data, 2.0) == 1
    np.testing.assert_array_equal(x, [4.5, 2.5, 0.0, 0.0])


class Weights(LoopRecord):
    first: float
    second: float


@native.native()
def weighted(x: Weights, y: Weights) -> Any:
    x.second += y.first
    return 7


@native.native()
def twice(loop: int, x: int, y: int) -> Any:
    return result_of(loop, x, y) + result_of(loop, x, y)


def test_loops_call_loops_at_an_address():
    """With the addresses of their records; a loop that leads others is compiled once for all."""
    x, y = Weights(first=1.0, second=2.0), Weights(first=0.5, second=0.0)
    assert twice(weighted.address, x._as_parameter_, y._as_parameter_) == 14
    assert x.second == 3.0
