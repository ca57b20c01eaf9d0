"""Entries of the mass matrix and of the constraint Jacobian of a large system, as cells of memory.

One function per pattern of zeros: of a mode vector and a place for the mass matrix (CD-5), of the
derivatives of a block of rows besides for the Jacobian (CD-6).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import casadi as ca

from jourdain.codegen.instances import Kinds
from jourdain.codegen.tape import Tape
from jourdain.equations.constraints.multipliers import Factored, Row
from jourdain.equations.constraints.orthogonal import OrthogonalFactored
from jourdain.equations.constraints.row_kinds import entries_along, mass_entry
from jourdain.equations.recursion.composite_body import Entries, supports
from jourdain.equations.tracing.constant_entries import Known, known
from jourdain.system.checks.wide import has_wide_inertias
from jourdain.system.looped.row_blocks import RowBlock
from jourdain.system.looped.row_cells import RowCells, written


class EntryCells:
    """Mass matrix and constraint Jacobian of the rows in some cells.

    Parameters
    ----------
    cells : RowCells
        The rows.
    keeps_all : bool
        Whether squared sizes of rows that vanish are wanted as well.
    """

    def __init__(self, cells: RowCells, keeps_all: bool = False) -> None:
        self._cells, self._d, self._keeps_all = cells, cells.d, keeps_all
        self.kinds = Kinds()
        self._order, self._supports = supports(self._d.links, self._d.layout)
        self._made: dict[Any, _Entries] = {}
        self._masses = self._mass_cells()
        self._rows, self._sizes = self._jacobian_cells()

    def factored(self, tape: Tape) -> Factored:
        """Factors of mass matrix and rows, recorded."""
        for row in (*self._rows, *self._sizes):
            for k, (first, *more) in row.items():
                for other in more:
                    tape.plus(first, other)
                row[k] = first
        kind = OrthogonalFactored if has_wide_inertias(self._d) else Factored
        return kind(self._masses, self._rows, self._sizes, self._order, self._supports, tape)

    def jacobian(self, squares: bool = False) -> tuple[list[int], list[int], list[int]]:
        """Rows, velocity coordinates and cells that add up to the Jacobian, or to its squares."""
        found = [
            (i, k, cell)
            for i, row in enumerate(self._sizes if squares else self._rows)
            for k, cells in row.items()
            for cell in cells
        ]
        rows, columns, cells = ([entry[j] for entry in found] for j in range(3))
        return rows, columns, cells

    @cached_property
    def _modes(self) -> dict[int, Known]:
        """Per velocity coordinate: what is known of its mode vector and its place."""
        tree = zip(self._d.links, self._d.layout.v_start, self._cells.known, strict=True)
        return {
            start + c: entries["columns"][9 * c : 9 * c + 9]
            for link, start, entries in tree
            for c in range(link.n_v)
        }

    def _mass_cells(self) -> Entries:
        """Lower triangle of the mass matrix in tree order."""
        M: Entries = {}
        for k in self._order:
            for i in [*self._supports[k], k]:
                M[k, i] = self._cells.take(1)
                lies = {"inner": ("columns", 9 * i), "outer": ("columns", 9 * k)}
                lies |= {"momentum": ("momenta", 7 * k), "cells": ("cells", M[k, i])}
                key = self._modes[i], self._modes[k], i == k
                self.kinds.add(key, partial(_mass, *key), lies)
        return M

    def _jacobian_cells(self) -> tuple[list[Row], list[Row]]:
        """Lists of cells that add up to the entries of P, and to their squared sizes."""
        rows: list[Row] = []
        sizes: list[Row] = []
        for number, block in enumerate(self._cells.blocks):
            both: list[list[Row]] = [[{} for _ in range(block.kind.n)] for _ in range(2)]
            for table, row, k, cell in self._entries(number, block):
                both[table][row].setdefault(k, []).append(cell)
            rows += both[0]
            sizes += both[1]
        return rows, sizes

    def _entries(self, number: int, block: RowBlock) -> Iterator[tuple[int, int, int, int]]:
        """Yield 0 for an entry or 1 for a square, row of the block, velocity coordinate, cell."""
        pairs = [(body, k) for body, link in enumerate(block.links) for k in self._moving(link)]
        made = [self._along(block, body, k) for body, k in pairs]
        by = [self._cells.coordinate_cells(number, j) for j in range(len(block.coordinates))]
        alive = {row for entries in made for row in entries.rows}
        alive |= {row for cells, _ in by for row, cell in enumerate(cells) if cell is not None}
        if self._keeps_all:
            alive = set(range(block.kind.n))
        for (body, k), entries in zip(pairs, made, strict=True):
            for table, row, cell in self._placed(number, block, body, k, entries, alive):
                yield table, row, k, cell
        for (_, k), tables in zip(block.coordinates, by, strict=True):
            for table, cells in enumerate(tables):
                for row, own in enumerate(cells):
                    if own is not None:
                        yield table, row, k, own

    def _moving(self, link: int) -> Iterator[int]:
        """Velocity coordinates that move a link, from the link to the world."""
        while link:
            start = self._d.layout.v_start[link - 1]
            yield from range(start, start + self._d.links[link - 1].n_v)
            link = self._d.links[link - 1].inboard

    def _along(self, block: RowBlock, body: int, k: int) -> _Entries:
        """Entries of a block by one velocity coordinate that moves one of its bodies."""
        pose = self._cells.known[block.links[body] - 1]["pose"]
        key = block.kind.by_bodies[body][1], self._modes[k], pose
        if key not in self._made:
            self._made[key] = _Entries(key, *entries_along(*key))
        return self._made[key]

    def _placed(
        self, number: int, block: RowBlock, body: int, k: int, entries: _Entries, alive: set[int]
    ) -> Iterator[tuple[int, int, int]]:
        """Let entries be evaluated; give their rows and cells."""
        stored = [(0, row) for row in entries.rows]
        stored += [(1, row) for row in entries.square_rows if row in alive]
        cell = self._cells.take(len(stored))
        at = self._cells.lies[number]["rows"][1]
        at += sum(x.count(None) for _, x in block.kind.by_bodies[:body])
        pose = 16 * self._d.layout.body[block.links[body] - 1]
        lies = {"rows": ("rows", at), "pose": ("pose", pose), "column": ("columns", 9 * k)}
        lies["cells"] = "cells", cell
        self.kinds.add((entries.key, tuple(stored)), partial(entries.functions, stored), lies)
        for place, (table, row) in enumerate(stored):
            yield table, row, cell + place


class _Entries:
    """Entries of rows by one velocity coordinate, as expressions."""

    def __init__(self, key: Any, reads: Any, entries: Any, squares: Any) -> None:
        self.key, self._reads, self._tables = key, reads, (entries, squares)
        self.rows, self.square_rows = (
            [row for row, x in enumerate(known("", table)) if x != 0.0] for table in self._tables
        )

    def functions(self, stored: list[tuple[int, int]]) -> tuple[Any, Any]:
        """What is read, and what is written."""
        values = [self._tables[table][row] for table, row in stored]
        return self._reads, written(ca.vertcat(*values), "cells")


def _mass(inner: Known, outer: Known, is_diagonal: bool) -> tuple[Any, Any]:
    reads, entry = mass_entry(inner, outer, is_diagonal)
    return reads, written(entry, "cells")
