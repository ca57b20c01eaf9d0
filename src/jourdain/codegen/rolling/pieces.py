"""Parts of a large expression graph that repeat: pieces, and which of them are of one kind.

A value *sees* the groups of inputs that it depends on: the coordinates of one link, the motion of
one body. Values that see the same groups and hang together are a piece: the kinematics of a body,
a spring between two bodies, a contact. Time and parameters belong to no group. Pieces are of one
kind if they do the same operations; numbers in them may differ. What one piece gives to others
lies in *cells*.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import casadi as ca
import numpy as np

from jourdain.codegen.rolling.listing import Listing

CELLS = "cells"
_LEAVES = (ca.OP_INPUT, ca.OP_CONST)
_FEW = 4  # values of pieces that join others which use the same
_SMALL = 16  # values of a piece that joins the only one that uses it,
_LARGE = 400  # as long as that has not more
_CONSTANT = "number"

Source = tuple[str, int]  # array and place in it


@dataclass
class Piece:
    """Part of a graph.

    Parameters
    ----------
    values : list of int
        Its values, arguments first.
    key : hashable
        Equal for pieces of one kind.
    leaves : list of int
        Values of others, and inputs, that it reads, in the order of the kind.
    numbers : list of float
        Constants in it, in the order of the kind.
    exports : list of int
        Values that others or outputs need, in the order of the kind.
    """

    values: list[int]
    key: Hashable = None
    leaves: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    exports: list[int] = field(default_factory=list)


class Pieces:
    """All pieces of a listing.

    Parameters
    ----------
    listing : Listing
        The graph.
    groups : sequence of int
        Group of each input; -1 for those of no group.
    arrays : sequence of str
        Array in which each input lies: it is part of the kind.
    targets : sequence of str
        Array to which each output belongs, likewise.
    """

    def __init__(
        self, listing: Listing, groups: Sequence[int], arrays: Sequence[str], targets: Sequence[str]
    ) -> None:
        self.listing, self._arrays = listing, arrays
        self._parent = list(range(len(listing)))
        self._leaf_mask = np.isin(listing.operations, _LEAVES)
        self._is_leaf = self._leaf_mask.tolist()
        self._codes = {name: _number_of(name) for name in {CELLS, _CONSTANT, *arrays}}
        self.outputs: dict[int, list[int]] = {}  # value → places among the outputs
        for place, value in listing.outputs:
            self.outputs.setdefault(value, []).append(place)
        self._targets = {
            value: tuple(targets[place] for place in places)
            for value, places in self.outputs.items()
        }
        self._partition(groups)
        self._split_large()
        self._join_siblings()
        self._join_users()
        self.all = self._gathered()
        self.of = {value: k for k, piece in enumerate(self.all) for value in piece.values}
        self._export()
        for piece in self.all:
            self._describe(piece)

    def _root(self, value: int) -> int:
        parent = self._parent
        while parent[value] != value:
            parent[value] = parent[parent[value]]
            value = parent[value]
        return value

    def _partition(self, groups: Sequence[int]) -> None:
        """Values that see the same groups and hang together are one piece."""
        ops, arguments = self.listing.operations, self.listing.arguments
        sees = [0] * len(ops)
        uses = [0] * len(ops)
        for k, (op, given) in enumerate(zip(ops, arguments, strict=True)):
            if op == ca.OP_INPUT:
                sees[k] = 0 if groups[given[0]] < 0 else 1 << groups[given[0]]
                continue
            seen = 0
            for a in given:
                seen |= sees[a]
                uses[a] += 1
            sees[k] = seen
        for k, given in enumerate(arguments):
            if self._is_leaf[k]:
                continue
            for a in given:
                if not self._is_leaf[a] and sees[a] == sees[k] and (sees[k] or uses[a] == 1):
                    self._parent[self._root(a)] = self._root(k)
        self._sees = sees

    def _split_large(self) -> None:
        """Split large pieces by what they serve.

        On the way back of an elimination, and of a recursion, all values see everything; but each
        step serves fewer outputs than the one before.
        """
        large = [
            values
            for values in self._members().values()
            if len(values) > _LARGE and not self._is_guarded(values)
        ]
        if not large:
            return
        serves = self._served()
        for values in large:
            own = set(values)
            for k in values:
                self._parent[k] = k
            for k in values:
                for a in self.listing.arguments[k]:
                    if a in own and serves[a] == serves[k]:
                        self._parent[self._root(a)] = self._root(k)

    def _is_guarded(self, values: Sequence[int]) -> bool:
        """Whether conditions decide about some of it: in one piece, it can be skipped."""
        return any(self.listing.operations[k] == ca.OP_IF_ELSE_ZERO for k in values)

    def _served(self) -> list[int]:
        """Outputs that need each value, as bits."""
        serves = [0] * len(self.listing)
        for value, places in self.outputs.items():
            for place in places:
                serves[value] |= 1 << place
        for k in range(len(serves) - 1, -1, -1):
            if not self._is_leaf[k]:
                for a in self.listing.arguments[k]:
                    serves[a] |= serves[k]
        return serves

    def _members(self) -> dict[int, list[int]]:
        """Values of each piece by its root; all then know their roots."""
        parent = np.array(self._parent)
        while not np.array_equal(nearer := parent[parent], parent):
            parent = nearer
        self._parent = parent.tolist()
        members: dict[int, list[int]] = {}
        for k in np.flatnonzero(~self._leaf_mask).tolist():
            root = self._parent[k]
            if root in members:
                members[root].append(k)
            else:
                members[root] = [k]
        return members

    def _sources(self, values: Sequence[int], own: int) -> set[int]:
        """Roots of the pieces that some values need."""
        found, parent, is_leaf = set(), self._parent, self._is_leaf
        arguments = self.listing.arguments
        for k in values:
            for a in arguments[k]:
                root = parent[a]
                if is_leaf[a] or root == own:
                    continue
                if parent[root] != root:
                    root = self._root(root)
                if root != own:
                    found.add(root)
        return found

    def _join_siblings(self) -> None:
        """Join small pieces that see the same and use the same ones: sums for x, y and z."""
        seen: dict[Hashable, int] = {}
        for root, values in self._members().items():
            if len(values) > _FEW or not self._sees[root]:
                continue
            sources = self._sources(values, root)
            if sources:
                first = seen.setdefault((self._sees[root], frozenset(sources)), root)
                self._parent[root] = first

    def _join_users(self) -> None:
        """Join small pieces with the only one that uses them."""
        members = self._members()
        users: dict[int, set[int]] = {}
        for root, values in members.items():
            for source in self._sources(values, root):
                users.setdefault(source, set()).add(root)
        size = {root: len(values) for root, values in members.items()}
        for root in sorted(members, reverse=True):
            own = {self._root(user) for user in users.get(root, ())}
            if len(own) != 1 or size[root] > _SMALL:
                continue
            (user,) = own
            if size[user] + size[root] <= _LARGE:
                self._parent[root] = user
                size[user] += size[root]

    def _gathered(self) -> list[Piece]:
        return [Piece(values) for values in self._members().values()]

    def _export(self) -> None:
        """Find what pieces give to others; a cell for each, and what outputs need."""
        self.shared: set[int] = set()  # values that other pieces read
        for k, piece in enumerate(self.all):
            for value in piece.values:
                for a in self.listing.arguments[value]:
                    if not self._is_leaf[a] and self.of[a] != k:
                        self.shared.add(a)

    def _describe(self, piece: Piece) -> None:
        """Order the values of a piece by what they do, and find its key."""
        arguments, operations = self.listing.arguments, self.listing.operations
        codes = self._codes
        hashes: dict[int, int] = {}  # of the values of the piece
        outside: dict[int, int] = {}
        for k in piece.values:
            own = [operations[k]]
            for a in arguments[k]:
                found = hashes.get(a)
                if found is None and (found := outside.get(a)) is None:
                    is_number = operations[a] == ca.OP_CONST
                    found = outside[a] = codes[_CONSTANT if is_number else self.array_of(a)]
                own.append(found)
            hashes[k] = hash(tuple(own))
        exports = [k for k in piece.values if k in self.shared or k in self.outputs]
        ends = {k: (k in self.shared, self._targets.get(k, ())) for k in exports}
        exports.sort(key=lambda k: (hashes[k], ends[k]))
        local: dict[int, int] = {}
        leaves: dict[int, int] = {}
        code: list[Hashable] = []
        for k in _needed(arguments, exports, hashes):
            given: list[Hashable] = [operations[k]]
            for a in arguments[k]:
                if a in hashes:
                    given.append(local[a])
                elif operations[a] == ca.OP_CONST:
                    given.append(_CONSTANT)
                    piece.numbers.append(self.listing.constants[a])
                else:
                    given.append((self.array_of(a), leaves.setdefault(a, len(leaves))))
            local[k] = len(code)
            code.append(tuple(given))
        piece.values, piece.leaves, piece.exports = list(local), list(leaves), exports
        piece.key = tuple(code), tuple((local[k], ends[k]) for k in exports)

    def array_of(self, value: int) -> str:
        """Array that an input or a value of another piece lies in."""
        if self.listing.operations[value] == ca.OP_INPUT:
            return self._arrays[self.listing.arguments[value][0]]
        return CELLS


def _needed(
    arguments: Sequence[tuple[int, ...]], exports: Sequence[int], inside: Container[int]
) -> list[int]:
    """Values of a piece that some of them need, one after the other, arguments first."""
    found: list[int] = []
    seen: set[int] = set()
    stack = [(export, False) for export in reversed(exports)]
    while stack:
        k, is_ready = stack.pop()
        if is_ready:
            found.append(k)
        elif k not in seen:
            seen.add(k)
            stack.append((k, True))
            stack += [(a, False) for a in reversed(arguments[k]) if a in inside and a not in seen]
    return found


def _number_of(text: str) -> int:
    """Number for a text that is the same in every process, as `hash` is not."""
    return crc32(text.encode())
