from __future__ import annotations

import numpy as np

from jourdain.codegen import jit
from jourdain.solvers import native
from jourdain.solvers.explicit import explicit_run


def double(x, n):
    for i in range(n):
        x[i] *= 2.0
    return n


def test_own_loops_are_found_without_translating_them(monkeypatch):
    """The sources are their key in the cache."""
    asked = []

    def library_of(identity, make_text, names, is_unrolled):
        asked.append((identity, make_text))
        return jit.library_of(identity, make_text, names, is_unrolled)

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
