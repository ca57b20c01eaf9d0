"""Equations of second order of plain trees at rest: masses and stiffnesses where there are some.

    M ÿ + K y = M v̇,   K = −M ∂v̇/∂q                                          (LI-14)

holds where every velocity is the rate of its coordinate, nothing is constrained and nothing depends
on time. The derivatives are those of the state equation. They are made once for a system and
evaluated into arrays of their own, so that a call costs little more than its arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from jourdain.equations.recursion.composite_body import entries
from jourdain.system.linear.state_graph import StateGraph
from jourdain.system.plan import ENTRIES_UP_TO
from jourdain.system.state import is_looped, kept_under
from jourdain.system.system import System


@dataclass(frozen=True)
class Pattern:
    """Places of the entries of a square matrix.

    Parameters
    ----------
    n : int
        Rows.
    rows, columns : (m,) int
        Places.
    """

    n: int
    rows: Any
    columns: Any

    @cached_property
    def is_diagonal(self) -> bool:
        """Whether all entries are on the diagonal, which is whole."""
        return len(self.rows) == self.n and bool(np.array_equal(self.rows, self.columns))

    @cached_property
    def flat(self) -> Any:
        """Places in an array of one dimension, column by column."""
        return self.rows + self.n * self.columns

    @cached_property
    def path(self) -> Any:
        """Order of the rows in which the matrix has three diagonals; None if there is none."""
        ones = np.ones(len(self.rows))
        whole = sparse.csr_array((ones, (self.rows, self.columns)), (self.n, self.n))
        order = reverse_cuthill_mckee((whole + whole.T).tocsr(), symmetric_mode=True)
        place = np.argsort(order)
        apart = np.abs(place[self.rows] - place[self.columns])
        return order if apart.max(initial=0) <= 1 else None

    @cached_property
    def _three(self) -> Any:
        """Of each entry: its place in the diagonal, or behind it in the one below."""
        place = np.argsort(self.path)
        i, j = place[self.rows], place[self.columns]
        return np.where(i == j, i, np.where(i == j + 1, self.n + j, 2 * self.n))

    def three_diagonals(self, values: Any) -> tuple[Any, Any]:
        """Diagonal and the one below it, in the order of the path."""
        both = np.zeros(2 * self.n + 1)
        both[self._three] = values
        return both[: self.n], both[self.n : 2 * self.n - 1]

    def dense(self, values: Any) -> Any:
        """Whole matrix."""
        whole = np.zeros(self.n * self.n)
        whole[self.flat] = values
        return whole.reshape(self.n, self.n).T


class RestForm:
    """Accelerations and their derivatives at rest, evaluated in place.

    Parameters
    ----------
    system : System
        The compiled machine.

    Attributes
    ----------
    is_plain : bool
        Whether the machine has equations of this form; nothing else is there if not.
    vdot, masses, slopes, losses : arrays
        Accelerations; entries of M (in `mass_pattern`), of ∂v̇/∂q (in `pattern`) and of ∂v̇/∂v,
        after a call of `evaluate`, until the next.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.n = len(system.names.v)
        self.is_plain = _may_be_plain(system) and self._make()

    def _make(self) -> bool:
        d = self.system.description
        x, found = StateGraph(self.system, {}, ()).expressions()
        q, v, vdot = x["q"], x["v"], found["vdot"]
        moves = ca.vertsplit(found["zdot"]) if self.n else []
        are_rates = all(ca.is_equal(a, b) for a, b in zip(moves, ca.vertsplit(v), strict=True))
        if not are_rates or ca.jacobian(vdot, x["t"]).nnz():
            return False
        by_q, by_v = ca.jacobian(vdot, q), ca.jacobian(vdot, v)
        values = dict(zip(d.names.parameters, ca.vertsplit(x["p"]), strict=True))
        named = {"q": q, "t": x["t"], "e": ca.SX(0, 1), "e1": ca.SX(0, 1), "e2": ca.SX(0, 1)}
        lower = entries(d.links_for(values), d.layout, named, d.gravity(values))
        M = {**lower, **{(j, i): value for (i, j), value in lower.items()}}
        i, j = np.array(list(M), dtype=int).reshape(-1, 2).T
        order = np.lexsort((i, j))
        self.mass_pattern = Pattern(self.n, i[order], j[order])
        rows, columns = (np.array(k, dtype=int) for k in by_q.sparsity().get_triplet())
        self.pattern = Pattern(self.n, rows, columns)
        listed = list(M.values())
        masses = ca.vertcat(*(ca.SX(listed[k]) for k in order))
        outputs = [vdot, masses, ca.SX(by_q.nz[:]), ca.SX(by_v.nz[:])]
        self._function = ca.Function("rest", [q, x["p"]], self._at_rest(outputs, x))
        self._bind()
        return True

    def _at_rest(self, outputs: list[Any], x: dict[str, Any]) -> list[Any]:
        still = [x["v"], x["t"]]
        none = [ca.SX.zeros(s.numel()) for s in still]
        return [ca.densify(e) for e in ca.substitute(outputs, still, none)]

    def _bind(self) -> None:
        self._q, self._p = np.zeros(self.n), np.zeros(len(self.system.names.parameters))
        f = self._function
        self.vdot, self.masses, self.slopes, self.losses = (
            np.zeros(f.nnz_out(k)) for k in range(f.n_out())
        )
        self._buffer, self._call = f.buffer()
        for k, array in enumerate((self._q, self._p)):
            if len(array):
                self._buffer.set_arg(k, array.data)
        for k, array in enumerate((self.vdot, self.masses, self.slopes, self.losses)):
            if len(array):
                self._buffer.set_res(k, array.data)

    def evaluate(self, q: Any, p: Any) -> None:
        """Fill the arrays at a position."""
        self._q[:] = q
        if len(self._p):
            self._p[:] = p
        self._call()

    @cached_property
    def reference(self) -> Any:
        """Reference position."""
        return np.array(self.system.state(None)[0], dtype=float)

    @cached_property
    def mirror(self) -> Any:
        """Of each entry of the stiffness: the place of its mirror image; None if one has none."""
        other = self.pattern.columns + self.n * self.pattern.rows
        place = np.searchsorted(self.pattern.flat, other)
        place = np.minimum(place, len(self.pattern.flat) - 1)
        fits = np.array_equal(self.pattern.flat[place], other) if len(other) else True
        return place if fits else None


def rest_form(system: System) -> RestForm:
    """The form of a system, made once."""
    found: RestForm = kept_under(system, "rest form", lambda: RestForm(system))
    return found


def _may_be_plain(system: System) -> bool:
    """Whether nothing in the description speaks against equations of second order."""
    parts, model = system.description.parts, system.model
    if system.is_corrected or system.has_contacts or model.contact_groups or is_looped(system):
        return False
    if parts.states or parts.composites or system.description.layout.n_e:
        return False
    is_small = not model.bodies or len(system.names.v) <= ENTRIES_UP_TO
    return is_small and len(system.names.q) == len(system.names.v)
