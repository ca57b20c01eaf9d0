"""Errors and derivatives of the constraints of a large system, from loops.

The quantities are those of `equations.mechanism`, whose expressions take long to write down for
many constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.equations.recursion.constraint_sweep import CONSTRAINT_SWEEP
from jourdain.system.description import Description
from jourdain.system.execution import LoopedFunction
from jourdain.system.looped.constraints import row_stage
from jourdain.system.looped.entry_cells import EntryCells
from jourdain.system.looped.row_cells import Cells, RowCells
from jourdain.system.looped.state_equation import chained, loop_stage

_COLUMNS = {  # quantity → column of the rows
    Mechanism.velocity_errors: "rate",
    Mechanism.row_biases: "bias",
    Mechanism.row_errors: "error",
    Mechanism.position_errors: "gap",
    Mechanism.cut_coordinate_errors: "fit",
    Mechanism.cut_velocities: "velocities",
}


Entries = tuple[list[int], list[int], list[int]]  # rows, columns, cells
_OF_COORDINATES = {
    Mechanism.cut_coordinate_jacobian: "fit",
    Mechanism.cut_velocity_jacobian: "velocities",
}
_SAME_IF_HOLONOMIC = {
    Mechanism.assembly_errors: Mechanism.row_errors,
    Mechanism.assembly_jacobian: Mechanism.jacobian,
}


class LoopedAnswers:
    """Quantities of all constraint rows at states.

    Parameters
    ----------
    d : Description
        The system, with joints that share code.
    instead : str
        Column of cut joints whose rates are taken for the rows.
    """

    def __init__(self, d: Description, instead: str = "") -> None:
        self._d = d
        wanted = () if instead else (*_COLUMNS.values(), "by_twists", "directions")
        self._rows = RowCells(d, wanted, instead=instead)
        entries = EntryCells(self._rows, keeps_all=not instead)
        self._jacobians = {Mechanism.jacobian: entries.jacobian()}
        if not instead:
            self._jacobians[Mechanism.squares_jacobian] = entries.jacobian(squares=True)
            self._jacobians[Mechanism.body_jacobian] = self._by_twists()
            self._jacobians[Mechanism.cut_jacobian] = self._by_cuts()
        self._n_rows = sum(block.kind.n for block in self._rows.blocks)
        stages = [
            loop_stage(LoopedFunction(CONSTRAINT_SWEEP, d, 1), "d"),
            row_stage(self._rows, entries, {"qdot": len(d.names.q)}),
        ]
        inputs = {
            "q": ca.SX.sym("q", len(d.names.q)), "v": ca.SX.sym("v", d.n_v), "t": ca.SX.sym("t"),
            "p": ca.SX.sym("p", len(d.names.parameters)),
        }  # fmt: skip
        self._kernel = chained(inputs, [("cells", self._rows.n_cells)], stages, {}, d.nominal)
        self._bound = d.nominal.tobytes(), self._kernel
        self._others: dict[MechanismQuantity, LoopedAnswers] = {}

    @property
    def quantities(self) -> set[MechanismQuantity]:
        """Quantities that are there."""
        found = {*_COLUMNS, *_OF_COORDINATES, *self._jacobians}
        is_holonomic = all(block.kind.is_holonomic for block in self._rows.blocks)
        return found | (set(_SAME_IF_HOLONOMIC) if is_holonomic else set())

    def __call__(self, quantity: MechanismQuantity, q: Any, v: Any, t: Any, p: Any) -> Any:
        """Quantity at a state or at many."""
        if quantity in _OF_COORDINATES:
            if quantity not in self._others:
                self._others[quantity] = LoopedAnswers(self._d, _OF_COORDINATES[quantity])
            return self._others[quantity](Mechanism.jacobian, q, v, t, p)
        if self._bound[0] != p.tobytes():
            self._bound = p.tobytes(), self._kernel.with_parameters(p)
        (cells,) = self._bound[1](q, v, t, p)
        quantity = _SAME_IF_HOLONOMIC.get(quantity, quantity)
        if quantity in _COLUMNS:
            return _picked(cells, self._rows.cells(_COLUMNS[quantity]))
        rows, columns, places = self._jacobians[quantity]
        widths = {Mechanism.body_jacobian: 6 * self._d.layout.n_bodies}
        widths[Mechanism.cut_jacobian] = 6 * len(self._d.parts.cuts)
        matrix = np.zeros((self._n_rows, widths.get(quantity, self._d.n_v), *cells.shape[:-1]))
        numbers = np.moveaxis(cells[..., places], -1, 0)
        np.add.at(matrix, (np.array(rows, int), np.array(columns, int)), numbers)
        return np.moveaxis(matrix, (0, 1), (-2, -1))

    def _by_twists(self) -> Entries:
        """Rows, columns and cells of the derivatives by the twists of all bodies."""
        found, start, cells = [], 0, iter(self._rows.cells("by_twists"))
        for block in self._rows.blocks:
            for link, row, k in product(block.links, range(block.kind.n), range(6)):
                found.append((start + row, 6 * self._d.layout.body[link - 1] + k, next(cells)))
            start += block.kind.n
        return _there(found)

    def _by_cuts(self) -> Entries:
        """Rows, columns and cells of the derivatives by the relative velocities of cut joints."""
        found, start, cells = [], 0, iter(self._rows.cells("directions"))
        for k, block in enumerate(self._rows.blocks[: len(self._d.parts.cuts)]):
            for row, column in product(range(block.kind.n), range(6)):
                found.append((start + row, 6 * k + column, next(cells)))
            start += block.kind.n
        return _there(found)

    def places(self, column: str) -> dict[str, slice]:
        """Places of each cut joint and held measure in one column of all rows, by name."""
        found, start = {}, 0
        for block in self._rows.blocks:
            n = getattr(block.kind, column).numel()
            found[block.name] = slice(start, start + n)
            start += n
        return found


def _there(found: Sequence[tuple[int, int, int | None]]) -> Entries:
    """Entries that have a cell."""
    there = [(i, k, cell) for i, k, cell in found if cell is not None]
    rows, columns, cells = ([entry[j] for entry in there] for j in range(3))
    return rows, columns, cells


def _picked(cells: Any, places: Cells) -> Any:
    """Numbers of some cells; zero where there is none."""
    index = np.array([-1 if k is None else k for k in places], dtype=int)
    return np.where(index < 0, 0.0, cells[..., index])
