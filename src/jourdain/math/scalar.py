"""Functions of numbers that work on floats, arrays and symbols alike.

Floats and arrays go to numpy, symbols (`casadi.SX`) to CasADi. Arrays broadcast. A parameter, whose
value comes later, takes the function along (``__deferred__``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

pi = np.pi


def is_symbolic(*values: Any) -> bool:
    """Tell whether any value is a symbol or holds one."""
    casadi = sys.modules.get("casadi")  # no symbol can exist before CasADi is imported
    if casadi is None:
        return False
    return any(
        isinstance(v, casadi.SX)
        or hasattr(v, "__SX__")  # a parameter that meets symbols
        or (isinstance(v, list | tuple) and is_symbolic(*v))
        or (isinstance(v, np.ndarray) and v.dtype == object and is_symbolic(*v.flat))
        for v in values
    )


def as_symbol(value: Any) -> Any:
    """Make one symbol of a sequence or an array of symbols; leave numbers as they are."""
    import casadi  # noqa: PLC0415

    if isinstance(value, list | tuple):
        return casadi.vertcat(*(x.__SX__() if hasattr(x, "__deferred__") else x for x in value))
    return casadi.SX(value) if isinstance(value, np.ndarray) else value


def _unary(name: str, on_numbers: Callable[..., Any], on_symbols: str | None = None) -> Any:
    def function(x: Any) -> Any:
        if hasattr(x, "__deferred__"):
            return x.__deferred__(function, x)
        if is_symbolic(x):
            import casadi  # noqa: PLC0415

            return getattr(casadi, on_symbols or name)(as_symbol(x))
        return on_numbers(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Elementwise {name} of a float, an array or a symbol."
    return function


def _binary(name: str, on_numbers: Callable[..., Any], on_symbols: str, doc: str = "") -> Any:
    def function(x: Any, y: Any) -> Any:
        for operand in (x, y):
            if hasattr(operand, "__deferred__"):
                return operand.__deferred__(function, x, y)
        if is_symbolic(x, y):
            import casadi  # noqa: PLC0415

            return getattr(casadi, on_symbols)(as_symbol(x), as_symbol(y))
        return on_numbers(x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc or f"Elementwise {name} of floats, arrays or symbols."
    return function


sin, cos, tan = _unary("sin", np.sin), _unary("cos", np.cos), _unary("tan", np.tan)
asin, acos = _unary("asin", np.arcsin), _unary("acos", np.arccos)
atan = _unary("atan", np.arctan)
sinh, cosh, tanh = _unary("sinh", np.sinh), _unary("cosh", np.cosh), _unary("tanh", np.tanh)
asinh, acosh = _unary("asinh", np.arcsinh), _unary("acosh", np.arccosh)
atanh = _unary("atanh", np.arctanh)
exp, log = _unary("exp", np.exp), _unary("log", np.log)
expm1, log1p = _unary("expm1", np.expm1), _unary("log1p", np.log1p)
sqrt, floor, ceil = _unary("sqrt", np.sqrt), _unary("floor", np.floor), _unary("ceil", np.ceil)
absolute, sign = _unary("absolute", np.absolute, "fabs"), _unary("sign", np.sign)
atan2 = _binary("atan2", np.arctan2, "atan2", "Angle [rad] of the point (y, x), y first.")
hypot = _binary("hypot", np.hypot, "hypot")
minimum, maximum = _binary("minimum", np.fmin, "fmin"), _binary("maximum", np.fmax, "fmax")
copysign = _binary("copysign", np.copysign, "copysign", "Size of x with the sign of y.")


def remainder(x: Any, y: Any) -> Any:
    """Rest of x / y with the sign of y, as ``%`` of Python: an angle in one turn.

    Floats, arrays and symbols give the same; where ``x / y`` is whole the rest jumps from y to 0.
    """
    for operand in (x, y):
        if hasattr(operand, "__deferred__"):
            return operand.__deferred__(remainder, x, y)
    if not is_symbolic(x, y):
        return np.remainder(x, y)
    import casadi  # noqa: PLC0415

    x, y = as_symbol(x), as_symbol(y)
    rest = casadi.fmod(x, y)
    is_other = casadi.logic_and(rest != 0.0, (rest < 0.0) != (y < 0.0))
    return casadi.if_else(is_other, rest + y, rest)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """``yes`` where the condition holds, ``no`` elsewhere.

    Both are evaluated. On symbols the one not taken may be infinite or no number: it does not
    leak into the value nor into derivatives.
    """
    if is_symbolic(condition, yes, no):
        import casadi  # noqa: PLC0415

        return casadi.if_else(as_symbol(condition), as_symbol(yes), as_symbol(no))
    result = np.where(condition, yes, no)
    return result[()] if result.ndim == 0 else result


def both(first: Any, second: Any) -> Any:
    """Tell where two conditions hold at once."""
    if is_symbolic(first, second):
        import casadi  # noqa: PLC0415

        return casadi.logic_and(as_symbol(first), as_symbol(second))
    return np.logical_and(first, second)


def clip(x: Any, lower: Any, upper: Any) -> Any:
    """Limit x to the interval from lower to upper."""
    return minimum(maximum(x, lower), upper)


def smooth_step(x: Any, start: Any = 0.0, end: Any = 1.0) -> Any:
    """Rise from 0 to 1 between start and end, with two continuous derivatives.

    The polynomial 10 s³ − 15 s⁴ + 6 s⁵ of s = (x − start)/(end − start), constant outside.
    """
    s = clip((x - start) / (end - start), 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))
