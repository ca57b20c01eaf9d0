"""Algebra of second-order cones."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth.interior import cones


@pytest.fixture
def inner(rng):
    """Draw points inside the cone."""

    def draw():
        x = rng.normal(size=(30, 3))
        x[:, 0] = np.linalg.norm(x[:, 1:], axis=1) + rng.exponential(size=30)
        return x

    return draw


def test_scaling_maps_both_points_to_one(inner):
    x, y = inner(), inner()
    W, inverse = cones.scaling(x, y)
    np.testing.assert_allclose(
        np.einsum("nij,nj->ni", W, x), np.einsum("nij,nj->ni", inverse, y), rtol=1e-11
    )
    np.testing.assert_allclose(W @ inverse, np.tile(np.eye(3), (30, 1, 1)), atol=1e-11)


def test_division_undoes_multiplication(inner):
    x, y = inner(), inner() - 1.0
    np.testing.assert_allclose(cones.divide(cones.times(x, y), x), y, atol=1e-10)


def test_the_longest_step_ends_on_the_edge(inner, rng):
    for x, d in zip(inner(), rng.normal(size=(30, 3)), strict=True):
        step = cones.longest_step(x[None], d[None])
        if np.isfinite(step):
            end = x + step * d
            assert end[0] == pytest.approx(np.linalg.norm(end[1:]), abs=1e-9)
            assert cones.determinant((x + 0.5 * step * d)[None])[0] > 0.0
        else:
            assert d[0] >= np.linalg.norm(d[1:])
