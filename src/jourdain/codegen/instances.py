"""Small functions compiled once per kind and run over a table of instances.

An instance says where in the arrays its arguments and results lie, one offset for each pointer of
its kind. The table begins with the number of instances and the first row of every kind, so that
one machine code serves tables of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.lower import Place, element_type, lower
from jourdain.codegen.module import Core


@dataclass
class Kind:
    """A function of some numbers of some arrays, and where its instances lie.

    Parameters
    ----------
    reads : list of (casadi.SX, Place)
        Symbols and where they are read, relative to the pointers of the kind.
    writes : list of (casadi.SX, Place)
        Expressions and where they are written.
    arrays : mapping of str to str
        Pointer → array that it points into.
    rows : list of tuple of int
        Per instance: offsets of the pointers, in the order of ``arrays``.
    """

    reads: list[tuple[Any, Place]]
    writes: list[tuple[Any, Place]]
    arrays: Mapping[str, str]
    rows: list[tuple[int, ...]] = field(default_factory=list)

    def text(self, name: str, lanes: int = 1) -> tuple[str, set[str]]:
        """Function of the pointers as IR."""
        symbols = ca.vertcat(*(s for s, _ in self.reads)) if self.reads else ca.SX(0, 1)
        values = ca.densify(ca.vertcat(*(x for x, _ in self.writes)))
        graph = ca.Function("kind", [symbols], [values])
        places = [p for _, p in self.reads], [p for _, p in self.writes]
        return lower(name, graph, *places, list(self.arrays), lanes)

    def looped(
        self, c: int, before: str, uniform: Collection[str], lanes: int
    ) -> tuple[str, set[str], list[str]]:
        """Function ``@step_c_0``, what it calls, and the lines that run it over the table."""
        text, used = self.text(f"step_{c}_0", lanes)
        return text, used, loop_lines(c, self.arrays, before, uniform, lanes)


Lies = Mapping[str, tuple[str, int]]  # pointer → array and offset


class Kinds:
    """Kinds by keys, with instances gathered as they come."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Kind] = {}

    def add(self, key: Hashable, make: Callable[[], tuple[Any, Any]], lies: Lies) -> None:
        """Add an instance.

        Parameters
        ----------
        key : hashable
            Equal for instances that share code.
        make : function
            Gives (symbol, pointer, offset) of what is read and (expression, pointer, offset) of
            what is written; asked for the first instance of a kind.
        lies : mapping
            Where the pointers of this instance point to.
        """
        if key not in self._found:
            self._found[key] = _kind(*make(), lies)
        kind = self._found[key]
        kind.rows.append(tuple(lies[pointer][1] for pointer in kind.arrays))

    @property
    def all(self) -> list[Kind]:
        """All kinds, in the order of their first instances."""
        return list(self._found.values())


def _kind(reads: Any, writes: Any, lies: Lies) -> Kind:
    used = {s.element_hash() for s in ca.symvar(ca.vertcat(ca.SX(0), *(x for x, _, _ in writes)))}
    read = [(s, Place(p, k)) for s, p, k in reads if s.element_hash() in used]
    wrote = [(x, Place(p, k)) for x, p, k in writes]
    pointers = dict.fromkeys(place.pointer for _, place in [*read, *wrote])
    return Kind(read, wrote, {pointer: lies[pointer][0] for pointer in pointers})


