"""One-step nonsmooth problems: what is to be found, on arrays only.

Find ``r`` with ``u = G r + c`` such that every block of rows satisfies its law, a normal-cone
inclusion ``-u ∈ N_C(r)`` (NS-1). On the level of impulses ``r`` are impulses [N s] and ``u``
relative velocities [m/s]; on the level of accelerations ``r`` are forces and ``u`` accelerations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from jourdain.errors import ModelError
from jourdain.solvers.nonsmooth.layout import Layout

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bilateral:
    """Rows that hold in both directions: ``u = 0``, ``r`` free."""

    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HalfLine:
    """One-sided row: ``0 ≤ u ⊥ r ≥ 0``."""

    row: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The row, as all blocks have it."""
        return (self.row,)


@dataclass(frozen=True, slots=True)
class Segment:
    """Row with ``r`` between two numbers, against ``u``: ``-u ∈ N_[lower, upper](r)``.

    Infinite limits are allowed: ``Segment(k, 0.0, inf)`` is a half line.
    """

    row: int
    lower: float
    upper: float

    @property
    def rows(self) -> tuple[int, ...]:
        """The row, as all blocks have it."""
        return (self.row,)


@dataclass(frozen=True, slots=True)
class Disc:
    """Two rows with ``|r| ≤ radius``, against ``u``: ``-u ∈ N_disc(r)``."""

    rows: tuple[int, int]
    radius: float


@dataclass(frozen=True, slots=True)
class Friction:
    """Coulomb friction, coupled to a half line: ``-u_T ∈ N_{D(mu r_N)}(r_T)``.

    Attributes
    ----------
    normal : int
        Row of a `HalfLine`. Several blocks may lean on the same one: sliding, drilling, rolling.
    rows : tuple of int
        One row (a segment ``|r_T| ≤ mu r_N``) or two (a disc, or an ellipse with half axes
        ``mu[0] r_N`` and ``mu[1] r_N``).
    mu : float or pair of floats [1]
        Coefficient of friction, a length [m] for drilling and rolling friction.
    """

    normal: int
    rows: tuple[int, ...]
    mu: float | tuple[float, float]


Block = Bilateral | HalfLine | Segment | Disc | Friction


@dataclass(frozen=True, eq=False)
class Problem:
    """Find ``r`` with ``u = G r + c`` and the laws of all blocks.

    Parameters
    ----------
    G : (n, n)
        Dense array or sparse matrix of SciPy. It may be unsymmetric, and singular where contacts
        are redundant.
    c : (n,)
        ``u`` without impulses.
    blocks : tuple of blocks, or Layout
        Every row belongs to exactly one block.
    """

    G: Any
    c: Array
    blocks: tuple[Block, ...] | Layout

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", np.asarray(self.c, dtype=float))
        if not sparse.issparse(self.G):
            object.__setattr__(self, "G", np.asarray(self.G, dtype=float))
        n = len(self.c)
        if self.c.ndim != 1 or self.G.shape != (n, n):
            raise ModelError(
                f"matrix G of shape {self.G.shape} does not fit c of shape {self.c.shape}. "
                "Give a square matrix with as many rows as c."
            )
        data = self.G.data if sparse.issparse(self.G) else self.G
        if not (np.isfinite(data).all() and np.isfinite(self.c).all()):
            raise ModelError(
                "matrix G or vector c of a nonsmooth problem is not finite. Likely cause: the "
                "state before this step is not finite. Look at the last accepted state."
            )
        if not isinstance(self.blocks, Layout):
            object.__setattr__(self, "blocks", tuple(self.blocks))
            check_blocks(self.blocks, n)

    @cached_property
    def layout(self) -> Layout:
        """Blocks sorted by kind, as arrays."""
        return self.blocks if isinstance(self.blocks, Layout) else layout_of(self.blocks)

    def u(self, r: Array) -> Array:
        """``G r + c``."""
        return np.asarray(self.G @ r + self.c)

    def dense(self) -> Array:
        """``G`` as a dense array."""
        return np.asarray(self.G.toarray() if sparse.issparse(self.G) else self.G)


def check_blocks(blocks: Any, n: int) -> None:
    """Complain about rows without a law or with two, and about laws that cannot be."""
    count = np.zeros(n, dtype=int)
    for k, block in enumerate(blocks):
        if not all(0 <= row < n for row in block.rows):
            raise ModelError(f"block {k}, {block}, names a row outside 0 … {n - 1}.")
        for row in block.rows:
            count[row] += 1
        _check_numbers(k, block)
    if (count != 1).any():
        row = int(np.argmax(count != 1))
        raise ModelError(
            f"row {row} belongs to {count[row]} blocks. Every row of G needs exactly one law."
        )
    normals = {block.row for block in blocks if isinstance(block, HalfLine)}
    for k, block in enumerate(blocks):
        if isinstance(block, Friction) and block.normal not in normals:
            raise ModelError(
                f"block {k}, {block}, leans on row {block.normal}, which is no HalfLine. "
                "Friction with a given capacity is a Segment or a Disc."
            )


def _check_numbers(k: int, block: Block) -> None:
    """Negative friction, empty sets."""
    if isinstance(block, Friction):
        mu = np.atleast_1d(block.mu)
        if not (mu >= 0.0).all() or len(block.rows) not in (1, 2) or len(mu) > len(block.rows):
            raise ModelError(
                f"block {k}, {block}: friction has one or two rows and coefficients ≥ 0, "
                "at most one for each row."
            )
    if isinstance(block, Segment) and not block.lower <= block.upper:
        raise ModelError(f"block {k}, {block}: the lower limit is above the upper one.")
    if isinstance(block, Disc) and not (block.radius >= 0.0 and len(block.rows) == 2):
        raise ModelError(f"block {k}, {block}: a disc has two rows and a radius ≥ 0.")


def layout_of(blocks: Any) -> Layout:
    """Sort blocks by kind."""
    segments = [b for b in blocks if isinstance(b, Segment)]
    discs = [b for b in blocks if isinstance(b, Disc)]
    lines = [b for b in blocks if isinstance(b, Friction) and len(b.rows) == 1]
    planes = [b for b in blocks if isinstance(b, Friction) and len(b.rows) == 2]
    return Layout(
        bilateral=tuple(_rows(b.rows) for b in blocks if isinstance(b, Bilateral)),
        half_lines=_rows(b.row for b in blocks if isinstance(b, HalfLine)),
        segments=_rows(b.row for b in segments),
        lower=np.array([b.lower for b in segments], dtype=float),
        upper=np.array([b.upper for b in segments], dtype=float),
        discs=np.array([b.rows for b in discs], dtype=np.int64).reshape(-1, 2),
        radius=np.array([b.radius for b in discs], dtype=float),
        line_normals=_rows(b.normal for b in lines),
        lines=_rows(b.rows[0] for b in lines),
        line_mu=np.array([np.max(b.mu) for b in lines], dtype=float),
        plane_normals=_rows(b.normal for b in planes),
        planes=np.array([b.rows for b in planes], dtype=np.int64).reshape(-1, 2),
        plane_mu=np.array([np.broadcast_to(b.mu, 2) for b in planes], dtype=float).reshape(-1, 2),
    )


def _rows(rows: Any) -> NDArray[np.int64]:
    return np.fromiter(rows, dtype=np.int64)


def rows_of_blocks(problem: Problem) -> Iterator[NDArray[np.int64]]:
    """Rows of every block, in the order the blocks were given."""
    if isinstance(problem.blocks, Layout):
        return problem.blocks.rows_of_blocks()
    return (_rows(block.rows) for block in problem.blocks)
