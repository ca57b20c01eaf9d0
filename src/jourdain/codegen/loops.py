"""Numerical loops written in plain Python, translated to LLVM IR.

The subset is what solver loops need: numbers, pointers (``w[i]``), arithmetic, comparisons,
``if``, ``while``, ``for … in range``, ``break``, ``continue``, ``return``, calls of other such
functions and ``abs``, ``min``, ``max``, `part` of a pointer. Integers are 64 bit, ``/`` and ``**``
give doubles. A local variable keeps the type of its first value. The same functions run uncompiled
on arrays.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from jourdain.codegen.lower import constant

INT, DOUBLE, BOOL, POINTER, INT_POINTER, VOID = "i64", "double", "i1", "ptr", "ptri", "void"
_PARAMETER = {"p": POINTER, "a": INT_POINTER, "i": INT, "d": DOUBLE}
_LLVM = {POINTER: "ptr", INT_POINTER: "ptr", INT: "i64", DOUBLE: "double", BOOL: "i1", VOID: "void"}
_FLOAT_OP = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_INT_OP = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "sdiv", ast.Mod: "srem"}
_INT_OP |= {ast.RShift: "ashr", ast.BitAnd: "and"}
_RELATIONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_FLOAT_COMPARE = dict(zip(_RELATIONS, ("olt", "ole", "ogt", "oge", "oeq", "une"), strict=True))
_INT_COMPARE = dict(zip(_RELATIONS, ("slt", "sle", "sgt", "sge", "eq", "ne"), strict=True))

Value = tuple[str, str]  # (LLVM name, type)


def call(function: int, arguments: int) -> None:
    """Call the compiled kernel at an address with the address of its pointers.

    Exists in translated loops only.
    """
    raise NotImplementedError(f"kernel {function} called outside a compiled loop ({arguments})")


def part(array: Any, start: int) -> Any:
    """Rest of an array from a place on; a pointer in translated loops."""
    return array[start:]


class _Module:
    """Functions translated so far, one per name and types of arguments."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.known: dict[tuple[Any, ...], tuple[str, str]] = {}  # → name, type of the result

    def function(self, python: Callable[..., Any], types: tuple[str, ...]) -> tuple[str, str]:
        key = (python, types)
        if key not in self.known:
            name = f"loop_{len(self.known)}_{python.__name__}"
            translation = _Function(self, python, types)
            self.known[key] = name, translation.result
            arguments = ", ".join(
                f"{_LLVM[t]} %{a}" for t, a in zip(types, translation.arguments, strict=True)
            )
            head = f"define internal {_LLVM[translation.result]} @{name}({arguments})"
            self.texts.append(f"{head} #0 {{\nentry:\n{translation.text()}\n}}\n")
        return self.known[key]


