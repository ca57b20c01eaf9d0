"""Terms of one time step of a mechanism, entry by entry: what is zero by structure is left out.

    M(q) dv/dt = f + Pᵀ λ + Wᵀ Λ                                              (TS-1)

with f all that acts besides constraints and contacts. Laws and capacities may ask for multipliers
of constraints and for forces of contacts: a step gives them (``multipliers``, ``contact_forces``),
as it finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain.equations.constraints.augmented import add_rows, weights
from jourdain.equations.constraints.multipliers import Row
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import newton_euler
from jourdain.equations.recursion.composite_body import entries

Place = tuple[int, int]


@dataclass(frozen=True)
class SparseEntries:
    """Entries of a matrix that are not zero by structure.

    Parameters
    ----------
    places : list of (int, int)
        Row and column of each.
    values : casadi.SX
        Column of their values.
    """

    places: list[Place]
    values: Any

    @staticmethod
    def of_rows(rows: list[Row]) -> SparseEntries:
        """Entries of rows, one row after the other."""
        places = [(i, k) for i, row in enumerate(rows) for k in sorted(row)]
        return SparseEntries(places, _column([rows[i][k] for i, k in places]))

    @staticmethod
    def of_matrix(matrix: Any) -> SparseEntries:
        """Entries of an expression with a pattern of its own."""
        rows, columns = matrix.sparsity().get_triplet()
        return SparseEntries(list(zip(rows, columns, strict=True)), ca.vertcat(*matrix.nonzeros()))


class StepTerms:
    """Expressions of the terms of a step.

    Parameters
    ----------
    graph : Mechanism
        The mechanism with all contacts open.
    """

    def __init__(self, graph: Mechanism) -> None:
        self.graph = graph

    @cached_property
    def multipliers(self) -> Any:
        """Symbols of the multipliers that laws may ask for, those of all held measures."""
        held = [self.graph.multiplier_symbols[c.name] for c in self.graph.parts.held]
        return ca.vertcat(ca.SX(0, 1), *held)

    @cached_property
    def multiplier_rows(self) -> list[int]:
        """Constraint rows of these multipliers."""
        places = self.graph._places
        rows: list[int] = []
        for c in self.graph.parts.held:
            rows += range(places[c.name].start, places[c.name].stop)
        return rows

    @cached_property
    def mass(self) -> SparseEntries:
        """Lower triangle of M, augmented by constraints where it is singular alone (CD-8)."""
        g = self.graph
        M = entries(g.links, g.layout, g._tree, g.gravity)
        if g.leans_on_constraints:
            M = add_rows(M, g.rows[0], weights(M, *g.rows))
        places = [(max(i, j), min(i, j)) for i, j in M]
        return SparseEntries(places, _column(list(M.values())))

    @cached_property
    def weights(self) -> Any:
        """Weights ρ by which constraint rows augment M (CD-8); zero where they do not."""
        g = self.graph
        if not g.leans_on_constraints:
            return ca.SX.zeros(len(g.rows[0]))
        M = entries(g.links, g.layout, g._tree, g.gravity)
        return _column(weights(M, *g.rows))

    @cached_property
    def _of_laws(self) -> tuple[Any, Any]:
        """Wrenches on the bodies, and forces along velocities, of laws and cut joints."""
        g = self.graph
        wrench, tau = g.loads_of(g._given())
        for cut, forces in zip(g.cut_joints, g._cut_forces, strict=True):
            wrench += g.wrenches_through(cut, cut.S_plus.T @ forces)
        return wrench, tau

    @cached_property
    def force(self) -> Any:
        """Forces f (n_v): inputs, laws, less gyroscopic forces and weight."""
        g, (wrench, tau) = self.graph, self._of_laws
        loads = wrench + g._external
        found = g._run(newton_euler.INVERSE_LOADED, vdot=g._at_rest, wrench=loads)["tau"]
        h = ca.SX.zeros(g.layout.n_v)
        for start, value in zip(g.layout.v_start, found, strict=True):
            column = ca.SX(value)
            h[start : start + column.numel()] = column
        return g.tau + tau - h

    @cached_property
    def law_force(self) -> Any:
        """Part of f that laws and inputs give: springs, dampers, motors."""
        g, (wrench, tau) = self.graph, self._of_laws
        along = ca.SX.zeros(g.layout.n_v)
        for i, link in enumerate(g.links, 1):
            at = 6 * g.layout.body[i - 1]
            own = wrench[at : at + 6]
            if not own.is_zero():
                places, moves = g.columns_moving(i, g.body_motions[link.name][1])
                if places:
                    along[places] += moves.T @ own
        return g.tau + tau + along

    @cached_property
    def constraint_rows(self) -> SparseEntries:
        """Rows P of all constraints."""
        return SparseEntries.of_rows(self.graph.rows[0])

    @cached_property
    def contact_rows(self) -> SparseEntries:
        """Rows W of all contacts and dry friction."""
        return SparseEntries.of_rows(self.graph.rows_of(self.graph._quantities)[0])

    @cached_property
    def shift(self) -> Any:
        """Change of positions for a displacement along v, which is given in the place of v.

        Coordinates of cut joints come to where the bodies are; internal coordinates of composites
        to where they belong.
        """
        g = self.graph
        dq = ca.jtimes(g.tree_rates, g.v, g.v)
        closed = [
            cut.back @ (cut.error + ca.jtimes(cut.velocity.rate, g.v, g.v)) for cut in g.cut_joints
        ]
        still = ca.SX.zeros(len(g.parts.states) - len(g.parts.internal))
        return ca.vertcat(dq, *closed, still, g.internal_changes)


def _column(values: list[Any]) -> Any:
    return ca.vertcat(ca.SX(0, 1), *values)
