"""Kinds of pieces as functions, run over a table one by one or several at a time in SIMD lanes."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.instances import loop_head, loop_lines
from jourdain.codegen.lower import Lowering, Place, write, written
from jourdain.codegen.rolling.listing import Listing

_BLOCK = 4  # instances at a time
_LEAST = 5  # operations of a kind from which lanes pay
_MANY = 32  # instances from which longer code pays for less


@dataclass(frozen=True)
class ListedKind:
    """Listing that is run over a table of instances; see `instances.Kind`.

    Parameters
    ----------
    listing : Listing
        What is done.
    reads, writes : list of Place
        Where inputs and outputs of the listing lie.
    arrays : mapping of str to str
        Pointer → array that it points into.
    rows : (n, n_pointers) array of int
        Offsets of the pointers of each instance.
    is_independent : bool
        Whether no instance needs what another one gives.
    """

    listing: Listing
    reads: list[Place]
    writes: list[Place]
    arrays: Mapping[str, str]
    rows: Any
    is_independent: bool = False

    def looped(
        self, c: int, before: str, uniform: Collection[str], lanes: int
    ) -> tuple[str, set[str], list[str]]:
        """Function ``@step_c_0``, what it calls, and the lines that run it over the table."""
        if self._suits_blocks and lanes == 1:
            return *self._block_text(c), self._block_loop(c, before)
        arguments = self.listing, self.reads, self.writes, list(self.arrays), lanes
        loop = loop_lines(c, self.arrays, before, uniform, lanes)
        return *written(f"step_{c}_0", *arguments, may_skip=lanes == 1), loop

    @property
    def _suits_blocks(self) -> bool:
        """Whether lanes pay: what lies apart is gathered number by number, sums gain nothing."""
        n_operations, n = len(self.listing) - len(self.reads), len(self.rows)
        gain = 1 if n >= _MANY else 2  # operations per number that is gathered
        steps = self._steps
        gathered = sum(steps[place.pointer] is None for place in self.reads)
        is_worth = n_operations >= max(_LEAST, gain * gathered)
        return self.is_independent and n >= _BLOCK and is_worth

    @property
    def _steps(self) -> dict[str, int | None]:
        """How far a pointer moves from an instance to the next: 1, 0, or None for anything else."""
        found: dict[str, int | None] = {}
        written_to = {place.pointer for place in self.writes}
        for pointer, column in zip(self.arrays, np.asarray(self.rows).T, strict=True):
            steps = set(np.diff(column).tolist())
            allowed = ({1},) if pointer in written_to else ({1}, {0})
            found[pointer] = steps.pop() if steps in allowed else None
        return found

    def _block_text(self, c: int) -> tuple[str, set[str]]:
        """Function of a row of the table and the arrays for four instances at a time."""
        steps = self._steps
        low = _Gathering(steps)
        arrays = dict.fromkeys(self.arrays.values())
        n = len(self.arrays)
        for j, (pointer, array) in enumerate(self.arrays.items()):
            for lane in range(_BLOCK if steps[pointer] is None else 1):
                entry = low.emit(f"getelementptr i64, ptr %row, i64 {lane * n + j}")
                offset = low.emit(f"load i64, ptr {entry}, align 8")
                name = f"%{pointer}_lane{lane}"
                low.lines.append(f"{name} = getelementptr double, ptr %{array}, i64 {offset}")
        write(low, self.listing, self.reads, self.writes, {}, may_skip=True)
        header = ", ".join(f"ptr %{name}" for name in ("row", *arrays))
        body = "\n".join(low.lines)
        text = f"define internal void @step_{c}_0({header}) #0 {{\n{body}\nret void\n}}\n"
        return text, low.functions

    def _block_loop(self, c: int, before: str) -> list[str]:
        """Loop over blocks, of which the last may repeat instances of the one before."""
        arrays = ", ".join(f"ptr %{name}" for name in dict.fromkeys(self.arrays.values()))
        return [
            *loop_head(c),
            f"%most{c} = sub i64 %n{c}, {_BLOCK}",
            f"br label %loop{c}",
            f"loop{c}:",
            f"%k{c} = phi i64 [ 0, %{before} ], [ %next{c}, %loop{c} ]",
            f"%over{c} = icmp sgt i64 %k{c}, %most{c}",
            f"%i{c} = select i1 %over{c}, i64 %most{c}, i64 %k{c}",
            f"%r{c} = mul i64 %i{c}, {len(self.arrays)}",
            f"%b{c} = add i64 %r{c}, %s{c}",
            f"%row{c} = getelementptr i64, ptr %table, i64 %b{c}",
            f"call void @step_{c}_0(ptr %row{c}, {arrays})",
            f"%next{c} = add i64 %k{c}, {_BLOCK}",
            f"%more{c} = icmp slt i64 %next{c}, %n{c}",
            f"br i1 %more{c}, label %loop{c}, label %done{c}",
            f"done{c}:",
        ]


class _Gathering(Lowering):
    """Lines for several instances, whose numbers lie side by side, are one, or lie anywhere.

    Parameters
    ----------
    steps : mapping of str to int or None
        How far each pointer moves from an instance to the next; where that is None each lane has
        a pointer of its own.
    """

    def __init__(self, steps: Mapping[str, int | None]) -> None:
        super().__init__(_BLOCK, f"_{_BLOCK}")
        self._steps = steps

    def load(self, place: Place) -> str:
        """Read a place of every instance."""
        if self._steps[place.pointer] is not None:
            first = self._first(place)
            if self._steps[place.pointer]:
                return self.emit(f"load {self.type}, ptr {first}, align 8")
            number = self.emit(f"load double, ptr {first}, align 8")
            one = self.emit(f"insertelement {self.type} poison, double {number}, i64 0")
            zeros = f"<{_BLOCK} x i32> zeroinitializer"
            return self.emit(f"shufflevector {self.type} {one}, {self.type} poison, {zeros}")
        packed = "poison"
        for lane in range(_BLOCK):
            address = f"%{place.pointer}_lane{lane}"
            entry = self.emit(f"getelementptr double, ptr {address}, i64 {place.offset}")
            number = self.emit(f"load double, ptr {entry}, align 8")
            packed = self.emit(f"insertelement {self.type} {packed}, double {number}, i64 {lane}")
        return packed

    def store(self, value: str, place: Place) -> None:
        """Write a place of every instance."""
        if self._steps[place.pointer]:
            first = self._first(place)
            self.lines.append(f"store {self.type} {value}, ptr {first}, align 8")
            return
        for lane in range(_BLOCK):
            address = f"%{place.pointer}_lane{lane}"
            entry = self.emit(f"getelementptr double, ptr {address}, i64 {place.offset}")
            number = self.emit(f"extractelement {self.type} {value}, i64 {lane}")
            self.lines.append(f"store double {number}, ptr {entry}, align 8")

    def _first(self, place: Place) -> str:
        """Address of a place of the first instance."""
        return self.emit(f"getelementptr double, ptr %{place.pointer}_lane0, i64 {place.offset}")


class Pointers:
    """Pointers of a kind: numbers that lie at a fixed distance in all instances share one.

    Parameters
    ----------
    rows : sequence of sequences of (str, int)
        Per instance: array and place of each number.
    """

    def __init__(self, rows: Sequence[Sequence[tuple[str, int]]]) -> None:
        arrays = [array for array, _ in rows[0]]
        offsets = np.array([[k for _, k in row] for row in rows], dtype=np.int64)
        self.arrays: dict[str, str] = {}
        self.places: list[Place] = []
        columns: list[Any] = []
        seen: dict[Hashable, tuple[str, int]] = {}
        for array, column in zip(arrays, offsets.T, strict=True):
            key = array, (column - column[0]).tobytes()
            if key not in seen:
                pointer = f"{array}_{len(columns)}"
                seen[key] = pointer, int(column[0])
                self.arrays[pointer] = array
                columns.append(column)
            pointer, base = seen[key]
            self.places.append(Place(pointer, int(column[0]) - base))
        self.rows = np.array(columns, dtype=np.int64).T.reshape(len(rows), len(columns))
