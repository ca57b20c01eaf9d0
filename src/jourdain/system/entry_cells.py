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
from jourdain.equations.composite_body import Entries, supports
from jourdain.equations.constraints import Factored, Row
from jourdain.equations.known import Known, known
from jourdain.equations.row_kinds import entries_along, mass_entry
from jourdain.system.row_blocks import RowBlock
from jourdain.system.row_cells import RowCells, written


class EntryCells:
    """Mass matrix and constraint Jacobian of the rows in some cells."""

    def __init__(self, cells: RowCells) -> None:
        self._cells, self._d = cells, cells.d
        self.kinds = Kinds()
        self._order, self._supports = supports(self._d.links, self._d.layout)
        self._made: dict[Any, Any] = {}
        self._masses = self._mass_cells()
        self._rows, self._sizes = self._jacobian_cells()

    def factored(self, tape: Tape) -> Factored:
        """Factors of mass matrix and rows, recorded."""
        for row in (*self._rows, *self._sizes):
            for k, (first, *more) in row.items():
                for other in more:
                    tape.plus(first, other)
                row[k] = first
        return Factored(self._masses, self._rows, self._sizes, self._order, self._supports, tape)

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
                lies |= {"momentum": ("momenta", 6 * k), "cells": ("cells", M[k, i])}
                key = self._modes[i], self._modes[k]
                self.kinds.add(key, partial(_mass, *key), lies)
        return M

    def _jacobian_cells(self) -> tuple[list[Row], list[Row]]:
        """Lists of cells that add up to the entries of P, and to their squared sizes."""
        rows: list[Row] = []
        sizes: list[Row] = []
        for number, block in enumerate(self._cells.blocks):
            start = len(rows)
            rows += [{} for _ in range(block.kind.n)]
            sizes += [{} for _ in range(block.kind.n)]
            for k, row, entry, square in self._entries(number, block):
                rows[start + row].setdefault(k, []).append(entry)
                sizes[start + row].setdefault(k, []).append(square)
        return rows, sizes

    def _entries(self, number: int, block: RowBlock) -> Iterator[tuple[int, int, int, int]]:
        """Velocity coordinates and rows of a block, with cells of entry and squared size."""
        for body, link in enumerate(block.links):
            for k in self._moving(link):
                yield from self._along(number, block, body, k)
        for j, (_, k) in enumerate(block.coordinates):
            cells = zip(*self._cells.coordinate_cells(number, j), strict=True)
            for row, (entry, square) in enumerate(cells):
                if entry is not None and square is not None:
                    yield k, row, entry, square

    def _moving(self, link: int) -> Iterator[int]:
        """Velocity coordinates that move a link, from the link to the world."""
        while link:
            start = self._d.layout.v_start[link - 1]
            yield from range(start, start + self._d.links[link - 1].n_v)
            link = self._d.links[link - 1].inboard

    def _along(
        self, number: int, block: RowBlock, body: int, k: int
    ) -> Iterator[tuple[int, int, int, int]]:
        """Entries of a block by one velocity coordinate that moves one of its bodies."""
        link, patterns = block.links[body], block.kind.by_bodies
        pose = self._cells.known[link - 1]["pose"]
        key = patterns[body][1], self._modes[k], pose
        if key not in self._made:
            self._made[key] = _entries(*key)
        make, rows = self._made[key]
        cell = self._cells.take(2 * len(rows))
        at = self._cells.lies[number]["rows"][1]
        at += sum(x.count(None) for _, x in patterns[:body])
        lies = {"rows": ("rows", at), "pose": ("pose", 16 * self._d.layout.body[link - 1])}
        lies |= {"column": ("columns", 9 * k), "cells": ("cells", cell)}
        self.kinds.add(key, make, lies)
        for place, row in enumerate(rows):
            yield k, row, cell + place, cell + len(rows) + place


def _entries(derivatives: Known, mode: Known, pose: Known) -> tuple[Any, list[int]]:
    """Function of the entries of a block that are not zero, and their rows."""
    reads, entries, squares = entries_along(derivatives, mode, pose)
    rows = [row for row, x in enumerate(known("", entries)) if x != 0.0]
    writes = written(ca.vertcat(*(x[row] for x in (entries, squares) for row in rows)), "cells")
    return lambda: (reads, writes), rows


def _mass(inner: Known, outer: Known) -> tuple[Any, Any]:
    reads, entry = mass_entry(inner, outer)
    return reads, written(entry, "cells")
