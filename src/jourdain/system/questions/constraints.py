"""Constraints of a system: their rows, and states that are moved onto them."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.constraints.partitioned import PARTITION_MATRICES, partition_terms
from jourdain.equations.mechanism import CORRECTIONS
from jourdain.errors import UnknownNameError
from jourdain.system.compiled import CompiledModel
from jourdain.system.execution import require_one_set
from jourdain.system.looped.constraints import projection_kernel
from jourdain.system.mechanism import kernel, pattern_of, quantity_kernel, symbols
from jourdain.system.questions.answers import Answers

_EXACT = 1e-13  # position error [m, rad] that is as good as none
_PROJECTIONS = 12


class Constraints:
    """Cut joints and held measures.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    answers : Answers
        Gives its equations.
    """

    def __init__(self, compiled: CompiledModel, answers: Answers) -> None:
        self._compiled, self._answers, self._d = compiled, answers, compiled.description
        self._projections: dict[int, Any] = {}
        self._partitions: dict[int, Any] = {}

    @cached_property
    def constraint_rows(self) -> dict[str, slice]:
        """Rows of each cut joint and held measure in the constraint Jacobian, by name."""
        looped = self._answers.looped
        return dict(self._answers.graph[1]._places) if looped is None else looped.places("rate")

    @cached_property
    def held_positions(self) -> dict[str, slice]:
        """Places of held measures in the position errors, which begin with six per cut joint."""
        if self._answers.looped is not None:
            found = self._answers.looped.places("gap")
            cuts = {cut.name for cut in self._d.parts.cuts}
            return {k: x for k, x in found.items() if k not in cuts and x.stop > x.start}
        places, start = {}, 6 * len(self._d.parts.cuts)
        for block in self._answers.graph[1].blocks[len(self._d.parts.cuts) :]:
            if block.error is not None:
                places[block.name] = slice(start, start + block.n)
                start += block.n
        return places

    def project(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> tuple[Any, Any]:
        """State moved onto the constraints, by the smallest change in the measure of the masses.

        For states that are nearly right; `jourdain.assemble` finds them from rough ones.
        """
        if not self._d.parts.is_corrected:
            return q, v
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
        p = self._compiled.parameters.array(parameters)
        kernel = self._projection(p)
        none, worst = np.zeros(0), np.inf
        for _ in range(_PROJECTIONS):
            dq, _, errors = kernel(q, v, none, t, p)
            now = float(np.max(errors[..., 0], initial=0.0))
            if not _EXACT < now < 0.5 * worst:
                break
            q, worst = q + dq, now
        return q, v + kernel(q, v, none, t, p)[1]

    def largest_error(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Largest position error [m, rad] of all constraints."""
        p = self._compiled.parameters.array(parameters)
        return self._projection(p)(q, v, np.zeros(0), t, p)[2][..., 0]

    def _projection(self, p: Any) -> Any:
        """Projection with the constants of some parameters."""
        kernel = self.projection_kernel(0)
        if kernel.extras_for is None:
            return kernel
        require_one_set(p)
        return kernel.with_parameters(p)

    def projection_kernel(self, n_u: int) -> Any:
        """Compiled corrections that take constraint errors away, to first order.

        Pointers: q, v, u, t, p → changes of q and v, largest errors of positions and velocities.
        The inputs ``u`` do not matter.
        """
        if n_u not in self._projections:
            x = symbols(self._d)
            inputs = {k: x.get(k, ca.SX.sym("u", n_u)) for k in ("q", "v", "u", "t", "p")}
            looped = self._looped_projection(inputs)
            if looped is not None:
                self._projections[n_u] = looped
                return looped
            given = {k: inputs[k] for k in ("q", "v", "t", "p")}
            found = self._answers.expressions(*CORRECTIONS, **given)
            made = quantity_kernel(inputs, CORRECTIONS, found)
            changes, y = ca.vertcat(*found[:2]), ca.vertcat(inputs["q"], inputs["v"])
            made.find_pattern = partial(pattern_of, changes, y)
            self._projections[n_u] = made
        return self._projections[n_u]

    def partition_kernel(self, n_u: int) -> Any:
        """As `projection_kernel`, but what a partition of the coordinates needs (PT-1)."""
        if n_u not in self._partitions:
            x, graph = self._answers.graph
            terms = partition_terms(graph)
            f = ca.Function("partition", list(x.values()), list(terms.values()))
            inputs = {k: x.get(k, ca.SX.sym("u", n_u)) for k in ("q", "v", "u", "t", "p")}
            values = [inputs.get(k, ca.SX.zeros(symbol.numel())) for k, symbol in x.items()]
            outputs = dict(zip(terms, f.call(values), strict=True))
            self._partitions[n_u] = kernel(inputs, outputs, matrices=PARTITION_MATRICES)
        return self._partitions[n_u]

    def _looped_projection(self, inputs: dict[str, Any]) -> Any:
        """Projection in loops; None where that cannot be."""
        if not self._compiled.loops_constraints:
            return None
        try:
            return projection_kernel(self._d, inputs)
        except UnknownNameError:  # a measure looks at the coordinate of a cut joint
            return None
