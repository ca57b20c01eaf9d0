"""A loop on the values of a compiled function, which it calls by its address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.module import Core
from jourdain.codegen.translator.loop_records import LoopRecord
from jourdain.codegen.translator.loops import loop_text

_WORD = 8  # bytes of a number


def call_table(function: Kernel) -> Any:
    """Integers that a core of `called_core` begins its table with: address, places of values."""
    ends = np.cumsum([0, *(size for _, (size,) in function.outputs)])
    return np.array([function.library.addresses["single"], *ends], dtype=np.int64)


def called_core(
    inputs: Sequence[str], found: Sequence[str], n_out: int, loop: Callable[..., int],
    record: type[LoopRecord] | None = None,
) -> Core:  # fmt: skip
    """Core for one system that calls a function and hands its values to a loop.

    Several loops share one function, however long that takes to compile, and the code is the same
    for functions of all sizes. Values begin as zeros: the function need not write those.

    Parameters
    ----------
    inputs, found : sequences of str
        Names of the inputs, which are those of the function, and of its values, which are kept at
        the beginning of the work memory.
    n_out : int
        Number of results.
    loop : function
        Loop on pointers (see `codegen.translator.loops`): inputs, found values, results, a table
        of integers, and work memory. It returns an integer that nobody looks at. The core has a
        table that begins with `call_table`; the loop gets what is behind.
    record : class of a record, optional
        Inputs and found values come as one record of this class, which has them in their order.
    """
    results = [f"result_{k}" for k in range(n_out)]
    pointers = [*inputs, *found]
    lines = _memory(pointers, found)
    lines.append("call void %function(ptr %pointers)")
    given = pointers if record is None else ["pointers"]
    kinds: list[Any] = ["p"] * len(pointers) if record is None else [record]
    lines.append(f"%status = call i64 @step_loop({_listed([*given, *results, 'rest', 'own'])})")
    signature = [*kinds, *["p"] * n_out, "a", "p"]
    return _core([*inputs, *results], lines, loop, signature)


def directed_core(
    inputs: Sequence[str], found: Sequence[str], n_out: int, loop: Callable[..., int]
) -> Core:
    """Core that calls a function once for each unit direction, and hands its values to a loop.

    Parameters
    ----------
    inputs, found, n_out
        As of `called_core`; the function has one more input, the direction, which comes last.
    loop : function
        Loop on pointers: found values, results, the number of the direction, and a table of
        integers, whose first one is the number of directions.
    """
    results = [f"result_{k}" for k in range(n_out)]
    lines = _memory([*inputs, "own", *found], found)
    lines += [
        "%n = load i64, ptr %rest, align 8",
        f"%size = mul i64 %n, {_WORD}",
        "call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 %size, i1 false)",
        "br label %next",
        "next:",
        "%k = phi i64 [ 0, %entry ], [ %more, %along ]",
        "%is_over = icmp eq i64 %k, %n",
        "br i1 %is_over, label %over, label %along",
        "along:",
        "%one = getelementptr double, ptr %own, i64 %k",
        "store double 1.0, ptr %one, align 8",
        "call void %function(ptr %pointers)",
        "store double 0.0, ptr %one, align 8",
        f"%status = call i64 @step_loop({_listed([*found, *results])}, i64 %k, ptr %rest)",
        "%more = add i64 %k, 1",
        "br label %next",
        "over:",
    ]
    signature = [*["p"] * (len(found) + n_out), "i", "a"]
    return _core([*inputs, *results], lines, loop, signature)


def _memory(pointers: Sequence[str], found: Sequence[str]) -> list[str]:
    """Places of values in the work memory, arguments of the function, and its address."""
    lines = []
    for k, name in enumerate([*found, "own"]):
        lines.append(f"%entry_{k} = getelementptr i64, ptr %table, i64 {k + 1}")
        lines.append(f"%offset_{k} = load i64, ptr %entry_{k}, align 8")
        lines.append(f"%{name} = getelementptr double, ptr %work, i64 %offset_{k}")
    lines.append(f"%bytes = mul i64 %offset_{len(found)}, {_WORD}")
    lines.append("call void @llvm.memset.p0.i64(ptr %work, i8 0, i64 %bytes, i1 false)")
    lines.append(f"%pointers = alloca [{len(pointers)} x ptr], align 8")
    for k, name in enumerate(pointers):
        lines.append(f"%place_{k} = getelementptr ptr, ptr %pointers, i64 {k}")
        lines.append(f"store ptr %{name}, ptr %place_{k}, align 8")
    lines.append("%address = load i64, ptr %table, align 8")
    lines.append("%function = inttoptr i64 %address to ptr")
    lines.append(f"%rest = getelementptr i64, ptr %table, i64 {len(found) + 2}")
    return lines


def _core(
    arguments: Sequence[str], lines: Sequence[str], loop: Callable[..., int], signature: list[Any]
) -> Core:
    # The module has attributes of its own, which the last line of the loop would repeat.
    loop_lines = loop_text(loop, signature, "step_loop").rsplit("\n", 1)[0]
    header, body = _listed([*arguments, "table", "work"]), "\n".join(lines)
    core = f"define internal void @core({header}) #0 {{\nentry:\n{body}\nret void\n}}\n"
    declared = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    return Core("\n".join([declared, loop_lines, core]), frozenset(), 1)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"ptr %{name}" for name in names)
