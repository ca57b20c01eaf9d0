"""Numerical loops written in plain Python, translated to LLVM IR.

The subset is what solver loops need: numbers, pointers (``w[i]``), arithmetic, comparisons,
``if``, ``while``, ``for … in range``, ``break``, ``continue``, ``return``, calls of other such
functions and ``abs``, ``min``, ``max``, `part` of a pointer, `call` and `result_of`, fields of
records (``run.t``, ``contacts.gap[k]``; see `loop_records`). Integers are 64 bit, ``/`` and ``**``
give doubles. A local variable keeps the type of its first value. The same functions run uncompiled
on arrays.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from jourdain.codegen.translator.loop_values import (
    DOUBLE,
    INT,
    INT_POINTER,
    POINTER,
    VOID,
    Value,
    Values,
    call,
    llvm,
    part,
    result_of,
)

__all__ = ["apart", "call", "loop_text", "part", "result_of"]

_LONG = 240  # lines of a function that is called rather than repeated: compiles sooner
_APART: set[Callable[..., Any]] = set()


def apart(python: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a loop whose arrays of doubles never overlap, so that it works on several at a time."""
    _APART.add(python)
    return python


_PARAMETER = {"p": POINTER, "a": INT_POINTER, "i": INT, "d": DOUBLE}


class _Module:
    """Functions translated so far, one per name and types of arguments."""

    def __init__(self, inlines: bool) -> None:
        self.inlines = inlines
        self.texts: list[str] = []
        self.known: dict[tuple[Any, ...], tuple[str, str]] = {}  # → name, type of the result

    def function(self, python: Callable[..., Any], types: tuple[Any, ...]) -> tuple[str, str]:
        key = (python, types)
        if key not in self.known:
            name = f"loop_{len(self.known)}_{python.__name__}"
            translation = _Function(self, python, types)
            self.known[key] = name, translation.result
            told = " noalias" if python in _APART else ""
            arguments = ", ".join(
                f"{llvm(t)}{told if t == POINTER else ''} %{a}"
                for t, a in zip(types, translation.arguments, strict=True)
            )
            head = f"define internal {llvm(translation.result)} @{name}({arguments})"
            text = translation.text()
            keeps_apart = not self.inlines and text.count("\n") > _LONG
            word = " noinline" if keeps_apart else ""
            self.texts.append(f"{head}{word} #0 {{\nentry:\n{text}\n}}\n")
        return self.known[key]


