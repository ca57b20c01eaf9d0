"""The state equation with its exact derivatives, at one state.

    F = (dz/dt, dv/dt),   g(z, t) = 0,   P v + b = 0                             (LI-1)

Derivatives are rates along directions: of the expression graph, interpreted, or of loops over the
tree where it runs in loops. Everything linear asks this module alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.contact.contact_points import MODE
from jourdain.errors import ModelError
from jourdain.system.checks.interpreted import InterpretedSlopes
from jourdain.system.mechanism import mechanism
from jourdain.system.state import (
    force_expressions,
    forces_kernel,
    inputs_key,
    is_looped,
    kept_under,
    state_kernel,
    state_symbols,
    tangent_kernel,
)
from jourdain.system.system import System
from jourdain.system.user_functions import traced_function, traced_inputs

_STEP = 1e-4  # of inputs of systems in loops: differences of fourth order


@dataclass(frozen=True)
class Point:
    """A state with all that the state equation depends on.

    Parameters
    ----------
    q, v : arrays
        Positions and velocities.
    u : (n_u,)
        Values of the free inputs.
    t : float [s]
        Time.
    p : (n_p,)
        Parameters.
    mode : (8 n_touch,)
        Modes of contacts, see `equations.contact.contact_points`.
    touch : (3 n_touch,) or None
        Forces given to contacts whose modes are open: normal, then both tangents; default none.
    """

    q: Any
    v: Any
    u: Any
    t: float
    p: Any
    mode: Any
    touch: Any = None

    def moved(self, **changes: Any) -> Point:
        """The same point with other numbers."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Slopes:
    """Values and derivatives of the state equation and of the constraints at a point.

    Parameters
    ----------
    zdot, vdot : arrays
        Rates of positions and velocities.
    errors, rates : arrays
        Position errors g, and velocity errors P v + b, of all constraints.
    by_z, by_v, by_u, by_t, by_e : dict of str to array
        Derivatives of these four, by name, by positions, velocities, free inputs, time, and by
        driven coordinates with their first and second rates.
    """

    zdot: Any
    vdot: Any
    errors: Any
    rates: Any
    by_z: Mapping[str, Any]
    by_v: Mapping[str, Any]
    by_u: Mapping[str, Any]
    by_t: Mapping[str, Any]
    by_e: Mapping[str, Any]


_QUANTITIES = ("zdot", "vdot", "errors", "rates")
_BY = ("q", "v"), ("u",), ("t",), ("drive_steps",)  # apart: one may have no slope here


