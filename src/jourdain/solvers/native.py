"""Solver loops in machine code, compiled once per machine.

Loops are written in plain Python on pointers (`numba` types) and marked with `native`. Numba is
imported only when the object cache does not hold their code yet: a warm start needs llvmlite
alone. Kernels see pointers and numbers, allocate nothing, never raise and return a status.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable
from functools import cache as once
from typing import Any

from jourdain.codegen import cache
from jourdain.codegen.jit import compiled, machine_identity, object_code

_C_TYPES = {"p": ctypes.c_void_p, "a": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double}


def native(signature: str, *helpers: Callable[..., Any]) -> Callable[[Any], NativeFunction]:
    """Mark a loop for compilation.

    Parameters
    ----------
    signature : str
        One letter per argument: ``p`` pointer to doubles, ``a`` pointer to integers, ``i`` integer
        (also the address of a compiled function), ``d`` double. The result is an integer.
    helpers : functions
        Functions the loop calls, in an order in which each only calls earlier ones.
    """
    return lambda function: NativeFunction(function, signature, helpers)


class NativeFunction:
    """A loop that becomes machine code when it is first called."""

    def __init__(self, function: Any, signature: str, helpers: tuple[Any, ...]) -> None:
        self.function, self.signature, self.helpers = function, signature, helpers
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    @property
    def _key(self) -> str:
        functions = (self.function, *self.helpers, _llvm_text)
        sources = dict.fromkeys(inspect.getsource(sys.modules[f.__module__]) for f in functions)
        return cache.key(self.__name__, *sources, machine_identity())

    def __call__(self, *arguments: Any) -> int:
        """Run the loop."""
        return int(self._compiled(*arguments))

    @property
    def _compiled(self) -> Any:
        return _compiled(self)


@once
def _compiled(loop: NativeFunction) -> Any:
    library = compiled(
        loop._key,  # noqa: SLF001
        [_ENTRY],
        lambda: object_code(_llvm_text(loop), keep=_ENTRY),
    )
    types = [_C_TYPES[letter] for letter in loop.signature]
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(library.addresses[_ENTRY])
    function.library = library  # type: ignore[attr-defined]
    return function


_ENTRY = "jourdain_entry"


def _llvm_text(loop: NativeFunction) -> str:
    """IR of the loop with a plain C entry; numba's own wrapper is dropped."""
    import numba  # noqa: PLC0415
    from numba import types  # noqa: PLC0415

    pointer = types.CPointer(types.float64)
    integers = types.CPointer(types.int64)
    kinds = {"p": pointer, "a": integers, "i": types.int64, "d": types.float64}
    namespace = dict(loop.function.__globals__)
    namespace["call"] = _call_intrinsic()
    for helper in loop.helpers:
        namespace[helper.__name__] = numba.njit(error_model="numpy", inline="never")(
            _rebound(helper, namespace)
        )
    compiled = numba.cfunc(
        types.int64(*(kinds[letter] for letter in loop.signature)), error_model="numpy"
    )(_rebound(loop.function, namespace))
    text = compiled._library.get_llvm_str()  # noqa: SLF001
    inner = compiled._wrapper_name.removeprefix("cfunc.")  # noqa: SLF001
    names = {"p": "ptr", "a": "ptr", "i": "i64", "d": "double"}
    arguments = [f"{names[c]} %a{k}" for k, c in enumerate(loop.signature)]
    entry = f"""
define i64 @{_ENTRY}({", ".join(arguments)}) {{
%result = alloca i64, align 8
%failure = alloca ptr, align 8
store i64 0, ptr %result, align 8
%status = call i32 @{inner}(ptr %result, ptr %failure, {", ".join(arguments)})
%value = load i64, ptr %result, align 8
ret i64 %value
}}
"""
    return text + entry


def call(function: int, arguments: int) -> None:
    """Call a compiled kernel with the address of its pointers; exists in compiled loops only."""
    raise NotImplementedError(f"kernel at {function} called outside a compiled loop ({arguments})")


def _call_intrinsic() -> Any:
    from llvmlite import ir  # noqa: PLC0415
    from numba import types  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    @intrinsic
    def call(typing_context, function, arguments):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, ARG001
        def lower(context, builder, signature, values):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, ARG001
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
            builder.call(builder.inttoptr(values[0], kind.as_pointer()), [values[1]])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), lower

    return call


def _rebound(function: Any, namespace: dict[str, Any]) -> Any:
    """Return the same function with other globals, so that helpers are found compiled."""
    return type(function)(function.__code__, namespace, function.__name__, function.__defaults__)
