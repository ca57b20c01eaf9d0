"""Entry points around a core function: one system, or a batch in SIMD lanes.

A core is an IR function ``core_W(inputs…, outputs…, extras…)`` of pointers, made for W = 1 and for
the number of lanes of the machine. Two entries are callable from Python:

* ``single(args)``: ``args`` is an array of the pointers.
* ``batch(args, sizes, strides, lane_args, begin, end)``: systems begin … end−1 of arrays that lie
  ``strides`` elements apart (0 to share one). Blocks of W systems are transposed to lanes; the
  rest is done one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jourdain.codegen.elementary.functions import definitions

# A stack whose vectors cross cache lines costs lanes up to a third of their speed.
_ATTRIBUTES = "attributes #0 = { nounwind alignstack=32 }\n"


@dataclass(frozen=True)
class Core:
    """IR of the core function for one number of lanes, and what it calls."""

    text: str
    functions: frozenset[str]
    lanes: int


def module_text(cores: Sequence[Core], n_in: int, n_out: int, n_extra: int, entry: str = "") -> str:
    """Whole module: elementary functions, cores and entries.

    With a name of an ``entry``, that for one system has it, and there is none for batches.
    """
    parts = []
    for core in cores:
        suffix = f"_w{core.lanes}"
        parts += [_renamed(definitions(sorted(core.functions), core.lanes), suffix)]
        parts += [_renamed(core.text, suffix)]
    declared: set[str] = set()
    lines = []
    for line in "\n".join(parts).split("\n"):
        if line.startswith("declare"):
            if line in declared:
                continue
            declared.add(line)
        lines.append(line)
    n = n_in + n_out + n_extra
    if entry:
        entries = [_single(n).replace("@single(", f"@{entry}(")]
    else:
        entries = [_single(n), _batch(n_in, n_out, n, max(core.lanes for core in cores))]
    return "\n".join([*lines, *entries, _ATTRIBUTES])


def _renamed(text: str, suffix: str) -> str:
    """Keep the functions of different lane counts apart."""
    for prefix in ("@jd_", "@core", "@step_", "@sweep_", "@ground", "@drives"):
        text = text.replace(prefix, prefix.replace("@", "@" + suffix[1:] + "_"))
    return text


def _pointers(array: str, n: int, name: str) -> list[str]:
    lines = []
    for i in range(n):
        lines.append(f"%{name}a{i} = getelementptr ptr, ptr %{array}, i64 {i}")
        lines.append(f"%{name}{i} = load ptr, ptr %{name}a{i}, align 8")
    return lines


def _single(n: int) -> str:
    arguments = ", ".join(f"ptr %p{i}" for i in range(n))
    body = "\n".join(_pointers("args", n, "p"))
    return (
        f"define void @single(ptr %args) #0 {{\n{body}\n"
        f"call void @w1_core({arguments})\nret void\n}}\n"
    )


def _transpose(i: int, lanes: int, is_input: bool) -> str:
    """Copy argument i of W systems to lanes, or back.

    Rows of W numbers or more go in squares of W × W, of which the last may overlap the one
    before; shorter rows go number by number. What all systems share is copied once.
    """
    lines = [
        f"head{i}:",
        f"%size{i} = load i64, ptr %sizea{i}, align 8",
        f"%stride{i} = load i64, ptr %stridea{i}, align 8",
        f"%base{i} = mul i64 %b, %stride{i}",
    ]
    for k in range(lanes):
        lines.append(f"%off{i}_{k} = mul i64 %stride{i}, {k}")
        lines.append(f"%row{i}_{k} = add i64 %base{i}, %off{i}_{k}")
        lines.append(f"%q{i}_{k} = getelementptr double, ptr %p{i}, i64 %row{i}_{k}")
    lines += [
        f"%shared{i} = icmp eq i64 %stride{i}, 0",
        f"%skipped{i} = and i1 %shared{i}, %is_later",
        f"%empty{i} = icmp eq i64 %size{i}, 0",
        f"%nothing{i} = or i1 %skipped{i}, %empty{i}",
        f"br i1 %nothing{i}, label %done{i}, label %some{i}",
        f"some{i}:",
        f"%last{i} = sub i64 %size{i}, {lanes}",
        f"%long{i} = icmp sge i64 %last{i}, 0",
        f"br i1 %long{i}, label %square{i}, label %loop{i}",
        *_squares(i, lanes, is_input),
        *_numbers(i, lanes, is_input),
        f"done{i}:",
    ]
    return "\n".join(lines)


def _squares(i: int, lanes: int, is_input: bool) -> list[str]:
    """Loop over squares: columns k … k+W−1 of W systems."""
    vector = f"<{lanes} x double>"
    lines = [f"square{i}:", f"%s{i} = phi i64 [ 0, %some{i} ], [ %sn{i}, %square{i} ]"]
    for k in range(lanes):
        lines.append(f"%sq{i}_{k} = getelementptr double, ptr %q{i}_{k}, i64 %s{i}")
        lines.append(f"%sk{i}_{k} = add i64 %s{i}, {k}")
        lines.append(f"%sl{i}_{k} = getelementptr {vector}, ptr %l{i}, i64 %sk{i}_{k}")
    source, target = ("sq", "sl") if is_input else ("sl", "sq")
    for k in range(lanes):
        lines.append(f"%r{i}_0_{k} = load {vector}, ptr %{source}{i}_{k}, align 8")
    lines += _turn_square(i, lanes)
    for k in range(lanes):
        lines.append(f"store {vector} %r{i}_{lanes // 2}_{k}, ptr %{target}{i}_{k}, align 8")
    return [
        *lines,
        f"%sw{i} = add i64 %s{i}, {lanes}",
        f"%over{i} = icmp sgt i64 %sw{i}, %last{i}",
        f"%sn{i} = select i1 %over{i}, i64 %last{i}, i64 %sw{i}",
        f"%smore{i} = icmp slt i64 %s{i}, %last{i}",
        f"br i1 %smore{i}, label %square{i}, label %done{i}",
    ]


def _turn_square(i: int, lanes: int) -> list[str]:
    """Transpose registers ``r_0_k`` to ``r_{W/2}_k``: swap parts of 1, 2, 4 numbers."""
    vector, lines, before, part = f"<{lanes} x double>", [], 0, 1
    while part < lanes:
        for k in range(lanes):
            low, high = k & ~part, k | part
            taken = [
                (lane & ~part if k & part == 0 else lane | part) + lanes * bool(lane & part)
                for lane in range(lanes)
            ]
            mask = ", ".join(f"i32 {index}" for index in taken)
            pair = f"{vector} %r{i}_{before}_{low}, {vector} %r{i}_{before}_{high}"
            lines.append(f"%r{i}_{part}_{k} = shufflevector {pair}, <{lanes} x i32> <{mask}>")
        before, part = part, 2 * part
    return lines


def _numbers(i: int, lanes: int, is_input: bool) -> list[str]:
    """Loop over single numbers of W systems."""
    vector = f"<{lanes} x double>"
    lines = [
        f"loop{i}:",
        f"%k{i} = phi i64 [ 0, %some{i} ], [ %n{i}, %loop{i} ]",
        f"%v{i} = getelementptr {vector}, ptr %l{i}, i64 %k{i}",
    ]
    if is_input:
        value = "poison"
        for k in range(lanes):
            lines.append(f"%e{i}_{k} = getelementptr double, ptr %q{i}_{k}, i64 %k{i}")
            lines.append(f"%x{i}_{k} = load double, ptr %e{i}_{k}, align 8")
            lines.append(f"%y{i}_{k} = insertelement {vector} {value}, double %x{i}_{k}, i64 {k}")
            value = f"%y{i}_{k}"
        lines.append(f"store {vector} {value}, ptr %v{i}, align 8")
    else:
        lines.append(f"%x{i} = load {vector}, ptr %v{i}, align 8")
        for k in range(lanes):
            lines.append(f"%y{i}_{k} = extractelement {vector} %x{i}, i64 {k}")
            lines.append(f"%e{i}_{k} = getelementptr double, ptr %q{i}_{k}, i64 %k{i}")
            lines.append(f"store double %y{i}_{k}, ptr %e{i}_{k}, align 8")
    return [
        *lines,
        f"%n{i} = add i64 %k{i}, 1",
        f"%more{i} = icmp ult i64 %n{i}, %size{i}",
        f"br i1 %more{i}, label %loop{i}, label %done{i}",
    ]


def _batch(n_in: int, n_out: int, n: int, lanes: int) -> str:
    moved = n_in + n_out
    lane_arguments = ", ".join(f"ptr %l{i}" for i in range(n))
    inputs = [f"br label %head{i}\n{_transpose(i, lanes, True)}" for i in range(n_in)]
    outputs = [f"br label %head{i}\n{_transpose(i, lanes, False)}" for i in range(n_in, moved)]
    addresses = []
    for name in ("size", "stride"):
        for i in range(moved):
            addresses.append(f"%{name}a{i} = getelementptr i64, ptr %{name}s, i64 {i}")
    rest, single_arguments = [], []
    for i in range(n):
        if i < moved:
            rest.append(f"%rs{i} = load i64, ptr %stridea{i}, align 8")
            rest.append(f"%ro{i} = mul i64 %b, %rs{i}")
            rest.append(f"%rp{i} = getelementptr double, ptr %p{i}, i64 %ro{i}")
        single_arguments.append(f"ptr %rp{i}" if i < moved else f"ptr %p{i}")
    newline = "\n"
    block = f"""{newline.join(inputs)}
call void @w{lanes}_core({lane_arguments})
{newline.join(outputs)}
br label %advance"""
    header = "ptr %args, ptr %sizes, ptr %strides, ptr %lane_args, i64 %begin, i64 %end"
    return f"""define void @batch({header}) #0 {{
entry:
{newline.join(_pointers("args", n, "p"))}
{newline.join(_pointers("lane_args", n, "l"))}
{newline.join(addresses)}
br label %next
next:
%b = phi i64 [ %begin, %entry ], [ %b_lanes, %advance ], [ %b_one, %rest ]
%left = sub i64 %end, %b
%is_done = icmp sle i64 %left, 0
br i1 %is_done, label %finish, label %choose
choose:
%is_block = icmp sge i64 %left, {lanes if lanes > 1 else 2**62}
br i1 %is_block, label %block, label %rest
block:
%is_later = icmp ne i64 %b, %begin
{block if lanes > 1 else "br label %advance"}
advance:
%b_lanes = add i64 %b, {lanes}
br label %next
rest:
{newline.join(rest)}
call void @w1_core({", ".join(single_arguments)})
%b_one = add i64 %b, 1
br label %next
finish:
ret void
}}
"""
