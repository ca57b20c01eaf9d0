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

from jourdain.codegen.instances import Instances, Kind
from jourdain.codegen.kernel import Kernel
from jourdain.codegen.looped import looped_core
from jourdain.codegen.lower import element_type
from jourdain.codegen.module import Core
from jourdain.codegen.rolling.core import Groups
from jourdain.codegen.tape import Tape, tape_core
from jourdain.codegen.unrolled import unrolled_core
from jourdain.system.execution import LoopedFunction

_OWN_NAMES = re.compile(r"@(core|step_\d+_\w+|sweep_\d+|ground|drives)\b")


@dataclass(frozen=True)
class Stage:
    """One part of a function: its code for a number of lanes, and what its pointers are called.

    Parameters
    ----------
    core : function
        Gives the code.
    pointers : sequence of str
        Names of its pointers: inputs, outputs, extras or blocks of the whole function.
    extras : function
        Gives the constant arrays it brings, by name, for values of the parameters.
    blocks : mapping of str to int
        Work memory it brings, by name, with sizes.
    """

    core: Callable[[int], Core]
    pointers: Sequence[str]
    extras: Callable[[Any], Mapping[str, Any]]
    blocks: Mapping[str, int]


def loop_stage(
    function: LoopedFunction, prefix: str, renamed: Mapping[str, str] | None = None
) -> Stage:
    """Loops over the links; pointers are the inputs and outputs of the recursion by name.

    Those in ``renamed`` have another name in the whole function.
    """
    program = function.program
    names = [f"{prefix}_{name}" for name in program.extras]
    recursion = program.recursion
    own = (*recursion.inputs, "t", "p", *recursion.outputs)
    pointers = (*((renamed or {}).get(name, name) for name in own), *names)
    return Stage(
        partial(looped_core, program),
        pointers,
        lambda p: dict(zip(names[:-1], function.extras(p), strict=True)),
        {names[-1]: function.work_size},
    )


def straight_stage(
    inputs: Mapping[str, Any], outputs: Mapping[str, Any], groups: Groups | None = None
) -> Stage:
    """Expressions as code of their own; what it gives lies in blocks of these names."""
    sizes = {name: int(value.numel()) for name, value in outputs.items()}
    make = partial(unrolled_core, inputs, outputs, groups=groups)
    return Stage(make, (*inputs, *outputs), _no_extras, sizes)


def _no_extras(p: Any) -> Mapping[str, Any]:
    return {}


def instance_stage(kinds: Sequence[Kind], prefix: str) -> Stage:
    """Kinds of functions over tables of instances; pointers are their arrays."""
    instances = Instances(kinds)
    table = f"{prefix}_table"
    extras = {table: instances.table}
    return Stage(instances.core, (*instances.arrays, table), lambda _: extras, {})


def tape_stage(tape: Tape, results: str) -> Stage:
    """Recorded arithmetic on ``cells``, giving results of a name."""
    extras = {"program": tape.program()}
    return Stage(tape_core, ("cells", results, "program"), lambda _: extras, {})


def chained(
    inputs: Mapping[str, Any],
    outputs: Sequence[tuple[str, int | tuple[int, ...]]],
    stages: Sequence[Stage],
    places: Mapping[str, tuple[str, int]],
    nominal: Any,
    lanes: int = 1,
) -> Kernel:
    """Kernel of stages one after the other, which can be bound to other parameters.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Inputs with their symbols.
    outputs : sequence of (str, int or tuple of int)
        Names and sizes, or shapes, of the results.
    stages : sequence of Stage
        The parts.
    places : mapping of str to (str, int)
        Blocks that are no work memory of their own but lie behind an output or another block, at
        an offset.
    nominal : array
        Nominal values of the parameters.
    lanes : int
        Systems at a time in batches.
    """

    def extras(p: Any) -> dict[str, Any]:
        return {name: array for stage in stages for name, array in stage.extras(p).items()}

    given = extras(nominal)
    blocks = {name: n for s in stages for name, n in s.blocks.items() if name not in places}
    sizes = [(name, int(symbol.numel())) for name, symbol in inputs.items()]
    shapes = [(name, (x,) if isinstance(x, int) else x) for name, x in outputs]
    names = (*inputs, *(name for name, _ in outputs), *given)
    make = partial(_text, names, stages, blocks, places)
    kernel = Kernel(make, lanes, sizes, shapes, list(given.values()), sum(blocks.values()) + 1)
    kernel.extras_for = lambda p: list(extras(p).values())
    return kernel


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
        parts.append(_OWN_NAMES.sub(rf"@step_s{k}_\1", core.text))
        lines.append(f"call void @step_s{k}_core({', '.join(f'ptr %{p}' for p in stage.pointers)})")
        functions |= core.functions
    header = ", ".join(f"ptr noalias %{name}" for name in (*names, "work"))
    body = "\n".join([*lines, "ret void"])
    text = "\n".join([*parts, f"define internal void @core({header}) #0 {{\n{body}\n}}\n"])
    return Core(text, functions, lanes)
