"""Expression graph to LLVM IR text: straight-line code on doubles or on SIMD lanes.

CasADi lists an SX function as instructions on a work vector; each becomes one line of IR. Inputs
and outputs are *places*: a pointer parameter and an offset in elements. With more than one lane
every element is a vector of lanes, except at uniform places, whose scalar is spread.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from jourdain.codegen.rolling.listing import Listing, listed
from jourdain.codegen.rolling.skipping import skipping
from jourdain.errors import ModelError

FLAGS = "contract arcp nsz"  # fused multiply-add and reciprocals; no reassociation, NaN kept


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number lies: ``pointer[offset]``; uniform places hold one double for all lanes."""

    pointer: str
    offset: int
    is_uniform: bool = False


def element_type(lanes: int) -> str:
    """LLVM type of one element."""
    return "double" if lanes == 1 else f"<{lanes} x double>"


def constant(value: float, lanes: int) -> str:
    """LLVM spelling of a number, exact to the last bit."""
    bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    return bits if lanes == 1 else f"splat (double {bits})"


_ARITHMETIC = {ca.OP_ADD: "fadd", ca.OP_SUB: "fsub", ca.OP_MUL: "fmul", ca.OP_DIV: "fdiv"}
_COMPARE = {ca.OP_LT: "olt", ca.OP_LE: "ole", ca.OP_EQ: "oeq", ca.OP_NE: "une"}
_NAMED = {
    ca.OP_EXP: "exp", ca.OP_LOG: "log", ca.OP_POW: "pow", ca.OP_CONSTPOW: "pow",
    ca.OP_SQRT: "sqrt", ca.OP_TAN: "tan", ca.OP_ASIN: "asin", ca.OP_ACOS: "acos",
    ca.OP_ATAN: "atan", ca.OP_FLOOR: "floor", ca.OP_CEIL: "ceil", ca.OP_FMOD: "fmod",
    ca.OP_FABS: "fabs", ca.OP_SIGN: "sign", ca.OP_COPYSIGN: "copysign", ca.OP_ERF: "erf",
    ca.OP_FMIN: "fmin", ca.OP_FMAX: "fmax", ca.OP_SINH: "sinh", ca.OP_COSH: "cosh",
    ca.OP_TANH: "tanh", ca.OP_ASINH: "asinh", ca.OP_ACOSH: "acosh", ca.OP_ATANH: "atanh",
    ca.OP_ATAN2: "atan2", ca.OP_ERFINV: "erfinv", ca.OP_LOG1P: "log1p", ca.OP_EXPM1: "expm1",
    ca.OP_HYPOT: "hypot", ca.OP_REMAINDER: "remainder",
}  # fmt: skip
_SMALL_POWER = 8
_GROUP = 4  # angles whose sines and cosines are computed together


