"""Quantities of connections, cut joints and contacts: as expressions, and as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.equations.quantities import MechanismQuantity
from jourdain.equations.tracing.kinks import Kinks
from jourdain.errors import ModelError, UnknownNameError
from jourdain.phases import phase
from jourdain.system.checks.interpreted import Interpreted
from jourdain.system.compiled import CompiledModel
from jourdain.system.looped.answers import LoopedAnswers
from jourdain.system.mechanism import mechanism, quantity_kernel, quantity_of, symbols
from jourdain.system.plan import COMPILED_CONSTRAINTS_UP_TO, COMPILED_FROM
from jourdain.system.questions.forces import Forces


class Answers:
    """Quantities of the equations of a mechanism at states.

    Few states are interpreted; machine code is made when that pays, large systems have loops.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    forces : Forces
        Gives arrays of forces and loads.
    """

    def __init__(self, compiled: CompiledModel, forces: Forces) -> None:
        self._compiled, self._forces = compiled, forces
        self.model, self.description = compiled.model, compiled.description
        self._kernels: dict[tuple[MechanismQuantity, bool], Kernel] = {}
        self._asked: dict[tuple[MechanismQuantity, bool], int] = {}  # states so far

    def parameter_array(self, given: Any) -> Any:
        """Array ``p`` from a mapping of names, an array or None."""
        return self._compiled.parameters.array(given)

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
        looped = None if mode is not None else self.looped
        if looped is not None and quantity in looped.quantities and p.ndim == 1:
            return self._looped_answer(looped, quantity, q, v, t, p)
        extra = np.zeros(len(self.description.parts.extra)) if extra is None else extra
        key = quantity, mode is None
        mode = np.zeros(self.graph[0]["mode"].numel()) if mode is None else mode
        columns = (q, v, self._forces.forces(tau), self._forces.padded(wrenches), extra, mode, t, p)
        try:
            if key not in self._kernels and self._is_rare(key, columns):
                return (self._interpreted if key[1] else self._in_modes).rows(quantity, columns)
            if key not in self._kernels:
                x, graph = self.graph if key[1] else self.mode_graph
                self._kernels[key] = quantity_kernel(x, [quantity], [quantity.of(graph)], 4)
            return self._kernels[key](*columns)[0]
        except ValueError as error:
            raise ModelError(f"model {self.model.name!r}: {error}") from error

    def _is_rare(self, key: tuple[MechanismQuantity, bool], columns: Sequence[Any]) -> bool:
        """Whether a quantity was asked for so few states that machine code does not pay yet."""
        is_large = len(self.description.links) > COMPILED_CONSTRAINTS_UP_TO
        if self._compiled.loops_constraints and is_large:
            return True
        *arrays, t, p = columns
        states = [math.prod(np.shape(x)[:-1]) for x in (*arrays, p)]
        self._asked[key] = self._asked.get(key, 0) + max(*states, np.size(t))
        return self._asked[key] <= COMPILED_FROM

    def interpreted(self, quantity: MechanismQuantity | str, /, **given: Any) -> Any:
        """As `answers`, for a few evaluations of one state: no machine code is made of its own.

        Parameters
        ----------
        quantity : MechanismQuantity or str
            As in `answers`.
        **given : arrays
            Values by the names of the symbols: q, v, t, p, …; those left out are zero.
        """
        quantity, looped = quantity_of(quantity), self.looped
        if looped is not None and quantity in looped.quantities:
            rest, nominal = np.zeros(self.description.n_v), self._compiled.parameters.nominal
            state = given["q"], given.get("v", rest), given.get("t", 0.0), given.get("p", nominal)
            return self._looped_answer(looped, quantity, *state)
        return self._interpreted(quantity, **given)

    def interpreted_slopes(
        self, quantity: MechanismQuantity | str, by: str, /, **given: Any
    ) -> Any:
        """Derivatives of a column by one of the symbols at one state; see `interpreted`."""
        return self._interpreted.slopes(quantity_of(quantity), by, **given)

    @cached_property
    def _interpreted(self) -> Interpreted:
        return Interpreted(*self.graph)

    @cached_property
    def _in_modes(self) -> Interpreted:
        return Interpreted(*self.mode_graph)

    @cached_property
    def looped(self) -> LoopedAnswers | None:
        """Errors and derivatives of the constraints in loops; None where that cannot be."""
        if not self._compiled.loops_constraints:
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

    def expressions(
        self, /, *quantities: MechanismQuantity, kinks: Kinks | None = None, **given: Any
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
        with phase("deriving the equations"):
            return x, mechanism(self.description, x | {"mode": ca.SX.zeros(x["mode"].numel())})

    @cached_property
    def mode_graph(self) -> Any:
        """Symbols and expressions of the mechanism with contacts that modes open and close."""
        x = symbols(self.description)
        return x, mechanism(self.description, x)
