"""Stiffness and damping of the forces of laws, as a time step takes them: symmetric (TS-2).

    K = −∂f/∂q ∂ż/∂v,   C = −∂f/∂v

Few entries are written down one by one. Where they would be a graph of forces for each of many
velocities, as in a long chain that springs tie to the world, columns are rates of the forces along
directions, and one graph serves them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.called import call_table, directed_core
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.module import Core
from jourdain.system.mechanism import kernel
from jourdain.system.plan import ENTRIES_COST


class StepTangent:
    """Entries of K and C in the lower triangle.

    Parameters
    ----------
    x : mapping of str to casadi.SX
        Symbols of a step.
    force, zdot : casadi.SX
        Forces of laws and inputs along velocities, and rates of positions.

    Attributes
    ----------
    places : list of (int, int)
        Row and column of each entry.
    """

    def __init__(self, x: Mapping[str, Any], force: Any, zdot: Any) -> None:
        self._x, self._force, self._zdot = x, ca.SX(force), zdot
        q, v = x["q"], x["v"]
        along = [(self._force, q), (zdot, v), (self._force, v)]
        by_q, motion, by_v = (ca.DM(ca.jacobian_sparsity(*pair), 1.0) for pair in along)
        self._whole = (by_q @ motion).sparsity() + by_v.sparsity()
        lower = ca.Sparsity.lower(v.numel())
        self._pattern = (self._whole + self._whole.T).intersect(lower)
        self.places = list(zip(*self._pattern.get_triplet(), strict=True))

    @cached_property
    def _colours(self) -> Any:
        """Directions (n_v, n_colours) that share no row."""
        return self._whole.uni_coloring(self._whole.T)

    @cached_property
    def is_by_entries(self) -> bool:
        """Whether entries are written down one by one."""
        size = ca.Function("force", list(self._x.values()), [self._force]).n_instructions()
        return bool(self._colours.size2() * size <= ENTRIES_COST)

    def varies(self, on: Any) -> bool:
        """Whether entries may depend on some symbols."""
        if not self.places or not on.numel():
            return False
        found = self._entries if self.is_by_entries else self._along[1:]
        return bool(ca.depends_on(ca.vertcat(*found), on))

    @cached_property
    def kernel(self) -> Kernel:
        """Entries of K and C."""
        if self.is_by_entries:
            K, C = self._entries
            return kernel(dict(self._x), {"K": K, "C": C})
        n, sizes = len(self.places), [(name, s.numel()) for name, s in self._x.items()]
        table = np.concatenate([call_table(self._columns), self._table])
        work = 2 * self._x["v"].numel() + self._colours.size2()
        core = partial(_directed, self._columns, [name for name, _ in sizes])
        return Kernel(core, 1, sizes, [("K", (n,)), ("C", (n,))], [table], work)

    @cached_property
    def _entries(self) -> list[Any]:
        """Columns of the entries of K and C as expressions."""
        both = (0.5 * (A + A.T) for A in slopes(self._x, self._force, self._zdot))
        entries = (ca.project(A, self._pattern).nonzeros() for A in both)
        return [ca.vertcat(ca.SX(0, 1), *own) for own in entries]

    @cached_property
    def _along(self) -> tuple[Any, Any, Any]:
        """Symbols of a direction of all colours; the columns that it takes of K and C, added."""
        x, colour = self._x, ca.SX.sym("colour", self._colours.size2())
        step = ca.SX(self._colours, 1.0) @ colour
        moved = ca.jtimes(self._zdot, x["v"], step)
        K = -ca.jtimes(self._force, x["q"], moved)
        return colour, K, -ca.jtimes(self._force, x["v"], step)

    @cached_property
    def _columns(self) -> Kernel:
        colour, K, C = self._along
        return kernel({**self._x, "colour": colour}, {"K": K, "C": C})

    @property
    def _table(self) -> Any:
        """Numbers of colours and entries, where the parts of each colour begin, and these parts."""
        colour_of = dict(zip(*self._colours.get_triplet(), strict=True))
        place = {entry: k for k, entry in enumerate(self.places)}
        listed: list[list[int]] = [[] for _ in range(self._colours.size2())]
        for i, k in zip(*self._whole.get_triplet(), strict=True):
            listed[colour_of[k]] += [i, place[max(i, k), min(i, k)], int(i == k)]
        ends = np.cumsum([0, *(len(own) for own in listed)])
        parts = [k for own in listed for k in own]
        return np.array([len(listed), len(place), *ends, *parts], dtype=np.int64)


def _directed(columns: Kernel, inputs: list[str], lanes: int) -> Core:
    """Core of the loop; the partial function that keeps ``columns`` keeps its machine code."""
    return directed_core(inputs, ["K_column", "C_column"], 2, take_columns)


def take_columns(K_column: Any, C_column: Any, K: Any, C: Any, k: int, table: Any) -> int:
    """Add the parts of one colour: half of each entry and half of its mirror image."""
    parts = table[0] + 3
    if k == 0:
        for e in range(table[1]):
            K[e], C[e] = 0.0, 0.0
    for at in range(parts + table[2 + k], parts + table[3 + k], 3):
        row, place = table[at], table[at + 1]
        half = 0.5
        if table[at + 2] == 1:
            half = 1.0
        K[place] += half * K_column[row]
        C[place] += half * C_column[row]
    return 0


def slopes(x: Mapping[str, Any], force: Any, zdot: Any) -> tuple[Any, Any]:
    """K and C as expressions."""
    K = -ca.jacobian(force, x["q"]) @ ca.jacobian(zdot, x["v"])
    return K, -ca.jacobian(force, x["v"])
