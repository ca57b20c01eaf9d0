"""A compiled function whose values loops take further."""

from __future__ import annotations

from functools import partial

import casadi as ca
import numpy as np

from jourdain.codegen.called import call_table, called_core
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import sparse_core


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


def shared_function(n):
    x, y = ca.SX.sym("x", n), ca.SX.sym("y", n)
    products = ca.sin(x) * y
    products[1] = 0.0
    found = {"squares": x * x, "products": ca.sparsify(products)}
    core = partial(sparse_core, {"x": x, "y": y}, found)
    return Kernel(core, 1, [("x", n), ("y", n)], [("squares", (n,)), ("products", (n,))])


def test_loop_takes_values_of_a_function_of_any_size(rng):
    texts = []
    for n in (3, 5):
        graph = shared_function(n)
        core = called_core(["x", "y"], ["squares", "products"], 2, summed)
        texts.append(core.text)
        table = np.concatenate([call_table(graph), [2, 2, 0]])
        outputs = [("total", (1,)), ("least", (1,))]
        made = lambda lanes, core=core: core  # noqa: E731
        kernel = Kernel(made, 1, graph.inputs, outputs, [table], 2 * n + 2)
        a, b = rng.normal(size=(5, n)), rng.normal(size=(5, n))
        for total, least, p, q in zip(*kernel(a, b), a, b, strict=True):
            products = (np.sin(p) * q)[:3]
            products[1] = 0.0  # is never written
            np.testing.assert_allclose(total, p[2] ** 2 + p[0] ** 2, rtol=1e-14)
            np.testing.assert_allclose(least, products.min(), rtol=1e-14)
    assert texts[0] == texts[1]
