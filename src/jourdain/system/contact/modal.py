"""Compiled functions of systems with many contacts: one graph of rows, and loops over the modes.

Expressions in which every contact can be open, stick or slide grow with the cube of the number of
contacts. Here the graph has the rows alone, and what the modes hold is solved in a loop.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.called import call_table, called_core
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.module import Core
from jourdain.codegen.translator.loop_records import LoopRecord
from jourdain.codegen.unrolled import sparse_core
from jourdain.equations.constraints.constrained import asks
from jourdain.equations.mechanism import CORRECTIONS, Mechanism
from jourdain.equations.tracing.kinks import Kinks
from jourdain.system.contact import modal_loops as loops
from jourdain.system.contact.kernels import INSTANT, ContactKernels, Watched
from jourdain.system.contact.modal_tangents import MovingRows, tangent_loop
from jourdain.system.contact.switching import MOST
from jourdain.system.held_inputs import Places
from jourdain.system.looped.state_loops import with_modes as with_kinks
from jourdain.system.mechanism import kernel
from jourdain.system.state import inputs_key, kept_under
from jourdain.system.system import System
from jourdain.system.user_functions import traced, traced_inputs

LOOPED_BEYOND = 3  # rows of contacts from which loops are used: expressions grow with their cube
DIFFERENTIATED_UP_TO = 12  # rows up to which expressions serve where loops cannot
_ROWS = (  # the loops read them in this order
    Mechanism.zdot,
    Mechanism.vdot,
    Mechanism.gaps,
    Mechanism.contact_rates,
    Mechanism.contact_bias,
    Mechanism.capacities,
    Mechanism.static_capacities,
    Mechanism.contact_jacobian,
    Mechanism.contact_response_jacobian,
)


def contact_kernels(
    system: System, inputs: Mapping[str, Any], held: Places, events: Mapping[str, Any],
    *, with_modes: bool = True,
) -> ContactKernels:  # fmt: skip
    """Kernels of a system with contacts, in the form that suits their number.

    Those of an earlier run with equal inputs and events are used again. Without modes, as in time
    steps, nothing is solved in loops over them.
    """
    given = traced_inputs(system, inputs, held)
    watched = {name: traced(system, f, f"event {name!r}") for name, f in events.items()}
    key = (
        "contact",
        with_modes,
        inputs_key(given, held),
        tuple((n, f.key) for n, f in watched.items()),
    )
    kind = ModalKernels if with_modes and _suits(system) else ContactKernels
    found: ContactKernels = kept_under(system, key, lambda: kind(system, given, held, watched))
    return found


def _suits(system: System) -> bool:
    """Whether loops can serve: many rows, no other constraints, no law that asks for contacts.

    Rolling and drilling friction, which lean on another contact point, locks, and contact points
    that are followed as states stay in graphs.
    """
    mechanism = system.graph[1]
    points = mechanism.contact_points
    n_rows = sum((x.normal is not None) + x.n_tangents for x in points)
    turns = any(x.lead is not None or x.lock is not None for x in points)
    has_more = turns or system.has_constraints or system.description.parts.followed
    if n_rows <= LOOPED_BEYOND or has_more:
        return False
    if mechanism.has_wide_inertias and n_rows <= DIFFERENTIATED_UP_TO:
        return False  # graphs make rows orthogonal
    used = [y for x in points for y in (x.capacity, x.holds)]
    used += [a.force for a in mechanism.answers.values()]
    forces = ca.vertcat(*mechanism.normal_forces.values())
    return not asks(ca.vertcat(*(ca.vec(ca.SX(x)) for x in used)), [forces])


class ModalKernels(ContactKernels):
    """Kernels of one system with given inputs and events; what the modes hold is solved in loops.

    Parameters
    ----------
    system, inputs, held, events
        As of `ContactKernels`.
    """

    @cached_property
    def _table(self) -> Any:
        """Numbers that the loops read (see `modal_loops`)."""
        listed, row = [], 0
        points = self._system.graph[1].contact_points
        for x in points:
            has_normal = x.normal is not None
            has_gap = has_normal and x.normal.value is not None
            listed += [row if has_normal else -1, row + has_normal, x.n_tangents, int(has_gap)]
            row += has_normal + x.n_tangents
        sizes = [self._x["v"].numel(), self._x["q"].numel(), self.n_held]
        table = [len(points), row, *sizes, *listed]
        return np.array(table, dtype=np.int64)

    def _graph_of(self, x: dict[str, Any], found: list[Any], events: list[Any]) -> Kernel:
        """What all loops share as one function, which writes what is not always zero."""
        values = {asked.name: value for asked, value in zip(_ROWS, found, strict=True)}
        values["along"] = self._moved(found[0], x["v"])
        values["events"] = ca.vertcat(ca.SX(0, 1), *events)
        columns = {name: ca.vec(value.T) for name, value in values.items()}
        sizes = [(name, symbol.numel()) for name, symbol in x.items()]
        shapes = [(name, (column.numel(),)) for name, column in columns.items()]
        return Kernel(partial(sparse_core, x, columns), 1, sizes, shapes)

    def _moved(self, zdot: Any, v: Any) -> Any:
        """Rates of positions by velocities, joint by joint; corrections leave states of laws."""
        n = self._system.description.n_q
        return ca.vertcat(ca.jacobian(zdot[:n], v), ca.SX(zdot.numel() - n, v.numel()))

    @cached_property
    def _graph(self) -> Kernel:
        """Rows with all contacts open, and the user's events."""
        found = self._found(*_ROWS, with_modes=False)
        return self._graph_of(self._x, found, self._user_events(self._x))

    def _kernel(
        self, loop: Callable[..., int], outputs: Sequence[tuple[str, tuple[int, ...]]],
        graph: Kernel | None = None, more: int = 0, record: type[LoopRecord] | None = None,
    ) -> Kernel:  # fmt: skip
        graph, m = graph or self._graph, self.n_rows
        sizes = [size for _, (size,) in graph.outputs]
        table = np.concatenate([call_table(graph), self._table, sizes[-1:]])
        core = partial(_core, graph, len(outputs), loop, record)
        work = sum(sizes) + 3 * m * m + 6 * m + more
        return Kernel(core, 1, graph.inputs, outputs, [table], work)

    @property
    def n_rows(self) -> int:
        """Number of rows of contact and friction."""
        return int(self._table[1])

    @property
    def _rates_outputs(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(f"{name}dot", (self._x[name].numel(),)) for name in ("q", "v")]

    @cached_property
    def rates(self) -> Kernel:
        """State equation in given modes."""
        return self._kernel(loops.rates_loop, self._rates_outputs)

    @cached_property
    def tangent(self) -> Kernel:
        """Derivative of the state equation along (q_dot, v_dot)."""
        return self._tangent_of(self._x, self._found(*_ROWS, with_modes=False))

    def _tangent_of(self, x: dict[str, Any], found: list[Any]) -> Kernel:
        """Derivative of the state equation: rows with their rates, and a loop (CT-25)."""
        along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in ("q", "v")}
        y, y_dot = ca.vertcat(x["q"], x["v"]), ca.vertcat(*along.values())
        rows = {asked.name: ca.vec(e.T) for asked, e in zip(_ROWS, found, strict=True)}
        zdot, gaps = Mechanism.zdot.name, Mechanism.gaps.name
        values = {name: e for name, e in rows.items() if name not in (zdot, gaps)}
        moving = {zdot: rows[zdot]} | values
        columns = values | {f"{n}_dot": _rate(e, y, y_dot) for n, e in moving.items()}
        sizes = [(name, symbol.numel()) for name, symbol in (x | along).items()]
        shapes = [(name, (column.numel(),)) for name, column in columns.items()]
        graph = Kernel(partial(sparse_core, x | along, columns), 1, sizes, shapes)
        outputs = [(f"{name}dot_dot", (x[name].numel(),)) for name in ("q", "v")]
        more = 2 * self.n_rows + x["v"].numel() + 2
        return self._kernel(tangent_loop, outputs, graph, more, MovingRows)

    def _kinked(self, plain: Watched, kinks: Kinks, given: dict[str, Any]) -> Watched:
        """State equation and indicators with modes of kinks; few rows as expressions."""
        if self.n_rows <= DIFFERENTIATED_UP_TO:
            return super()._kinked(plain, kinks, given)
        found = self._system.expressions(*_ROWS, kinks=kinks, **given)
        n = len(kinks.found)
        if not 0 < n <= MOST:
            return dataclasses.replace(plain, n_found=n)
        x = with_kinks(self._x, kinks)
        graph = self._graph_of(x, found, [*self._user_events(x), kinks.column("inside")])
        rates = self._kernel(loops.rates_loop, self._rates_outputs, graph)
        values = [("values", (2 * self.n_contacts + len(self._events) + n,))]
        events = self._kernel(loops.indicators_loop, values, graph)
        modes = kernel(x, {name: kinks.column(name) for name in ("beyond", "now")})
        return Watched(n, n, rates, events, lambda: self._tangent_of(x, found), modes)

    @cached_property
    def contact_forces(self) -> Kernel:
        """As in the base; the power of laws does not depend on contacts here."""
        n = self.n_rows + 1 + self.integrates_laws
        outputs = [("forces", (3 * self.n_contacts,)), ("powers", (n,))]
        if not self.integrates_laws:
            return self._kernel(loops.forces_loop, outputs)
        *found, power = self._found(*_ROWS, Mechanism.lasting_power, with_modes=False)
        graph = self._graph_of(self._x, found, [power])
        return self._kernel(loops.lasting_loop, outputs, graph)

    @cached_property
    def indicators(self) -> Kernel:
        """Indicators of the modes, then the functions of the user's events."""
        outputs = [("values", (2 * self.n_contacts + len(self._events),))]
        return self._kernel(loops.indicators_loop, outputs)

    @cached_property
    def rows(self) -> Kernel:
        """Gaps, rates, bias, capacities, rows, their response, accelerations without contacts."""
        n, m, n_v = self.n_contacts, self.n_rows, self._x["v"].numel()
        sizes = [(n,), (m,), (m,), (2 * n,), (m, n_v), (m, n_v), (n_v,)]
        outputs = [(asked.name, size) for asked, size in zip(INSTANT, sizes, strict=True)]
        return self._kernel(loops.rows_loop, outputs)

    @cached_property
    def projection(self) -> Kernel:
        """Corrections that take errors of what the modes hold away."""
        n_q, n_v = self._x["q"].numel(), self._x["v"].numel()
        sizes = zip(CORRECTIONS, (n_q, n_v, 2), strict=True)
        outputs = [(asked.name, (size,)) for asked, size in sizes]
        return self._kernel(loops.projection_loop, outputs)


def _rate(column: Any, y: Any, y_dot: Any) -> Any:
    """Rate of a sparse column along a direction, where it is not always zero."""
    if not column.nnz():
        return column
    return ca.SX(column.sparsity(), ca.jtimes(ca.vertcat(*column.nonzeros()), y, y_dot))


def _core(
    graph: Kernel, n_out: int, loop: Callable[..., int], record: type[LoopRecord] | None, lanes: int
) -> Core:
    """Core of a loop; the partial function that keeps ``graph`` keeps its machine code alive."""
    inputs, outputs = [x for x, _ in graph.inputs], [y for y, _ in graph.outputs]
    return called_core(inputs, outputs, n_out, loop, record)
