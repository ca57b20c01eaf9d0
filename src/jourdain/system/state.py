"""The state equation as one compiled kernel, with inputs traced into it.

Pointers of the kernel: q, v, u, t, p → dq/dt, dv/dt, where ``u`` are inputs that are held while
the kernel is used. Event functions become a kernel with the same inputs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.kinks import Kinks
from jourdain.equations.on_symbols import on_symbols
from jourdain.equations.open_function import open_function
from jourdain.errors import ModelError, UnknownNameError
from jourdain.spatial.parameter import evaluate, values_in_force
from jourdain.system.execution import Looped, symbolic
from jourdain.system.mechanism import drive_columns, kernel
from jourdain.system.names import Names
from jourdain.system.state_loops import (
    STATE,
    constrained_state_kernel,
    looped_kernel,
    with_modes,
)
from jourdain.system.system import System

_CONDITIONS = {ca.OP_LT, ca.OP_LE, ca.OP_EQ, ca.OP_NE, ca.OP_NOT, ca.OP_AND, ca.OP_OR}
_PYTHON = "decide with jd.where(condition, yes, no), or call plain Python by jd.Sampled"
_KEPT = 64  # kernels of runs with other numbers as inputs


class StateView(Mapping[str, Any]):
    """State by names: ``s["main.angle"]``, or groups such as ``s["ball.position"]``."""

    def __init__(
        self,
        names: Names,
        q: Any,
        v: Any,
        where: str,
        cut_velocities: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self._names, self._q, self._v, self._where = names, q, v, where
        self._cut_velocities = cut_velocities

    def __getitem__(self, name: str) -> Any:
        try:
            index = self._names.index(name, self._where)
        except UnknownNameError:
            cut = self._cut_velocities()
            own = [x for key, x in cut.items() if name in (key, key.rpartition(".")[0])]
            if not own or "." not in name:
                raise
            return own[0] if name in cut else ca.vertcat(*own)
        is_position = self._names.is_position(name)
        column = self._q if is_position else self._v
        if hasattr(index, "__len__"):
            return column[index[0] : index[-1] + 1]
        return column[index]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._names.q, *self._names.v))

    def __len__(self) -> int:
        return len(self._names.q) + len(self._names.v)


def takes_state(function: Callable[..., Any]) -> bool:
    """Tell whether a function takes ``(t, s)`` or only ``(t)``."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    return len(needed) > 1


def state_symbols(system: System, n_u: int) -> dict[str, Any]:
    """Symbols of a state, of n_u held inputs, of time and of parameters."""
    sizes = {"q": len(system.names.q), "v": len(system.names.v), "u": n_u, "t": 1}
    sizes["p"] = len(system.names.parameters)
    return {name: ca.SX.sym(name, n) for name, n in sizes.items()}


def traced_function(system: System, x: dict[str, Any], function: Any, what: str) -> Any:
    """Value of a user's function of time, or of time and state, as an expression."""
    names = system.names.parameters
    values = dict(zip(names, ca.vertsplit(x["p"]), strict=True)) if names else {}
    where = f"model {system.model.name!r}"
    view = StateView(system.names, x["q"], x["v"], where, partial(_cut_velocities, system, x))
    with values_in_force(values), on_symbols(what, _PYTHON):
        result = function(x["t"], view) if takes_state(function) else function(x["t"])
        return ca.SX(evaluate(result, values))


def _cut_velocities(system: System, x: dict[str, Any]) -> dict[str, Any]:
    """Velocities of cut joints as expressions, by name."""
    names = system._description.parts.closing_velocities
    if not names:
        return {}
    given = {k: x[k] for k in ("q", "v", "t", "p")}
    (values,) = system.expressions("closing_velocities", **given)
    return dict(zip(names, ca.vertsplit(values), strict=True))


