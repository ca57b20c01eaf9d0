"""The state equation as one compiled kernel, with inputs traced into it.

Pointers of the kernel: q, v, u, t, p → dq/dt, dv/dt, where ``u`` are inputs that are held while
the kernel is used. Event functions become a kernel with the same inputs.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.looped import looped_core
from jourdain.codegen.lower import element_type
from jourdain.codegen.module import Core
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations import articulated_body, composite_body
from jourdain.errors import ModelError
from jourdain.spatial.parameter import evaluate, values_in_force
from jourdain.system.execution import Looped, LoopedFunction, symbolic
from jourdain.system.mechanism import kernel
from jourdain.system.names import Names
from jourdain.system.system import System

STATE = dataclasses.replace(articulated_body.STATE, small=composite_body.state)


class StateView(Mapping[str, Any]):
    """State by names: ``s["main.angle"]``, or groups such as ``s["ball.position"]``."""

    def __init__(self, names: Names, q: Any, v: Any, where: str) -> None:
        self._names, self._q, self._v, self._where = names, q, v, where

    def __getitem__(self, name: str) -> Any:
        index = self._names.index(name, self._where)
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
    view = StateView(system.names, x["q"], x["v"], f"model {system.model.name!r}")
    with values_in_force(values):
        try:
            result = function(x["t"], view) if takes_state(function) else function(x["t"])
            return ca.SX(evaluate(result, values))
        except (TypeError, ValueError, NotImplementedError, RuntimeError) as error:
            if isinstance(error, ModelError):
                raise
            raise ModelError(
                f"{what} cannot be traced: {error}. Write it with the functions of jourdain.math "
                "(jd.sin, jd.where, …), or call plain Python at a fixed rate with jd.Sampled."
            ) from error


def force_expressions(
    system: System, x: dict[str, Any], inputs: Mapping[str, Any], held: Mapping[str, int]
) -> tuple[Any, Any]:
    """Forces along the tree's velocities, and forces of cut joints and inputs of laws.

    From input functions; held inputs take their entry of ``u``.
    """
    extras = system.extra_indices
    tau, extra = ca.SX.zeros(len(system.names.v)), ca.SX.zeros(len(system.extra_names))
    for name, function in inputs.items():
        if name in held:
            value = x["u"][held[name]]
        elif callable(function):
            value = traced_function(system, x, function, f"input {name!r}")
        else:
            value = ca.SX(float(function))
        if value.numel() != 1:
            raise ModelError(f"input {name!r} gives {value.numel()} numbers instead of one.")
        if name in extras:
            extra[extras[name]] += value
        else:
            tau[system.force_index(name)] += value
    return tau, extra


def state_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    """Compile the state equation with given inputs; without any, once for all runs."""
    if inputs:
        return _state_kernel(system, inputs, held)
    if "state" not in system.kernels:
        system.kernels["state"] = _state_kernel(system, {}, {})
    kernel: Kernel = system.kernels["state"]
    return kernel


def _state_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held)
    shapes = [("qdot", (len(system.names.q),)), ("vdot", (len(system.names.v),))]
    if _is_looped(system):
        function = LoopedFunction(STATE, system._description, 1)
        return _looped_kernel(function, x, {"tau": tau}, shapes)
    results = _state_expressions(system, x, tau, extra)
    return Kernel(partial(unrolled_core, x, results), 1, _sizes(x), shapes)


def _is_looped(system: System) -> bool:
    return isinstance(system.execution, Looped) and not system._description.parts


def tangent_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    """Compile the derivative of the state equation along (q_dot, v_dot), for implicit methods.

    Pointers: q, v, u, t, p, q_dot, v_dot → rates of dq/dt and dv/dt.
    """
    x = state_symbols(system, len(held))
    tau, extra = force_expressions(system, x, inputs, held)
    along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in ("q", "v")}
    y, y_dot = ca.vertcat(x["q"], x["v"]), ca.vertcat(*along.values())
    shapes = [("qdot_dot", (x["q"].numel(),)), ("vdot_dot", (x["v"].numel(),))]
    if _is_looped(system):
        function = LoopedFunction(STATE, system._description, 1, is_tangent=True)
        forces = {"tau": tau, "tau_dot": ca.jtimes(tau, y, y_dot)}
        return _looped_kernel(function, x | along, forces, shapes)
    results = _state_expressions(system, x, tau, extra)
    rates = {f"{n}_dot": ca.jtimes(value, y, y_dot) for n, value in results.items()}
    return Kernel(partial(unrolled_core, x | along, rates), 1, _sizes(x | along), shapes)


def _sizes(x: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [(name, symbol.numel()) for name, symbol in x.items()]


def _state_expressions(system: System, x: dict[str, Any], tau: Any, extra: Any) -> dict[str, Any]:
    if system._description.parts:
        given = {k: x[k] for k in ("q", "v", "t", "p")} | {"tau": tau, "extra": extra}
        qdot, vdot = system.expressions("zdot", "vdot", **given)
        return {"qdot": qdot, "vdot": vdot}
    symbols, outputs = symbolic(STATE, system._description)
    f = ca.Function(
        "state", [symbols[n] for n in ("q", "v", "tau", "t", "p")], list(outputs.values())
    )
    qdot, vdot = f(x["q"], x["v"], tau, x["t"], x["p"])
    return {"qdot": qdot, "vdot": vdot}


def _looped_kernel(
    function: LoopedFunction, x: dict[str, Any], forces: dict[str, Any], shapes: Any
) -> Kernel:
    """Kernel that computes the forces first and then runs the loops."""
    n = sum(value.numel() for value in forces.values())
    kernel = function.kernel
    make = partial(_looped_with_inputs, function.program, x, forces)
    return Kernel(make, 1, _sizes(x), shapes, kernel.extras, kernel.work_size + n)


def _looped_with_inputs(
    program: Any, x: dict[str, Any], forces: dict[str, Any], lanes: int
) -> Core:
    inner, outer = looped_core(program, lanes), unrolled_core(x, forces, lanes)
    recursion, kind = program.recursion, element_type(lanes)
    lines, offset = [], 0
    for name, value in {**forces, "rest": ca.SX(0, 1)}.items():
        lines.append(f"%{name} = getelementptr {kind}, ptr %work, i64 {offset}")
        offset += value.numel()
    lines.append(f"call void @step_forces({_pointers((*x, *forces))})")
    named = (*recursion.inputs, "t", "p", *recursion.outputs, *program.extras[:-1], "rest")
    lines.append(f"call void @step_inner({_pointers(named)})")
    header = ", ".join(f"ptr noalias %{n}" for n in (*x, *recursion.outputs, *program.extras))
    body = "\n".join(lines)
    text = f"""{inner.text.replace("@core(", "@step_inner(")}
{outer.text.replace("@core(", "@step_forces(")}
define internal void @core({header}) #0 {{
{body}
ret void
}}
"""
    return Core(text, inner.functions | outer.functions, lanes)


def _pointers(names: Any) -> str:
    return ", ".join(f"ptr %{name}" for name in names)


def function_kernel(
    system: System, functions: Mapping[str, Any], held: Mapping[str, int], what: str
) -> Kernel:
    """Compile functions of time and state, such as events, with the inputs of the state kernel."""
    x = state_symbols(system, len(held))
    values = [traced_function(system, x, f, f"{what} {name!r}") for name, f in functions.items()]
    for name, value in zip(functions, values, strict=True):
        if value.numel() != 1:
            raise ModelError(f"{what} {name!r} gives {value.numel()} numbers instead of one.")
    shapes = [("values", (len(values),))]
    column = ca.vertcat(*values)
    return Kernel(partial(unrolled_core, x, {"values": column}), 1, _sizes(x), shapes)


def forces_kernel(system: System, inputs: Mapping[str, Any], held: Mapping[str, int]) -> Kernel:
    """Compile the generalized forces of the inputs, for results."""
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
