"""Matrices of a tree with chords: β, π, π*, S₀, S, T, chord matrices, loop matrix.

Branches point away from world, so signs are those of the tree; chords keep the direction of the
joint as written, from parent to child. Rows are bodies 1 … n and columns joints, unless said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jourdain.errors import TopologyError

Integers = NDArray[np.int64]


def from_beta(beta: Sequence[int], chords: Iterable[tuple[int, int]] = ()) -> TreeMatrices:
    """Matrices of a tree given by its body connection array.

    Parameters
    ----------
    beta : sequence of int
        Number of the inboard body of bodies 1 … n; 0 is world. Inboard bodies come first.
    chords : iterable of (int, int)
        Numbers of the parent and the child body of each cut joint.

    Examples
    --------
    >>> from jourdain.topology import from_beta
    >>> from_beta([0, 1, 1]).T
    array([[1, 1, 1],
           [0, 1, 0],
           [0, 0, 1]])

    Raises
    ------
    TopologyError
        If a body comes before its inboard body, or a chord leads to a body that is not there.
    """
    inboard = tuple(int(i) for i in beta)
    pairs = tuple((int(parent), int(child)) for parent, child in chords)
    for body, i in enumerate(inboard, 1):
        if not 0 <= i < body:
            raise TopologyError(
                f"beta gives body {body} the inboard body {i}: it must lie between 0 (world) and "
                f"{body - 1}, because inboard bodies are numbered first. Renumber the bodies along "
                "the paths from world."
            )
    for number, pair in enumerate(pairs, 1):
        if not all(0 <= i <= len(inboard) for i in pair):
            raise TopologyError(
                f"chord {number} joins bodies {pair[0]} and {pair[1]}, but beta has the bodies "
                f"0 (world) to {len(inboard)}. Correct the chord or lengthen beta."
            )
    return TreeMatrices(inboard, pairs)


@dataclass(frozen=True)
class TreeMatrices:
    """Matrices of a tree in regular numbering, each computed when first asked for.

    Made by ``Topology.matrices`` or `from_beta`. The arrays are read-only.

    Parameters
    ----------
    inboard : tuple of int
        Number of the inboard body of bodies 1 … n.
    chords : tuple of (int, int)
        Numbers of the parent and the child body of each cut joint.
    """

    inboard: tuple[int, ...]
    chords: tuple[tuple[int, int], ...] = ()

    @cached_property
    def beta(self) -> Integers:
        """Body connection array β (Slaats 1991, ch. 3), also Sol's location column l (4.3.5).

        (n,): entry j - 1 is the number of the body inboard of body j; 0 is world.
        """
        return _read_only(np.array(self.inboard, dtype=np.int64))

    @cached_property
    def pi(self) -> Integers:
        """Preliminary path matrix π (Issa & Arczewski 1998, sec. 2), which is -S.

        (n, n): +1 if joint j leaves body i, -1 if it points to body i.
        """
        return _read_only(-self.S)

    @cached_property
    def pi_star(self) -> Integers:
        """Secondary path matrix π* (Issa & Arczewski 1998, sec. 2).

        (n, n): -k if joint j lies on the path to body i, k joints before its end, i's own
        joint included.
        """
        depth = self.T.sum(axis=0)
        return _read_only(-self.T.T * (depth[:, None] - depth[None, :] + 1))

    @cached_property
    def S0(self) -> Integers:  # noqa: N802
        """Row of world in the location matrix L of the branches (Sol 4.3.1-2).

        (n,): -1 for the branches that start at world.
        """
        return _read_only(-(self.beta == 0).astype(np.int64))

    @cached_property
    def S(self) -> Integers:  # noqa: N802
        """Location matrix of the branches without world's row (Sol 4.3.1-2).

        (n, n): +1 if branch k ends in body i, -1 if it starts there. Unit upper triangular;
        ``S T = T S = 1`` and ``S₀ T = -1ᵀ``.
        """
        location = np.eye(len(self.inboard), dtype=np.int64)
        outboard = np.flatnonzero(self.beta)
        location[self.beta[outboard] - 1, outboard] = -1
        return _read_only(location)

    @cached_property
    def T(self) -> Integers:  # noqa: N802
        """Tree matrix (Sol 4.3.6-8).

        (n, n): +1 if branch k (row) lies on the path from world to body l (column). Unit upper
        triangular, the inverse of S.
        """
        paths = np.eye(len(self.inboard), dtype=np.int64)
        for body, i in enumerate(self.inboard):
            if i:
                paths[body, :i] = paths[i - 1, :i]
        return _read_only(np.ascontiguousarray(paths.T))

    @cached_property
    def Sc0(self) -> Integers:  # noqa: N802
        """Row of world in the location matrix of the chords (Sol 4.3.3-4).

        (n_c,): -1 for a chord from world, +1 for a chord to world.
        """
        return _read_only(self._chord_location[0])

    @cached_property
    def Sc(self) -> Integers:  # noqa: N802
        """Location matrix of the chords without world's row (Sol 4.3.3-4).

        (n, n_c): +1 if chord c ends in body i, -1 if it starts there.
        """
        return _read_only(self._chord_location[1:])

    @cached_property
    def loops(self) -> Integers:
        """Loop matrix T Sᶜ (Sol 5.3.5-16): which branches the loop of each chord runs through.

        (n, n_c): +1 if branch k leads to the child of chord c but not to its parent, -1 the other
        way round. Relative motion of a chord is ``loopsᵀ`` times that of the branches.
        """
        paths = np.insert(self.T, 0, 0, axis=1)  # world in front: no branch leads there
        parent, child = np.array(self.chords, dtype=np.int64).reshape(-1, 2).T
        return _read_only(paths[:, child] - paths[:, parent])

    @cached_property
    def _chord_location(self) -> Integers:
        location = np.zeros((len(self.inboard) + 1, len(self.chords)), dtype=np.int64)
        for c, (parent, child) in enumerate(self.chords):
            location[parent, c] -= 1
            location[child, c] += 1
        return location


def _read_only(array: Integers) -> Integers:
    array.flags.writeable = False
    return array