class StateGraph:
    """State equation of a system with given inputs.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs by name: numbers, or functions of (t, s).
    free : tuple of str
        Those among them that may vary; their values are ``u``.
    """

    def __init__(self, system: System, inputs: Mapping[str, Any], free: tuple[str, ...]) -> None:
        self.system, self.free = system, free
        self.held = {name: k for k, name in enumerate(free)}
        self.inputs = traced_inputs(system, inputs, self.held)
        self.n_drives = system.description.layout.n_e
        self._key = inputs_key(self.inputs, self.held)
        self._is_looped = is_looped(system) and not self.n_drives

    def slopes(self, at: Point) -> Slopes:
        """Values and derivatives at a point."""
        found = self._looped(at) if self._is_looped else self._of_graph(at)
        _require_numbers(self.system, found, at)
        return found

    def values(self, at: Point) -> dict[str, Any]:
        """The four quantities by name, without derivatives."""
        if self._is_looped:
            kernel = state_kernel(self.system, self.inputs, self.held).with_parameters(at.p)
            zdot, vdot = kernel(at.q, at.v, at.u, at.t, at.p)
            return {"zdot": zdot, "vdot": vdot, "errors": np.zeros(0), "rates": np.zeros(0)}
        numbers = self._function[0](*self.arguments(at))
        return {name: np.array(x).reshape(-1) for name, x in zip(_QUANTITIES, numbers, strict=True)}

    def loads(self, at: Point) -> tuple[Any, Any, Any]:
        """Forces along velocities, other inputs with the forces of contacts, accelerations."""
        if self._is_looped:
            tau, extra = forces_kernel(self.system, self.inputs, self.held)(
                at.q, at.v, at.u, at.t, at.p
            )
            return tau, extra, self.values(at)["vdot"]
        self.expressions()
        f = self.system.kernels["linear loads", self._key]
        tau, extra, vdot = (np.array(x).reshape(-1) for x in f(*self.arguments(at)))
        return tau, extra, vdot

    # -- the graph --------------------------------------------------------------------------------

    def arguments(self, at: Point) -> tuple[Any, ...]:
        """Numbers of all symbols, in their order."""
        n = 3 * len(self.system.description.parts.contact_names)
        touch = np.zeros(n) if at.touch is None else at.touch
        return at.q, at.v, at.u, at.t, at.p, at.mode, np.zeros(3 * self.n_drives), touch

    def expressions(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Symbols, and the four quantities on them."""
        made: tuple[dict[str, Any], dict[str, Any]] = kept_under(
            self.system, ("linear graph", self._key), self._traced
        )
        return made

    def _traced(self) -> tuple[dict[str, Any], dict[str, Any]]:
        system = self.system
        d = system.description
        x = state_symbols(system, len(self.free))
        x["mode"] = ca.SX.sym("mode", MODE * len(d.parts.contact_names))
        x["drive_steps"] = ca.SX.sym("drive_steps", 3 * self.n_drives)
        x["touch"] = ca.SX.sym("touch", 3 * len(d.parts.contact_names))
        tau, extra = force_expressions(system, x, self.inputs, self.held)
        n_other = len(system.extra_names) - x["touch"].numel()
        extra = ca.vertcat(extra[:n_other, :], x["touch"])
        none = ca.SX.zeros(6 * d.layout.n_bodies)
        given = {k: x[k] for k in ("q", "v", "t", "p", "mode", "drive_steps")}
        graph = mechanism(d, given | {"tau": tau, "extra": extra, "wrench": none})
        self.system.kernels["linear loads", self._key] = ca.Function(
            "loads",
            list(x.values()),
            [tau, ca.vertcat(extra[:n_other, :], graph.contact_forces), graph.vdot],
        )
        errors = [graph.position_errors, graph.input_changes]
        if d.parts.followed:
            errors.append(graph.contact_parameters - x["q"][self.followed, :])
        found = {"zdot": graph.zdot, "vdot": graph.vdot, "rates": graph.velocity_errors}
        found["errors"] = ca.vertcat(*errors)
        return x, {name: found[name] for name in _QUANTITIES}

    @property
    def followed(self) -> list[int]:
        """Places of contact parameters in z."""
        parts, n = self.system.description.parts, len(self.system.names.q)
        first = n - len(parts.states)
        return [
            first + k
            for c in parts.followed
            for k in range(parts.state_places[c.name][1].start, parts.state_places[c.name][1].stop)
        ]

    @property
    def _function(self) -> Any:
        """The four quantities, and their derivatives by each of ``_BY``."""
        return kept_under(self.system, ("linear slopes", self._key), self._made)

    def _made(self) -> Any:
        x, found = self.expressions()
        values = ca.Function("values", list(x.values()), [ca.densify(e) for e in found.values()])
        column = ca.vertcat(*found.values())
        groups = (ca.vertcat(*(x[name] for name in names)) for names in _BY)
        return values, [InterpretedSlopes(x, column, by) for by in groups]

    def _of_graph(self, at: Point) -> Slopes:
        arguments = self.arguments(at)
        evaluated, slopes = self._function
        values = [np.array(x).reshape(-1) for x in evaluated(*arguments)]
        ends = np.cumsum([len(x) for x in values])[:-1]
        of_state, *others = (np.split(f(arguments), ends) for f in slopes)
        by_z, by_v = zip(*(np.split(rows, [len(at.q)], axis=1) for rows in of_state), strict=True)
        by = [dict(zip(_QUANTITIES, rows, strict=True)) for rows in (by_z, by_v, *others)]
        both: list[Any] = [*values, *by]
        return Slopes(*both)

    # -- loops ------------------------------------------------------------------------------------

    def _looped(self, at: Point) -> Slopes:
        n_q, n_v = len(at.q), len(at.v)
        kernel = tangent_kernel(self.system, self.inputs, self.held).with_parameters(at.p)
        units = np.eye(n_q + n_v)
        rates = kernel(at.q, at.v, at.u, at.t, at.p, units[:, :n_q], units[:, n_q:])
        found = {"zdot": rates[0].T, "vdot": rates[1].T}
        none = {"errors": np.zeros((0, n_q + n_v)), "rates": np.zeros((0, n_q + n_v))}
        whole = found | none
        by_u = {name: self._differences(at, name) for name in _QUANTITIES}
        values = self.values(at)
        later, sooner = (self.values(at.moved(t=at.t + s)) for s in (_STEP, -_STEP))
        by_t = {n: ((later[n] - sooner[n]) / (2 * _STEP))[:, None] for n in _QUANTITIES}
        both: list[Any] = [values[n] for n in _QUANTITIES]
        both += [
            {n: x[:, :n_q] for n, x in whole.items()},
            {n: x[:, n_q:] for n, x in whole.items()},
        ]
        both += [by_u, by_t, {n: np.zeros((len(values[n]), 0)) for n in _QUANTITIES}]
        return Slopes(*both)

    def _differences(self, at: Point, name: str) -> Any:
        columns = np.zeros((len(self.values(at)[name]), len(at.u)))
        for k in range(len(at.u)):
            step = np.zeros(len(at.u))
            step[k] = _STEP * max(1.0, abs(at.u[k]))
            a, b, c, d = (self.values(at.moved(u=at.u + s * step))[name] for s in (-2, -1, 1, 2))
            columns[:, k] = (a - 8 * b + 8 * c - d) / (12 * step[k])
        return columns


def output_slopes(graph: StateGraph, at: Point, function: Any, name: str) -> tuple[Any, Any]:
    """Derivatives of a user's function of (t, s) by positions and velocities.

    Raises
    ------
    ModelError
        If it gives several numbers.
    """
    x, _ = graph.expressions()
    value = traced_function(graph.system, x, function, f"output {name!r}")
    if value.numel() != 1:
        raise ModelError(f"output {name!r} gives {value.numel()} numbers instead of one.")
    slopes = InterpretedSlopes(x, value, ca.vertcat(x["q"], x["v"]))
    row = slopes(graph.arguments(at)).reshape(-1)
    return row[: len(at.q)], row[len(at.q) :]


def _require_numbers(system: System, found: Slopes, at: Point) -> None:
    """Refuse states at which the equations give no numbers."""
    for name, rows in (("zdot", system.names.q), ("vdot", system.names.v)):
        whole = np.column_stack([getattr(found, name), found.by_z[name], found.by_v[name]])
        bad = np.flatnonzero(~np.isfinite(whole).all(axis=1))
        if len(bad):
            system.forward_dynamics(at.q, at.v, t=at.t, parameters=at.p)  # names what is missing
            word = "rate" if name == "zdot" else "acceleration"
            raise ModelError(
                f"model {system.model.name!r}: the {word} of {rows[bad[0]]!r} or its derivative is "
                "no number here. Likely causes: a coordinate that moves no inertia, a distance "
                "that is zero, a root or a table at the end of its range. Next: linearise about "
                "another state."
            )
