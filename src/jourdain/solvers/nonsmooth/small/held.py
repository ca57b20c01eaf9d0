"""Impulses at which nothing moves: what contacts that rest and stick ask for."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Block, Disc, Friction, HalfLine, Problem, Segment

Array = NDArray[np.float64]
EPS = float(np.finfo(float).eps)
RANK = 1e-12  # part of the largest singular value that counts as none
TINY = 1e-300


def held(problem: Problem) -> tuple[Array, float] | None:
    """Smallest impulses with ``G r + c = 0`` and a bound of their residual; None if laws forbid.

    Where a row moves against its own impulse (Painlevé) this would be to jam: also None. With r in
    its sets the natural map (NS-2) is no larger than u, for projections bring nothing apart; what
    rounding may hide in u is added.
    """
    if isinstance(problem.blocks, Layout):
        return None
    G, c = problem.dense(), problem.c
    if not (G.diagonal() >= 0.0).all():
        return None
    r = np.asarray(np.linalg.lstsq(G, -c, rcond=RANK)[0], dtype=np.float64)
    values = r.tolist()
    if not all(_allows(block, values) for block in problem.blocks):
        return None
    hidden = EPS * float(np.linalg.norm(np.abs(G) @ np.abs(r)))
    left = float(np.linalg.norm(G @ r + c)) + hidden
    return r, left / max(float(np.linalg.norm(c)), TINY)


def _allows(block: Block, r: list[float]) -> bool:
    """Tell whether the impulses of a block lie in its set."""
    if isinstance(block, HalfLine):
        return r[block.row] >= 0.0
    if isinstance(block, Segment):
        return block.lower <= r[block.row] <= block.upper
    if isinstance(block, Disc):
        return hypot(r[block.rows[0]], r[block.rows[1]]) <= block.radius
    if isinstance(block, Friction):
        mu = block.mu if isinstance(block.mu, tuple) else (block.mu,) * len(block.rows)
        axes = [a * r[block.normal] for a in mu]
        rows = list(zip(block.rows, axes, strict=True))
        if any(a <= 0.0 and r[row] != 0.0 for row, a in rows):
            return False
        return hypot(*(r[row] / a for row, a in rows if a > 0.0)) <= 1.0
    return True
