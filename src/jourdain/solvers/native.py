"""Solver loops in machine code.

Loops are plain Python functions on pointers and numbers (see `codegen.loops`) marked with
`native`. They allocate nothing, never raise and return a status.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any

from jourdain.codegen.jit import library
from jourdain.codegen.loops import loop_text

_C_TYPES = {
    "p": ctypes.c_void_p, "a": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double,
}  # fmt: skip
_ENTRY = "jourdain_loop"


def native(signature: str) -> Callable[[Callable[..., Any]], NativeLoop]:
    """Mark a loop for compilation.

    Parameters
    ----------
    signature : str
        One letter per argument: ``p`` pointer to doubles, ``a`` pointer to integers, ``i`` integer
        (also the address of a compiled function), ``d`` double. The result is an integer.
    """
    return lambda function: NativeLoop(function, signature)


class NativeLoop:
    """A loop that becomes machine code when it is first called; then it is found in the cache."""

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        self.function, self.signature = function, signature
        self.__doc__ = function.__doc__

    @cached_property
    def _compiled(self) -> Any:
        text = loop_text(self.function, self.signature, _ENTRY)
        self._library = library(text, [_ENTRY])
        types = [_C_TYPES[letter] for letter in self.signature]
        return ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self._library.addresses[_ENTRY])

    def __call__(self, *arguments: Any) -> int:
        """Run the loop."""
        return int(self._compiled(*arguments))
