"""State equation of a run by modes: smooth between the kinks and jumps of laws, drives and inputs.

Watched is what users write: force laws with their states, drives of joints, values of held
measures, inputs. Geometry (joints, measures, contours) and massless nodes of composite connections
are not, nor are laws that ask for multipliers; drives and held values of systems that run in loops
over the links are not either. Modes lie in ``u`` behind the held inputs; see
`equations.tracing.kinks`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property, partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.recursion import kinematics
from jourdain.equations.tracing.kinks import Kinks, has_kinks
from jourdain.system.execution import LoopedFunction
from jourdain.system.held_inputs import Places
from jourdain.system.looped.state_equation import chained, loop_stage, straight_stage
from jourdain.system.looped.state_loops import (
    traced_forces,
    traced_or_none,
    with_blocks,
    with_modes,
)
from jourdain.system.mechanism import drive_columns
from jourdain.system.state import (
    checked_functions,
    drives_cuts,
    force_expressions,
    is_looped,
    kept,
    state_expressions,
    state_kernel,
    state_symbols,
    tangent_kernel,
)
from jourdain.system.system import System
from jourdain.system.user_functions import traced

MOST = 200  # places that are watched; where there are more, none is


class Switching:
    """Kernels of the state equation of a system with given inputs.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs in ``u``.
    """

    def __init__(self, system: System, inputs: Mapping[str, Any], held: Places) -> None:
        self._given = system, inputs, held
        self._is_looped = is_looped(system) or system.loops_constraints
        self._first: Kernel | None = None
        self._watched: dict[Hashable, Kernel] = {}  # by the graphs of the user's functions
        if self._is_looped:  # one graph tells of kinks and gives the kernel
            kinks = self._collector()
            self._first = state_kernel(*self._given, kinks)
            self.n_found = len(kinks.found)
        else:
            self.n_found = len(self._traced[1].found) if self._may_have_kinks else 0

    @property
    def n(self) -> int:
        """Number of modes."""
        return self.n_found if self.n_found <= MOST else 0

    @property
    def _may_have_kinks(self) -> bool:
        """Whether anything that is watched may have kinks, without making a second graph."""
        system, inputs, held = self._given
        d, x = system.description, state_symbols(system, len(held))
        kinks = Kinks()
        force_expressions(system, x, inputs, held, kinks)
        if kinks.found or has_kinks(drive_columns(d, x, None)):
            return True
        if not d.parts.connections:
            return False
        return any(answer.has_kinks for answer in system.graph[1].answers.values())

    def _collector(self) -> Kinks:
        return Kinks(sees_drives=not self._is_looped)

    @cached_property
    def _traced(self) -> tuple[dict[str, Any], Kinks, dict[str, Any]]:
        """Symbols of the state, places to watch, and symbols of the motion of bodies they use."""
        system, inputs, held = self._given
        x, kinks = state_symbols(system, len(held)), self._collector()
        symbols: dict[str, Any] = {}
        tau, extra = force_expressions(system, x, inputs, held, kinks)
        if is_looped(system):
            _, symbols = traced_forces(system.description, x, tau, extra, kinks)
        elif system.loops_constraints and not drives_cuts(system, extra):
            n = len(kinks.found)
            found = traced_or_none(system, x, tau, extra, kinks)
            if found is None:
                del kinks.found[n:]
                state_expressions(system, x, tau, extra, kinks)
            else:
                symbols = found[1]
        else:
            state_expressions(system, x, tau, extra, kinks)
        return with_modes(x, kinks), kinks, symbols

    @cached_property
    def rates(self) -> Kernel:
        """State equation q, v, u, t, p → dq/dt, dv/dt."""
        if self._first is not None and self.n == self.n_found:
            return self._first
        return state_kernel(*self._given, self._collector() if self.n else None)

    @cached_property
    def tangent(self) -> Kernel:
        """Derivative of the state equation; pointers as of `state.tangent_kernel`."""
        return tangent_kernel(*self._given, self._collector() if self.n else None)

    def watched(self, functions: Mapping[str, Any], p: Any) -> Kernel | None:
        """Functions of the user that are looked at for passages, then ``inside`` of all modes.

        For values p of the parameters.
        """
        if not (functions or self.n):
            return None
        system, _, held = self._given
        graphs = {name: traced(system, f, f"event {name!r}") for name, f in functions.items()}
        key = tuple((name, graph.key) for name, graph in graphs.items())
        if key not in self._watched:
            self._watched.clear()  # those of the last run are enough
            x = self._traced[0] if self.n else state_symbols(system, len(held))
            values = checked_functions(system, x, graphs, "event")
            inside = [self._traced[1].column("inside")] if self.n else []
            self._watched[key] = self._kernel(x, {"values": ca.vertcat(*values, *inside)})
        return self._watched[key].with_parameters(p)

    def modes(self, p: Any) -> Kernel | None:
        """Modes beyond the nearest border, and those that are right now."""
        return self._modes.with_parameters(p) if self.n else None

    @cached_property
    def _modes(self) -> Kernel:
        x, kinks, _ = self._traced
        return self._kernel(x, {name: kinks.column(name) for name in ("beyond", "now")})

    def _kernel(self, x: dict[str, Any], outputs: dict[str, Any]) -> Kernel:
        symbols = self._traced[2] if self.n else {}
        sizes = {name: int(value.numel()) for name, value in outputs.items()}
        if not symbols:
            make = partial(unrolled_core, x, outputs)
            given = [(name, int(symbol.numel())) for name, symbol in x.items()]
            return Kernel(make, 1, given, [(name, (n,)) for name, n in sizes.items()])
        d = self._given[0].description
        stages = [
            loop_stage(LoopedFunction(kinematics.MOTION, d, 1), "m"),
            straight_stage(x | symbols, {f"new_{name}": e for name, e in outputs.items()}),
        ]
        places = {f"new_{name}": (name, 0) for name in outputs}
        return chained(x, list(sizes.items()), with_blocks(stages, symbols), places, d.nominal)


def switching(system: System, inputs: Mapping[str, Any], held: Places) -> Switching:
    """State equation by modes, made once for all runs with equal inputs."""
    found: Switching = kept(system, "switching", inputs, held, Switching)
    return found
