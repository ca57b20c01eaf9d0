"""Steps of a recursion traced on symbols of a single link, once per joint structure.

Quantities that links exchange lie at fixed offsets of a slot of work memory; what a later sweep
reads again is stored behind them. Entries of stored quantities that are constants are never
stored: a hinge does not load and store its axis.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.lower import Place
from jourdain.equations.recursion.links import FOLDED, Link
from jourdain.equations.recursion.sweeps import INPUTS, Recursion


@dataclass
class _Trace:
    """Symbols read and expressions written by the steps of one structure."""

    link: Link
    is_folded: bool  # whether zeros and ones of the placements are part of the code
    inputs: tuple[str, ...]
    shared: Mapping[str, tuple[int, tuple[int, int]]]  # name -> offset, shape
    inboard: Mapping[str, tuple[int, tuple[int, int]]]  # the same of the inboard link
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
        if name in link.constant_shapes:
            value = trace.symbol(name, *_constant_place(name, link))
            return _folded(value, link, name) if trace.is_folded else value
        if name == "t":
            return trace.symbol(name, (1, 1), Place("t", 0))
        if name in ("e", "e1", "e2") or name in trace.inputs:
            listed, width = INPUTS[name]
            return trace.symbol(name, (link.reads(listed) * width, 1), Place(name, 0))
        raise AttributeError(name)


class _Inboard(_Quantities):
    """Quantities of the inboard link: only what links exchange."""

    def _symbol(self, trace: _Trace, name: str) -> Any:
        offset, shape = trace.inboard[name]
        return trace.symbol(name, shape, Place("inboard", offset))


def _folded(value: Any, link: Link, name: str) -> Any:
    """Symbols of a placement with its entries 0 and ±1 in their place."""
    if name not in FOLDED:
        return value
    known = link.pattern[FOLDED.index(name)]
    entries = [value.nz[k] if x is None else ca.SX(x) for k, x in enumerate(known)]
    return ca.reshape(ca.vertcat(*entries), *value.shape) if entries else value


def _constant_place(name: str, link: Link) -> tuple[tuple[int, int], Place]:
    shapes, offset = link.constant_shapes, 0
    for other in shapes:
        if other == name:
            break
        offset += shapes[other][0] * shapes[other][1]
    return shapes[name], Place("constants", offset, is_uniform=True)


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


def trace(
    recursion: Recursion, links: Sequence[Link], n_e: int, drives: Any, *, is_folded: bool = False
) -> Program:
    """Trace the steps of a recursion, once per structure.

    With ``is_folded`` the zeros and ones of the placements of the given links become part of the
    code, which then serves links of the same pattern only.
    """
    ground = recursion.ground(np.zeros(3))
    shared, size = {}, 0
    for name, value in ground.items():
        array = np.asarray(value)
        shape = (array.shape[0], array.shape[1]) if array.ndim == 2 else (array.size, 1)
        shared[name], size = (size, shape), size + array.size
    elastic, end = {}, size
    for name in recursion.exchanged:
        sizes = [x[0] * x[1] for link in links if (x := link.exchanged_shape(name)) is not None]
        elastic[name], end = end, end + max(sizes, default=0)
    traces = tuple(_trace_link(recursion, link, shared, elastic, end, is_folded) for link in links)
    slot = max(t.size for t in traces)
    return Program(recursion, traces, size, slot, n_e, drives)


def tangent(program: Program) -> Program:
    """Differentiate a program along a direction of its inputs.

    The inputs are followed by their rates ``q_dot``, … and the outputs replaced by theirs. Each
    step is differentiated by itself; the rates of what a slot holds lie behind it.
    """
    recursion, slot = program.recursion, program.slot_size
    active = {"own", "inboard", *recursion.inputs}

    def rate(place: Place) -> Place:
        if place.pointer in ("own", "inboard"):
            return Place(place.pointer, place.offset + slot)
        return Place(place.pointer + "_dot", place.offset)

    traces = []
    for t in program.traces:
        twin = copy.copy(t)
        twin.reads, twin.writes = [], []
        for reads, writes in zip(t.reads, t.writes, strict=True):
            moving = [(symbol, place) for symbol, place in reads if place.pointer in active]
            rates = [(ca.SX.sym("dot"), rate(place)) for _, place in moving]
            along = [ca.vertcat(*(x for x, _ in pairs)) for pairs in (moving, rates)]
            values = ca.vertcat(*(value for value, _ in writes))
            values_dot = ca.densify(ca.jtimes(values, *along))
            kept = [(x, place) for x, place in writes if place.pointer in ("own", "inboard")]
            twin.reads.append([*reads, *rates])
            twin.writes.append(
                kept + [(values_dot.nz[k], rate(place)) for k, (_, place) in enumerate(writes)]
            )
        traces.append(twin)
    twin_recursion = dataclasses.replace(
        recursion,
        name=recursion.name + "_tangent",
        inputs=(*recursion.inputs, *(f"{name}_dot" for name in recursion.inputs)),
        outputs={f"{name}_dot": listed for name, listed in recursion.outputs.items()},
    )
    return dataclasses.replace(
        program, recursion=twin_recursion, traces=tuple(traces), slot_size=2 * slot
    )


def _trace_link(
    recursion: Recursion, link: Link, ground: Any, elastic: Any, size: int, is_folded: bool
) -> _Trace:
    more = {name: (start, link.exchanged_shape(name)) for name, start in elastic.items()}
    shared = ground | (more if link.block is not None else {})
    inboard_shared = ground | (more if link.is_section else {})
    t = _Trace(link, is_folded, recursion.inputs, shared, inboard_shared, size)
    for number, sweep in enumerate(recursion.sweeps):
        t.reads.append([])
        t.writes.append([])
        own, inboard = _Own(t), _Inboard(t)
        sweep.step(link, own, inboard)
        for name, value in own.written():
            t.assigned[name] = number, value
            if name in shared:
                t.write(number, value, Place("own", shared[name][0]))
        for name, value in inboard.written():
            t.write(number, value, Place("inboard", inboard_shared[name][0]))
    for name in recursion.outputs:
        number, value = t.assigned[name]
        t.write(number, value, Place(name, 0))
    return t
