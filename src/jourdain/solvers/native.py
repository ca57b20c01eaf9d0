"""Solver loops in machine code.

Loops are plain Python functions on records, pointers and numbers (see `codegen.translator.loops`)
marked with `native`. They allocate nothing, never raise and return a status.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import numpy as np

import jourdain.codegen
from jourdain.codegen.jit import LOCK, Code, library_of
from jourdain.codegen.kernel import address
from jourdain.codegen.translator.loop_records import LoopRecord, kind_of
from jourdain.codegen.translator.loop_values import DOUBLE, INT, INT_POINTER, POINTER
from jourdain.codegen.translator.loops import loop_text
from jourdain.phases import phase

_C_TYPES = {
    "p": ctypes.c_void_p, "a": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double,
}  # fmt: skip
_LETTERS = {POINTER: "p", INT_POINTER: "a", INT: "i", DOUBLE: "d"}
_ENTRY = "jourdain_loop"


def native(
    signature: str | None = None, is_unrolled: bool = False
) -> Callable[[Callable[..., Any]], NativeLoop]:
    """Mark a loop for compilation.

    Parameters
    ----------
    signature : str, optional
        One letter per argument: ``p`` pointer to doubles, ``a`` pointer to integers, ``i`` integer
        (also the address of a compiled function), ``d`` double; by default, annotations tell:
        ``float``, ``int``, `Floats`, `Integers` or a `LoopRecord`. The result is an integer.
    is_unrolled : bool
        Whether short inner loops are written out: faster, and longer to compile.
    """
    return lambda function: NativeLoop(function, signature or _annotated(function), is_unrolled)


def _annotated(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Letters of arguments by their annotations; records stand for themselves."""
    hints = get_type_hints(function, include_extras=True)
    kinds = [kind_of(hints[name]) for name in inspect.signature(function).parameters]
    return tuple(_LETTERS.get(kind, kind) for kind in kinds)


class NativeLoop:
    """A loop that becomes machine code when it is first called; then it is found in the cache."""

    def __init__(
        self, function: Callable[..., Any], signature: Sequence[Any], is_unrolled: bool = False
    ) -> None:
        self.function, self.signature, self.is_unrolled = function, signature, is_unrolled
        self.__doc__, self.__wrapped__ = function.__doc__, function  # loops may call it, too

    @cached_property
    def _compiled(self) -> Any:
        return self._entry(None)

    @property
    def address(self) -> int:
        """Address of the compiled loop, by which other loops call it."""
        self._entry(None)
        return int(self._entries[None][1].addresses[_ENTRY])

    @cached_property
    def _entries(self) -> dict[tuple[int, ...] | None, Any]:
        return {}

    def _entry(self, passed: tuple[int, ...] | None) -> Any:
        """Compiled function that takes some arguments, and the address of the others."""
        if passed not in self._entries:
            self._make(passed)
        return self._entries[passed][0]

    def _make(self, passed: tuple[int, ...] | None) -> None:
        with LOCK:
            if passed in self._entries:
                return
            text = self._text if passed is None else partial(self._text, passed)
            identity = self._identity() if passed is None else f"{passed} {self._identity()}"
            with phase(f"compiling the loop {self.function.__name__}"):
                library = library_of(identity, text, [_ENTRY], self.code)
            letters = self.signature if passed is None else [self.signature[k] for k in passed]
            types = [_C_TYPES.get(letter, ctypes.c_void_p) for letter in letters]
            types += [] if passed is None else [ctypes.c_void_p]
            entry = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(library.addresses[_ENTRY])
            self._entries[passed] = entry, library  # which stays loaded

    @cached_property
    def names(self) -> list[str]:
        """Names of the arguments."""
        return list(inspect.signature(self.function).parameters)

    def _identity(self) -> str:
        """Text that changes with the code; for our own loops the sources, without translating."""
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        if name.startswith(f"{__package__}."):
            return "\0".join([name, *map(str, self.signature), _sources()])
        return self._text()

    def _text(self, passed: tuple[int, ...] | None = None) -> str:
        return self.source(_ENTRY, passed)

    def source(self, entry: str, passed: tuple[int, ...] | None = None) -> str:
        """Text of a module with the loop under a name; see `codegen.translator.loops.loop_text`."""
        return loop_text(
            self.function, self.signature, entry, passed=passed, inlines=self.is_unrolled
        )

    @property
    def code(self) -> Code:
        """How it is compiled."""
        return Code.UNROLLED if self.is_unrolled else Code.LOOPS

    def __call__(self, *arguments: Any) -> int:
        """Run the loop."""
        return int(self._compiled(*arguments))


Program: TypeAlias = tuple[NativeLoop, *tuple[LoopRecord, ...]]
"""A loop, and the records that it is called with."""


class BoundLoop:
    """A loop most of whose arguments stay the same: calls pass the others only.

    To pass an argument costs as much as a short loop; steps of few bodies have many.

    Parameters
    ----------
    loop : NativeLoop
        The loop.
    given : mapping of str to int or float
        Arguments that stay by name, addresses and numbers; other names may be among them.
    """

    def __init__(self, loop: NativeLoop, given: Mapping[str, float]) -> None:
        names, self._loop = loop.names, loop
        self.passed = [name for name in names if name not in given]
        self._kept = [(x, loop.signature[k]) for k, x in enumerate(names) if x in given]
        self._table = np.zeros(len(self._kept) + 1, dtype=np.int64)
        self._at = address(self._table)
        self._compiled = loop._entry(tuple(names.index(name) for name in self.passed))
        self.bind(given)

    def bind(self, given: Mapping[str, float]) -> None:
        """Take other values of the arguments that stay."""
        numbers = self._table.view(np.float64)
        for k, (name, letter) in enumerate(self._kept):
            (numbers if letter == "d" else self._table)[k] = given[name]

    def __call__(self, *passed: Any) -> int:
        """Run the loop."""
        return int(self._compiled(*passed, self._at))


@cache
def _sources() -> str:
    """All loops of this package, and their translator."""
    folders = Path(__file__).parent, Path(jourdain.codegen.__file__).parent
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return "\0".join([sys.version, *(path.read_text(encoding="utf-8") for path in files)])
