"""Elementary functions as LLVM IR text, for one double or for lanes of doubles.

Sine, cosine, tangent, exponential, logarithm and the arctangents are polynomials of our own that
run in all lanes at once; others are single instructions or calls of the C library per lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from jourdain.codegen.elementary.arctangent import arctangent, arctangent2
from jourdain.codegen.elementary.error_function import inverse_error_function
from jourdain.codegen.elementary.exponential import exponential, logarithm
from jourdain.codegen.elementary.routine import PURE, Routine, Value
from jourdain.codegen.elementary.sincos import (
    cosine,
    sincos,
    sincos_far,
    sine,
    tangent,
    tangent_far,
)
from jourdain.errors import unknown_name

Build = Callable[..., Sequence[Value]]


@dataclass(frozen=True, slots=True)
class _Function:
    build: Build
    n_arguments: int = 1
    attributes: str = ""


def _intrinsic(name: str, n_arguments: int = 1) -> _Function:
    def build(r: Routine, *operands: Value) -> list[Value]:
        return [r.intrinsic(name, *operands)]

    return _Function(build, n_arguments, "alwaysinline")


def _library(name: str, n_arguments: int = 1) -> _Function:
    def build(r: Routine, *operands: Value) -> list[Value]:
        return [r.library(name, *operands)]

    return _Function(build, n_arguments)


def _sign(r: Routine, x: Value) -> list[Value]:
    return [r.select(x > 0.0, 1.0, r.select(x < 0.0, -1.0, x))]


# Inlining saves 10 to 30 % of the time of a polynomial and costs 3 ms of compilation per use;
# the longer ones are rare in kernels and called.
_FUNCTIONS = {
    "sin": _Function(sine, attributes="alwaysinline"),
    "cos": _Function(cosine, attributes="alwaysinline"),
    "sincos": _Function(sincos, attributes="alwaysinline"),
    "exp": _Function(exponential, attributes="alwaysinline"),
    "log": _Function(logarithm, attributes="alwaysinline"),
    "tan": _Function(tangent, attributes="noinline"),
    "atan": _Function(arctangent, attributes="noinline"),
    "atan2": _Function(arctangent2, 2, attributes="noinline"),
    "erfinv": _Function(inverse_error_function, attributes="noinline"),
    "sign": _Function(_sign, attributes="alwaysinline"),
    "pow": _intrinsic("pow", 2),
    "constpow": _intrinsic("pow", 2),
    "copysign": _intrinsic("copysign", 2),
    "fmin": _intrinsic("minnum", 2),
    "fmax": _intrinsic("maxnum", 2),
    **{name: _intrinsic(name) for name in ("sqrt", "floor", "ceil", "fabs")},
    **{name: _library(name) for name in ("asin", "acos", "erf", "log1p", "expm1")},
    **{name: _library(name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")},
    **{name: _library(name, 2) for name in ("fmod", "remainder", "hypot")},
}
_HIDDEN = {
    "sincos_far": _Function(sincos_far, attributes="noinline cold"),
    "tan_far": _Function(tangent_far, attributes="noinline cold"),
}

AVAILABLE: frozenset[str] = frozenset(_FUNCTIONS)


def definitions(names: Iterable[str], lanes: int) -> str:
    """Return LLVM IR that defines ``@jd_NAME`` for every name, each once.

    Arguments and results are ``double`` for one lane, else ``<lanes x double>``; ``sincos``
    returns a structure of two. ``NAME_4`` asks for ``@jd_NAME_4`` on four lanes, whatever the
    others have: four angles of a scalar kernel cost little more than one.
    Functions of the C library that are needed are declared, intrinsics need no declaration.

    Parameters
    ----------
    names : iterable of str
        Functions, from `AVAILABLE`.
    lanes : int
        Numbers treated at once: 1, 2, 4 or 8.

    Raises
    ------
    UnknownNameError
        A name is not in `AVAILABLE`.
    """
    waiting = [_parse(name, lanes) for name in sorted(set(names))]
    done: dict[tuple[str, str], str] = {}
    externals: dict[str, int] = {}
    while waiting:
        name, width, suffix = waiting.pop()
        if (name, suffix) in done:
            continue
        function = (_FUNCTIONS | _HIDDEN)[name]
        r = Routine(name, width, function.n_arguments, suffix)
        results = function.build(r, *r.arguments)
        done[name, suffix] = r.define(results, function.attributes)
        externals |= r.externals
        waiting += [(called, width, suffix) for called in sorted(r.calls)]
    return "\n".join([*(_declare(*item) for item in sorted(externals.items())), *done.values()])


def _parse(request: str, lanes: int) -> tuple[str, int, str]:
    """Return name, lanes and suffix of a request such as ``sin`` or ``sincos_4``."""
    name, _, width = request.rpartition("_")
    if name in _FUNCTIONS and width in ("2", "4", "8"):
        return name, int(width), f"_{width}"
    if request not in _FUNCTIONS:
        raise unknown_name("function", request, sorted(_FUNCTIONS), "the code generator")
    return request, lanes, ""


def _declare(name: str, n_arguments: int) -> str:
    return f"declare double @{name}({', '.join(['double'] * n_arguments)}) {PURE}\n"
