"""Arithmetic recorded as operations on cells of memory, and the loop that carries them out.

A sparse elimination of a large system is a table of integers here, not code: it takes no time to
compile. Operations that do not wait for each other are put side by side by kind, so that the loop
decides seldom.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.module import Core
from jourdain.codegen.translator.loops import loop_text
from jourdain.equations.constraints.multipliers import DEPENDENT, NOISE

(
    LESS, MORE, PRODUCT, NEGATIVE, INVERSE, PIVOT, LARGEST, PLUS, MINUS, NOISY, SHARE, COUNTED,
    GIVE,
) = range(13)  # fmt: skip
_BITS = 21  # of each of the three places of an operation
MASK = 2**_BITS - 1
LIMIT = 2**_BITS  # number of cells


class Tape:
    """Records operations of an `Arithmetic` on cells; a cell is its number.

    Parameters
    ----------
    start : int
        Number of cells that hold given numbers.
    """

    def __init__(self, start: int) -> None:
        self._zero, self.size = start, start + 1  # nobody writes to it
        self._operations: list[tuple[int, int, int, int]] = []  # kind, result, two operands

    def _new(self, kind: int, a: int, b: int) -> int:
        self.size += 1
        self._operations.append((kind, self.size - 1, a, b))
        return self.size - 1

    def product(self, a: int, b: int) -> int:
        """A b in a new cell."""
        return self._new(PRODUCT, a, b)

    def less(self, c: int | None, a: int, b: int) -> int:
        """C − a b, in the place of c."""
        if c is None:
            return self._new(NEGATIVE, a, b)
        self._operations.append((LESS, c, a, b))
        return c

    def more(self, c: int | None, a: int, b: int) -> int:
        """C + a b, in the place of c."""
        if c is None:
            return self._new(PRODUCT, a, b)
        self._operations.append((MORE, c, a, b))
        return c

    def inverse(self, a: int) -> int:
        """1 / a."""
        return self._new(INVERSE, a, a)

    def pivot(self, a: int, size: int) -> int:
        """1 / a, or 0 where a is at most ``DEPENDENT`` times the size."""
        return self._new(PIVOT, a, size)

    def copied(self, a: int) -> int:
        """A in a new cell."""
        return self.plus(self._new(PRODUCT, self._zero, self._zero), a)

    def noise(self, a: int) -> int:
        """``NOISE`` times a, in a new cell."""
        return self._new(NOISY, a, a)

    def larger(self, c: int, a: int) -> int:
        """The larger of two numbers ≥ 0, in the place of c."""
        return self.largest(c, a)

    def share(self, a: int, size: int) -> int:
        """A² / size, or 0 where the size is 0."""
        return self._new(SHARE, a, size)

    def counted(self, a: int, share: int) -> int:
        """1 / a, or 0 where the share is at most ``DEPENDENT``."""
        return self._new(COUNTED, a, share)

    def largest(self, c: int | None, a: int) -> int:
        """Largest of c and of the size of a."""
        c = self._new(PRODUCT, self._zero, self._zero) if c is None else c
        self._operations.append((LARGEST, c, a, a))
        return c

    def plus(self, c: int, a: int) -> int:
        """C + a, in the place of c."""
        self._operations.append((PLUS, c, a, a))
        return c

    def minus(self, c: int, a: int) -> int:
        """C − a, in the place of c."""
        self._operations.append((MINUS, c, a, a))
        return c

    def negative(self, a: int) -> int:
        """−a in a new cell."""
        return self.minus(self._new(PRODUCT, self._zero, self._zero), a)

    def give(self, place: int, a: int | None) -> None:
        """Put a cell, or zero, at a place of the results."""
        self._operations.append((GIVE, place, self._zero if a is None else a, self._zero))

    def program(self) -> Any:
        """Table for the loop: number of runs, then for each kind, count and packed operations."""
        level: dict[int, int] = {}  # of the operation that wrote a cell last
        read: dict[int, int] = {}  # of the last operation that read it
        table: dict[tuple[int, int], list[int]] = {}
        for kind, result, a, b in self._operations:
            when = max(level.get(a, 0), level.get(b, 0))
            if kind != GIVE:
                when = max(when, level.get(result, 0), read.get(result, 0))
                level[result] = when + 1
            for x in (a, b):
                read[x] = max(read.get(x, 0), when + 1)
            packed = (result << 2 * _BITS) | (a << _BITS) | b
            table.setdefault((when, kind), []).append(packed)
        program = [len(table)]
        for when, kind in sorted(table):
            run = table[when, kind]
            program += [kind, len(run), *run]
        return np.array(program, dtype=np.int64)


def carry_out(x: Any, results: Any, program: Any) -> int:
    """Carry out a program on cells x."""
    k = 1
    for _ in range(program[0]):
        kind, start, end = program[k], k + 2, k + 2 + program[k + 1]
        k = end
        if kind == LESS:
            for i in range(start, end):
                word = program[i]
                x[word >> 42] -= x[(word >> 21) & MASK] * x[word & MASK]
        elif kind == MORE:
            for i in range(start, end):
                word = program[i]
                x[word >> 42] += x[(word >> 21) & MASK] * x[word & MASK]
        elif kind == PRODUCT:
            for i in range(start, end):
                word = program[i]
                x[word >> 42] = x[(word >> 21) & MASK] * x[word & MASK]
        else:
            for i in range(start, end):
                seldom(x, results, kind, program[i])
    return 0


def seldom(x: Any, results: Any, kind: int, word: int) -> None:
    """Carry out one operation of a kind that is rare."""
    d, a, b = word >> 42, (word >> 21) & MASK, word & MASK
    if kind == NEGATIVE:
        x[d] = -(x[a] * x[b])
    elif kind == INVERSE:
        x[d] = 1.0 / x[a]
    elif kind == PIVOT:
        x[d] = 1.0 / x[a] if x[a] > DEPENDENT * x[b] else 0.0
    elif kind == COUNTED:
        x[d] = 1.0 / x[a] if x[b] > DEPENDENT and x[a] > 0.0 else 0.0
    elif kind == SHARE:
        x[d] = x[a] * x[a] / x[b] if x[b] > 0.0 else 0.0
    elif kind == NOISY:
        x[d] = NOISE * x[a]
    elif kind == LARGEST:
        x[d] = max(x[d], abs(x[a]))
    elif kind == PLUS:
        x[d] += x[a]
    elif kind == MINUS:
        x[d] -= x[a]
    else:
        results[d] = x[a]


def tape_core(lanes: int) -> Core:
    """Core of pointers: cells, results, program."""
    text = loop_text(carry_out, "ppa", "core", is_part=True)
    return Core(text.replace("@loop_", "@step_"), frozenset(), lanes)
