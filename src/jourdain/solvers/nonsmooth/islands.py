"""Parts of a nonsmooth problem that do not touch each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem

Rows = NDArray[np.int64]
DENSE_UP_TO = 100
SPARSE_BELOW = 0.3


def island_of_rows(problem: Problem) -> Rows:
    """Number of the island of every row: coupled by G, by a block or by friction."""
    layout, n = problem.layout, len(problem.c)
    G = sparse.coo_array(problem.G)
    pairs = [
        (layout.line_normals, layout.lines),
        *((layout.plane_normals, layout.planes[:, i]) for i in range(2)),
        (layout.discs[:, 0], layout.discs[:, 1]),
        *((np.full(len(rows), rows[0]), rows) for rows in layout.bilateral if len(rows)),
    ]
    i = np.concatenate([G.row[G.data != 0.0], *(p[0] for p in pairs)])
    j = np.concatenate([G.col[G.data != 0.0], *(p[1] for p in pairs)])
    graph = sparse.coo_array((np.ones(len(i)), (i, j)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def part(problem: Problem, rows: Rows) -> Problem:
    """The problem of some rows alone: whole islands, in ascending order."""
    layout = problem.layout
    place = np.full(len(problem.c), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    segments, discs = place[layout.segments] >= 0, place[layout.discs[:, 0]] >= 0
    lines, planes = place[layout.lines] >= 0, place[layout.planes[:, 0]] >= 0
    bilateral = (place[b] for b in layout.bilateral)
    half_lines = place[layout.half_lines]
    own = Layout(
        bilateral=tuple(b for b in bilateral if (b >= 0).all()),
        half_lines=half_lines[half_lines >= 0],
        segments=place[layout.segments[segments]],
        lower=layout.lower[segments],
        upper=layout.upper[segments],
        discs=place[layout.discs[discs]],
        radius=layout.radius[discs],
        line_normals=place[layout.line_normals[lines]],
        lines=place[layout.lines[lines]],
        line_mu=layout.line_mu[lines],
        plane_normals=place[layout.plane_normals[planes]],
        planes=place[layout.planes[planes]],
        plane_mu=layout.plane_mu[planes],
    )
    G = problem.G
    own_G = sparse.csr_array(G)[rows][:, rows] if sparse.issparse(G) else G[np.ix_(rows, rows)]
    return stored(Problem(own_G, problem.c[rows], own))


def stored(problem: Problem) -> Problem:
    """The same problem with G dense or sparse, whichever is faster to factor."""
    n = len(problem.c)
    is_sparse = sparse.issparse(problem.G)
    filled = problem.G.nnz if is_sparse else np.count_nonzero(problem.G)
    if n > DENSE_UP_TO and filled < SPARSE_BELOW * n * n:
        G = sparse.csr_array(problem.G)
    else:
        G = problem.dense()
    return problem if is_sparse == sparse.issparse(G) else Problem(G, problem.c, problem.layout)
