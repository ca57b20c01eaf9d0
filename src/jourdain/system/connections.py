"""Questions about connections, closed loops and contacts of a compiled system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.constraints.cut_joints import motion_of
from jourdain.equations.constraints.partitioned import PARTITION_MATRICES, partition_terms
from jourdain.equations.mechanism import CORRECTIONS, Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.equations.tracing.kinks import Kinks
from jourdain.errors import ModelError, UnknownNameError
from jourdain.model.names import meant
from jourdain.system.checks.interpreted import Interpreted
from jourdain.system.execution import Looped, require_one_set
from jourdain.system.forces import Forces, rate_places
from jourdain.system.looped.answers import LoopedAnswers
from jourdain.system.looped.constraints import projection_kernel
from jourdain.system.mechanism import kernel, mechanism, quantity_kernel, quantity_of, symbols
from jourdain.system.plan import COMPILED_CONSTRAINTS_UP_TO, COMPILED_FROM

_EXACT = 1e-13  # position error [m, rad] that is as good as none
_PROJECTIONS = 12


class Connections(Forces):
    """What connections and cut joints do at a state, and states that satisfy constraints."""

    def coordinate_rates(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Rates of all positions (..., n_q): of the tree, of cut joints, and of states of laws."""
        if not self.has_connections:
            return self.tree_rates(q, v, t, parameters=parameters)
        return self.answers(Mechanism.zdot, q, v, t=t, parameters=parameters)

    @property
    def has_contacts(self) -> bool:
        """Whether there are set-valued laws: contacts, stops, dry friction."""
        return bool(self.description.parts.set_valued)

    @cached_property
    def extra_names(self) -> tuple[str, ...]:
        """Names of what ``extra`` holds: forces in cut joints, inputs of laws, contact forces."""
        return self.description.parts.extra

    def input_name(self, name: Any) -> Any:
        """Full name of a force or input; itself where it is no short name of one of them."""
        known = (*self.force_indices, *self.extra_indices)
        found = [] if name in known else meant(str(name), known, self.names.elements)
        return found[0] if len(found) == 1 else name

    @cached_property
    def extra_indices(self) -> dict[str, int]:
        """Index in ``extra`` of a force along a cut joint, or of an input of a law, by name.

        A force is named as in `force_index`: after its velocity, or after the coordinate.
        """
        parts = self.description.parts
        given = (*parts.closing_velocities, *parts.inputs)
        index = {name: k for k, name in enumerate(given)}
        start = 0
        for cut in self.description.parts.cuts:
            motion = motion_of(cut)
            index |= {
                f"{cut.name}.{name}": start + k for name, k in rate_places(cut.kind, motion).items()
            }
            start += len(motion.free_columns)
        return index

    def answers(
        self,
        quantity: MechanismQuantity | str,
        q: Any,
        v: Any,
        tau: Any = None,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        extra: Any = None,
        mode: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Quantity of connections and cut joints; `equations.mechanism` declares them.

        Parameters
        ----------
        quantity : MechanismQuantity or str
            For example ``Mechanism.multipliers``, or by its name ``"wrenches"``, ``"jacobian"``.
        q, v, tau, t, wrenches, parameters
            As in `forward_dynamics`.
        extra : (..., n_extra)
            Forces along coordinates of cut joints, then inputs of laws; default zero.
        mode : (..., n_mode)
            Modes of set-valued connections; default all open.
        """
        quantity, p = quantity_of(quantity), self.parameter_array(parameters)
        looped = None if mode is not None else self._looped_answers
        if looped is not None and quantity in looped.quantities and p.ndim == 1:
            return self._looped_answer(looped, quantity, q, v, t, p)
        loads = np.zeros((self._n_bodies, 6)) if wrenches is None else wrenches
        extra = np.zeros(len(self.extra_names)) if extra is None else extra
        key = quantity, mode is None
        mode = np.zeros(self.graph[0]["mode"].numel()) if mode is None else mode
        columns = (q, v, self.forces(tau), self._padded(loads), extra, mode, t, p)
        try:
            if key not in self._compiled and self._is_rare(key, columns):
                return (self._interpreted if key[1] else self._in_modes).rows(quantity, columns)
            if key not in self._compiled:
                x, graph = self.graph if key[1] else self.mode_graph
                self._compiled[key] = quantity_kernel(x, [quantity], [quantity.of(graph)], 4)
            return self._compiled[key](*columns)[0]
        except ValueError as error:
            raise ModelError(f"model {self.model.name!r}: {error}") from error

    def _is_rare(self, key: tuple[MechanismQuantity, bool], columns: Sequence[Any]) -> bool:
        """Whether a quantity was asked for so few states that machine code does not pay yet."""
        if self.loops_constraints and len(self.description.links) > COMPILED_CONSTRAINTS_UP_TO:
            return True
        *arrays, t, p = columns
        states = [math.prod(np.shape(x)[:-1]) for x in (*arrays, p)]
        self._asked[key] = self._asked.get(key, 0) + max(*states, np.size(t))
        return self._asked[key] <= COMPILED_FROM

    def project(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> tuple[Any, Any]:
        """State moved onto the constraints, by the smallest change in the measure of the masses.

        For states that are nearly right; `jourdain.assemble` finds them from rough ones.
        """
        if not self.is_corrected:
            return q, v
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
        p = self.parameter_array(parameters)
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
        p = self.parameter_array(parameters)
        return self._projection(p)(q, v, np.zeros(0), t, p)[2][..., 0]

    def _projection(self, p: Any) -> Any:
        """Projection with the constants of some parameters."""
        kernel = self.projection_kernel(0)
        if kernel.extras_for is None:
            return kernel
        require_one_set(p)
        return kernel.with_parameters(p)

    def interpreted(self, quantity: MechanismQuantity | str, **given: Any) -> Any:
        """As `answers`, for a few evaluations of one state: no machine code is made of its own.

        Parameters
        ----------
        quantity : MechanismQuantity or str
            As in `answers`.
        **given : arrays
            Values by the names of the symbols: q, v, t, p, …; those left out are zero.
        """
        quantity, looped = quantity_of(quantity), self._looped_answers
        if looped is not None and quantity in looped.quantities:
            rest, nominal = np.zeros(self.description.n_v), self._nominal
            state = given["q"], given.get("v", rest), given.get("t", 0.0), given.get("p", nominal)
            return self._looped_answer(looped, quantity, *state)
        return self._interpreted(quantity, **given)

    @cached_property
    def _interpreted(self) -> Interpreted:
        return Interpreted(*self.graph)

    @cached_property
    def _in_modes(self) -> Interpreted:
        return Interpreted(*self.mode_graph)

    @cached_property
    def _looped_answers(self) -> LoopedAnswers | None:
        """Errors and derivatives of the constraints in loops; None where that cannot be."""
        if not self.loops_constraints:
            return None
        try:
            return LoopedAnswers(self.description)
        except UnknownNameError:  # a measure looks at the coordinate of a cut joint
            return None

    def _looped_answer(
        self, looped: LoopedAnswers, quantity: MechanismQuantity, *state: Any
    ) -> Any:
        try:
            return looped(quantity, *state)
        except ValueError as error:
            raise ModelError(f"model {self.model.name!r}: {error}") from error

    @cached_property
    def constraint_rows(self) -> dict[str, slice]:
        """Rows of each cut joint and held measure in the constraint Jacobian, by name."""
        looped = self._looped_answers
        return dict(self.graph[1]._places) if looped is None else looped.places("rate")

    @cached_property
    def held_positions(self) -> dict[str, slice]:
        """Places of held measures in the position errors, which begin with six per cut joint."""
        if self._looped_answers is not None:
            found = self._looped_answers.places("gap")
            cuts = {cut.name for cut in self.description.parts.cuts}
            return {k: x for k, x in found.items() if k not in cuts and x.stop > x.start}
        places, start = {}, 6 * len(self.description.parts.cuts)
        for block in self.graph[1].blocks[len(self.description.parts.cuts) :]:
            if block.error is not None:
                places[block.name] = slice(start, start + block.n)
                start += block.n
        return places

    @property
    def has_constraints(self) -> bool:
        """Whether there are cut joints or measures that are held."""
        parts = self.description.parts
        return bool(parts.cuts or parts.held)

    @property
    def is_corrected(self) -> bool:
        """Whether states have to satisfy something: constraints, or internal coordinates."""
        return self.has_constraints or bool(self.description.parts.internal)

    def projection_kernel(self, n_u: int) -> Any:
        """Compiled corrections that take constraint errors away, to first order.

        Pointers: q, v, u, t, p → changes of q and v, largest errors of positions and velocities.
        The inputs ``u`` do not matter.
        """
        if n_u not in self._projections:
            x = symbols(self.description)
            inputs = {k: x.get(k, ca.SX.sym("u", n_u)) for k in ("q", "v", "u", "t", "p")}
            looped = self._looped_projection(inputs)
            if looped is not None:
                self._projections[n_u] = looped
                return looped
            given = {k: inputs[k] for k in ("q", "v", "t", "p")}
            found = self.expressions(*CORRECTIONS, **given)
            self._projections[n_u] = quantity_kernel(inputs, CORRECTIONS, found)
        return self._projections[n_u]

    def partition_kernel(self, n_u: int) -> Any:
        """As `projection_kernel`, but what a partition of the coordinates needs (PT-1)."""
        if n_u not in self._partitions:
            x, graph = self.graph
            terms = partition_terms(graph)
            f = ca.Function("partition", list(x.values()), list(terms.values()))
            inputs = {k: x.get(k, ca.SX.sym("u", n_u)) for k in ("q", "v", "u", "t", "p")}
            values = [inputs.get(k, ca.SX.zeros(symbol.numel())) for k, symbol in x.items()]
            outputs = dict(zip(terms, f.call(values), strict=True))
            self._partitions[n_u] = kernel(inputs, outputs, matrices=PARTITION_MATRICES)
        return self._partitions[n_u]

    @property
    def loops_constraints(self) -> bool:
        """Whether constraints are worked out in loops, if their kinds allow."""
        is_looped = isinstance(self.execution, Looped) and self.execution.loops_constraints
        is_plain = not self.has_contacts and not self.description.parts.composites
        return is_looped and self.has_constraints and is_plain

    def _looped_projection(self, inputs: dict[str, Any]) -> Any:
        """Projection in loops; None where that cannot be."""
        if not self.loops_constraints:
            return None
        try:
            return projection_kernel(self.description, inputs)
        except UnknownNameError:  # a measure looks at the coordinate of a cut joint
            return None

    @cached_property
    def _partitions(self) -> dict[int, Any]:
        return {}

    @cached_property
    def _projections(self) -> dict[int, Any]:
        return {}

    def expressions(
        self, *quantities: MechanismQuantity, kinks: Kinks | None = None, **given: Any
    ) -> list[Any]:
        """Quantities of connections and loops for given symbols; what is not given is zero.

        If ``kinks`` are collected, laws and drives have modes.
        """
        if kinks is not None:
            zeros = {k: ca.SX.zeros(x.numel()) for k, x in self.graph[0].items()}
            graph = mechanism(self.description, zeros | given | {"kinks": kinks})
            return [quantity.of(graph) for quantity in quantities]
        x, graph = self.mode_graph if "mode" in given else self.graph
        f = ca.Function("mechanism", list(x.values()), [k.of(graph) for k in quantities])
        values = [given.get(k, ca.SX.zeros(symbol.numel())) for k, symbol in x.items()]
        return list(f.call(values))

    @cached_property
    def graph(self) -> Any:
        """Symbols and expressions of the mechanism with all contacts open."""
        x = symbols(self.description)
        return x, mechanism(self.description, x | {"mode": ca.SX.zeros(x["mode"].numel())})

    @cached_property
    def mode_graph(self) -> Any:
        """Symbols and expressions of the mechanism with contacts that modes open and close."""
        x = symbols(self.description)
        return x, mechanism(self.description, x)

    @cached_property
    def _compiled(self) -> dict[tuple[MechanismQuantity, bool], Any]:
        return {}

    @cached_property
    def _asked(self) -> dict[tuple[MechanismQuantity, bool], int]:
        return {}
