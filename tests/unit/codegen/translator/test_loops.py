"""Loops in machine code do what the same functions do in Python."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.codegen.kernel import address
from jourdain.codegen.translator.loops import call, loop_text, part
from jourdain.solvers.native import native

LIMIT = 3
HALF = 0.5


def square(x):
    """A helper that gives a double."""
    return x * x


def is_even(k):
    """A helper that gives a truth value."""
    return k % 2 == 0


def fill(w, start, n):
    """A helper that gives nothing."""
    for i in range(start, start + n):
        w[i] = 7.0


def arithmetic(w, k, x):
    """Numbers, mixed types, constants of the module, powers."""
    w[0] = k + x
    w[1] = k / 4
    w[2] = k // 4 - k % 3
    w[3] = -x * HALF + LIMIT
    w[4] = x**2 + x**0.5 + x**3.5
    w[5] = min(x, 2.0) + max(k, 2, 9) + abs(-x)
    w[6] = square(x) - square(3.0)
    return k * 2


def control(w, k, x):
    """Branches, loops, break, continue, short circuit, chained comparisons."""
    total, count = 0.0, 0
    for i in range(k, 0, -1):
        if i == LIMIT:
            continue
        elif i > 8:
            total += 100.0
        else:
            total -= 1.0
        count += 1
    while True:
        total += x
        if total > 1000.0 or count > 50:
            break
        count += 1
    w[0] = total
    w[1] = 1.0 if 0.0 < x < 10.0 and not is_even(k) else 2.0
    w[2] = count
    inside = 0 <= k < 6 and w[k] >= 0.0
    if inside:
        fill(w, 3, 2)
    for _ in range(0):
        return -1
    return count


def swap(w, k, x):
    """Several values at once, and a local that keeps its type."""
    a, b = x, 2.0
    a, b = b, a
    w[0], w[1] = a, b
    c = 1.0
    c = k
    w[2] = c / 2
    return 0


def pieces(w, k, x):
    """Parts of an array, also of one that was chosen."""
    rest = part(w, 2)
    fill(part(rest, 1), 0, 2)
    chosen = rest if x > 1.0 else w
    chosen[0] = x
    return k


@pytest.mark.parametrize("function", [arithmetic, control, swap, pieces])
@pytest.mark.parametrize(("k", "x"), [(5, 1.5), (12, 4.25), (0, 20.0), (4, 0.125)])
def test_compiled_equals_python(function, k, x):
    expected, got = np.zeros(8), np.zeros(8)
    result = function(expected, k, x)
    compiled = native("pid")(function)
    assert compiled(address(got), k, x) == result
    np.testing.assert_allclose(got, expected, rtol=1e-15)


def test_nan_is_neither_smaller_nor_larger():
    def compare(w, x):
        w[0] = 1.0 if x < 0.0 else 2.0
        w[1] = 1.0 if not x <= 1.0 else 2.0
        w[2] = 1.0 if x != x else 2.0
        return 0

    w = np.zeros(3)
    native("pd")(compare)(address(w), float("nan"))
    np.testing.assert_array_equal(w, [2.0, 1.0, 1.0])


def test_integers_can_be_stored_and_read():
    def count(places, n):
        for i in range(n):
            places[i] += 2 * i
        return places[n - 1]

    places = np.full(4, 10, dtype=np.int64)
    assert native("ai")(count)(address(places), 4) == 16
    np.testing.assert_array_equal(places, [10, 12, 14, 16])


def test_what_is_not_in_the_subset_is_named_with_its_line():
    def wrong(n):
        return [n][0]

    with pytest.raises(NotImplementedError, match=r"wrong, line 2: List is not available"):
        loop_text(wrong, "i", "entry")


def test_a_kernel_cannot_be_called_outside():
    with pytest.raises(NotImplementedError, match="outside a compiled loop"):
        call(1, 2)
