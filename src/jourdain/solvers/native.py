"""Solver loops in machine code.

Loops are plain Python functions on pointers and numbers (see `codegen.loops`) marked with
`native`. They allocate nothing, never raise and return a status.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import jourdain.codegen
from jourdain.codegen.jit import library_of
from jourdain.codegen.loops import loop_text

_C_TYPES = {
    "p": ctypes.c_void_p, "a": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double,
}  # fmt: skip
_ENTRY = "jourdain_loop"


def native(signature: str, is_unrolled: bool = False) -> Callable[[Callable[..., Any]], NativeLoop]:
    """Mark a loop for compilation.

    Parameters
    ----------
    signature : str
        One letter per argument: ``p`` pointer to doubles, ``a`` pointer to integers, ``i`` integer
        (also the address of a compiled function), ``d`` double. The result is an integer.
    is_unrolled : bool
        Whether short inner loops are written out: faster, and longer to compile.
    """
    return lambda function: NativeLoop(function, signature, is_unrolled)


class NativeLoop:
    """A loop that becomes machine code when it is first called; then it is found in the cache."""

    def __init__(
        self, function: Callable[..., Any], signature: str, is_unrolled: bool = False
    ) -> None:
        self.function, self.signature, self.is_unrolled = function, signature, is_unrolled
        self.__doc__ = function.__doc__

    @cached_property
    def _compiled(self) -> Any:
        self._library = library_of(self._identity(), self._text, [_ENTRY], self.is_unrolled)
        types = [_C_TYPES[letter] for letter in self.signature]
        return ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self._library.addresses[_ENTRY])

    def _identity(self) -> str:
        """Text that changes with the code; for our own loops the sources, without translating."""
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        if name.startswith(f"{__package__}."):
            return "\0".join([name, self.signature, _sources()])
        return self._text()

    def _text(self) -> str:
        return loop_text(self.function, self.signature, _ENTRY)

    def __call__(self, *arguments: Any) -> int:
        """Run the loop."""
        return int(self._compiled(*arguments))


@cache
def _sources() -> str:
    """All loops of this package, and their translator."""
    folders = Path(__file__).parent, Path(jourdain.codegen.__file__).parent
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return "\0".join([sys.version, *(path.read_text(encoding="utf-8") for path in files)])
