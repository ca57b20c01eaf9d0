"""Motion of large systems with closed loops and held measures, in loops.

    sweep over the links (`CONSTRAINT_SWEEP`) → rows, kind by kind → entries of M and P, pattern
    by pattern → elimination, a list of operations → accelerations, or corrections of the state

Nothing here is compiled more than once per kind, so the time to compile does not grow with the
system; all else takes time in proportion to its size, if the loops are apart (CD-2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.instances import Kinds
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.tape import LIMIT, Tape
from jourdain.equations.constraints.multipliers import Factored
from jourdain.equations.constraints.row_kinds import RowKind
from jourdain.equations.recursion import constraint_sweep, kinematics
from jourdain.equations.recursion.sweeps import Recursion
from jourdain.system.description import Description
from jourdain.system.execution import LoopedFunction, numbers_of
from jourdain.system.looped.entry_cells import EntryCells
from jourdain.system.looped.row_cells import RowCells, written
from jourdain.system.looped.state_equation import (
    Stage,
    chained,
    instance_stage,
    loop_stage,
    tape_stage,
)


class _Rows:
    """Rows and entries of a system with the operations that solve them."""

    def __init__(self, d: Description, wanted: Sequence[str], gives_rates: bool = False) -> None:
        self.d = d
        self.cells = RowCells(d, wanted, gives_rates)
        self.entries = EntryCells(self.cells)
        self.bias, self.tau = self.cells.take(d.n_v), self.cells.take(d.n_v)
        self.tape = Tape(self.cells.n_cells)

    @property
    def factored(self) -> Factored:
        """Factors of mass matrix and rows, recorded."""
        return self.entries.factored(self.tape)

    @property
    def places(self) -> dict[str, tuple[str, int]]:
        """Columns of the tree that lie among the cells."""
        return {"bias": ("cells", self.bias), "tau": ("cells", self.tau)}

    def stages(self, recursion: Recursion, results: str) -> list[Stage]:
        """Motion of the tree, rows, entries and elimination."""
        return [
            loop_stage(LoopedFunction(recursion, self.d, 1), "d"),
            row_stage(self.cells, self.entries, {"cells": self.tape.size}),
            tape_stage(self.tape, results),
        ]


def row_stage(cells: RowCells, entries: EntryCells, blocks: Mapping[str, int]) -> Stage:
    """Rows and entries, with memory for them and for the results of `CONSTRAINT_SWEEP`."""
    d, n = cells.d, cells.d.layout.n_bodies
    kinds = instance_stage([*cells.kinds.all, *entries.kinds.all], "rows")
    columns = [x if isinstance(x, ca.SX) else np.array([x]) for x in cells.constants]
    sizes = {"pose": 16 * n, "twist": 6 * n, "acceleration": 6 * n, "columns": 9 * d.n_v}
    sizes |= {"momenta": 7 * d.n_v, "bias": d.n_v, "tau": d.n_v, "rows": cells.n_rows}
    return Stage(
        kinds.core,
        kinds.pointers,
        lambda p: {**kinds.extras(p), "row_constants": numbers_of(columns, d, p)},
        {**sizes, **blocks},
    )


def state_kernel(
    d: Description,
    inputs: Mapping[str, Any],
    forces: Sequence[Stage],
    given: Sequence[str],
    places: Mapping[str, tuple[str, int]],
) -> Kernel | None:
    """State equation of a constrained system.

    Parameters
    ----------
    d : Description
        The system, with joints that share code.
    inputs : mapping of str to casadi.SX
        Inputs of the kernel.
    forces : sequence of Stage
        What gives the forces.
    given : sequence of str
        Which of ``tau`` and ``wrench`` they give.
    places : mapping
        Where else they write to.

    Returns
    -------
    Kernel or None
        None for a system too large for the list of operations.
    """
    rows = _Rows(d, ("bias",), True)
    tape, f = rows.tape, {}
    for k in range(d.n_v):
        f[k] = rows.tau + k if "tau" in given else tape.negative(rows.bias + k)
        if "tau" in given:
            tape.minus(f[k], rows.bias + k)
    vdot, _ = rows.factored.reactions(f, rows.cells.cells("bias"))
    for k in range(d.n_v):
        tape.give(k, vdot.get(k))
    if tape.size > LIMIT:
        return None
    recursion = (
        constraint_sweep.LOADED_CONSTRAINT_SWEEP
        if "wrench" in given
        else constraint_sweep.CONSTRAINT_SWEEP
    )
    stages = [*forces, *rows.stages(recursion, "vdot")]
    outputs = [("qdot", len(d.names.q)), ("vdot", d.n_v)]
    return chained(inputs, outputs, stages, {**rows.places, **places}, d.nominal)


def projection_kernel(d: Description, inputs: Mapping[str, Any]) -> Kernel | None:
    """Corrections of positions and velocities of a constrained system, and largest errors.

    None for a system too large for the list of operations.
    """
    rows = _Rows(d, ("error", "rate", "largest"))
    tape, factored, n = rows.tape, rows.factored, d.n_v
    for number, name in enumerate(("largest", "rate")):
        largest = None
        for cell in rows.cells.cells(name):
            largest = largest if cell is None else tape.largest(largest, cell)
        tape.give(2 * n + number, largest)
    for place, name in ((0, "error"), (n, "rate")):
        change = factored.correction(rows.cells.cells(name))
        for k in range(n):
            tape.give(place + k, change.get(k))
    if tape.size > LIMIT:
        return None
    moved = loop_stage(LoopedFunction(kinematics.SHIFTS, d, 1), "m", {"v": "given"})
    more = {"given": 2 * n + 2, "moved": 6 * d.layout.n_bodies}
    moved = Stage(moved.core, moved.pointers, moved.extras, {**moved.blocks, **more})
    stages = [
        *rows.stages(constraint_sweep.PLACED, "given"),
        moved,
        instance_stage(_last(rows, d), "last"),
    ]
    outputs = [("position_correction", len(d.names.q)), ("velocity_correction", n)]
    outputs.append(("largest_errors", 2))
    places = {**rows.places, "shift": ("position_correction", 0)}
    return chained(inputs, outputs, stages, places, d.nominal)


def _shift(kind: RowKind) -> tuple[Any, Any]:
    return kind.reads, written(kind.shift, "shift")


def _last(rows: _Rows, d: Description) -> list[Any]:
    """Functions that finish a correction: coordinates of cut joints, and results put in place."""
    kinds, n = Kinds(), d.n_v
    for block, lies in zip(rows.cells.blocks, rows.cells.lies, strict=True):
        if block.kind.shift.numel():
            at = {**lies, "shift": ("position_correction", block.q_start)}
            kinds.add(block.key, partial(_shift, block.kind), at)
    x = ca.SX.sym("x")
    copied = [(n + k, "velocity_correction", k) for k in range(n)]
    copied += [(2 * n + k, "largest_errors", k) for k in range(2)]
    for source, array, place in copied:
        lies = {"from": ("given", source), "to": (array, place)}
        kinds.add(array, lambda: ([(x, "from", 0)], [(x, "to", 0)]), lies)
    for k in range(d.n_q + len(d.parts.cut_coordinates), len(d.names.q)):
        lies = {"to": ("position_correction", k)}
        kinds.add("states", lambda: ([], [(ca.SX(0), "to", 0)]), lies)
    return kinds.all