class Instances:
    """Kinds that are run one after the other, with their table."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = [kind for kind in kinds if kind.writes and kind.rows]
        self.arrays = tuple(dict.fromkeys(a for kind in self.kinds for a in kind.arrays.values()))

    @property
    def core(self) -> Any:
        """Function that gives the core of pointers: arrays, table."""
        return partial(_core, self.kinds, self.arrays)

    @property
    def table(self) -> Any:
        """Offsets of all instances."""
        return table_of(self.kinds)


def table_of(kinds: Sequence[Any]) -> Any:
    """Number of instances and place of the first row for each kind, then the rows of all."""
    head, rows, start = [], [], 2 * len(kinds)
    for kind in kinds:
        head += [len(kind.rows), start]
        rows.append(np.array(kind.rows, dtype=np.int64).reshape(-1))
        start += rows[-1].size
    return np.concatenate([np.array(head, dtype=np.int64), *rows])


def _core(kinds: Sequence[Kind], arrays: Sequence[str], lanes: int) -> Core:
    text, functions = instances_text(kinds, arrays, "core", frozenset(), 1)
    return Core(text, frozenset(functions), lanes)


def instances_text(
    kinds: Sequence[Any], arrays: Sequence[str], name: str, uniform: Collection[str], lanes: int
) -> tuple[str, set[str]]:
    """Function that runs kinds one after the other, with its pointers: arrays, table.

    Parameters
    ----------
    kinds : sequence of Kind
        What is run.
    arrays : sequence of str
        Names of the arrays.
    name : str
        Name of the function.
    uniform : collection of str
        Arrays with one number for all lanes.
    lanes : int
        Systems at a time.
    """
    parts, lines, functions = [], ["entry:"], set[str]()
    for c, kind in enumerate(kinds):
        before = "entry" if c == 0 else f"done{c - 1}"
        text, used, loop = kind.looped(c, before, uniform, lanes)
        parts.append(text)
        functions |= used
        lines += loop
    header = ", ".join(f"ptr %{array}" for array in (*arrays, "table"))
    body = "\n".join([*lines, "ret void"])
    parts.append(f"define internal void @{name}({header}) #0 {{\n{body}\n}}\n")
    return "\n".join(parts), functions


def loop_lines(
    c: int, arrays: Mapping[str, str], before: str, uniform: Collection[str], lanes: int
) -> list[str]:
    """Loop over the instances of kind c, which calls ``@step_c_0`` with its pointers."""
    return [*loop_head(c), *loop_body(c, arrays, before, uniform, lanes)]


def loop_body(
    c: int, arrays: Mapping[str, str], before: str, uniform: Collection[str], lanes: int
) -> list[str]:
    """Loop over ``%nc`` instances of kind c from place ``%sc`` of the table on."""
    types = ["double" if a in uniform else element_type(lanes) for a in arrays.values()]
    lines = [
        f"br label %loop{c}",
        f"loop{c}:",
        f"%k{c} = phi i64 [ 0, %{before} ], [ %next{c}, %loop{c} ]",
        f"%r{c} = mul i64 %k{c}, {len(arrays)}",
        f"%b{c} = add i64 %r{c}, %s{c}",
        f"%row{c} = getelementptr i64, ptr %table, i64 %b{c}",
    ]
    for j, (array, of) in enumerate(zip(arrays.values(), types, strict=True)):
        lines.append(f"%oa{c}_{j} = getelementptr i64, ptr %row{c}, i64 {j}")
        lines.append(f"%o{c}_{j} = load i64, ptr %oa{c}_{j}, align 8")
        lines.append(f"%p{c}_{j} = getelementptr {of}, ptr %{array}, i64 %o{c}_{j}")
    pointers = ", ".join(f"ptr %p{c}_{j}" for j in range(len(arrays)))
    return [
        *lines,
        f"call void @step_{c}_0({pointers})",
        f"%next{c} = add i64 %k{c}, 1",
        f"%last{c} = icmp eq i64 %next{c}, %n{c}",
        f"br i1 %last{c}, label %done{c}, label %loop{c}",
        f"done{c}:",
    ]


def loop_head(c: int) -> list[str]:
    """Number of instances of kind c, and place of its first row."""
    return [
        f"%na{c} = getelementptr i64, ptr %table, i64 {2 * c}",
        f"%n{c} = load i64, ptr %na{c}, align 8",
        f"%sa{c} = getelementptr i64, ptr %table, i64 {2 * c + 1}",
        f"%s{c} = load i64, ptr %sa{c}, align 8",
    ]
