"""Constraint rows of a large system as numbers in memory, and the functions that evaluate them.

Arrays that the functions read and write:

* ``pose, twist, acceleration``: results of the recursion `CONSTRAINT_SWEEP`,
* ``rows``: derivatives of the rows of each block by the twists of its bodies,
* ``cells``: rates, biases and errors of the rows, and their derivatives by coordinates.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import casadi as ca

from jourdain.codegen.instances import Kinds
from jourdain.equations.constraints.row_kinds import RowKind
from jourdain.equations.recursion.constraint_sweep import CONSTRAINT_SWEEP
from jourdain.equations.tracing.constant_entries import known, known_entries
from jourdain.system.description import Description
from jourdain.system.looped.row_blocks import RowBlock, row_blocks

Cells = list[int | None]  # None for numbers that are always zero
Lies = dict[str, tuple[str, int]]


class RowCells:
    """Where the numbers of all constraint rows lie.

    Parameters
    ----------
    d : Description
        The system, with joints that share code.
    wanted : sequence of str
        Columns of `RowKind` that go to cells.
    gives_rates : bool
        Whether rates of the coordinates of cut joints go to the array ``qdot``.
    instead : str
        Column of cut joints whose rates are taken for the rows, see `RowKind.of_coordinates`.
    """

    def __init__(
        self, d: Description, wanted: Sequence[str], gives_rates: bool = False, instead: str = ""
    ) -> None:
        self.d, self._wanted, self._gives_rates = d, wanted, gives_rates
        self.n_cells = self.n_rows = self._n_constants = 0
        self.kinds = Kinds()
        self.known = known_entries(CONSTRAINT_SWEEP, d.links)
        self.blocks = row_blocks(d, self.known)
        if instead:
            joints = [block for block in self.blocks if block.kind.joint]
            kinds = {block.key: block.kind.of_coordinates(instead) for block in joints}
            self.blocks = [replace(block, kind=kinds[block.key]) for block in joints]
        self.lies: list[Lies] = []  # per block: where its pointers point to
        self._columns: list[dict[str, Cells]] = []
        self._seen: dict[Hashable, tuple[dict[str, list[bool]], list[Any]]] = {}
        for block in self.blocks:
            self._evaluate(block)

    def take(self, n: int) -> int:
        """First of n new cells."""
        self.n_cells += n
        return self.n_cells - n

    def cells(self, name: str) -> Cells:
        """Cells of one column of all rows."""
        pairs = zip(self.blocks, self._columns, strict=True)
        return [
            cell
            for block, columns in pairs
            for cell in (columns[name] if name in columns else [None] * block.size(name))
        ]

    def coordinate_cells(self, number: int, k: int) -> tuple[Cells, Cells]:
        """Derivatives of a block by the rate of its k-th coordinate, and their squares."""
        return self._columns[number][f"by{k}"], self._columns[number][f"square{k}"]

    @property
    def constants(self) -> list[Any]:
        """Numbers of the frames of all blocks, one after the other."""
        return [x for block in self.blocks for x in block.constants]

    def _evaluate(self, block: RowBlock) -> None:
        """Let a block be evaluated."""
        if block.key not in self._seen:
            self._seen[block.key] = _stored(block.kind, self._wanted)
        start, (are_stored, stored) = self.n_cells, self._seen[block.key]
        self._columns.append(
            {name: [self.take(1) if x else None for x in own] for name, own in are_stored.items()}
        )
        self.lies.append(self._pointers(block) | {"cells": ("cells", start)})
        rates = block.kind.rates if self._gives_rates else ca.SX(0, 1)
        self.kinds.add(block.key, partial(_functions, block.kind, stored, rates), self.lies[-1])
        self.n_rows += sum(x.count(None) for _, x in block.kind.by_bodies)
        self._n_constants += len(block.constants)

    def _pointers(self, block: RowBlock) -> Lies:
        lies = {"t": ("t", 0), "p": ("p", 0), "constants": ("row_constants", self._n_constants)}
        lies |= {"coordinates": ("q", block.q_start), "rates": ("qdot", block.q_start)}
        lies["rows"] = "rows", self.n_rows
        for k, number in enumerate(block.links):
            body = self.d.layout.body[number - 1]
            lies |= {f"pose{k}": ("pose", 16 * body), f"moved{k}": ("moved", 6 * body)}
            lies |= {f"{n}{k}": (n, 6 * body) for n in ("twist", "acceleration")}
        for k, (q, v) in enumerate(block.coordinates):
            lies |= {f"q{k}": ("q", q), f"v{k}": ("v", v)}
        return lies


def _stored(kind: RowKind, wanted: Sequence[str]) -> tuple[dict[str, list[bool]], list[Any]]:
    """Which entries of the columns of a kind are not always zero, and these one by one."""
    columns = {name: getattr(kind, name) for name in wanted}
    for k, J in enumerate(kind.coordinates):
        columns |= {f"by{k}": J, f"square{k}": J**2}
    there = {name: x for name, x in columns.items() if x is not None and x.numel()}
    are_stored = {name: [e != 0.0 for e in known("", x)] for name, x in there.items()}
    stored = [ca.SX(there[n][k]) for n, own in are_stored.items() for k, x in enumerate(own) if x]
    return are_stored, stored


def _functions(kind: RowKind, stored: Sequence[Any], rates: Any) -> tuple[Any, Any]:
    """What a kind of rows reads, and what it writes."""
    writes = written(ca.vertcat(*stored), "cells") + written(rates, "rates")
    moving = [x[k] for x, entries in kind.by_bodies for k, e in enumerate(entries) if e is None]
    return kind.reads, writes + written(ca.vertcat(*moving), "rows")


def written(value: Any, pointer: str, start: int = 0) -> list[tuple[Any, str, int]]:
    """Entries of a column with the places they are written to."""
    column = ca.vec(ca.densify(ca.SX(value)))
    return [(column.nz[k], pointer, start + k) for k in range(column.numel())]