class Lowering:
    """Text of one IR function in the making."""

    def __init__(self, lanes: int, suffix: str = "") -> None:
        self.lanes, self._suffix = lanes, suffix  # suffix of elementary functions for these lanes
        self.type = element_type(lanes)
        self.lines: list[str] = []
        self.functions: set[str] = set()
        self.constants: dict[str, float] = {}
        self._angles: dict[str, tuple[str, str]] = {}  # angle -> sine, cosine
        self._before = self._angles
        self._count = 0

    def emit(self, text: str) -> str:
        """Append ``%x = text`` and return ``%x``."""
        self._count += 1
        self.lines.append(f"%x{self._count} = {text}")
        return f"%x{self._count}"

    def load(self, place: Place) -> str:
        """Read a place."""
        kind = self.type if self.lanes == 1 or not place.is_uniform else "double"
        address = self.emit(f"getelementptr {kind}, ptr %{place.pointer}, i64 {place.offset}")
        if kind == self.type:
            return self.emit(f"load {self.type}, ptr {address}, align 8")
        scalar = self.emit(f"load double, ptr {address}, align 8")
        one = self.emit(f"insertelement {self.type} poison, double {scalar}, i64 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return self.emit(f"shufflevector {self.type} {one}, {self.type} poison, {zeros}")

    def store(self, value: str, place: Place) -> None:
        """Write a place."""
        address = self.emit(f"getelementptr {self.type}, ptr %{place.pointer}, i64 {place.offset}")
        self.lines.append(f"store {self.type} {value}, ptr {address}, align 8")

    def constant(self, value: float) -> str:
        """Spell a number and remember it."""
        text = constant(value, self.lanes)
        self.constants[text] = value
        return text

    def binary(self, instruction: str, a: str, b: str) -> str:
        """Arithmetic instruction."""
        return self.emit(f"{instruction} {FLAGS} {self.type} {a}, {b}")

    def call(self, name: str, *arguments: str) -> str:
        """Call of an elementary function."""
        name = f"{name}{self._suffix}"
        self.functions.add(name)
        listed = ", ".join(f"{self.type} {a}" for a in arguments)
        return self.emit(f"call {self.type} @jd_{name}({listed})")

    def condition(self, relation: str, a: str, b: str) -> str:
        """Comparison as a mask."""
        return self.emit(f"fcmp {relation} {self.type} {a}, {b}")

    @property
    def mask(self) -> str:
        """Type of a mask."""
        return "i1" if self.lanes == 1 else f"<{self.lanes} x i1>"

    def number(self, mask: str) -> str:
        """Turn a mask into 0 or 1."""
        one, zero = self.constant(1.0), self.constant(0.0)
        return self.emit(f"select {self.mask} {mask}, {self.type} {one}, {self.type} {zero}")

    def sine_cosine(self, angle: str, index: int) -> str:
        """Sine (0) or cosine (1); both come from one call per angle."""
        if angle not in self._angles:
            self.functions.add(f"sincos{self._suffix}")
            pair = f"{{ {self.type}, {self.type} }}"
            both = self.emit(f"call {pair} @jd_sincos{self._suffix}({self.type} {angle})")
            sine, cosine = (self.emit(f"extractvalue {pair} {both}, {k}") for k in (0, 1))
            self._angles[angle] = sine, cosine
        return self._angles[angle][index]

    def sines_cosines(self, angles: Sequence[str]) -> None:
        """Sines and cosines of several scalar angles at once, in SIMD lanes."""
        for start in range(0, len(angles) - 1, _GROUP):
            group = angles[start : start + _GROUP]
            vector, packed = element_type(_GROUP), "poison"
            for k in range(_GROUP):  # spare lanes repeat the last angle
                angle = group[min(k, len(group) - 1)]
                packed = self.emit(f"insertelement {vector} {packed}, double {angle}, i64 {k}")
            self.functions.add(f"sincos_{_GROUP}")
            pair = f"{{ {vector}, {vector} }}"
            both = self.emit(f"call {pair} @jd_sincos_{_GROUP}({vector} {packed})")
            halves = [self.emit(f"extractvalue {pair} {both}, {k}") for k in (0, 1)]
            for k, angle in enumerate(group):
                sine, cosine = (
                    self.emit(f"extractelement {vector} {half}, i64 {k}") for half in halves
                )
                self._angles[angle] = sine, cosine

    def operation(self, op: int, a: list[str]) -> str:
        """Lower one instruction."""
        zero = self.constant(0.0)
        if op in _ARITHMETIC:
            return self.binary(_ARITHMETIC[op], *a)
        if op in (ca.OP_SIN, ca.OP_COS):
            return self.sine_cosine(a[0], 0 if op == ca.OP_SIN else 1)
        if op in (ca.OP_POW, ca.OP_CONSTPOW) and _is_small_power(self.constants.get(a[1])):
            return self.integer_power(a[0], int(self.constants[a[1]]))
        if op in _NAMED:
            return self.call(_NAMED[op], *a)
        if op in _COMPARE:
            return self.number(self.condition(_COMPARE[op], *a))
        match op:
            case ca.OP_NEG:
                return self.emit(f"fneg {self.type} {a[0]}")
            case ca.OP_SQ:
                return self.binary("fmul", a[0], a[0])
            case ca.OP_TWICE:
                return self.binary("fadd", a[0], a[0])
            case ca.OP_INV:
                return self.binary("fdiv", self.constant(1.0), a[0])
            case ca.OP_NOT:
                return self.number(self.condition("oeq", a[0], zero))
            case ca.OP_AND | ca.OP_OR:
                x, y = (self.condition("une", value, zero) for value in a)
                word = "and" if op == ca.OP_AND else "or"
                return self.number(self.emit(f"{word} {self.mask} {x}, {y}"))
            case ca.OP_IF_ELSE_ZERO:
                mask = self.condition("une", a[0], zero)
                return self.emit(
                    f"select {self.mask} {mask}, {self.type} {a[1]}, {self.type} {zero}"
                )
            case _:
                raise ModelError(
                    f"an expression has the CasADi operation {op}, which cannot be compiled: it "
                    "calls a function that is no graph. Write it with jourdain.math, tables as "
                    "jd.Table."
                )

    def branch(self, conditions: Iterable[str]) -> None:
        """Go on only where one of some conditions holds in some lane; `joined` ends it."""
        zero = self.constant(0.0)
        masks = [self.condition("une", x, zero) for x in conditions]
        mask = masks[0]
        for other in masks[1:]:
            mask = self.emit(f"or {self.mask} {mask}, {other}")
        if self.lanes > 1:
            bits = self.emit(f"bitcast {self.mask} {mask} to i{self.lanes}")
            mask = self.emit(f"icmp ne i{self.lanes} {bits}, 0")
        self._before = dict(self._angles)  # sines that are there behind the branch, too
        self.lines.insert(0, "begin:")
        self.lines += [f"br i1 {mask}, label %near, label %join", "near:"]

    def joined(self, values: Sequence[str]) -> list[str]:
        """Values behind a branch: zero where it was not taken."""
        self.lines += ["br label %join", "join:"]
        self._angles = self._before
        zero = self.constant(0.0)
        return [self.emit(f"phi {self.type} [ {x}, %near ], [ {zero}, %begin ]") for x in values]

    def integer_power(self, base: str, exponent: int) -> str:
        """Repeated multiplication for small constant exponents."""
        result = ""
        for bit in bin(abs(exponent))[2:]:
            result = self.binary("fmul", result, result) if result else ""
            if bit == "1":
                result = self.binary("fmul", result, base) if result else base
        if not result:
            return self.constant(1.0)
        return self.binary("fdiv", self.constant(1.0), result) if exponent < 0 else result


def _is_small_power(exponent: float | None) -> bool:
    return exponent is not None and exponent.is_integer() and abs(exponent) <= _SMALL_POWER


def lower(
    name: str,
    graph: Any,
    inputs: Sequence[Place],
    outputs: Sequence[Place],
    parameters: Sequence[str],
    lanes: int,
) -> tuple[str, set[str]]:
    """Write a function as IR.

    Parameters
    ----------
    name : str
        Name of the IR function.
    graph : casadi.Function
        SX function of one column, giving one column.
    inputs, outputs : sequence of Place
        One place per component.
    parameters : sequence of str
        Names of the pointer parameters, in the order of the call.
    lanes : int
        Systems evaluated at a time.

    Returns
    -------
    text : str
        Definition of the function.
    functions : set of str
        Elementary functions it calls, as ``@jd_NAME``.
    """
    if (graph.nnz_in(), graph.nnz_out()) != (len(inputs), len(outputs)):
        raise ValueError(
            f"{name}: {graph.nnz_in()} entries for {len(inputs)} inputs and {graph.nnz_out()} for "
            f"{len(outputs)} outputs. Make the columns dense."
        )
    return written(name, listed(graph), inputs, outputs, parameters, lanes)


def written(
    name: str,
    listing: Listing,
    inputs: Sequence[Place],
    outputs: Sequence[Place],
    parameters: Sequence[str],
    lanes: int,
    *,
    may_skip: bool = False,
) -> tuple[str, set[str]]:
    """Write a listing as IR; arguments as of `lower`, ``may_skip`` as of `write`."""
    low = Lowering(lanes)
    loaded = {k: low.load(inputs[k]) for k in _input_angles(listing)} if lanes == 1 else {}
    low.sines_cosines(list(loaded.values()))
    write(low, listing, inputs, outputs, loaded, may_skip=may_skip)
    header = ", ".join(f"ptr noalias %{p}" for p in parameters)
    body = "\n".join(low.lines)
    return f"define internal void @{name}({header}) #0 {{\n{body}\nret void\n}}\n", low.functions


def write(
    low: Lowering,
    listing: Listing,
    inputs: Sequence[Place],
    outputs: Sequence[Place],
    loaded: Mapping[int, str],
    *,
    may_skip: bool = False,
) -> None:
    """Append the lines of a listing; inputs that are ``loaded`` already are not read again.

    With ``may_skip`` a branch passes over what is not needed, see `skipping`.
    """
    work: dict[int, str] = {}
    targets: dict[int, list[int]] = {}  # value → where it is stored, as soon as it is there
    for place, value in listing.outputs:
        targets.setdefault(value, []).append(place)

    def compute(values: Iterable[int]) -> None:
        for k in values:
            op, arguments = listing.operations[k], listing.arguments[k]
            if op == ca.OP_CONST:
                work[k] = low.constant(listing.constants[k])
            elif op == ca.OP_INPUT:
                place = arguments[0]
                work[k] = loaded[place] if place in loaded else low.load(inputs[place])
            else:
                work[k] = low.operation(op, [work[j] for j in arguments])
            store(k)

    def store(k: int) -> None:
        for place in targets.get(k, ()):
            low.store(work[k], outputs[place])

    found = skipping(listing) if may_skip else None
    if found is None:
        compute(range(len(listing)))
        return
    compute(found.before)
    low.branch(dict.fromkeys(work[listing.arguments[k][0]] for k in found.guards))
    compute(found.skipped)
    guarded = [low.operation(ca.OP_IF_ELSE_ZERO, [work[a] for a in listing.arguments[k]])
               for k in found.guards]  # fmt: skip
    for k, text in zip(found.guards, low.joined(guarded), strict=True):
        work[k] = text
        store(k)
    compute(found.behind)


def _input_angles(listing: Listing) -> list[int]:
    """Inputs whose sine or cosine is taken."""
    angles: dict[int, None] = {}
    for op, arguments in zip(listing.operations, listing.arguments, strict=True):
        if op in (ca.OP_SIN, ca.OP_COS) and listing.operations[arguments[0]] == ca.OP_INPUT:
            angles[listing.arguments[arguments[0]][0]] = None
    return list(angles)
