"""Large expression graphs as loops: what repeats is compiled once and run over a table.

See `pieces` for what repeats. Pieces of which there are few stay straight-line code; so do whole
graphs that are small or do not repeat.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.instances import instances_text, table_of
from jourdain.codegen.lower import Place, element_type
from jourdain.codegen.module import Core
from jourdain.codegen.rolling.kinds import ListedKind, Pointers
from jourdain.codegen.rolling.listing import Listing
from jourdain.codegen.rolling.pieces import CELLS, Piece, Pieces
from jourdain.codegen.rolling.runs import CalledKind, Runs

ROLLED_FROM = 1500
"""Values and outputs of a graph: below, straight-line code is as fast and compiles as soon."""
MOST_CELLS = 2**17
"""Numbers that pieces may exchange: they lie on the stack."""
_REPEATS = 6  # pieces of one kind from which a loop pays
_LONG = 1000  # values of one function of straight-line code: longer ones take longer per value
_NUMBERS = "numbers"
_STRAIGHT = -1

Groups = Mapping[str, Sequence[int]]


def group_numbers(inputs: Mapping[str, Any], groups: Groups | None) -> list[int]:
    """Group of each number of the inputs, see `pieces`.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Columns of symbols.
    groups : mapping of str to sequence of int, optional
        Per input: group of each number, -1 for none. Else each number is a group of its own, but
        for time and parameters.
    """
    found: list[int] = []
    for name, x in inputs.items():
        if groups is not None:
            own = groups.get(name)
            found += [-1] * x.numel() if own is None else list(own)
        else:
            is_neutral = name in ("t", "p")
            found += [-1] * x.numel() if is_neutral else range(len(found), len(found) + x.numel())
    return found


class Rolling:
    """Kinds and instances of a graph, and the order in which they run.

    Parameters
    ----------
    listing : Listing
        The graph.
    places, targets : sequences of Place
        Where inputs and outputs lie.
    groups : sequence of int
        Group of each input.
    """

    def __init__(
        self,
        listing: Listing,
        places: Sequence[Place],
        targets: Sequence[Place],
        groups: Sequence[int],
    ) -> None:
        self._listing, self._places, self._targets = listing, places, targets
        pointers = [p.pointer for p in places], [p.pointer for p in targets]
        self.pieces = Pieces(listing, groups, *pointers)
        count: dict[Hashable, int] = {}
        for piece in self.pieces.all:
            count[piece.key] = count.get(piece.key, 0) + 1
        often = {key: k for k, key in enumerate(key for key, n in count.items() if n >= _REPEATS)}
        self._kind = [often.get(piece.key, _STRAIGHT) for piece in self.pieces.all]

    @property
    def pays(self) -> bool:
        """Whether more than half of the graph repeats: pieces, and outputs that are copies."""
        looped = straight = 0
        for piece, kind in zip(self.pieces.all, self._kind, strict=True):
            if kind == _STRAIGHT:
                straight += len(piece.values)
            else:
                looped += len(piece.values)
        looped += sum(len(x) for k, x in self.pieces.outputs.items() if k not in self.pieces.of)
        return looped >= straight and len(self.pieces.shared) <= MOST_CELLS

    def core(self, pointers: Sequence[str], lanes: int) -> Core:
        """Code; its pointers are inputs and outputs."""
        self._cells: dict[int, int] = {}
        self._constants: list[float] = []
        kinds = [*self._made(self._scheduled()), *self._copies()]
        arrays = [*pointers, CELLS, _NUMBERS]
        text, functions = instances_text(kinds, arrays, "step_0_all", {_NUMBERS}, lanes)
        table, numbers = table_of(kinds), np.array([*self._constants, 0.0])
        given = ", ".join(f"ptr %{name}" for name in arrays[:-1])
        body = [
            f"%{CELLS} = alloca [{len(self._cells) + 1} x {element_type(lanes)}], align 64",
            f"call void @step_0_all({given}, ptr @step_0_numbers, ptr @step_0_table)",
            "ret void",
        ]
        listed_pointers = ", ".join(f"ptr noalias %{name}" for name in pointers)
        head = [
            _array("step_0_table", "i64", [str(int(x)) for x in table]),
            _array("step_0_numbers", "double", [_bits(x) for x in numbers]),
        ]
        core = f"define internal void @core({listed_pointers}) #0 {{\n" + "\n".join(body) + "\n}\n"
        return Core("\n".join([*head, text, core]), frozenset(functions), lanes)

    def _scheduled(self) -> list[tuple[int, list[int]]]:
        """Kinds with numbers of their pieces, in an order in which what is needed comes first."""
        pieces = self.pieces.all
        users: list[list[int]] = [[] for _ in pieces]
        waits, level = [0] * len(pieces), [0] * len(pieces)
        for k, piece in enumerate(pieces):
            sources = {self.pieces.of[a] for a in piece.leaves if a in self.pieces.of}
            waits[k] = len(sources)
            for s in sources:
                users[s].append(k)
        last: dict[int, int] = {}  # kind → how deep its last piece lies
        order = [k for k, n in enumerate(waits) if n == 0]
        left = list(waits)
        for k in order:
            last[self._kind[k]] = max(last.get(self._kind[k], 0), level[k])
            for user in users[k]:
                level[user] = max(level[user], level[k] + 1)
                left[user] -= 1
                if left[user] == 0:
                    order.append(user)
        ready: dict[int, list[int]] = {}
        for k, n in enumerate(waits):
            if n == 0:
                ready.setdefault(self._kind[k], []).append(k)
        found = []
        while ready:
            kind = _STRAIGHT if _STRAIGHT in ready else min(ready, key=lambda c: (last[c], c))
            numbers = ready.pop(kind)
            for k in numbers:  # grows by those that become ready
                for user in users[k]:
                    waits[user] -= 1
                    if waits[user] == 0:
                        own = self._kind[user]
                        (numbers if own == kind else ready.setdefault(own, [])).append(user)
            found.append((kind, numbers))
        return found

    def _cell(self, value: int) -> int:
        return self._cells.setdefault(value, len(self._cells))

    def _made(self, scheduled: Sequence[tuple[int, list[int]]]) -> list[Any]:
        """Kinds in the order in which they run; those that come often and briefly share code."""
        runs = [(kind, [self.pieces.all[k] for k in numbers]) for kind, numbers in scheduled]
        for kind, pieces in runs:
            exports = [piece.exports for piece in pieces]
            if kind != _STRAIGHT:  # the same numbers of all pieces lie side by side
                exports = [list(values) for values in zip(*exports, strict=True)]
            for value in (value for values in exports for value in values):
                if value in self.pieces.shared:
                    self._cell(value)
        found: list[Any] = []
        called = self._called(runs)
        found += [CalledKind(self._looped(pieces)) for pieces in called.values()]
        places = {kind: place for place, kind in enumerate(called)}
        first = dict.fromkeys(called, 0)  # row of the next run
        for is_called, own in itertools.groupby(runs, lambda run: run[0] in called):
            if not is_called:
                for kind, pieces in own:
                    found += (
                        self._straights(pieces) if kind == _STRAIGHT else [self._looped(pieces)]
                    )
                continue
            rows = []
            for kind, pieces in own:
                rows.append((places[kind], len(pieces), first[kind]))
                first[kind] += len(pieces)
            found.append(Runs(found[: len(called)], np.array(rows, dtype=np.int64)))
        return found

    def _called(self, runs: Sequence[tuple[int, list[Piece]]]) -> dict[int, list[Piece]]:
        """Pieces of kinds that come in many short runs, as the steps of an elimination."""
        own: dict[int, list[list[Piece]]] = {}
        for kind, pieces in runs:
            own.setdefault(kind, []).append(pieces)
        own.pop(_STRAIGHT, None)
        return {
            kind: [piece for pieces in listed for piece in pieces]
            for kind, listed in own.items()
            if len(listed) >= _REPEATS
        }

    def _straights(self, pieces: Sequence[Piece]) -> list[ListedKind]:
        """Pieces as straight-line code, in functions that are not too long."""
        parts: list[list[Piece]] = [[]]
        size = 0
        for piece in pieces:
            size += len(piece.values)
            if size > _LONG and parts[-1]:
                parts.append([])
                size = len(piece.values)
            parts[-1].append(piece)
        return [self._straight(part) for part in parts]

    def _source(self, value: int) -> tuple[str, int]:
        """Array and place of an input, or of a value in a cell."""
        if self._listing.operations[value] == ca.OP_INPUT:
            place = self._places[self._listing.arguments[value][0]]
            return place.pointer, place.offset
        return CELLS, self._cells[value]

    def _ends(self, value: int) -> list[tuple[str, int]]:
        """Arrays and places that a value is written to."""
        found = [(CELLS, self._cells[value])] if value in self.pieces.shared else []
        targets = (self._targets[place] for place in self.pieces.outputs.get(value, ()))
        return found + [(place.pointer, place.offset) for place in targets]

    def _looped(self, pieces: Sequence[Piece]) -> ListedKind:
        """Kind with a row for each piece."""
        first, n = pieces[0], len(pieces)
        numbers = np.array([piece.numbers for piece in pieces]).reshape(n, -1)
        is_equal = [bool(np.all(x == x[0])) for x in numbers.T]
        start = len(self._constants)
        varied = numbers[:, [k for k, same in enumerate(is_equal) if not same]]
        self._constants += varied.T.reshape(-1).tolist()  # side by side, as cells are
        columns = [[self._source(a) for a in piece.leaves] for piece in pieces]
        ends = [[end for value in piece.exports for end in self._ends(value)] for piece in pieces]
        width = varied.shape[1]
        slots = [[(_NUMBERS, start + k * n + i) for k in range(width)] for i in range(n)]
        rows = [[*a, *b, *c] for a, b, c in zip(columns, slots, ends, strict=True)]
        pointers = Pointers(rows)
        n_leaves = len(first.leaves)
        reads = pointers.places[: n_leaves + width]
        reads = [*reads[:n_leaves], *(Place(x.pointer, x.offset, True) for x in reads[n_leaves:])]
        listing = _own_listing(self._listing, first, is_equal)
        writes = pointers.places[n_leaves + width :]
        targets = [k for k in first.exports for _ in self._ends(k)]
        local = {k: n for n, k in enumerate(first.values)}
        head = len(listing) - len(first.values)
        listing.outputs = [(j, head + local[k]) for j, k in enumerate(targets)]
        own = {value for piece in pieces for value in piece.exports}
        is_independent = own.isdisjoint(leaf for piece in pieces for leaf in piece.leaves)
        return ListedKind(
            listing, list(reads), list(writes), pointers.arrays, pointers.rows, is_independent
        )

    def _straight(self, pieces: Sequence[Piece]) -> ListedKind:
        """Pieces one after the other, as a kind with one instance."""
        source, whole = self._listing, Listing()
        work: dict[int, int] = {}
        reads: list[Place] = []
        writes: list[Place] = []

        def value_of(a: int) -> int:
            if a not in work:
                if source.operations[a] == ca.OP_CONST:
                    work[a] = whole.add_constant(source.constants[a])
                else:
                    work[a] = whole.add(ca.OP_INPUT, (len(reads),))
                    reads.append(Place(*self._source(a)))
            return work[a]

        for piece in pieces:
            for k in piece.values:
                given = tuple(value_of(a) for a in source.arguments[k])
                work[k] = whole.add(source.operations[k], given)
            for k in piece.exports:
                for end in self._ends(k):
                    whole.outputs.append((len(writes), work[k]))
                    writes.append(Place(*end))
        return _alone(whole, reads, writes)

    def _copies(self) -> list[ListedKind]:
        """Outputs that are inputs or numbers as they are."""
        kinds: dict[tuple[str, str], list[list[tuple[str, int]]]] = {}
        for value, places in self.pieces.outputs.items():
            op = self._listing.operations[value]
            if op == ca.OP_CONST:
                lies = _NUMBERS, len(self._constants)
                self._constants.append(self._listing.constants[value])
            elif op == ca.OP_INPUT:
                lies = self._source(value)
            else:
                continue
            for place in places:
                target = self._targets[place]
                rows = kinds.setdefault((lies[0], target.pointer), [])
                rows.append([lies, (target.pointer, target.offset)])
        found = []
        for (array, _), rows in kinds.items():
            pointers = Pointers(rows)
            listing = Listing()
            listing.outputs.append((0, listing.add(ca.OP_INPUT, (0,))))
            read, write = pointers.places
            read = Place(read.pointer, read.offset, array == _NUMBERS)
            found.append(ListedKind(listing, [read], [write], pointers.arrays, pointers.rows))
        return found


def _alone(listing: Listing, reads: Sequence[Place], writes: Sequence[Place]) -> ListedKind:
    """Kind with one instance; its pointers are the arrays."""
    arrays = {place.pointer: place.pointer for place in (*reads, *writes)}
    rows = np.zeros((1, len(arrays)), dtype=np.int64)
    return ListedKind(listing, list(reads), list(writes), arrays, rows)


def _own_listing(source: Listing, piece: Piece, is_equal: Sequence[bool]) -> Listing:
    """Listing of a kind: its inputs are leaves, then numbers that differ between instances."""
    found, work = Listing(), {}
    for j, leaf in enumerate(piece.leaves):
        work[leaf] = found.add(ca.OP_INPUT, (j,))
    slots, place = [], len(piece.leaves)
    for number, same in zip(piece.numbers, is_equal, strict=True):
        if same:
            slots.append(found.add_constant(number))
        else:
            slots.append(found.add(ca.OP_INPUT, (place,)))
            place += 1
    taken = iter(slots)
    for k in piece.values:
        given = tuple(
            next(taken) if source.operations[a] == ca.OP_CONST else work[a]
            for a in source.arguments[k]
        )
        work[k] = found.add(source.operations[k], given)
    return found


def _bits(x: float) -> str:
    return f"0x{np.float64(x).view(np.uint64):016X}"


def _array(name: str, kind: str, entries: Sequence[str]) -> str:
    listed_entries = ", ".join(f"{kind} {x}" for x in entries)
    return f"@{name} = internal constant [{len(entries)} x {kind}] [{listed_entries}], align 64"
