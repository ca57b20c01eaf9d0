"""Recursions as loops: one compiled step per sweep and joint structure, driven over the links.

The steps of a `Recursion` are traced once per structure on symbols of a single link. Quantities
that links exchange lie at fixed offsets of a slot of work memory; what a later sweep reads again
is stored behind them. Entries of stored quantities that are constants are never stored.
The driver reads a table of integers per link, so one module serves all trees made of the same
structures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.lower import Place, element_type, lower
from jourdain.codegen.module import Core
from jourdain.equations.links import CONSTANT_SHAPES, Link
from jourdain.equations.recursion import INPUTS, Recursion

TABLE_COLUMNS = ("structure", "inboard", "q", "v", "e", "constants", "body")


@dataclass
class _Trace:
    """Symbols read and expressions written by the steps of one structure."""

    link: Link
    inputs: tuple[str, ...]
    shared: Mapping[str, tuple[int, tuple[int, int]]]  # name -> offset, shape
    size: int  # of the slot so far
    reads: list[list[tuple[Any, Place]]] = field(default_factory=list)
    writes: list[list[tuple[Any, Place]]] = field(default_factory=list)
    assigned: dict[str, tuple[int, Any]] = field(default_factory=dict)  # name -> sweep, value

    def symbol(self, name: str, shape: tuple[int, int], place: Place) -> Any:
        """Symbol matrix whose entries lie one after the other, column by column."""
        symbol = ca.SX.sym(name, *shape)
        for k in range(symbol.numel()):
            entry = Place(place.pointer, place.offset + k, place.is_uniform)
            self.reads[-1].append((symbol.nz[k], entry))
        return symbol

    def write(self, sweep: int, value: Any, place: Place) -> None:
        """Store a matrix column by column."""
        dense = ca.densify(ca.SX(value))
        for k in range(dense.numel()):
            self.writes[sweep].append((dense.nz[k], Place(place.pointer, place.offset + k)))

    def stored(self, name: str) -> Any:
        """Value of an earlier sweep, read back from the slot but for its constant entries."""
        sweep, value = self.assigned[name]
        dense = ca.densify(ca.SX(value))
        entries = []
        for k in range(dense.numel()):
            entry = dense.nz[k]
            if not entry.is_constant():
                self.write(sweep, entry, Place("own", self.size))
                entry = self.symbol(name, (1, 1), Place("own", self.size))
                self.size += 1
            entries.append(entry)
        return ca.reshape(ca.vertcat(*entries), *dense.shape) if entries else dense


class _Quantities:
    """Attributes that become symbols when read and are remembered when written."""

    def __init__(self, trace: _Trace) -> None:
        vars(self).update(_trace=trace, _values={}, _written=[])

    def __getattr__(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._symbol(self._trace, name)
        return self._values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._values[name] = value
        self._written.append(name)

    def written(self) -> list[tuple[str, Any]]:
        """Names and final values of what was written."""
        return [(name, self._values[name]) for name in dict.fromkeys(self._written)]


class _Own(_Quantities):
    """Quantities of the link itself."""

    def _symbol(self, trace: _Trace, name: str) -> Any:
        link = trace.link
        if name in trace.shared:
            offset, shape = trace.shared[name]
            return trace.symbol(name, shape, Place("own", offset))
        if name in trace.assigned:
            return trace.stored(name)
        if name in CONSTANT_SHAPES or name == "slots":
            return trace.symbol(name, *_constant_place(name, link))
        if name == "t":
            return trace.symbol(name, (1, 1), Place("t", 0))
        if name in ("e", "e1", "e2") or name in trace.inputs:
            listed, width = INPUTS[name]
            return trace.symbol(name, (link.count(listed) * width, 1), Place(name, 0))
        raise AttributeError(name)


class _Inboard(_Quantities):
    """Quantities of the inboard link: only what links exchange."""

    def _symbol(self, trace: _Trace, name: str) -> Any:
        offset, shape = trace.shared[name]
        return trace.symbol(name, shape, Place("inboard", offset))


def _constant_place(name: str, link: Link) -> tuple[tuple[int, int], Place]:
    offset = 0
    for other, shape in CONSTANT_SHAPES.items():
        if other == name:
            return shape, Place("constants", offset, is_uniform=True)
        offset += shape[0] * shape[1]
    return (len(link.motion.slots), 1), Place("constants", offset, is_uniform=True)


@dataclass(frozen=True)
class Program:
    """A recursion traced for a set of structures.

    Parameters
    ----------
    recursion : Recursion
        The algorithm.
    links : sequence of Link
        One representative per structure.
    n_e : int
        Number of driven coordinates; their values lie in front of the work memory.
    """

    recursion: Recursion
    traces: tuple[_Trace, ...]
    shared_size: int
    slot_size: int
    n_e: int
    drives: Any  # casadi function (t, p) -> (e, e1, e2), or None

    @property
    def extras(self) -> tuple[str, ...]:
        """Pointer parameters of the core behind inputs and outputs."""
        return ("constants", "ground", "table", "work")

    def work_size(self, n_links: int) -> int:
        """Numbers of work memory per system."""
        return 3 * self.n_e + (n_links + 1) * self.slot_size


def trace(recursion: Recursion, links: Sequence[Link], n_e: int, drives: Any) -> Program:
    """Trace the steps of a recursion, once per structure."""
    ground = recursion.ground(np.zeros(3))
    shared, size = {}, 0
    for name, value in ground.items():
        array = np.asarray(value)
        shape = (array.shape[0], array.shape[1]) if array.ndim == 2 else (array.size, 1)  # noqa: PLR2004
        shared[name], size = (size, shape), size + array.size
    traces = tuple(_trace_link(recursion, link, shared, size) for link in links)
    slot = max(t.size for t in traces)
    return Program(recursion, traces, size, slot, n_e, drives)


def _trace_link(recursion: Recursion, link: Link, shared: Any, size: int) -> _Trace:
    t = _Trace(link, recursion.inputs, shared, size)
    for number, sweep in enumerate(recursion.sweeps):
        t.reads.append([])
        t.writes.append([])
        own, inboard = _Own(t), _Inboard(t)
        sweep.step(link, own, inboard)
        for name, value in own.written():
            if name in shared:
                t.write(number, value, Place("own", shared[name][0]))
            else:
                t.assigned[name] = number, value
        for name, value in inboard.written():
            t.write(number, value, Place("inboard", shared[name][0]))
    for name in recursion.outputs:
        number, value = t.assigned[name]
        t.write(number, value, Place(name, 0))
    return t


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
                {"cse": True},
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
    parts.append(_copy_text(program.shared_size, lanes))
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
        listed, width = INPUTS[name]
        lines.append(f"%w_{name} = mul i64 %c_{listed}, {width}")
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


def _copy_text(size: int, lanes: int) -> str:
    x = ca.SX.sym("x", size)
    graph = ca.Function("ground", [x], [x])
    reads = [Place("ground", k, is_uniform=True) for k in range(size)]
    writes = [Place("slots", k) for k in range(size)]
    return lower("ground", graph, reads, writes, ["ground", "slots"], lanes)[0]


def _drives_text(program: Program, lanes: int) -> tuple[str, set[str]]:
    drives = program.drives
    t, p = ca.SX.sym("t"), ca.SX.sym("p", drives.size1_in(1))
    graph = ca.Function("drives", [ca.vertcat(t, p)], [ca.vertcat(*drives(t, p))], {"cse": True})
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