class _Function(ast.NodeVisitor):
    """Translation of one function for given types of its arguments."""

    def __init__(self, module: _Module, python: Callable[..., Any], types: tuple[str, ...]) -> None:
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

    def emit(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%.{self.count} = {text}")
        return f"%.{self.count}"

    def label(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"

    def begin(self, label: str) -> None:
        self.jump(label)
        self.lines.append(f"{label}:")
        self.is_open = True

    def jump(self, label: str) -> None:
        if self.is_open:
            self.lines.append(f"br label %{label}")
        self.is_open = False

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.lines.append(f"br i1 {condition}, label %{yes}, label %{no}")
        self.is_open = False

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self.is_open:
                return  # behind a return or break
            self.visit(statement)

    def fail(self, node: ast.AST, why: str) -> None:
        raise NotImplementedError(
            f"{self.python.__name__}, line {getattr(node, 'lineno', 0)}: {why} in a compiled loop"
        )

    def store(self, name: str, value: Value) -> None:
        if name not in self.variables:
            self.variables[name] = value[1]
            self.allocas.append(f"%{name}.at = alloca {_LLVM[value[1]]}, align 8")
        x = self.convert(value, self.variables[name])
        self.lines.append(f"store {_LLVM[self.variables[name]]} {x}, ptr %{name}.at, align 8")

    def convert(self, value: Value, kind: str) -> str:
        text, own = value
        if own == kind:
            return text
        if (own, kind) == (INT, DOUBLE):
            return self.emit(f"sitofp i64 {text} to double")
        if (own, kind) == (BOOL, INT):
            return self.emit(f"zext i1 {text} to i64")
        if (own, kind) == (BOOL, DOUBLE):
            return self.emit(f"uitofp i1 {text} to double")
        if (own, kind) == (INT, BOOL):
            return self.emit(f"icmp ne i64 {text}, 0")
        raise NotImplementedError(f"{self.python.__name__}: {own} used as {kind}")

    def address(self, node: ast.Subscript) -> tuple[str, str]:
        base, kind = self.value(node.value)
        element = DOUBLE if kind == POINTER else INT
        index = self.convert(self.value(node.slice), INT)
        return self.emit(f"getelementptr {element}, ptr {base}, i64 {index}"), element

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

    def value(self, node: ast.expr) -> Value:
        method = getattr(self, f"value_{type(node).__name__}", None)
        if method is None:
            self.fail(node, f"{type(node).__name__} is not available")
        return method(node)  # type: ignore[misc, no-any-return]

    def condition(self, node: ast.expr) -> str:
        return self.convert(self.value(node), BOOL)

    def literal(self, value: Any, node: ast.AST) -> Value:
        if isinstance(value, bool):
            return ("true" if value else "false"), BOOL
        if isinstance(value, int):
            return str(value), INT
        if isinstance(value, float):
            return constant(value, 1), DOUBLE
        self.fail(node, f"{value!r} is no number")
        raise AssertionError

    def value_Constant(self, node: ast.Constant) -> Value:
        return self.literal(node.value, node)

    def value_Name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            kind = self.variables[node.id]
            return self.emit(f"load {_LLVM[kind]}, ptr %{node.id}.at, align 8"), kind
        return self.literal(self.globals[node.id], node)

    def value_Subscript(self, node: ast.Subscript) -> Value:
        address, kind = self.address(node)
        return self.emit(f"load {kind}, ptr {address}, align 8"), kind

    def value_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.emit(f"xor i1 {self.condition(node.operand)}, true"), BOOL
        if isinstance(node.operand, ast.Constant):
            return self.literal(-node.operand.value, node)  # type: ignore[operator]
        text, kind = self.value(node.operand)
        if kind == DOUBLE:
            return self.emit(f"fneg double {text}"), DOUBLE
        return self.emit(f"sub i64 0, {text}"), INT

    def value_BinOp(self, node: ast.BinOp) -> Value:
        if isinstance(node.op, ast.Pow):
            return self.power(node)
        return self.arithmetic(node, self.value(node.left), self.value(node.right))

    def arithmetic(self, node: Any, left: Value, right: Value) -> Value:
        kind = type(node.op)
        if DOUBLE in (left[1], right[1]) or kind is ast.Div:
            a, b = self.convert(left, DOUBLE), self.convert(right, DOUBLE)
            return self.emit(f"{_FLOAT_OP[kind]} contract double {a}, {b}"), DOUBLE
        a, b = self.convert(left, INT), self.convert(right, INT)
        return self.emit(f"{_INT_OP[kind]} i64 {a}, {b}"), INT

    def power(self, node: ast.BinOp) -> Value:
        base = self.convert(self.value(node.left), DOUBLE)
        exponent = getattr(node.right, "value", None)
        if exponent == 2:
            return self.emit(f"fmul double {base}, {base}"), DOUBLE
        if exponent == 0.5:
            return self.emit(f"call double @llvm.sqrt.f64(double {base})"), DOUBLE
        power = self.convert(self.value(node.right), DOUBLE)
        return self.emit(f"call double @llvm.pow.f64(double {base}, double {power})"), DOUBLE

    def value_Compare(self, node: ast.Compare) -> Value:
        values = [self.value(x) for x in (node.left, *node.comparators)]
        result = ""
        for op, left, right in zip(node.ops, values[:-1], values[1:], strict=True):
            if DOUBLE in (left[1], right[1]):
                a, b = self.convert(left, DOUBLE), self.convert(right, DOUBLE)
                one = self.emit(f"fcmp {_FLOAT_COMPARE[type(op)]} double {a}, {b}")
            else:
                kind = BOOL if left[1] == right[1] == BOOL else INT
                a, b = self.convert(left, kind), self.convert(right, kind)
                one = self.emit(f"icmp {_INT_COMPARE[type(op)]} {kind} {a}, {b}")
            result = self.emit(f"and i1 {result}, {one}") if result else one
        return result, BOOL

    def value_BoolOp(self, node: ast.BoolOp) -> Value:
        """Short circuit: what follows is evaluated only when it matters."""
        name, end = self.label("logic"), self.label("end")
        for k, part in enumerate(node.values):
            self.store(name, (self.condition(part), BOOL))
            if k < len(node.values) - 1:
                now, more = self.emit(f"load i1, ptr %{name}.at, align 8"), self.label("more")
                is_and = isinstance(node.op, ast.And)
                self.branch(now, *((more, end) if is_and else (end, more)))
                self.begin(more)
        self.begin(end)
        return self.emit(f"load i1, ptr %{name}.at, align 8"), BOOL

    def value_IfExp(self, node: ast.IfExp) -> Value:
        name = self.label("choice")
        yes, no, end = (self.label(w) for w in ("then", "else", "end"))
        self.branch(self.condition(node.test), yes, no)
        self.begin(yes)
        self.store(name, self.value(node.body))
        self.jump(end)
        self.begin(no)
        self.store(name, self.value(node.orelse))
        self.begin(end)
        kind = self.variables[name]
        return self.emit(f"load {_LLVM[kind]}, ptr %{name}.at, align 8"), kind

    def value_Call(self, node: ast.Call) -> Value:
        name = node.func.id  # type: ignore[attr-defined]
        values = [self.value(a) for a in node.args]
        if name in ("abs", "min", "max"):
            return self.builtin(name, values)
        function = self.globals[name]
        if function is call:
            self.lines.append(f"%.k{self.count} = inttoptr i64 {values[0][0]} to ptr")
            self.lines.append(f"call void %.k{self.count}(i64 {values[1][0]})")
            self.count += 1
            return "", VOID
        if function is part:
            (base, kind), start = values[0], self.convert(values[1], INT)
            return self.emit(f"getelementptr i64, ptr {base}, i64 {start}"), kind
        symbol, result = self.module.function(function, tuple(kind for _, kind in values))
        arguments = ", ".join(f"{_LLVM[kind]} {text}" for text, kind in values)
        if result == VOID:
            self.lines.append(f"call void @{symbol}({arguments})")
            return "", VOID
        return self.emit(f"call {result} @{symbol}({arguments})"), result

    def builtin(self, name: str, values: list[Value]) -> Value:
        if all(kind == INT for _, kind in values) and name != "abs":
            word = "smin" if name == "min" else "smax"
            text = values[0][0]
            for other, _ in values[1:]:
                text = self.emit(f"call i64 @llvm.{word}.i64(i64 {text}, i64 {other})")
            return text, INT
        numbers = [self.convert(v, DOUBLE) for v in values]
        if name == "abs":
            return self.emit(f"call double @llvm.fabs.f64(double {numbers[0]})"), DOUBLE
        relation, text = ("olt" if name == "min" else "ogt"), numbers[0]
        for other in numbers[1:]:  # as in Python: the first argument wins against NaN
            is_other = self.emit(f"fcmp {relation} double {other}, {text}")
            text = self.emit(f"select i1 {is_other}, double {other}, double {text}")
        return text, DOUBLE


def loop_text(
    python: Callable[..., Any], signature: str, entry: str, *, is_part: bool = False
) -> str:
    """Whole module with a loop as an exported function that returns an integer.

    Parameters
    ----------
    python : function
        The loop; functions it calls are translated too.
    signature : str
        One letter per argument: ``p`` pointer to doubles, ``a`` pointer to integers, ``i``
        integer, ``d`` double.
    entry : str
        Name of the exported function.
    is_part : bool
        True for a part of another module: the function stays inside and returns nothing.
    """
    module = _Module()
    types = tuple(_PARAMETER[letter] for letter in signature)
    symbol, result = module.function(python, types)
    named = ", ".join(f"{_LLVM[t]} %a{k}" for k, t in enumerate(types))
    called = f"%r = call {result} @{symbol}({named})"
    if is_part:
        body = f"define internal void @{entry}({named}) #0 {{\n{called}\nret void\n}}\n"
        return "\n".join([*module.texts, body])
    body = f"define {result} @{entry}({named}) #0 {{\n{called}\nret {result} %r\n}}"
    return "\n".join([*module.texts, body, "attributes #0 = { nounwind }"])
