"""Blocks of the sparse pencil by kind: rows of joints and constraints, forces of laws.

One small function serves all joints of a kind, one all connections of a form. Its arguments are
poses of bodies, coordinates and numbers; its results derivatives by the steps of these bodies (a
turn and a shift in world axes) and coordinates, turns to second order in exponential coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from scipy import sparse

Entries = tuple[Any, Any, Any]


@dataclass(frozen=True)
class Rows:
    """Rows g of constraints of one kind.

    Parameters
    ----------
    first : function of given
        Derivatives (m, s) of the rows by the steps.
    second : function of (given, λ)
        Second derivative (s, s) of λ·g.
    given : (n_given, k)
        Arguments, one column for each.
    places : (k, s)
        Unknowns that the steps are; negative for those of the world.
    size : int
        Rows m of each.
    """

    first: Any
    second: Any
    given: Any
    places: Any
    size: int

    @property
    def n(self) -> int:
        """Rows of all."""
        return self.size * len(self.places)

    def slopes(self, start: int) -> Entries:
        """Entries of G from a row on."""
        found = _mapped(self.first, self.given)[0]
        blocks = _blocks(found, len(self.places), self.size)
        rows = start + self.size * np.arange(len(self.places))
        return entries(blocks, rows[:, None] + np.arange(self.size), self.places)

    def curved(self, lam: Any) -> Entries:
        """Entries of Σ λ ∇²g."""
        found = _mapped(self.second, self.given, lam.reshape(-1, self.size).T)[0]
        return entries(
            _blocks(found, len(self.places), self.places.shape[1]), self.places, self.places
        )


@dataclass(frozen=True)
class Forces:
    """Forces of connections of one form.

    Parameters
    ----------
    function : function of given
        Force (s) along the steps, stiffness and damping (s, s).
    given, places
        As of `Rows`.
    """

    function: Any
    given: Any
    places: Any

    def add(self, slope: Any, stiff: list[Entries], loss: list[Entries]) -> None:
        """Add their part to the gradient, the stiffness and the damping."""
        force, K, D = _mapped(self.function, self.given)
        own, n = self.places, len(self.places)
        kept = own >= 0
        np.subtract.at(slope, own[kept], force.T[kept])
        size = own.shape[1]
        stiff.append(entries(_blocks(K, n, size), own, own))
        loss.append(entries(_blocks(D, n, size), own, own))


def _mapped(function: Any, *columns: Any) -> list[Any]:
    n = columns[0].shape[1]
    found = function.map(n).call([ca.DM(c) for c in columns])
    return [np.array(x) for x in found]


def _blocks(wide: Any, n: int, rows: int) -> Any:
    """Blocks (n, rows, columns) that stand side by side."""
    return wide.reshape(rows, n, -1).transpose(1, 0, 2)


def turned(R: Any, p: Any, steps: Any) -> tuple[Any, Any]:
    """Pose of a body after a turn and a shift, to second order."""
    w = ca.skew(steps[:3])
    return R + (w + 0.5 * w @ w) @ R, p + steps[3:6]


def entries(blocks: Any, rows: Any, columns: Any) -> Entries:
    """Values, rows and columns of blocks (n, a, b) with given places; those of the world go."""
    i = np.broadcast_to(rows[:, :, None], blocks.shape)
    j = np.broadcast_to(columns[:, None, :], blocks.shape)
    kept = (i >= 0) & (j >= 0) & (blocks != 0.0)
    return blocks[kept], i[kept], j[kept]


def summed(parts: list[Entries], shape: tuple[int, int]) -> Any:
    """Sparse matrix of entries; those of one place add up."""
    if not parts:
        return sparse.csc_array(shape)
    values, i, j = (np.concatenate(x) for x in zip(*parts, strict=True))
    return sparse.coo_array((values, (i, j)), shape).tocsc()


def is_hashable(value: Any) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
