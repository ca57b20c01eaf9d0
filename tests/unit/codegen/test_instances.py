"""Functions over tables of instances."""

from __future__ import annotations

import casadi as ca
import numpy as np

from jourdain.codegen.instances import Instances, Kinds
from jourdain.codegen.kernel import Kernel


def evaluated(kinds, x):
    """Array y (as long as x) that the kinds write, with the table as a constant array."""
    instances = Instances(kinds.all)
    assert instances.arrays == ("x", "y")
    n = len(x)
    return Kernel(instances.core, 1, [("x", n)], [("y", (n,))], [instances.table]).run(x)[0]


def test_instances_of_two_kinds():
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    made = []

    def product():
        made.append("product")
        return [(a, "first", 0), (b, "second", 1)], [(a * b, "result", 0)]

    def sine():
        made.append("sine")
        return [(a, "first", 0), (b, "first", 1)], [
            (ca.sin(a), "result", 0),
            (ca.SX(7), "result", 1),
        ]

    kinds = Kinds()
    for k in range(3):
        lies = {"first": ("x", k), "second": ("x", k + 1), "result": ("y", k)}
        kinds.add("product", product, lies)
    kinds.add("sine", sine, {"first": ("x", 4), "unused": ("z", 9), "result": ("y", 3)})
    x = np.array([1.0, 2.0, 3.0, 4.0, 0.5])
    y = evaluated(kinds, x)
    np.testing.assert_allclose(y, [1.0 * 3.0, 2.0 * 4.0, 3.0 * 0.5, np.sin(0.5), 7.0], rtol=1e-14)
    assert made == ["product", "sine"]


def test_code_does_not_depend_on_the_number_of_instances():
    a = ca.SX.sym("a")
    texts = []
    for n in (2, 5):
        kinds = Kinds()
        for k in range(n):
            lies = {"from": ("x", k), "to": ("y", k)}
            kinds.add(0, lambda: ([(a, "from", 0)], [(a + 1.0, "to", 0)]), lies)
        texts.append(Instances(kinds.all).core(1).text)
    assert texts[0] == texts[1]
