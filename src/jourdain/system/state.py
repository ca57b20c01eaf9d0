"""The state equation as one compiled kernel, with inputs traced into it.

Pointers of the kernel: q, v, u, t, p → dq/dt, dv/dt, where ``u`` are inputs that are held while
the kernel is used. Event functions become a kernel with the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.mechanism import CORRECTIONS, Mechanism
from jourdain.equations.tracing.kinks import Kinks
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError
from jourdain.model.parts.part import have_quick_power
from jourdain.phases import phase
from jourdain.system.execution import Looped, symbolic
from jourdain.system.held_inputs import Places, held_value
from jourdain.system.looped.state_loops import (
    STATE,
    constrained_state_kernel,
    looped_kernel,
    with_modes,
)
from jourdain.system.mechanism import drive_columns, kernel, pattern_of, quantity_kernel
from jourdain.system.system import System
from jourdain.system.user_functions import TracedFunction, traced, traced_function, traced_inputs

_CONDITIONS = {ca.OP_LT, ca.OP_LE, ca.OP_EQ, ca.OP_NE, ca.OP_NOT, ca.OP_AND, ca.OP_OR}
_KEPT = 64  # kernels of runs with other inputs


def state_symbols(system: System, n_u: int) -> dict[str, Any]:
    """Symbols of a state, of n_u held inputs, of time and of parameters."""
    sizes = {"q": len(system.names.q), "v": len(system.names.v), "u": n_u, "t": 1}
    sizes["p"] = len(system.names.parameters)
    return {name: ca.SX.sym(name, n) for name, n in sizes.items()}


def force_expressions(
    system: System,
    x: dict[str, Any],
    inputs: Mapping[str, Any],
    held: Places,
    kinks: Kinks | None = None,
) -> tuple[Any, Any]:
    """Forces along the tree's velocities, and forces of cut joints and inputs of laws.

    From input functions; held inputs take their entry of ``u``. If ``kinks`` are collected, the
    functions have modes.
    """
    extras, rates = system.extra_indices, system.input_rate_indices
    tau, extra = ca.SX.zeros(len(system.names.v)), ca.SX.zeros(len(system.extra_names))
    for name, function in inputs.items():
        if name in held:
            value = held_value(held[name], x["u"], x["t"])
        elif callable(function):
            value = traced_function(system, x, function, f"input {name!r}")
            if kinks is not None:
                (value,) = kinks.take([value], [x["q"], x["v"], x["t"]])
        else:
            value = ca.SX(float(function))
        if value.numel() != 1:
            raise ModelError(f"input {name!r} gives {value.numel()} numbers instead of one.")
        if name in rates:
            extra[rates[name]] += _rate_of_input(x, name, value, held.get(name))
        if name in extras:
            extra[extras[name]] += value
        else:
            tau[system.force_index(name)] += value
    return tau, extra


def _rate_of_input(x: dict[str, Any], name: str, value: Any, place: Any) -> Any:
    """Rate of an input that measures look at: of a function of time."""
    if isinstance(place, int):
        reason = "is sampled or varied by itself, so that it jumps"
    elif any(ca.depends_on(value, x[k]) for k in ("q", "v") if x[k].numel()):
        reason = "depends on the state"
    else:
        return ca.jtimes(value, x["t"], ca.SX(1))
    raise ModelError(
        f"input {name!r} {reason}, but a measure looks at it, which needs its rate: that of a "
        "number or a function of time is known. Let the law ask for at.input, or the measure for a "
        "state that follows the input: model.add_lag(...)."
    )


def state_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Places,
    kinks: Kinks | None = None,
) -> Kernel:
    """Compile the state equation with given inputs, once for all runs with equal ones.

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
    held: Places,
    make: Callable[..., Any],
) -> Any:
    """Kernel, or a group of them, of an earlier run with equal inputs, or a new one.

    Functions are traced anew for every run, for what they refer to may have changed; equal graphs
    have the same kernel.
    """
    graphs = traced_inputs(system, inputs, held)
    key = what, inputs_key(graphs, held)
    return kept_under(system, key, lambda: make(system, graphs, held))


def inputs_key(inputs: Mapping[str, Any], held: Places) -> Hashable:
    """Key that is equal for inputs with equal numbers and graphs; see `traced_inputs`."""
    return tuple((n, held[n] if n in held else _input_key(x)) for n, x in inputs.items()), len(held)


def _input_key(x: Any) -> Hashable:
    return x.key if isinstance(x, TracedFunction) else float(x)


def kept_under(system: System, key: Hashable, make: Callable[[], Any]) -> Any:
    """What was made under a key in an earlier run, or a new one; what is used stays longest."""
    found = system.kernels.pop(key, None)
    if found is None:
        while len(system.kernels) >= _KEPT:
            del system.kernels[next(iter(system.kernels))]
        with phase("deriving the equations"):
            found = make()
    system.kernels[key] = found
    return found


