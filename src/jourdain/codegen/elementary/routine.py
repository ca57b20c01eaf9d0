"""Writer of LLVM functions on lanes of doubles, so that mathematics in IR reads like mathematics.

A `Routine` collects the instructions of one function; the operators of its `Value` objects append
to it. The same Python lines serve one double and a vector of doubles.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

PURE = "nounwind willreturn memory(none)"


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A register or a constant of a routine: doubles, 64-bit integers or truth values."""

    routine: Routine
    text: str
    type: str

    def __add__(self, other: Operand) -> Value:
        return self.routine.binary("add", self, other)

    def __sub__(self, other: Operand) -> Value:
        return self.routine.binary("sub", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.routine.binary("sub", self.routine.like(self, other), self)

    def __mul__(self, other: Operand) -> Value:
        return self.routine.binary("mul", self, other)

    def __truediv__(self, other: Operand) -> Value:
        return self.routine.binary("div", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self.routine.binary("div", self.routine.like(self, other), self)

    def __neg__(self) -> Value:
        return self.routine.emit(self.type, f"fneg {self.type} {self.text}")

    def __lt__(self, other: Operand) -> Value:
        return self.routine.compare("olt", self, other)

    def __gt__(self, other: Operand) -> Value:
        return self.routine.compare("ogt", self, other)

    def __ge__(self, other: Operand) -> Value:
        return self.routine.compare("oge", self, other)

    def equals(self, other: Operand) -> Value:
        """Tell where both are the same number; ``==`` stays the identity of Python objects."""
        return self.routine.compare("oeq", self, other)

    def __and__(self, other: Operand) -> Value:
        return self.routine.binary("and", self, other)

    def __or__(self, other: Operand) -> Value:
        return self.routine.binary("or", self, other)

    def __xor__(self, other: Operand) -> Value:
        return self.routine.binary("xor", self, other)

    def __lshift__(self, count: int) -> Value:
        return self.routine.binary("shl", self, count)

    def __rshift__(self, count: int) -> Value:
        return self.routine.binary("lshr", self, count)


Operand = Value | float | int


class Routine:
    """One LLVM function under construction.

    Parameters
    ----------
    name : str
        Name of the function, without the prefix ``jd_``.
    lanes : int
        1 for plain doubles, else the width of the vectors.
    n_arguments : int
        Number of arguments, all of the lane type.
    suffix : str
        Ending of the symbols of this routine and of the routines that it calls.

    Attributes
    ----------
    calls : set of str
        Names of the routines called, to be defined along.
    externals : dict
        Functions of the C library called, with their number of arguments.
    """

    def __init__(self, name: str, lanes: int, n_arguments: int, suffix: str = "") -> None:
        self.name = name
        self.lanes = lanes
        self.suffix = suffix
        self.calls: set[str] = set()
        self.externals: dict[str, int] = {}
        self.double = "double" if lanes == 1 else f"<{lanes} x double>"
        # One lane keeps its bits in a vector register: x86 turns other selects into jumps.
        self._width = max(lanes, 2)
        self._integer = f"<{self._width} x i64>"
        self.arguments = [Value(self, f"%x{i}", self.double) for i in range(n_arguments)]
        self._lines: list[str] = []

    def define(self, results: Sequence[Value], attributes: str) -> str:
        """Return the text of the function; several results make a structure."""
        result = results[0] if len(results) == 1 else self._structure(results)
        arguments = ", ".join(f"{x.type} {x.text}" for x in self.arguments)
        head = f"define internal {result.type} @jd_{self.name}{self.suffix}({arguments})"
        body = "\n".join(self._lines)
        end = f"  ret {result.type} {result.text}"
        return f"{head} {attributes} {PURE} {{\nstart:\n{body}\n{end}\n}}\n"

    def _structure(self, results: Sequence[Value]) -> Value:
        type_ = "{" + ", ".join(result.type for result in results) + "}"
        whole = Value(self, "poison", type_)
        for i, x in enumerate(results):
            parts = f"{type_} {whole.text}, {x.type} {x.text}"
            whole = self.emit(type_, f"insertvalue {parts}, {i}")
        return whole

    def emit(self, type_: str, instruction: str) -> Value:
        """Append an instruction and return its result."""
        name = f"%v{len(self._lines)}"
        self._lines.append(f"  {name} = {instruction}")
        return Value(self, name, type_)

    # ---- constants and operators

    def like(self, value: Value, operand: Operand) -> Value:
        """Return the operand as a value of the same type, a constant repeated in all lanes."""
        if isinstance(operand, Value):
            return operand
        if "double" not in value.type:
            return Value(self, _repeat("i64", str(operand), self._width), value.type)
        (bits,) = struct.unpack("<Q", struct.pack("<d", operand))
        return Value(self, _repeat("double", f"0x{bits:016X}", self.lanes), value.type)

    def constant(self, number: float) -> Value:
        """Return a double, repeated in all lanes."""
        return self.like(self.arguments[0], number)

    def binary(self, operation: str, a: Value, b: Operand) -> Value:
        """Emit arithmetic on doubles, or arithmetic and logic on integers and truth values."""
        prefix = "f" if "double" in a.type else ""
        return self.emit(a.type, f"{prefix}{operation} {a.type} {a.text}, {self.like(a, b).text}")

    def compare(self, predicate: str, a: Value, b: Operand) -> Value:
        """Emit a comparison of doubles, false where an operand is NaN."""
        truth = self.double.replace("double", "i1")
        return self.emit(truth, f"fcmp {predicate} {a.type} {a.text}, {self.like(a, b).text}")

    def select(self, condition: Value, yes: Operand, no: Operand) -> Value:
        """Return yes where the condition holds, no elsewhere."""
        a, b = (self.like(self.arguments[0], operand) for operand in (yes, no))
        if self.lanes == 1 and condition.type != "i1":
            return self._narrow(self._select(condition, self._widen(a), self._widen(b)))
        return self._select(condition, a, b)

    def _select(self, condition: Value, a: Value, b: Value) -> Value:
        choice = f"{condition.type} {condition.text}"
        return self.emit(a.type, f"select {choice}, {a.type} {a.text}, {b.type} {b.text}")

    # ---- functions of doubles

    def intrinsic(self, name: str, *operands: Operand) -> Value:
        """Call an LLVM intrinsic on doubles."""
        suffix = "f64" if self.lanes == 1 else f"v{self.lanes}f64"
        values = [self.like(self.arguments[0], operand) for operand in operands]
        arguments = ", ".join(f"{self.double} {value.text}" for value in values)
        return self.emit(self.double, f"call {self.double} @llvm.{name}.{suffix}({arguments})")

    def fma(self, a: Operand, b: Operand, c: Operand) -> Value:
        """Return a b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    def abs(self, x: Value) -> Value:
        """Return the magnitude."""
        return self.intrinsic("fabs", x)

    def polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """Return the polynomial with these coefficients, lowest power first.

        Pairs of terms, then Horner in x²: half the latency of Horner for one more product.
        """
        even, odd = coefficients[::2], coefficients[1::2]
        pairs = [self.fma(b, x, a) for a, b in zip(even, odd, strict=False)]
        if len(even) > len(odd):
            pairs.append(self.constant(even[-1]))
        square, result = x * x, pairs.pop()
        for pair in reversed(pairs):
            result = self.fma(result, square, pair)
        return result

    def call(self, name: str, *operands: Value, n_results: int = 1) -> list[Value]:
        """Call another routine with the same lanes and return its results."""
        self.calls.add(name)
        type_ = self.double if n_results == 1 else "{" + ", ".join([self.double] * n_results) + "}"
        arguments = ", ".join(f"{x.type} {x.text}" for x in operands)
        result = self.emit(type_, f"call {type_} @jd_{name}{self.suffix}({arguments})")
        if n_results == 1:
            return [result]
        whole = f"{type_} {result.text}"
        return [self.emit(self.double, f"extractvalue {whole}, {i}") for i in range(n_results)]

    def library(self, name: str, *operands: Value) -> Value:
        """Call a function of the C library, lane by lane."""
        self.externals[name] = len(operands)
        if self.lanes == 1:
            return self._external(name, *operands)
        result = Value(self, "poison", self.double)
        for i in range(self.lanes):
            lane = self._external(name, *(self._narrow(x, i) for x in operands))
            result = self._insert(result, lane, i)
        return result

    def _external(self, name: str, *operands: Value) -> Value:
        arguments = ", ".join(f"double {x.text}" for x in operands)
        return self.emit("double", f"call double @{name}({arguments})")

    def replace_rare(
        self, condition: Value, usual: Sequence[Value], name: str, *operands: Value
    ) -> list[Value]:
        """Return the usual results, and those of another routine in lanes that need it.

        The routine is called only if some lane does; once per function.
        """
        any_lane = condition if self.lanes == 1 else self._any(condition)
        self._lines.append(f"  br i1 {any_lane.text}, label %rare, label %done\nrare:")
        others = self.call(name, *operands, n_results=len(usual))
        chosen = [self.select(condition, b, a) for a, b in zip(usual, others, strict=True)]
        self._lines.append("  br label %done\ndone:")
        return [
            self.emit(a.type, f"phi {a.type} [{a.text}, %start], [{b.text}, %rare]")
            for a, b in zip(usual, chosen, strict=True)
        ]

    def _any(self, condition: Value) -> Value:
        vector = f"{condition.type} {condition.text}"
        return self.emit("i1", f"call i1 @llvm.vector.reduce.or.v{self.lanes}i1({vector})")

    # ---- bits

    def bits(self, x: Value) -> Value:
        """Return the bit patterns of doubles as integers."""
        wide = self._widen(x) if self.lanes == 1 else x
        return self.emit(self._integer, f"bitcast {wide.type} {wide.text} to {self._integer}")

    def number(self, bits: Value) -> Value:
        """Return the doubles with the given bit patterns."""
        wide = self._integer.replace("i64", "double")
        result = self.emit(wide, f"bitcast {bits.type} {bits.text} to {wide}")
        return self._narrow(result) if self.lanes == 1 else result

    def is_odd(self, bits: Value) -> Value:
        """Tell where the lowest bit is set."""
        truth = self._integer.replace("i64", "i1")
        return self.emit(truth, f"trunc {bits.type} {bits.text} to {truth}")

    def is_negative(self, bits: Value) -> Value:
        """Tell where the highest bit is set."""
        truth = self._integer.replace("i64", "i1")
        return self.emit(truth, f"icmp slt {bits.type} {bits.text}, zeroinitializer")

    def _widen(self, x: Value) -> Value:
        return self._insert(Value(self, "poison", "<2 x double>"), x, 0)

    def _insert(self, vector: Value, x: Value, lane: int) -> Value:
        whole = f"{vector.type} {vector.text}"
        return self.emit(vector.type, f"insertelement {whole}, double {x.text}, i32 {lane}")

    def _narrow(self, x: Value, lane: int = 0) -> Value:
        return self.emit("double", f"extractelement {x.type} {x.text}, i32 {lane}")


def _repeat(type_: str, constant: str, lanes: int) -> str:
    return constant if lanes == 1 else "<" + ", ".join([f"{type_} {constant}"] * lanes) + ">"
