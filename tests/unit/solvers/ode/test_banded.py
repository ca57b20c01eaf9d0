"""Jacobians within a band: colours, order and factors."""

from itertools import pairwise

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.kernel import Pattern
from jourdain.solvers.ode import banded
from jourdain.solvers.ode.banded import (
    AT_COLOURS,
    AT_COLUMNS,
    AT_PLACE,
    N_COLOURS,
    SCRATCH,
    SHIFT,
    SIZE,
    STRIDE,
    dense_table,
    factor_band,
    factor_band_complex,
    solve_band,
    solve_band_complex,
    table_of,
)


def chain(n, rng):
    """Pattern and matrix of a chain whose links are numbered at random."""
    name = rng.permutation(n)
    places = [(name[i], name[j]) for i in range(n) for j in (i - 1, i, i + 1) if 0 <= j < n]
    A = np.zeros((n, n))
    for i, j in places:
        A[i, j] = rng.normal()
    rows, columns = (np.array(x) for x in zip(*places, strict=True))
    return Pattern(n, rows, columns), A


def stored(form, A):
    """Matrix as the band holds it."""
    n = len(A)
    place = form[form[AT_PLACE] : form[AT_PLACE] + n]
    w = np.zeros(form[SIZE])
    for i, j in np.argwhere(A):
        w[form[SHIFT] + place[i] * form[STRIDE] + place[j]] = A[i, j]
    return w


@pytest.mark.parametrize("is_dense", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_solutions_are_those_of_the_matrix(seed, is_dense):
    rng = np.random.default_rng(seed)
    n = 17
    pattern, A = chain(n, rng)
    form = dense_table(n) if is_dense else table_of(pattern).copy()
    assert (form[SIZE] < n * n) is not is_dense
    form[SCRATCH] = 2 * form[SIZE] + 2 * n
    b = rng.normal(size=n)
    w = np.concatenate([stored(form, A), np.zeros(form[SIZE]), b, np.zeros(3 * n)])
    assert factor_band(w, 0, n, form, 0)
    solve_band(w, 0, n, form, 0, 2 * form[SIZE])
    np.testing.assert_allclose(w[2 * form[SIZE] :][:n], np.linalg.solve(A, b), rtol=1e-9)


@pytest.mark.parametrize("is_dense", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_complex_solutions(seed, is_dense):
    rng = np.random.default_rng(seed)
    n = 14
    pattern, A = chain(n, rng)
    form = dense_table(n) if is_dense else table_of(pattern).copy()
    form[SCRATCH] = 2 * form[SIZE] + 2 * n
    b = rng.normal(size=n) + 1j * rng.normal(size=n)
    parts = stored(form, A), stored(form, 0.7 * np.eye(n)), b.real, b.imag, np.zeros(2 * n)
    w = np.concatenate(parts)
    assert factor_band_complex(w, 0, n, form, n)
    solve_band_complex(w, 0, n, form, n, 2 * form[SIZE])
    found = w[2 * form[SIZE] :][: 2 * n]
    expected = np.linalg.solve(A + 0.7j * np.eye(n), b)
    np.testing.assert_allclose(found[:n] + 1j * found[n:], expected, rtol=1e-9, atol=1e-12)


def test_a_singular_matrix_is_told():
    form = dense_table(3)
    form[SCRATCH] = 9
    assert not factor_band(np.zeros(15), 0, 3, form, 0)


def test_columns_of_one_colour_share_no_row():
    pattern, A = chain(30, np.random.default_rng(1))
    form = table_of(pattern)
    starts = form[form[AT_COLOURS] :][: form[N_COLOURS] + 1]
    columns = form[form[AT_COLUMNS] :][:30]
    assert sorted(columns.tolist()) == list(range(30))
    assert form[N_COLOURS] <= 5
    for first, end in pairwise(starts):
        assert (np.abs(A[:, columns[first:end]]) > 0).sum(axis=1).max() <= 1


def row_of_masses(n):
    model = jd.Model("row")
    before = None
    for k in range(n):
        own = jd.Coordinate(model.add_coordinate(f"x_{k}", 1.0 + 0.1 * k))
        law = jd.Spring(jd.Polynomial((0.0, 1e4, 0.0, 1e6))) + jd.Damper(10.0)
        model.add_connection(f"s_{k}", own if before is None else own - before, law)
        before = own
    return model


METHODS = [jd.Radau5(rtol=1e-9), jd.GeneralizedAlpha(1e-3), jd.Gauss4(1e-3)]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_implicit_methods_move_as_with_dense_matrices(method, monkeypatch):
    start = {"x_0": 0.05, "x_7.rate": -1.0}
    system = jd.compile(row_of_masses(20))
    found = jd.simulate(system, 0.05, start=start, method=method).final
    monkeypatch.setattr(banded, "_WIDEST", 0.0)
    banded.table_of.cache_clear()
    expected = jd.simulate(system, 0.05, start=start, method=method).final
    banded.table_of.cache_clear()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-10), name
