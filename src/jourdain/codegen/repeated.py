"""A step repeated in machine code: fixed-step integration without Python in the loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain.codegen.lower import element_type
from jourdain.codegen.module import Core
from jourdain.codegen.unrolled import unrolled_core


def repeated_core(
    inputs: Mapping[str, Any], state: Mapping[str, Any], held: str, lanes: int
) -> Core:
    """Core that applies ``state <- step(state, inputs)`` many times.

    Parameters
    ----------
    inputs : mapping of str to casadi.SX
        Symbols of the step; those named in ``state`` are replaced after every step.
    state : mapping of str to casadi.SX
        Next values of some of the inputs.
    held : str
        Input that may be given anew for every step: it lies ``stride`` rows apart.
    lanes : int
        Systems at a time.

    Returns
    -------
    Core
        Pointers: the inputs, ``steps`` and ``stride`` (as doubles, equal in all lanes), the final
        states ``NAME_end``, and work memory for one state.
    """
    step = unrolled_core(inputs, {f"{name}_next": x for name, x in state.items()}, lanes)
    kind, width = element_type(lanes), 8 * lanes
    text = [step.text.replace("@core(", "@step_core(")]
    names = [*inputs, "steps", "stride", *(f"{name}_end" for name in state), "work"]
    lines, sizes, offset = [], {}, 0
    for name, x in state.items():
        sizes[name] = x.numel() * width
        lines.append(f"%{name}_next = getelementptr {kind}, ptr %work, i64 {offset}")
        lines.append(_copy(f"{name}_end", name, sizes[name]))
        offset += x.numel()
    lines += [
        "%count_number = load double, ptr %steps, align 8",
        "%count = fptosi double %count_number to i64",
        "%stride_number = load double, ptr %stride, align 8",
        "%row = fptosi double %stride_number to i64",
        "%is_none = icmp sle i64 %count, 0",
        "br i1 %is_none, label %finish, label %loop",
        "loop:",
        "%k = phi i64 [ 0, %entry ], [ %next, %loop ]",
        "%start = mul i64 %k, %row",
        f"%{held}_now = getelementptr {kind}, ptr %{held}, i64 %start",
    ]
    arguments = [
        f"ptr %{name}_end" if name in state else f"ptr %{name}{'_now' if name == held else ''}"
        for name in inputs
    ]
    arguments += [f"ptr %{name}_next" for name in state]
    lines.append(f"call void @step_core({', '.join(arguments)})")
    lines += [_copy(f"{name}_end", f"{name}_next", size) for name, size in sizes.items()]
    lines += [
        "%next = add i64 %k, 1",
        "%is_last = icmp eq i64 %next, %count",
        "br i1 %is_last, label %finish, label %loop",
        "finish:",
        "ret void",
    ]
    header = ", ".join(f"ptr noalias %{name}" for name in names)
    body = "\n".join(lines)
    text.append(f"define internal void @core({header}) #0 {{\nentry:\n{body}\n}}\n")
    text.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    return Core("\n".join(text), step.functions, lanes)


def _copy(target: str, source: str, size: int) -> str:
    return f"call void @llvm.memcpy.p0.p0.i64(ptr %{target}, ptr %{source}, i64 {size}, i1 false)"
