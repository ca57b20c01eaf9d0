"""Linear complementarity and friction-contact problems of Siconos and FCLIB (see data/README.md).

The files have no solutions; what counts is the residual of the natural map.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import splu

from jourdain.solvers.nonsmooth import HalfLine, Layout, Problem, residual, solve
from jourdain.solvers.nonsmooth.lemke import enumerate_lcp, lemke

DATA = Path(__file__).with_name("data")
LCPS = sorted((DATA / "lcp").glob("*.dat"))
FRICTION = sorted(p for p in (DATA / "friction_contact").iterdir() if p.suffix in (".dat", ".npz"))
WITHOUT_SOLUTION = {"lcp_Pang_isolated_sol_perturbed"}


def stem(path):
    return path.stem


def numbers(path: Path) -> Iterator[float]:
    """All numbers up to the first word."""
    for word in path.read_text(encoding="utf-8").split():
        try:
            yield float(word)
        except ValueError:
            return


def take(values, count):
    return list(islice(values, count))


def integers(values, count):
    return [int(x) for x in take(values, count)]


def matrix(values):
    """Matrix of a Siconos file: dense (0) or sparse of blocks (1), both column by column."""
    storage, m, n = integers(values, 3)
    if storage == 0:
        take(values, 2)
        return np.array(take(values, m * n)).reshape((m, n), order="F")
    _, n_rows, n_columns = integers(values, 3)
    row_ends, column_ends = integers(values, n_rows), integers(values, n_columns)
    filled_1, filled_2 = integers(values, 2)
    starts, columns = integers(values, filled_1), integers(values, filled_2)
    G = np.zeros((m, n))
    for i in range(filled_1 - 1):
        for k in range(starts[i], starts[i + 1]):
            assert integers(values, 1) == [k]
            rows = slice(row_ends[i - 1] if i else 0, row_ends[i])
            j = columns[k]
            cols = slice(column_ends[j - 1] if j else 0, column_ends[j])
            shape = G[rows, cols].shape
            G[rows, cols] = np.reshape(take(values, shape[0] * shape[1]), shape, order="F")
    return G


def read_lcp(path):
    values = numbers(path)
    (n,) = integers(values, 1)
    return matrix(values), np.array(take(values, n))


def read_dat(path):
    """Local problem, or a global one (GFC3D_Example1) condensed."""
    values = numbers(path)
    dimension, contacts = integers(values, 2)
    G = matrix(values)
    n = dimension * contacts
    if path.stem == "GFC3D_Example1":
        M, H = G, matrix(values)
        G = H.T @ np.linalg.solve(M, H)
        q = H.T @ np.linalg.solve(M, take(values, len(M))) + take(values, n)
    else:
        q = np.array(take(values, n))
    mu = np.array(take(values, contacts))
    assert len(mu) == contacts
    return Problem(G, q, Layout.contacts(mu, dimension))


def fclib_matrix(data, name):
    m, n, kind = (int(data[f"{name}_{key}"][0]) for key in ("m", "n", "nz"))
    i, p, x = (data[f"{name}_{key}"] for key in ("i", "p", "x"))
    if kind >= 0:
        return sparse.csc_array(sparse.coo_array((x, (i, p)), shape=(m, n)))
    return sparse.csc_array({-1: sparse.csc_array, -2: sparse.csr_array}[kind]((x, i, p), (m, n)))


def read_fclib(path):
    with np.load(path) as data:
        mu = data["mu"]
        if "W_x" in data:
            return Problem(fclib_matrix(data, "W"), data["q"], Layout.contacts(mu))
        M, H = splu(fclib_matrix(data, "M")), fclib_matrix(data, "H")
        G = sparse.csr_array(H.T @ M.solve(H.toarray()))
        return Problem(G, H.T @ M.solve(data["f"]) + data["w"], Layout.contacts(mu))


def read_friction(path):
    return read_fclib(path) if path.suffix == ".npz" else read_dat(path)


def lcp_residual(M, q, z):
    w = M @ z + q
    return np.linalg.norm(z - np.maximum(z - w, 0.0)) / np.linalg.norm(q)


def test_all_files_are_there():
    assert len(LCPS) == 20
    assert len(FRICTION) == 23


@pytest.mark.parametrize("path", LCPS, ids=stem)
def test_lemke_solves_or_ends_on_a_ray(path):
    M, q = read_lcp(path)
    found = lemke(M, q)
    if path.stem in WITHOUT_SOLUTION:
        assert not found.is_solved
        assert enumerate_lcp(M, q) == []
    else:
        assert found.is_solved
        assert lcp_residual(M, q, found.z) <= 1e-10


@pytest.mark.parametrize("path", [p for p in LCPS if p.stem not in WITHOUT_SOLUTION], ids=stem)
def test_lcps_are_half_lines(path):
    M, q = read_lcp(path)
    found = solve(Problem(M, q, [HalfLine(k) for k in range(len(q))]))
    assert found.is_converged
    assert lcp_residual(M, q, found.r) <= 1e-8


def test_lcp_with_known_solution():
    M, q = read_lcp(DATA / "lcp" / "lcp_deudeu.dat")
    np.testing.assert_allclose(lemke(M, q).z, [4 / 3, 7 / 3], rtol=1e-15)


def test_an_unsolvable_problem_is_not_called_solved():
    M, q = read_lcp(DATA / "lcp" / "lcp_Pang_isolated_sol_perturbed.dat")
    found = solve(Problem(M, q, [HalfLine(k) for k in range(3)]))
    assert not found.is_converged
    assert found.worst


@pytest.mark.parametrize("is_sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("path", FRICTION, ids=stem)
def test_friction_contact(path, is_sparse):
    problem = read_friction(path)
    G = sparse.csc_array(problem.G) if is_sparse else problem.dense()
    problem = Problem(G, problem.c, problem.layout)
    found = solve(problem)
    assert found.is_converged
    assert found.residual <= 1e-10
    assert residual(problem, found.r) <= 1e-10


@pytest.mark.parametrize("path", FRICTION, ids=stem)
def test_the_interior_point_method_needs_no_start(path):
    found = solve(read_friction(path), method="interior_point")
    assert found.residual <= 1e-12


def test_example_with_closed_form():
    """W = 1: every contact sticks nowhere, ``r_N = 1`` and friction 0.1 against (1, 3)."""
    found = solve(read_friction(DATA / "friction_contact" / "FC3D_Example1.dat"))
    expected = np.array([1.0, *(-0.1 * np.array([1.0, 3.0]) / 10**0.5)])
    np.testing.assert_allclose(found.r, np.tile(expected, 3), rtol=1e-14)