def force_expressions(
    system: System,
    x: dict[str, Any],
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    kinks: Kinks | None = None,
) -> tuple[Any, Any]:
    """Forces along the tree's velocities, and forces of cut joints and inputs of laws.

    From input functions; held inputs take their entry of ``u``. If ``kinks`` are collected, the
    functions have modes.
    """
    extras = system.extra_indices
    tau, extra = ca.SX.zeros(len(system.names.v)), ca.SX.zeros(len(system.extra_names))
    for name, function in inputs.items():
        if name in held:
            value = x["u"][held[name]]
        elif callable(function):
            value = traced_function(system, x, function, f"input {name!r}")
            if kinks is not None:
                (value,) = kinks.take([value], [x["q"], x["v"], x["t"]])
        else:
            value = ca.SX(float(function))
        if value.numel() != 1:
            raise ModelError(f"input {name!r} gives {value.numel()} numbers instead of one.")
        if name in extras:
            extra[extras[name]] += value
        else:
            tau[system.force_index(name)] += value
    return tau, extra


def state_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    kinks: Kinks | None = None,
) -> Kernel:
    """Compile the state equation with given inputs; where they are numbers, once for all runs.

    With ``kinks`` to be collected, it has modes behind the held inputs.
    """
    if kinks is not None:
        return _state_kernel(system, inputs, held, kinks)
    found: Kernel = kept(system, "state", inputs, held, _state_kernel)
    return found


def kept(
    system: System,
    what: str,
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    make: Callable[..., Any],
) -> Any:
    """Kernel, or a group of them, of an earlier run with the same numbers as inputs, or a new one.

    Functions are traced anew for every run: what they refer to may have changed.
    """
    if any(callable(x) and name not in held for name, x in inputs.items()):
        return make(system, inputs, held)
    key = what, tuple((n, held[n] if n in held else float(x)) for n, x in inputs.items()), len(held)
    if key not in system.kernels:
        while len(system.kernels) >= _KEPT:
            del system.kernels[next(iter(system.kernels))]
        system.kernels[key] = make(system, inputs, held)
    return system.kernels[key]


def _state_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    kinks: Kinks | None = None,
) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held, kinks)
    shapes = [("qdot", (len(system.names.q),)), ("vdot", (len(system.names.v),))]
    if is_looped(system):
        return looped_kernel(system, x, tau, extra, {}, kinks)
    if system.loops_constraints and not drives_cuts(system, extra):
        n_inputs = len(kinks.found) if kinks else 0
        found = constrained_state_kernel(system, x, tau, extra, kinks)
        if found is not None:
            return found
        if kinks:
            del kinks.found[n_inputs:]  # all but those of the inputs come again
    results = state_expressions(system, x, tau, extra, kinks)
    x = with_modes(x, kinks)
    return Kernel(partial(unrolled_core, x, results), 1, _sizes(x), shapes)


def is_looped(system: System) -> bool:
    """Whether the state equation is loops over the links."""
    is_free = not system.is_corrected and not system.has_contacts
    return isinstance(system.execution, Looped) and is_free


def drives_cuts(system: System, extra: Any) -> bool:
    """Whether inputs act along coordinates of cut joints."""
    return not extra[: len(system._description.parts.closing_velocities), :].is_zero()


def tangent_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    kinks: Kinks | None = None,
) -> Kernel:
    """Compile the derivative of the state equation along (q_dot, v_dot), for implicit methods.

    Pointers: q, v, u, t, p, q_dot, v_dot → rates of dq/dt and dv/dt.
    """
    if kinks is not None:
        return _tangent_kernel(system, inputs, held, kinks)
    found: Kernel = kept(system, "tangent", inputs, held, _tangent_kernel)
    return found


def _tangent_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Mapping[str, int],
    kinks: Kinks | None = None,
) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held, kinks)
    along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in ("q", "v")}
    y, y_dot = ca.vertcat(x["q"], x["v"]), ca.vertcat(*along.values())
    shapes = [("qdot_dot", (x["q"].numel(),)), ("vdot_dot", (x["v"].numel(),))]
    if is_looped(system):
        return looped_kernel(system, x, tau, extra, along, kinks)
    results = state_expressions(system, x, tau, extra, kinks)
    x = with_modes(x, kinks)
    rates = {f"{n}_dot": ca.jtimes(value, y, y_dot) for n, value in results.items()}
    return Kernel(partial(unrolled_core, x | along, rates), 1, _sizes(x | along), shapes)


