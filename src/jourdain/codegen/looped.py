"""Recursions as loops: one compiled step per sweep and joint structure, driven over the links.

The driver reads a table of integers per link, so one module serves all trees made of the same
structures.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from jourdain.codegen.lower import Place, element_type, lower
from jourdain.codegen.module import Core
from jourdain.codegen.tracing import Program
from jourdain.equations.recursion.sweeps import INPUTS

TABLE_COLUMNS = ("structure", "inboard", "q", "v", "e", "constants", "body")


def looped_core(program: Program, lanes: int) -> Core:
    """Core function that drives the steps over all links."""
    recursion = program.recursion
    inputs = (*recursion.inputs, *(["fresh"] if recursion.n_setup else []), "t", "p")
    parts, functions = [], set()
    step_parameters = _step_parameters(program)
    for number in range(len(recursion.sweeps)):
        for s, t in enumerate(program.traces):
            reads, writes = t.reads[number], t.writes[number]
            graph = ca.Function(
                "step",
                [ca.vertcat(*(symbol for symbol, _ in reads))],
                [ca.vertcat(*(value for value, _ in writes))],
            )
            text, used = lower(
                f"step_{number}_{s}",
                graph,
                [p for _, p in reads],
                [p for _, p in writes],
                step_parameters,
                lanes,
            )
            parts.append(text)
            functions |= used
        parts.append(_sweep_text(program, number, lanes))
    parts.append(_copy_text(program, lanes))
    if program.drives is not None:
        text, used = _drives_text(program, lanes)
        parts.append(text)
        functions |= used
    parts.append(_core_text(program, inputs, lanes))
    return Core("\n".join(parts), frozenset(functions), lanes)


def _step_parameters(program: Program) -> list[str]:
    own = ["own", "inboard", "constants", "t", "e", "e1", "e2"]
    return [*own, *program.recursion.inputs, *program.recursion.outputs]


def _sweep_text(program: Program, number: int, lanes: int) -> str:
    recursion = program.recursion
    kind = element_type(lanes)
    parameters = _step_parameters(program)
    outward = recursion.sweeps[number].is_outward
    columns = len(TABLE_COLUMNS)
    lines = ["%rows = getelementptr i64, ptr %table, i64 1", "%n = load i64, ptr %table, align 8"]
    lines += ["br label %loop", "loop:"]
    first, change = ("1", 1) if outward else ("%n", -1)
    lines.append(f"%k = phi i64 [ {first}, %entry ], [ %next, %latch ]")
    lines += ["%k0 = sub i64 %k, 1", f"%r0 = mul i64 %k0, {columns}"]
    for c, name in enumerate(TABLE_COLUMNS):
        lines.append(f"%ci_{name} = add i64 %r0, {c}")
        lines.append(f"%cp_{name} = getelementptr i64, ptr %rows, i64 %ci_{name}")
        lines.append(f"%c_{name} = load i64, ptr %cp_{name}, align 8")
    for name, index in (("own", "%k"), ("inboard", "%c_inboard")):
        lines.append(f"%so_{name} = mul i64 {index}, {program.slot_size}")
        lines.append(f"%a_{name} = getelementptr {kind}, ptr %slots, i64 %so_{name}")
    lines.append("%a_constants = getelementptr double, ptr %constants, i64 %c_constants")
    for name in ("e", "e1", "e2", *recursion.inputs):
        by, count = INPUTS[name.removesuffix("_dot")]
        lines.append(f"%w_{name} = mul i64 %c_{by}, {count}")
        lines.append(f"%a_{name} = getelementptr {kind}, ptr %{name}, i64 %w_{name}")
    for name, (listed, width) in recursion.outputs.items():
        lines.append(f"%w_{name} = mul i64 %c_{listed}, {width}")
        lines.append(f"%a_{name} = getelementptr {kind}, ptr %{name}, i64 %w_{name}")
    arguments = ", ".join("ptr %t" if p == "t" else f"ptr %a_{p}" for p in parameters)
    cases = " ".join(f"i64 {s}, label %case{s}" for s in range(len(program.traces)))
    lines.append(f"switch i64 %c_structure, label %latch [ {cases} ]")
    for s in range(len(program.traces)):
        lines += [f"case{s}:", f"call void @step_{number}_{s}({arguments})", "br label %latch"]
    end = "%n" if outward else "1"
    lines += ["latch:", f"%next = add i64 %k, {change}", f"%last = icmp eq i64 %k, {end}"]
    lines += ["br i1 %last, label %finish, label %loop", "finish:", "ret void"]
    header = ["slots", "constants", "table", "t", "e", "e1", "e2", *recursion.inputs]
    listed = ", ".join(f"ptr %{p}" for p in (*header, *recursion.outputs))
    body = "\n".join(lines)
    return f"define internal void @sweep_{number}({listed}) #0 {{\nentry:\n{body}\n}}\n"


def _copy_text(program: Program, lanes: int) -> str:
    """Set the slot of the world: its quantities, and zeros behind them."""
    size, slot = program.shared_size, program.slot_size
    x = ca.SX.sym("x", size)
    graph = ca.Function("ground", [x], [ca.vertcat(x, ca.SX.zeros(slot - size))])
    reads = [Place("ground", k, is_uniform=True) for k in range(size)]
    writes = [Place("slots", k) for k in range(slot)]
    return lower("ground", graph, reads, writes, ["ground", "slots"], lanes)[0]


def _drives_text(program: Program, lanes: int) -> tuple[str, set[str]]:
    drives = program.drives
    t, p = ca.SX.sym("t"), ca.SX.sym("p", drives.size1_in(1))
    rates = ca.densify(ca.vertcat(*drives(t, p)))
    graph = ca.Function("drives", [ca.vertcat(t, p)], [rates])
    reads = [Place("t", 0), *(Place("p", k) for k in range(p.numel()))]
    writes = [Place("e", k) for k in range(3 * program.n_e)]
    return lower("drives", graph, reads, writes, ["t", "p", "e"], lanes)


def _core_text(program: Program, inputs: Sequence[str], lanes: int) -> str:
    recursion, kind, n_e = program.recursion, element_type(lanes), program.n_e
    lines = []
    for k, name in enumerate(("e", "e1", "e2", "slots")):
        lines.append(f"%{name} = getelementptr {kind}, ptr %work, i64 {k * n_e}")
    lines.append("call void @ground(ptr %ground, ptr %slots)")
    if program.drives is not None:
        lines.append("call void @drives(ptr %t, ptr %p, ptr %e)")
    names = ["slots", "constants", "table", "t", "e", "e1", "e2", *recursion.inputs]
    listed = ", ".join(f"ptr %{p}" for p in (*names, *recursion.outputs))
    calls = [f"call void @sweep_{k}({listed})" for k in range(len(recursion.sweeps))]
    if recursion.n_setup:
        lines += ["%is_fresh_number = load double, ptr %fresh, align 8"]
        lines += ["%is_fresh = fcmp une double %is_fresh_number, 0.0"]
        lines += ["br i1 %is_fresh, label %setup, label %rest", "setup:"]
        calls[recursion.n_setup : recursion.n_setup] = ["br label %rest", "rest:"]
    lines += calls
    header = ", ".join(f"ptr noalias %{p}" for p in (*inputs, *recursion.outputs, *program.extras))
    body = "\n".join(lines)
    return f"define internal void @core({header}) #0 {{\n{body}\nret void\n}}\n"
