"""Masses and stiffnesses of plain trees against those of the linear equations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.linear.rest_form import Pattern, rest_form

KINDS = (jd.Revolute("y"), jd.Prismatic("x"), jd.Cylindrical("z"), jd.Universal())


@pytest.mark.parametrize("seed", range(4))
def test_of_random_trees(seed):
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(
        rng, 4, kinds=KINDS, driven=False, floating=False, n_coordinates=1
    )
    for k, name in enumerate(jd.compile(model).names.q):
        place = jd.Coordinate(name.removesuffix(".value"))
        model.add_connection(f"spring_{k}", place, jd.Spring(70.0 + 30.0 * rng.random()))
        model.add_connection(f"damper_{k}", place, jd.Damper(1.0))
    system = jd.compile(model)
    form, rest = rest_form(system), jd.equilibrium(system)
    assert form.is_plain
    form.evaluate(rest.q, np.zeros(0))
    lin = jd.linearize(system, rest)
    M = form.mass_pattern.dense(form.masses)
    order = [system.names.v.index(name) for name in lin.coordinates]
    np.testing.assert_allclose(M[np.ix_(order, order)], lin.M.toarray(), atol=1e-12)
    K = (-M @ form.pattern.dense(form.slopes))[np.ix_(order, order)]
    np.testing.assert_allclose(K, lin.K.toarray(), atol=1e-9 * np.abs(K).max())
    assert form.losses.any()


def test_of_what_is_not_plain():
    model = jd.Model("ball")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    assert not rest_form(jd.compile(model)).is_plain
    model = jd.Model("clock")
    model.add_coordinate("x", 1.0)
    model.add_connection("push", jd.Coordinate("x"), jd.Force(jd.math.sin))
    assert not rest_form(jd.compile(model)).is_plain


def test_paths_are_found_in_any_order(rng):
    order = rng.permutation(7)
    pairs = [(k, k) for k in range(7)] + list(itertools.pairwise(order))
    pairs += [(j, i) for i, j in pairs[7:]]
    i, j = np.array(pairs).T
    pattern, values = Pattern(7, i, j), rng.normal(size=len(i))
    values[13:] = values[7:13]
    diagonal, below = pattern.three_diagonals(values)
    whole = np.diag(diagonal) + np.diag(below, -1) + np.diag(below, 1)
    np.testing.assert_array_equal(whole, pattern.dense(values)[np.ix_(pattern.path, pattern.path)])
    ring = Pattern(4, np.arange(4), np.roll(np.arange(4), 1))
    assert ring.path is None