def projection_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    """Compiled corrections of the state.

    Pointers as those of `Connections.projection_kernel`. With inputs only if massless nodes feel
    them.
    """
    is_composed = bool(system._description.parts.composites)
    inner = system._graph[1].eliminated.values() if is_composed and inputs else ()
    if not any(e.has_inputs for e in inner):
        return system.projection_kernel(len(held))  # type: ignore[no-any-return]
    x = state_symbols(system, len(held))
    _, extra = force_expressions(system, x, inputs, held)
    given = {k: x[k] for k in ("q", "v", "t", "p")}
    names = ("position_correction", "velocity_correction", "largest_errors")
    dq, dv, errors = system.expressions(*names, **given)
    (inside,) = system.expressions("input_changes", **given, extra=extra)
    largest = ca.vertcat(ca.fmax(errors[0], ca.norm_inf(inside)), errors[1])
    dq = ca.vertcat(dq[: dq.numel() - inside.numel()], inside)
    return kernel(x, dict(zip(names, (dq, dv, largest), strict=True)))


def _sizes(x: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [(name, symbol.numel()) for name, symbol in x.items()]


def state_expressions(
    system: System, x: dict[str, Any], tau: Any, extra: Any, kinks: Kinks | None
) -> dict[str, Any]:
    """Rates of positions and velocities."""
    d = system._description
    if d.parts:
        given = {k: x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
        qdot, vdot = system.expressions("zdot", "vdot", kinks=kinks, **given)
        return {"qdot": qdot, "vdot": vdot}
    symbols, outputs = symbolic(STATE, d, None if kinks is None else drive_columns(d, x, kinks))
    f = open_function(
        "state", [symbols[n] for n in ("q", "v", "tau", "t", "p")], list(outputs.values())
    )
    qdot, vdot = f(x["q"], x["v"], tau, x["t"], x["p"])
    return {"qdot": qdot, "vdot": vdot}


def checked_functions(
    system: System, x: dict[str, Any], functions: Mapping[str, Any], what: str
) -> list[Any]:
    """Values of functions of time and state, such as events, as expressions.

    Raises
    ------
    ModelError
        If one gives several numbers, or a condition.
    """
    values = [traced_function(system, x, f, f"{what} {name!r}") for name, f in functions.items()]
    for name, value in zip(functions, values, strict=True):
        if value.numel() != 1:
            raise ModelError(f"{what} {name!r} gives {value.numel()} numbers instead of one.")
        if not value.is_leaf() and value.op() in _CONDITIONS:
            raise ModelError(
                f"{what} {name!r} is a condition. Give the number that passes zero where it comes "
                "true: for s['main.angle'] > 2.0 that is s['main.angle'] - 2.0."
            )
    return values


def function_kernel(
    system: System, functions: Mapping[str, Any], held: Mapping[str, int], what: str
) -> Kernel:
    """Compile functions of time and state, such as events, with the inputs of the state kernel."""
    x = state_symbols(system, len(held))
    values = checked_functions(system, x, functions, what)
    shapes = [("values", (len(values),))]
    column = ca.vertcat(*values)
    return Kernel(partial(unrolled_core, x, {"values": column}), 1, _sizes(x), shapes)


def function_values(
    system: System, functions: Mapping[str, Any], what: str, q: Any, v: Any, t: Any, p: Any
) -> Any:
    """Values of functions of time and state (n_functions, n) at n states, without machine code."""
    x = state_symbols(system, 0)
    values = [traced_function(system, x, f, f"{what} {name!r}") for name, f in functions.items()]
    f = ca.Function("values", [x[k] for k in ("q", "v", "t", "p")], [ca.vertcat(*values)])
    n = len(t)
    found = f.map(n)(q.T, v.T, np.reshape(t, (1, n)), ca.repmat(ca.DM(p), 1, n))
    return np.array(found, dtype=float).reshape(len(values), n)


def forces_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    """Compile the generalized forces of the inputs, for results."""
    found: Kernel = kept(system, "forces", inputs, held, _forces_kernel)
    return found


def _forces_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held)
    return kernel(x, {"tau": tau, "extra": extra}, 4)


def quaternion_starts(system: System) -> list[int]:
    """Indices in ``q`` where quaternions begin."""
    names = system.names.q
    return [
        k
        for k, name in enumerate(names)
        if name.endswith(".w") and names[k : k + 4] == tuple(name[:-1] + c for c in "wxyz")
    ]
