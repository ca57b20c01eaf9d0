"""Values of loops that are translated to LLVM IR: numbers, pointers, comparisons, calls."""

from __future__ import annotations

import ast
import inspect
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from jourdain.codegen.lower import constant

INT, DOUBLE, BOOL, POINTER, INT_POINTER, VOID = "i64", "double", "i1", "ptr", "ptri", "void"
_LLVM = {POINTER: "ptr", INT_POINTER: "ptr", INT: "i64", DOUBLE: "double", BOOL: "i1", VOID: "void"}
_FLOAT_OP = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_INT_OP = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "sdiv", ast.Mod: "srem"}
_INT_OP |= {ast.RShift: "ashr", ast.BitAnd: "and"}
_RELATIONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_FLOAT_COMPARE = dict(zip(_RELATIONS, ("olt", "ole", "ogt", "oge", "oeq", "une"), strict=True))
_INT_COMPARE = dict(zip(_RELATIONS, ("slt", "sle", "sgt", "sge", "eq", "ne"), strict=True))

Value = tuple[str, Any]  # (LLVM name, kind: one of the types above, or the class of a record)


def llvm(kind: Any) -> str:
    """Type in LLVM of a kind of values; records are passed by their address."""
    return _LLVM[kind] if isinstance(kind, str) else "ptr"


def call(function: int, arguments: int) -> None:
    """Call the compiled kernel at an address with the address of its pointers.

    Exists in translated loops only.
    """
    raise NotImplementedError(f"kernel {function} called outside a compiled loop ({arguments})")


def result_of(function: int, first: int, second: int) -> int:
    """Result of the compiled loop at an address, which takes two records by theirs.

    Exists in translated loops only.
    """
    raise NotImplementedError(f"loop {function} called outside a loop ({first}, {second})")


def part(array: Any, start: int) -> Any:
    """Rest of an array from a place on; a pointer in translated loops."""
    return array[start:]


class Values(ast.NodeVisitor):
    """Translation of the expressions of one function; statements are those of its subclass."""

    python: Callable[..., Any]
    globals: dict[str, Any]
    allocas: list[str]
    lines: list[str]
    variables: dict[str, Any]
    count: int
    is_open: bool  # whether the current block still wants an end

    @abstractmethod
    def called(self, function: Callable[..., Any], types: tuple[str, ...]) -> tuple[str, str]:
        """Name and type of the result of another function, which is translated if need be."""

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

    def fail(self, node: ast.AST, why: str) -> None:
        raise NotImplementedError(
            f"{self.python.__name__}, line {getattr(node, 'lineno', 0)}: {why} in a compiled loop"
        )

    def store(self, name: str, value: Value) -> None:
        if name not in self.variables:
            self.variables[name] = value[1]
            self.allocas.append(f"%{name}.at = alloca {llvm(value[1])}, align 8")
        x = self.convert(value, self.variables[name])
        self.lines.append(f"store {llvm(self.variables[name])} {x}, ptr %{name}.at, align 8")

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
            return self.emit(f"load {llvm(kind)}, ptr %{node.id}.at, align 8"), kind
        return self.literal(self.globals[node.id], node)

    def value_Subscript(self, node: ast.Subscript) -> Value:
        address, kind = self.address(node)
        return self.emit(f"load {kind}, ptr {address}, align 8"), kind

    def field(self, node: ast.Attribute) -> tuple[str, Any]:
        """Address and kind of a field of a record."""
        base, record = self.value(node.value)
        if isinstance(record, str) or node.attr not in record.kinds():
            self.fail(node, f"field {node.attr!r} of {getattr(record, '__name__', record)}")
        place = list(record.kinds()).index(node.attr)
        at = self.emit(f"getelementptr i64, ptr {base}, i64 {place}")
        return at, record.kinds()[node.attr]

    def value_Attribute(self, node: ast.Attribute) -> Value:
        at, kind = self.field(node)
        is_number = kind in (INT, DOUBLE)
        fixed = "" if is_number else ", !invariant.load !{}"  # only Python sets arrays and records
        return self.emit(f"load {llvm(kind)}, ptr {at}, align 8{fixed}"), kind

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
        return self.emit(f"load {llvm(kind)}, ptr %{name}.at, align 8"), kind

    def value_Call(self, node: ast.Call) -> Value:
        name = node.func.id  # type: ignore[attr-defined]
        values = [self.value(a) for a in node.args]
        if name in ("abs", "min", "max"):
            return self.builtin(name, values)
        function = inspect.unwrap(self.globals[name])
        if function is call:
            self.lines.append(f"%.k{self.count} = inttoptr i64 {values[0][0]} to ptr")
            self.lines.append(f"call void %.k{self.count}(i64 {values[1][0]})")
            self.count += 1
            return "", VOID
        if function is result_of:
            code = self.emit(f"inttoptr i64 {values[0][0]} to ptr")
            records = ", ".join(f"i64 {text}" for text, _ in values[1:])
            return self.emit(f"call i64 {code}({records})"), INT
        if function is part:
            (base, kind), start = values[0], self.convert(values[1], INT)
            return self.emit(f"getelementptr i64, ptr {base}, i64 {start}"), kind
        symbol, result = self.called(function, tuple(kind for _, kind in values))
        arguments = ", ".join(f"{llvm(kind)} {text}" for text, kind in values)
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
