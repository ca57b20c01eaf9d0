"""A graph whose values a loop takes further."""

from __future__ import annotations

from functools import partial

import casadi as ca
import numpy as np

from jourdain.codegen.followed import followed_core
from jourdain.codegen.kernel import Kernel


def summed(x, y, squares, products, total, least, table, w):
    """Sum of the squares that the table names, and the least product."""
    n = table[0]
    total[0], least[0] = 0.0, products[0]
    for k in range(n):
        w[k] = squares[table[1 + k]]
        total[0] += w[k]
    for k in range(3):
        least[0] = min(least[0], products[k])
    return 0


def test_loop_takes_values_of_the_graph(rng):
    x, y = ca.SX.sym("x", 3), ca.SX.sym("y", 3)
    found = {"squares": x * x, "products": ca.sin(x) * y}
    core = lambda lanes: followed_core({"x": x, "y": y}, found, 2, summed)  # noqa: E731
    table = np.array([2, 2, 0], dtype=np.int64)
    outputs = [("total", (1,)), ("least", (1,))]
    kernel = Kernel(partial(core), 1, [("x", 3), ("y", 3)], outputs, [table], 6 + 2)
    a, b = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    for total, least, p, q in zip(*kernel(a, b), a, b, strict=True):
        np.testing.assert_allclose(total, p[2] ** 2 + p[0] ** 2, rtol=1e-14)
        np.testing.assert_allclose(least, (np.sin(p) * q).min(), rtol=1e-14)