def _state_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Places,
    kinks: Kinks | None = None,
) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held, kinks)
    shapes = [("qdot", (len(system.names.q),)), ("vdot", (len(system.names.v),))]
    if is_looped(system):
        return looped_kernel(system.description, x, tau, extra, {}, kinks)
    if system.loops_constraints and not drives_cuts(system, extra):
        n_inputs = len(kinks.found) if kinks else 0
        found = constrained_state_kernel(system, x, tau, extra, kinks)
        if found is not None:
            return found
        if kinks:
            del kinks.found[n_inputs:]  # all but those of the inputs come again
    results = state_expressions(system, x, tau, extra, kinks)
    x = with_modes(x, kinks)
    return Kernel(
        partial(unrolled_core, x, results, groups=system.description.groups), 1, _sizes(x), shapes
    )


def is_looped(system: System) -> bool:
    """Whether the state equation is loops over the links."""
    is_free = not system.is_corrected and not system.has_contacts
    return isinstance(system.execution, Looped) and is_free


def drives_cuts(system: System, extra: Any) -> bool:
    """Whether inputs act along coordinates of cut joints."""
    return not extra[: len(system.description.parts.cut_velocities), :].is_zero()


def tangent_kernel(
    system: System,
    inputs: Mapping[str, Any],
    held: Places,
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
    held: Places,
    kinks: Kinks | None = None,
) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held, kinks)
    along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in ("q", "v")}
    y, y_dot = ca.vertcat(x["q"], x["v"]), ca.vertcat(*along.values())
    shapes = [("qdot_dot", (x["q"].numel(),)), ("vdot_dot", (x["v"].numel(),))]
    if is_looped(system):
        return looped_kernel(system.description, x, tau, extra, along, kinks)
    results = state_expressions(system, x, tau, extra, kinks)
    x = with_modes(x, kinks)
    rates = {f"{n}_dot": ca.jtimes(value, y, y_dot) for n, value in results.items()}
    make = partial(unrolled_core, x | along, rates, groups=system.description.groups)
    found = Kernel(make, 1, _sizes(x | along), shapes)
    found.find_pattern = partial(pattern_of, ca.vertcat(*results.values()), y)
    return found


def projection_kernel(system: System, inputs: Mapping[str, Any], held: Places) -> Kernel:
    """Compiled corrections of the state.

    Pointers as those of `Constraints.projection_kernel`. With inputs only if massless nodes feel
    them.
    """
    is_composed = bool(system.description.parts.composites)
    inner = system.graph[1].eliminated.values() if is_composed and inputs else ()
    if not any(e.has_inputs for e in inner):
        return system.projection_kernel(len(held))  # type: ignore[no-any-return]
    x = state_symbols(system, len(held))
    _, extra = force_expressions(system, x, inputs, held)
    given = {k: x[k] for k in ("q", "v", "t", "p")}
    dq, dv, errors = system.expressions(*CORRECTIONS, **given)
    (inside,) = system.expressions(Mechanism.input_changes, **given, extra=extra)
    largest = ca.vertcat(ca.fmax(errors[0], ca.norm_inf(inside)), errors[1])
    dq = ca.vertcat(dq[: dq.numel() - inside.numel()], inside)
    return quantity_kernel(x, CORRECTIONS, (dq, dv, largest))


def _sizes(x: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [(name, symbol.numel()) for name, symbol in x.items()]


def state_expressions(
    system: System, x: dict[str, Any], tau: Any, extra: Any, kinks: Kinks | None
) -> dict[str, Any]:
    """Rates of positions and velocities."""
    d = system.description
    if d.parts:
        given = {k: x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
        qdot, vdot = system.expressions(Mechanism.zdot, Mechanism.vdot, kinks=kinks, **given)
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
    system: System, functions: Mapping[str, Any], held: Places, what: str
) -> Kernel:
    """Compile functions of time and state, such as events, with the inputs of the state kernel."""
    graphs = {name: traced(system, f, f"{what} {name!r}") for name, f in functions.items()}
    key = "functions", what, tuple((n, f.key) for n, f in graphs.items()), len(held)
    found: Kernel = kept_under(system, key, lambda: _function_kernel(system, graphs, held, what))
    return found


def _function_kernel(
    system: System, functions: Mapping[str, Any], held: Places, what: str
) -> Kernel:
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


def lasting_power_kernel(system: System, inputs: Mapping[str, Any], held: Places) -> Kernel | None:
    """Compile the power whose work is integrated with a run; None where none is asked for.

    Nor of equations that are loops: straight code of it would take longer than the run.
    """
    if not have_quick_power(system.model.parts) or is_looped(system) or system.loops_constraints:
        return None
    found: Kernel = kept(system, "lasting power", inputs, held, _lasting_power_kernel)
    return found


def _lasting_power_kernel(system: System, inputs: Mapping[str, Any], held: Places) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held)
    given = {k: x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
    (power,) = system.expressions(Mechanism.lasting_power, **given)
    return kernel(x, {"power": power})


def forces_kernel(system: System, inputs: Mapping[str, Any], held: Places) -> Kernel:
    """Compile the generalized forces of the inputs, for results."""
    found: Kernel = kept(system, "forces", inputs, held, _forces_kernel)
    return found


def _forces_kernel(system: System, inputs: Mapping[str, Any], held: Places) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held)
    return kernel(x, {"tau": tau, "extra": extra}, 4)
