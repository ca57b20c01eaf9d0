from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen.unrolled import unrolled_core


def test_outputs_take_their_places(kernel_of, rng):
    q, p = ca.SX.sym("q", 3), ca.SX.sym("p", 2)
    outputs = {"a": ca.vertcat(q[2], p[0]), "b": ca.sum1(q) * p[1], "c": ca.SX(0, 1)}
    kernel = kernel_of({"q": q, "p": p}, outputs)
    rows, p_row = rng.normal(size=(6, 3)), rng.normal(size=2)
    a, b, c = kernel(rows, p_row)
    np.testing.assert_array_equal(a, np.stack([rows[:, 2], np.full(6, p_row[0])], axis=1))
    np.testing.assert_allclose(b[:, 0], rows.sum(axis=1) * p_row[1], rtol=1e-14)
    assert c.shape == (6, 0)


def test_entries_that_are_structurally_zero_are_written(kernel_of):
    """Buffers are used again, so a zero that is not stored would show an old number."""
    x = ca.SX.sym("x", 3)
    sparse = ca.SX(ca.Sparsity.triplet(3, 1, [1], [0]), x[0])
    kernel = kernel_of({"x": x}, {"y": sparse})
    for row in np.arange(30.0).reshape(10, 3):
        np.testing.assert_array_equal(kernel(row)[0], [0.0, row[0], 0.0])
    np.testing.assert_array_equal(kernel(np.ones((9, 3)))[0], np.tile([0.0, 1.0, 0.0], (9, 1)))


def test_common_parts_are_computed_once():
    x = ca.SX.sym("x", 2)
    parts = [ca.exp(x[0] * x[1]) + k for k in range(5)]
    core = unrolled_core({"x": x}, {"y": ca.vertcat(*parts)}, 1)
    assert core.text.count("@jd_exp(") == 1
    assert core.functions == {"exp"}


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_core_says_its_lanes(lanes):
    x = ca.SX.sym("x")
    core = unrolled_core({"x": x}, {"y": 2 * x}, lanes)
    assert core.lanes == lanes
    assert core.text.startswith("define internal void @core(ptr noalias %x, ptr noalias %y)")


def test_inputs_that_nothing_depends_on_are_not_read():
    x, y = ca.SX.sym("x"), ca.SX.sym("y", 3)
    core = unrolled_core({"x": x, "y": y}, {"z": 2 * x}, 1)
    assert "load double, ptr" in core.text
    assert "ptr %y," not in core.text


def test_equal_graphs_give_equal_text():
    """What makes the cache work: names and numbers of symbols leave no trace."""

    def text(name):
        x = ca.SX.sym(name, 2)
        return unrolled_core({"x": x}, {"y": ca.sin(x[0]) * x[1] + 0.1}, 4).text

    assert text("x") == text("other")
