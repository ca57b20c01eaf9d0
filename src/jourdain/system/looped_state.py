"""State equations as loops over the links, with forces in straight-line code between them.

Stages that follow each other in one function: motion of the bodies (if a connection looks at them),
forces of inputs and connections, then accelerations. What stages exchange lies in work memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.looped import looped_core
from jourdain.codegen.lower import element_type
from jourdain.codegen.module import Core
from jourdain.codegen.unrolled import unrolled_core
from jourdain.system.execution import LoopedFunction

_OWN_NAMES = re.compile(r"@(core|step_\d+_\d+|sweep_\d+|ground|drives)\(")


@dataclass(frozen=True)
class Stage:
    """One part of a function: its code for a number of lanes, and what its pointers are called.

    Parameters
    ----------
    core : function
        Gives the code.
    pointers : sequence of str
        Names of its pointers: inputs, outputs, extras or blocks of the whole function.
    extras : mapping of str to array
        Constant arrays it brings, by name.
    blocks : mapping of str to int
        Work memory it brings, by name, with sizes.
    """

    core: Callable[[int], Core]
    pointers: Sequence[str]
    extras: Mapping[str, Any]
    blocks: Mapping[str, int]


def loop_stage(function: LoopedFunction, prefix: str) -> Stage:
    """Loops over the links; pointers are the inputs and outputs of the recursion by name."""
    program, kernel = function.program, function.kernel
    names = [f"{prefix}_{name}" for name in program.extras]
    recursion = program.recursion
    pointers = (*recursion.inputs, "t", "p", *recursion.outputs, *names)
    extras = dict(zip(names[:-1], kernel.extras, strict=True))
    return Stage(partial(looped_core, program), pointers, extras, {names[-1]: kernel.work_size})


def straight_stage(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Stage:
    """Expressions in straight-line code; what it gives lies in blocks of these names."""
    sizes = {name: int(value.numel()) for name, value in outputs.items()}
    make = partial(unrolled_core, inputs, outputs)
    return Stage(make, (*inputs, *outputs), {}, sizes)


def chained(
    inputs: Mapping[str, Any],
    outputs: Sequence[tuple[str, int]],
    stages: Sequence[Stage],
    places: Mapping[str, tuple[str, int]],
) -> Kernel:
    """Kernel of stages one after the other.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Inputs with their symbols.
    outputs : sequence of (str, int)
        Names and sizes of the results.
    stages : sequence of Stage
        The parts.
    places : mapping of str to (str, int)
        Blocks that are no work memory but lie behind an output, at an offset.
    """
    extras = {name: array for stage in stages for name, array in stage.extras.items()}
    blocks = {name: n for s in stages for name, n in s.blocks.items() if name not in places}
    sizes = [(name, int(symbol.numel())) for name, symbol in inputs.items()]
    shapes = [(name, (size,)) for name, size in outputs]
    names = (*inputs, *(name for name, _ in outputs), *extras)
    make = partial(_text, names, stages, blocks, places)
    return Kernel(make, 1, sizes, shapes, list(extras.values()), sum(blocks.values()) + 1)


def _text(
    names: Sequence[str],
    stages: Sequence[Stage],
    blocks: Mapping[str, int],
    places: Mapping[str, tuple[str, int]],
    lanes: int,
) -> Core:
    kind, parts, lines, functions = element_type(lanes), [], [], frozenset[str]()
    offset = 0
    for name, size in blocks.items():
        lines.append(f"%{name} = getelementptr {kind}, ptr %work, i64 {offset}")
        offset += size
    for name, (output, start) in places.items():
        lines.append(f"%{name} = getelementptr {kind}, ptr %{output}, i64 {start}")
    for k, stage in enumerate(stages):
        core = stage.core(lanes)
        parts.append(
            re.sub(r"@(core|step_\d+_\d+|sweep_\d+|ground|drives)\(", rf"@s{k}_\1(", core.text)
        )
        lines.append(f"call void @s{k}_core({', '.join(f'ptr %{p}' for p in stage.pointers)})")
        functions |= core.functions
    header = ", ".join(f"ptr noalias %{name}" for name in (*names, "work"))
    body = "\n".join([*lines, "ret void"])
    text = "\n".join([*parts, f"define internal void @core({header}) #0 {{\n{body}\n}}\n"])
    return Core(text, functions, lanes)
