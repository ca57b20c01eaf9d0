"""Compiled functions of systems with many contacts: one graph of rows, and loops over the modes.

Expressions in which every contact can be open, stick or slide grow with the cube of the number of
contacts. Here the graph has the rows alone, and what the modes hold is solved in a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.followed import followed_core
from jourdain.codegen.kernel import Kernel
from jourdain.equations.constrained import asks
from jourdain.errors import ModelError
from jourdain.system import modal_loops as loops
from jourdain.system.contact import ContactKernels, Watched
from jourdain.system.state import inputs_key, kept_under
from jourdain.system.system import System
from jourdain.system.user_functions import traced, traced_inputs

MANY = 12  # rows of contacts from which loops are used
_ROWS = ("zdot", "vdot", "gaps", "contact_rates", "contact_bias", "capacities",
         "static_capacities", "contact_jacobian", "contact_response_jacobian")  # fmt: skip


def contact_kernels(
    system: System, inputs: Mapping[str, Any], held: Mapping[str, int], events: Mapping[str, Any]
) -> ContactKernels:
    """Kernels of a system with contacts, in the form that suits their number.

    Those of an earlier run with equal inputs and events are used again.
    """
    given = traced_inputs(system, inputs, held)
    watched = {name: traced(system, f, f"event {name!r}") for name, f in events.items()}
    key = "contact", inputs_key(given, held), tuple((n, f.key) for n, f in watched.items())
    kind = ModalKernels if _suits(system) else ContactKernels
    found: ContactKernels = kept_under(system, key, lambda: kind(system, given, held, watched))
    return found


def _suits(system: System) -> bool:
    """Whether loops can serve: many rows, no other constraints, no law that asks for contacts.

    Rolling and drilling friction, which lean on another touching, and contact points that are
    followed as states stay in graphs.
    """
    mechanism = system._graph[1]
    touchings = mechanism.touchings
    n_rows = sum((x.normal is not None) + x.n_tangents for x in touchings)
    turns = any(x.lead is not None for x in touchings)
    has_more = turns or system.has_constraints or system._description.parts.followed
    if n_rows <= MANY or has_more:
        return False
    forces = list(mechanism._normal_forces.values())
    used = [y for x in touchings for y in (x.capacity, x.holds)]
    used += [a.force for a in mechanism.answers.values()]
    return not any(asks(ca.SX(x), forces) for x in used)


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
        touchings = self._system._graph[1].touchings
        for x in touchings:
            has_normal = x.normal is not None
            has_gap = has_normal and x.normal.value is not None
            listed += [row if has_normal else -1, row + has_normal, x.n_tangents, int(has_gap)]
            row += has_normal + x.n_tangents
        sizes = [self._x["v"].numel(), self._x["q"].numel(), self.n_held]
        table = [len(touchings), row, *sizes, *listed, len(self._events)]
        return np.array(table, dtype=np.int64)

    @cached_property
    def _rows(self) -> dict[str, Any]:
        """Expressions of the rows, with all contacts open."""
        return dict(zip(_ROWS, self._found(*_ROWS, with_modes=False), strict=True))

    def _kernel(
        self, loop: Callable[..., int], outputs: list[tuple[str, int]], **more: Any
    ) -> Kernel:
        columns = {name: ca.vec(ca.densify(x.T)) for name, x in (self._rows | more).items()}
        m = int(self._table[1])
        room = sum(x.numel() for x in columns.values()) + 3 * m * m + 6 * m
        sizes = [(name, symbol.numel()) for name, symbol in self._x.items()]
        core = partial(_core, self._x, columns, len(outputs), loop)
        shapes = [(name, (size,)) for name, size in outputs]
        return Kernel(core, 1, sizes, shapes, [self._table], room)

    @cached_property
    def rates(self) -> Kernel:
        """State equation in given modes."""
        n_q, n_v = self._x["q"].numel(), self._x["v"].numel()
        return self._kernel(loops.rates_loop, [("qdot", n_q), ("vdot", n_v)])

    @cached_property
    def tangent(self) -> Kernel:
        """There is none, as loops are not differentiated."""
        raise ModelError(
            f"model {self._system.model.name!r} has {self._table[1]} rows of contact and friction: "
            f"implicit methods serve up to {MANY} from event to event. Use an explicit one, such "
            "as jd.EventDriven(jd.Dop853(rtol=1e-9)), or jd.NonsmoothAlpha(dt) for stiff springs."
        )

    @cached_property
    def watched(self) -> Watched:
        """State equation and indicators; kinks are not watched in loops."""
        return Watched(0, 0, self.rates, self.indicators, lambda: self.tangent, None)

    @cached_property
    def touching_forces(self) -> Kernel:
        """Three forces of each touching in given modes; powers along rows, and of drives."""
        outputs = [("forces", 3 * self.n_touch), ("powers", int(self._table[1]) + 1)]
        return self._kernel(loops.forces_loop, outputs)

    @cached_property
    def indicators(self) -> Kernel:
        """Indicators of the modes, then the functions of the user's events."""
        functions = self._user_events(self._x)
        events = ca.vertcat(*functions) if functions else ca.SX(0, 1)
        outputs = [("values", 2 * self.n_touch + len(functions))]
        return self._kernel(loops.indicators_loop, outputs, events=events)

    @cached_property
    def projection(self) -> Kernel:
        """Corrections that take errors of what the modes hold away."""
        n_q, n_v = self._x["q"].numel(), self._x["v"].numel()
        outputs = [
            ("position_correction", n_q),
            ("velocity_correction", n_v),
            ("largest_errors", 2),
        ]
        along = ca.jacobian(self._rows["zdot"], self._x["v"])
        return self._kernel(loops.projection_loop, outputs, along=along)


def _core(inputs: Any, found: Any, n_out: int, loop: Any, lanes: int) -> Any:
    return followed_core(inputs, found, n_out, loop)
