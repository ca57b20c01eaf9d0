"""Kinds that run alternately, as the steps of an elimination do: one function each, in any order.

The order is a table of runs: which kind, how many instances, and the first of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jourdain.codegen.instances import loop_body
from jourdain.codegen.lower import written
from jourdain.codegen.rolling.kinds import ListedKind

_COLUMNS = 3  # of the table of runs


@dataclass(frozen=True)
class CalledKind:
    """Kind with a function ``@step_c_run`` that runs some of its instances; see `instances.Kind`.

    Parameters
    ----------
    kind : ListedKind
        What is done, and where.
    """

    kind: ListedKind

    @property
    def arrays(self) -> Mapping[str, str]:
        """Pointer → array that it points into."""
        return self.kind.arrays

    @property
    def rows(self) -> Any:
        """Offsets of the pointers of each instance."""
        return self.kind.rows

    def looped(
        self, c: int, before: str, uniform: Collection[str], lanes: int
    ) -> tuple[str, set[str], list[str]]:
        """Functions of kind c, and no lines: `Runs` call it."""
        own, name = self.kind, f"step_{c}_0"
        text, used = written(name, own.listing, own.reads, own.writes, list(self.arrays), lanes)
        header = ", ".join(f"ptr %{array}" for array in (*self._whole, "table"))
        body = "\n".join(loop_body(c, self.arrays, "entry", uniform, lanes))
        run = f"define internal void @step_{c}_run({header}, i64 %n{c}, i64 %s{c}) #0 {{\nentry:\n"
        return f"{text}\n{run}{body}\nret void\n}}\n", used, [f"br label %done{c}", f"done{c}:"]

    @property
    def _whole(self) -> list[str]:
        """Arrays, each once."""
        return list(dict.fromkeys(self.arrays.values()))

    def call(self, c: int, run: int) -> list[str]:
        """Lines of the run whose number of instances is ``%counti`` and first ``%firsti``."""
        given = ", ".join(f"ptr %{array}" for array in (*self._whole, "table"))
        return [
            f"%sa{run}_{c} = getelementptr i64, ptr %table, i64 {2 * c + 1}",
            f"%ss{run}_{c} = load i64, ptr %sa{run}_{c}, align 8",
            f"%sr{run}_{c} = mul i64 %first{run}, {len(self.arrays)}",
            f"%sp{run}_{c} = add i64 %ss{run}_{c}, %sr{run}_{c}",
            f"call void @step_{c}_run({given}, i64 %count{run}, i64 %sp{run}_{c})",
        ]


@dataclass(frozen=True)
class Runs:
    """Runs of instances of some kinds, one after the other; see `instances.Kind`.

    Parameters
    ----------
    kinds : sequence of CalledKind
        The kinds, which are the first of all in their list.
    rows : (n, 3) array of int
        Per run: number of the kind, number of instances, first of them.
    """

    kinds: Sequence[CalledKind]
    rows: Any

    def looped(
        self, c: int, before: str, uniform: Collection[str], lanes: int
    ) -> tuple[str, set[str], list[str]]:
        """No function, and the lines that look up which kind is next."""
        cases = " ".join(f"i64 {k}, label %case{c}_{k}" for k in range(len(self.kinds)))
        lines = [
            f"%sa{c} = getelementptr i64, ptr %table, i64 {2 * c + 1}",
            f"%s{c} = load i64, ptr %sa{c}, align 8",
            f"%na{c} = getelementptr i64, ptr %table, i64 {2 * c}",
            f"%n{c} = load i64, ptr %na{c}, align 8",
            f"br label %loop{c}",
            f"loop{c}:",
            f"%k{c} = phi i64 [ 0, %{before} ], [ %next{c}, %end{c} ]",
            f"%r{c} = mul i64 %k{c}, {_COLUMNS}",
            f"%b{c} = add i64 %r{c}, %s{c}",
        ]
        for j, name in enumerate(("which", "count", "first")):
            lines += [
                f"%o{c}_{j} = add i64 %b{c}, {j}",
                f"%p{c}_{j} = getelementptr i64, ptr %table, i64 %o{c}_{j}",
                f"%{name}{c} = load i64, ptr %p{c}_{j}, align 8",
            ]
        lines.append(f"switch i64 %which{c}, label %end{c} [ {cases} ]")
        for k, kind in enumerate(self.kinds):
            lines += [f"case{c}_{k}:", *kind.call(k, c), f"br label %end{c}"]
        lines += [
            f"end{c}:",
            f"%next{c} = add i64 %k{c}, 1",
            f"%more{c} = icmp slt i64 %next{c}, %n{c}",
            f"br i1 %more{c}, label %loop{c}, label %done{c}",
            f"done{c}:",
        ]
        return "", set(), lines
