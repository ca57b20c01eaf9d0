"""Exact simplification of small expressions by a polynomial normal form.

Differentiating a pose leaves products such as ``sin² cos + cos² cos`` or ``(w² + x²)/(w² + x²)``
that cost time in every call. Expressions are written as polynomials in *atoms* (symbols and
values of functions) and reduced with the relations the atoms obey:

    sin(a)² = 1 − cos(a)²,        lead(P)·(1/P) = 1 − (P − lead(P))·(1/P)

Both are identities, so the value never changes beyond rounding.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

Monomial = tuple[tuple[int, int], ...]  # ((atom, power), ...), atoms ascending
Polynomial = dict[Monomial, float]

_EPS = 2.0**-50
_MAX_TERMS = 3000  # of one product
_MAX_WORK = 20_000  # products of terms in all, a fraction of a second


class _TooLong(Exception):  # noqa: N818
    """The normal form has too many terms to pay."""


class _Ring:
    """Atoms of one expression and the arithmetic of polynomials in them."""

    def __init__(self) -> None:
        self.atoms: dict[Any, int] = {}
        self.symbols: list[Any] = []
        self.square_rule: dict[int, Polynomial] = {}  # atom -> polynomial of its square
        self.inverse_rule: dict[int, tuple[Monomial, Polynomial]] = {}
        self.work = 0

    def atom(self, key: Any, symbol: Any) -> int:
        if key not in self.atoms:
            self.atoms[key] = len(self.symbols)
            self.symbols.append(symbol)
        return self.atoms[key]

    def add(self, a: Polynomial, b: Polynomial, factor: float = 1.0) -> Polynomial:
        result = dict(a)
        for monomial, coefficient in b.items():
            old = result.get(monomial, 0.0)
            new = old + factor * coefficient
            if abs(new) <= _EPS * max(abs(old), abs(coefficient)):
                result.pop(monomial, None)
            else:
                result[monomial] = new
        return result

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        self.work += len(a) * len(b)
        if len(a) * len(b) > _MAX_TERMS or self.work > _MAX_WORK:
            raise _TooLong
        result: Polynomial = {}
        for m_a, c_a in a.items():
            for m_b, c_b in b.items():
                powers = dict(m_a)
                for atom, power in m_b:
                    powers[atom] = powers.get(atom, 0) + power
                result = self.add(result, self.reduced(powers, c_a * c_b))
        return result

    def reduced(self, powers: dict[int, int], coefficient: float) -> Polynomial:
        for atom, rule in self.square_rule.items():
            if powers.get(atom, 0) >= 2:
                return self._rewrite(powers, ((atom, 2),), rule, coefficient)
        for atom, (lead, rule) in self.inverse_rule.items():
            pattern = ((atom, 1), *lead)
            if all(powers.get(a, 0) >= p for a, p in pattern):
                return self._rewrite(powers, pattern, rule, coefficient)
        return {tuple(sorted((a, p) for a, p in powers.items() if p)): coefficient}

    def _rewrite(
        self, powers: dict[int, int], pattern: Monomial, rule: Polynomial, coefficient: float
    ) -> Polynomial:
        rest = dict(powers)
        for atom, power in pattern:
            rest[atom] -= power
        cofactor = {tuple(sorted((a, p) for a, p in rest.items() if p)): coefficient}
        return self.multiply(cofactor, rule)

    def inverse(self, p: Polynomial, symbol: Any) -> Polynomial:
        if list(p) == [()]:
            return {(): 1.0 / p[()]}
        atom = self.atom(("inverse", frozenset(p.items())), symbol)
        lead = max(p, key=lambda m: (sum(power for _, power in m), m))
        rest = {m: -c / p[lead] for m, c in p.items() if m != lead}
        rule = self.multiply(rest, {((atom, 1),): 1.0})
        self.inverse_rule[atom] = (lead, self.add({(): 1.0 / p[lead]}, rule))
        return {((atom, 1),): 1.0}

    def sine_or_cosine(self, op: int, p: Polynomial, argument: Any) -> Polynomial:
        key = frozenset(p.items())
        cosine = self.atom(("cos", key), ca.cos(argument))
        sine = self.atom(("sin", key), ca.sin(argument))
        self.square_rule[sine] = {(): 1.0, ((cosine, 2),): -1.0}
        return {((sine if op == ca.OP_SIN else cosine, 1),): 1.0}

    def symbolic(self, p: Polynomial) -> Any:
        total = ca.SX(0)
        for monomial, coefficient in sorted(p.items()):
            near = round(coefficient)
            exact = near if abs(coefficient - near) <= 8 * _EPS * abs(coefficient) else coefficient
            term = ca.SX(1)
            for atom, power in monomial:
                for _ in range(power):
                    term = term * self.symbols[atom]
            total = total + exact * term
        return total


def simplify(expression: Any) -> Any:
    """Return an equal matrix with every entry in the cheaper of its two forms.

    Parameters
    ----------
    expression : casadi.SX
        Matrix of expressions in a few symbols, such as the mode vectors of a joint.
    """
    dense = ca.densify(expression)
    entries = [dense[i, j] for j in range(dense.shape[1]) for i in range(dense.shape[0])]
    if all(e.is_constant() for e in entries):
        return dense
    try:
        polynomials, ring = _polynomials(dense)
    except _TooLong:
        return dense
    cheaper = []
    for entry, p in zip(entries, polynomials, strict=True):
        other = ring.symbolic(p)
        cheaper.append(other if ca.n_nodes(other) <= ca.n_nodes(entry) else entry)
    return ca.reshape(ca.vertcat(*cheaper), *dense.shape)


def _polynomials(expression: Any) -> tuple[list[Polynomial], _Ring]:
    symbols = ca.symvar(expression)
    graph = ca.Function("graph", [ca.vertcat(*symbols)], [expression])
    ring = _Ring()
    work: dict[int, tuple[Polynomial, Any]] = {}  # polynomial and the symbolic value
    out: list[Polynomial] = [{} for _ in range(expression.numel())]
    for k in range(graph.n_instructions()):
        op = graph.instruction_id(k)
        i, o = graph.instruction_input(k), graph.instruction_output(k)
        if op == ca.OP_INPUT:
            symbol = symbols[i[1]]
            work[o[0]] = {((ring.atom(("symbol", i[1]), symbol), 1),): 1.0}, symbol
        elif op == ca.OP_OUTPUT:
            out[o[1]] = work[i[0]][0]
        elif op == ca.OP_CONST:
            value = graph.instruction_constant(k)
            work[o[0]] = ({(): value} if value else {}), ca.SX(value)
        else:
            work[o[0]] = _apply(ring, op, [work[j] for j in i])
    return out, ring


def _apply(ring: _Ring, op: int, arguments: list[tuple[Polynomial, Any]]) -> Any:
    (a, x), (b, y) = arguments[0], arguments[-1]
    value = _VALUES[op](x, y) if op in _VALUES else ca.SX.unary(op, x)
    match op:
        case ca.OP_ADD:
            return ring.add(a, b), value
        case ca.OP_SUB:
            return ring.add(a, b, -1.0), value
        case ca.OP_MUL | ca.OP_SQ:
            return ring.multiply(a, b), value
        case ca.OP_TWICE:
            return ring.add(a, a), value
        case ca.OP_NEG:
            return ring.add({}, a, -1.0), value
        case ca.OP_DIV:
            return ring.multiply(a, ring.inverse(b, 1 / y)), value
        case ca.OP_INV:
            return ring.inverse(a, value), value
        case ca.OP_SIN | ca.OP_COS:
            return ring.sine_or_cosine(op, a, x), value
        case _:
            key = (op, *(frozenset(p.items()) for p, _ in arguments))
            return {((ring.atom(key, value), 1),): 1.0}, value


_BINARY = (
    ca.OP_POW, ca.OP_CONSTPOW, ca.OP_LT, ca.OP_LE, ca.OP_EQ, ca.OP_NE, ca.OP_AND, ca.OP_OR,
    ca.OP_FMOD, ca.OP_COPYSIGN, ca.OP_IF_ELSE_ZERO, ca.OP_FMIN, ca.OP_FMAX, ca.OP_ATAN2,
    ca.OP_HYPOT, ca.OP_REMAINDER, ca.OP_ADD, ca.OP_SUB, ca.OP_MUL, ca.OP_DIV,
)  # fmt: skip
_VALUES = {op: (lambda x, y, op=op: ca.SX.binary(op, x, y)) for op in _BINARY}
