"""An expression graph followed by a loop on its values, as one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jourdain.codegen.loops import loop_text
from jourdain.codegen.module import Core
from jourdain.codegen.unrolled import unrolled_core


def followed_core(
    inputs: Mapping[str, Any], found: Mapping[str, Any], n_out: int, loop: Callable[..., int]
) -> Core:
    """Core for one system that evaluates a graph and hands its values to a loop.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Columns of symbols.
    found : mapping of str to casadi.SX
        Columns of expressions, kept at the beginning of the work memory.
    n_out : int
        Number of results.
    loop : function
        Loop on pointers (see `codegen.loops`): inputs, found values, results, a table of integers,
        and work memory. It returns an integer that nobody looks at.
    """
    graph = unrolled_core(inputs, found, 1)
    results = [f"result_{k}" for k in range(n_out)]
    lines, offset = [], 0
    for name, value in found.items():
        lines.append(f"%{name} = getelementptr double, ptr %work, i64 {offset}")
        offset += value.numel()
    lines.append(f"%own = getelementptr double, ptr %work, i64 {offset}")
    lines.append(f"call void @step_core({_listed([*inputs, *found])})")
    arguments = [*inputs, *found, *results, "table", "own"]
    lines.append(f"%status = call i64 @step_loop({_listed(arguments)})")
    signature = "p" * (len(arguments) - 2) + "ap"
    # The module has attributes of its own, which the last line of the loop would repeat.
    loop_lines = loop_text(loop, signature, "step_loop").rsplit("\n", 1)[0]
    header = _listed([*inputs, *results, "table", "work"])
    body = "\n".join(lines)
    core = f"define internal void @core({header}) #0 {{\nentry:\n{body}\nret void\n}}\n"
    text = graph.text.replace("@core(", "@step_core(")
    return Core("\n".join([text, loop_lines, core]), graph.functions, 1)


def _listed(names: list[str]) -> str:
    return ", ".join(f"ptr %{name}" for name in names)
