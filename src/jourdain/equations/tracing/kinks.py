"""Kinks and jumps of what users write: laws, drives and inputs.

An expression has them where it compares, and in ``abs``, ``sign``, ``maximum``, ``minimum``,
``floor``, ``ceil``, ``remainder`` and tables. Each such place asks on which side of some borders a
number x lies. That side becomes a *mode*, an integer given from outside: for a fixed mode the
expression is smooth, and goes on smoothly beyond the border. The integrator watches the function
``inside``, which is positive as long as the mode is right and falls through zero where it ends, and
takes the mode ``beyond`` from there on. With the mode `LIVE` the expression is what it was; with
`UNWATCHED` added to a mode, that mode is in force but its border is not watched.

Borders of one number share a mode: of a table it is the number of the piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import casadi as ca

LIVE = -1e300  # mode of a place that looks at its number itself
UNWATCHED = 0.25  # added to a mode that stays in force beyond its border
_IS_LIVE = -1e200  # modes below it
_COMPARE = (ca.OP_LT, ca.OP_LE)
_PAIRS = (*_COMPARE, ca.OP_FMIN, ca.OP_FMAX)
_SIGNED = (ca.OP_FABS, ca.OP_SIGN)
_STAIRS = (ca.OP_FLOOR, ca.OP_CEIL, ca.OP_FMOD)
_KINKS = frozenset((*_PAIRS, *_SIGNED, *_STAIRS, ca.OP_COPYSIGN))
_BINARY = ca.SX.binary
_MOVES, _UNKNOWN = 1, 2  # what an expression depends on: on the state or time; on what is hidden


@dataclass(frozen=True)
class Kink:
    """One place to watch.

    Parameters
    ----------
    mode : casadi.SX
        Symbol of the mode.
    inside : casadi.SX
        Function that is positive while the mode is right and negative beyond its borders.
    beyond : casadi.SX
        Mode behind the nearest border.
    now : casadi.SX
        Mode that is right at a state.
    """

    mode: Any
    inside: Any
    beyond: Any
    now: Any


@dataclass
class Kinks:
    """Places to watch, collected while expressions are made.

    Parameters
    ----------
    sees_drives : bool
        Whether drives and values of held measures are among them, besides laws and inputs.
    found : list of Kink
        All of them.
    """

    sees_drives: bool = True
    found: list[Kink] = field(default_factory=list)

    @property
    def modes(self) -> Any:
        """Symbols of the modes, one column."""
        return ca.vertcat(ca.SX(0, 1), *(kink.mode for kink in self.found))

    def column(self, name: str) -> Any:
        """Expressions of all places, by name: inside, beyond or now."""
        return ca.vertcat(ca.SX(0, 1), *(getattr(kink, name) for kink in self.found))

    def add(self, modes: Sequence[Any], parts: Any) -> None:
        """Take places whose expressions (inside, beyond, now for each) have got other arguments."""
        for k, mode in enumerate(modes):
            self.found.append(Kink(mode, *(parts[3 * k + i] for i in range(3))))

    def take(self, outputs: Sequence[Any], moving: Sequence[Any]) -> list[Any]:
        """Expressions with modes in them, whose places to watch are added."""
        results, found = frozen(outputs, moving)
        self.found += found
        return results


def has_kinks(outputs: Sequence[Any]) -> bool:
    """Tell whether expressions have kinks or jumps anywhere."""
    column = ca.veccat(*outputs)
    f = ca.Function("f", [ca.vertcat(ca.SX(0, 1), *ca.symvar(column))], [column])
    return any(f.instruction_id(k) in _KINKS for k in range(f.n_instructions()))


def frozen(
    outputs: Sequence[Any], moving: Sequence[Any], hidden: Sequence[Any] = ()
) -> tuple[list[Any], list[Kink]]:
    """Put modes in the place of what decides between pieces of expressions.

    Parameters
    ----------
    outputs : sequence of casadi.SX
        Expressions.
    moving : sequence of casadi.SX
        Symbols that change in a run; what depends on none of them has no modes.
    hidden : sequence of casadi.SX
        Symbols whose values are not known where modes are watched; what depends on them has none.

    Returns
    -------
    list of casadi.SX, list of Kink
        The expressions, and the places to watch.
    """
    symbols = ca.symvar(ca.veccat(*outputs))
    f = ca.Function("f", [ca.vertcat(ca.SX(0, 1), *symbols)], list(outputs))
    codes = [f.instruction_id(k) for k in range(f.n_instructions())]
    if _KINKS.isdisjoint(codes):
        return list(outputs), []
    moves, unknown = (
        {s.element_hash() for s in ca.symvar(ca.veccat(ca.SX(0, 1), *x))} for x in (moving, hidden)
    )
    known = [s.element_hash() for s in symbols]
    depends = [_MOVES * (h in moves) + _UNKNOWN * (h in unknown) for h in known]
    first = _Rewriting(f, codes, symbols, depends)
    first.run()  # collects the borders
    second = _Rewriting(f, codes, symbols, depends, first.places)
    second.run()
    results = [ca.SX(value.sparsity()) for value in outputs]
    for (output, place), value in second.results.items():
        results[output].nz[place] = value
    return results, [p.kink(second.at(p.number)) for p in second.places.values()]


@dataclass
class _Place:
    """Number that is compared with borders, or counted by steps of a staircase."""

    number: int  # of the value in the rewriting
    stair: int  # operation, or 0 for borders
    mode: Any
    borders: list[float] = field(default_factory=list)

    def is_above(self, border: float) -> Any:
        """Condition of the mode that the number lies above a border."""
        return self.mode > self.borders.index(border) + 0.5

    def kink(self, x: Any) -> Kink:
        """Place to watch, for the number."""
        if self.stair:
            return self._stair(x)
        n, m = len(self.borders), self.mode
        now = sum((x >= c for c in self.borders), start=ca.SX(0))
        if n == 1:
            inside = ca.if_else(m > 0.5, x - self.borders[0], self.borders[0] - x)
            return Kink(m, _if_watched(m, inside), 1.0 - m, now)
        lows, highs = [self.borders[0], *self.borders], [*self.borders, self.borders[-1]]
        low, high = _selected(m, 0, lows), _selected(m, 0, highs)
        inner = (x - low) * (high - x) / ca.if_else(high > low, high - low, 1.0)
        last = ca.if_else(m > n - 0.5, x - self.borders[-1], inner)
        inside = ca.if_else(m < 0.5, self.borders[0] - x, last)
        is_up = ca.if_else(m < 0.5, 1, ca.if_else(m > n - 0.5, 0, x > 0.5 * (low + high)))
        return Kink(m, _if_watched(m, inside), m + 2.0 * is_up - 1.0, now)

    def _stair(self, x: Any) -> Kink:
        m = self.mode
        if self.stair == ca.OP_FLOOR:
            low, high, now = m, m + 1.0, ca.floor(x)
        elif self.stair == ca.OP_CEIL:
            low, high, now = m - 1.0, m, ca.ceil(x)
        else:  # towards zero
            low, high = m - (m <= 0.0), m + (m >= 0.0)
            now = ca.if_else(x > 0.0, ca.floor(x), ca.ceil(x))
        inside = (x - low) * (high - x) / (high - low)
        return Kink(m, _if_watched(m, inside), m + 2.0 * (x > 0.5 * (low + high)) - 1.0, now)


def _if_watched(mode: Any, value: Any) -> Any:
    is_plain = ca.logic_or(mode < _IS_LIVE, mode != ca.floor(mode))
    return ca.if_else(is_plain, 1.0, value)


def _selected(mode: Any, start: int, values: Sequence[float]) -> Any:
    """Value that belongs to a mode, by a balanced tree."""
    if len(values) == 1:
        return ca.SX(values[0])
    k = len(values) // 2
    left, right = _selected(mode, start, values[:k]), _selected(mode, start + k, values[k:])
    return ca.if_else(mode < start + k - 0.5, left, right)


class _Rewriting:
    """Instructions of a function carried out on expressions; equal ones get equal numbers."""

    def __init__(
        self,
        f: Any,
        codes: Sequence[int],
        symbols: Sequence[Any],
        depends: Sequence[int],
        places: dict[tuple[int, int], _Place] | None = None,
    ) -> None:
        self._f, self._codes, self._symbols, self._of_symbols = f, codes, symbols, depends
        self._is_last, self.places = places is not None, places or {}
        self._keys: dict[Any, int] = {}
        self._values: list[Any] = []
        self._depends: list[int] = []
        self.results: dict[tuple[int, int], Any] = {}

    def at(self, number: int) -> Any:
        """Expression of a number."""
        return self._values[number]

    def run(self) -> None:
        """Carry out all instructions."""
        work: dict[int, int] = {}
        for k, op in enumerate(self._codes):
            given, to = self._f.instruction_input(k), self._f.instruction_output(k)
            if op == ca.OP_OUTPUT:
                self.results[to[0], to[1]] = self.at(work[given[0]])
            elif op == ca.OP_INPUT:
                work[to[0]] = self._symbol(given[1])
            elif op == ca.OP_CONST:
                work[to[0]] = self._constant(self._f.instruction_constant(k))
            else:
                work[to[0]] = self._operation(op, [work[i] for i in given])

    def _new(self, key: Any, make: Any, depends: int) -> int:
        if key not in self._keys:
            value = make()
            self._keys[key] = len(self._values)
            self._values.append(value)
            self._depends.append(depends)
        return self._keys[key]

    def _symbol(self, i: int) -> int:
        return self._new(("symbol", i), lambda: self._symbols[i], self._of_symbols[i])

    def _constant(self, x: float) -> int:
        return self._new(("number", x), lambda: ca.SX(x), 0)

    def _plain(self, op: int, a: list[int]) -> int:
        made = ca.SX.unary if len(a) == 1 else _BINARY
        return self._new((op, *a), lambda: made(op, *map(self.at, a)), self._of(a))

    def _operation(self, op: int, a: list[int]) -> int:
        if op not in _KINKS or self._of(a) != _MOVES:
            return self._plain(op, a)
        return self._new(("frozen", op, *a), lambda: self._frozen(op, a), _MOVES)

    def _of(self, a: list[int]) -> int:
        """What an operation on some numbers depends on."""
        found = 0
        for i in a:
            found |= self._depends[i]
        return found

    def _frozen(self, op: int, a: list[int]) -> Any:
        """Expression of an operation with a kink, by its modes."""
        plain, values = self.at(self._plain(op, a)), [self.at(i) for i in a]
        if op in _STAIRS:
            return self._by_steps(op, a, plain)
        if op in _SIGNED:
            above, mode = self._above(a[0], 0.0)
            sign = 2.0 * above - 1.0
            smooth = sign * values[0] if op == ca.OP_FABS else sign
            return ca.if_else(mode < _IS_LIVE, plain, smooth)
        if op == ca.OP_COPYSIGN:
            if not self._depends[a[1]]:
                return self.at(self._operation(ca.OP_FABS, a[:1])) * ca.copysign(1.0, values[1])
            above, mode = self._above(a[1], 0.0)
            size = self.at(self._operation(ca.OP_FABS, a[:1]))
            return ca.if_else(mode < _IS_LIVE, plain, (2.0 * above - 1.0) * size)
        above, mode = self._order(*a)  # whether the first is the larger one
        if op in _COMPARE:
            smooth = 1.0 - above
        else:
            smooth = ca.if_else(above, *(values if op == ca.OP_FMAX else values[::-1]))
        return ca.if_else(mode < _IS_LIVE, plain, smooth)

    def _order(self, i: int, k: int) -> tuple[Any, Any]:
        """Condition that number i is above number k, and the mode that tells."""
        for x, c, sign in ((i, k, False), (k, i, True)):
            if self.at(c).is_constant():
                above, mode = self._above(x, float(self.at(c)))
                return (1.0 - above if sign else above), mode
        low, high = min(i, k), max(i, k)
        above, mode = self._above(self._plain(ca.OP_SUB, [low, high]), 0.0)
        return (above if low == i else 1.0 - above), mode

    def _place(self, number: int, stair: int) -> _Place:
        key = number, stair
        if key not in self.places:
            self.places[key] = _Place(number, stair, ca.SX.sym("mode"))
        return self.places[key]

    def _above(self, number: int, border: float) -> tuple[Any, Any]:
        place = self._place(number, 0)
        if border not in place.borders:
            place.borders = sorted([*place.borders, border])
        return place.is_above(border), place.mode

    def _by_steps(self, op: int, a: list[int], plain: Any) -> Any:
        number = self._plain(ca.OP_DIV, a) if op == ca.OP_FMOD else a[0]
        mode = self._place(number, op).mode
        step = ca.floor(mode)
        smooth = self.at(a[0]) - step * self.at(a[1]) if op == ca.OP_FMOD else step
        return ca.if_else(mode < _IS_LIVE, plain, smooth)