class _Function(Values):
    """Translation of one function for given types of its arguments."""

    def __init__(self, module: _Module, python: Callable[..., Any], types: tuple[Any, ...]) -> None:
        self.module, self.python = module, python
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(python))).body
        self.arguments = [a.arg for a in tree.args.args]  # type: ignore[attr-defined]
        self.globals = python.__globals__
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.variables: dict[str, str] = {}
        self.loops: list[tuple[str, str]] = []  # labels to continue at and to break to
        self.count = 0
        self.is_open = True  # whether the current block still wants an end
        self.result = VOID
        for name, kind in zip(self.arguments, types, strict=True):
            self.store(name, (f"%{name}", kind))
        self.block(tree.body)  # type: ignore[attr-defined]
        if self.is_open:
            self.lines.append("ret void" if self.result == VOID else f"ret {self.result} 0")

    def text(self) -> str:
        return "\n".join([*self.allocas, *self.lines])

    def called(self, function: Callable[..., Any], types: tuple[Any, ...]) -> tuple[str, str]:
        return self.module.function(function, types)

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self.is_open:
                return  # behind a return or break
            self.visit(statement)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.value(node.value)

    def visit_Pass(self, node: ast.Pass) -> None:
        """Nothing to do."""

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            values = [self.value(v) for v in node.value.elts]  # type: ignore[attr-defined]
            for name, value in zip(target.elts, values, strict=True):
                self.assign(name, value)
            return
        self.assign(target, self.value(node.value))

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        elif isinstance(target, ast.Subscript):
            address, kind = self.address(target)
            self.lines.append(f"store {kind} {self.convert(value, kind)}, ptr {address}, align 8")
        elif isinstance(target, ast.Attribute):
            address, kind = self.field(target)
            if kind not in (INT, DOUBLE):
                self.fail(target, f"assignment to the array {target.attr!r}")
            self.lines.append(f"store {kind} {self.convert(value, kind)}, ptr {address}, align 8")
        else:
            self.fail(target, "assignment to this")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old: Any = ast.copy_location(node.target, node)
        self.assign(node.target, self.arithmetic(node, self.value(old), self.value(node.value)))

    def visit_If(self, node: ast.If) -> None:
        yes, no, end = self.label("then"), self.label("else"), self.label("end")
        self.branch(self.condition(node.test), yes, no)
        self.begin(yes)
        self.block(node.body)
        self.jump(end)
        self.begin(no)
        self.block(node.orelse)
        self.begin(end)

    def visit_While(self, node: ast.While) -> None:
        head, body, end = self.label("while"), self.label("body"), self.label("end")
        self.begin(head)
        self.branch(self.condition(node.test), body, end)
        self.begin(body)
        self.loops.append((head, end))
        self.block(node.body)
        self.loops.pop()
        self.jump(head)
        self.begin(end)

    def visit_For(self, node: ast.For) -> None:
        bounds = [self.value(a) for a in node.iter.args]  # type: ignore[attr-defined]
        start = bounds[0] if len(bounds) > 1 else ("0", INT)
        stop = self.convert(bounds[1 if len(bounds) > 1 else 0], INT)
        step = bounds[2][0] if len(bounds) > 2 else "1"
        name = node.target.id  # type: ignore[attr-defined]
        head, body, latch, end = (self.label(w) for w in ("for", "body", "next", "end"))
        counter = self.label(f"{name}.counter")
        self.store(counter, start)
        self.begin(head)
        now = self.emit(f"load i64, ptr %{counter}.at, align 8")
        relation = "sgt" if step.startswith("-") else "slt"
        self.branch(self.emit(f"icmp {relation} i64 {now}, {stop}"), body, end)
        self.begin(body)
        self.store(name, (now, INT))
        self.loops.append((latch, end))
        self.block(node.body)
        self.loops.pop()
        self.begin(latch)
        self.store(counter, (self.emit(f"add i64 {now}, {step}"), INT))
        self.jump(head)
        self.begin(end)

    def visit_Break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])

    def visit_Continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.lines.append("ret void")
        else:
            value = self.value(node.value)
            self.result = value[1] if self.result == VOID else self.result
            self.lines.append(f"ret {self.result} {self.convert(value, self.result)}")
        self.is_open = False


def loop_text(
    python: Callable[..., Any], signature: Sequence[Any], entry: str, *, is_part: bool = False,
    passed: tuple[int, ...] | None = None, inlines: bool = True,
) -> str:  # fmt: skip
    """Whole module with a loop as an exported function that returns an integer.

    Parameters
    ----------
    python : function
        The loop; functions it calls are translated too.
    signature : str or sequence
        For each argument a letter: ``p`` pointer to doubles, ``a`` pointer to integers, ``i``
        integer, ``d`` double; or the class of a record (see `loop_records`).
    entry : str
        Name of the exported function.
    is_part : bool
        True for a part of another module: the function stays inside and returns nothing.
    passed : tuple of int or None
        Places of the arguments that are passed; the others lie one behind the other in the memory
        whose address comes last. None passes all.
    inlines : bool
        Whether long functions, too, may become part of those that call them.
    """
    module = _Module(inlines)
    types = tuple(_PARAMETER.get(letter, letter) for letter in signature)
    symbol, result = module.function(python, types)
    named = ", ".join(f"{llvm(t)} %a{k}" for k, t in enumerate(types))
    called = f"%r = call {result} @{symbol}({named})"
    if is_part:
        body = f"define internal void @{entry}({named}) #0 {{\n{called}\nret void\n}}\n"
        return "\n".join([*module.texts, body])
    loads = []
    if passed is not None:
        named = ", ".join([*(f"{llvm(types[k])} %a{k}" for k in passed), "ptr %rest"])
        for place, k in enumerate(k for k in range(len(types)) if k not in passed):
            loads.append(f"%p{k} = getelementptr i64, ptr %rest, i64 {place}")
            loads.append(f"%a{k} = load {llvm(types[k])}, ptr %p{k}, align 8")
    lines = "\n".join([*loads, called, f"ret {result} %r"])
    body = f"define {result} @{entry}({named}) #0 {{\n{lines}\n}}"
    return "\n".join([*module.texts, body, "attributes #0 = { nounwind }"])
