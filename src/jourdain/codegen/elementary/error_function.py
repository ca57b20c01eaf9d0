"""Inverse error function on lanes of doubles, to 2 ulp; the C library has none."""

from __future__ import annotations

import math

from jourdain.codegen.elementary.routine import Routine, Value

WINITZKI = 0.147


def inverse_error_function(r: Routine, x: Value) -> list[Value]:
    """Return y with erf y = x: Winitzki's approximation, then three steps of Halley.

    Above 1/2 the complement 1 - x is exact and erfc y is solved for it instead.
    """
    a = r.abs(x)
    y = _start(r, a)
    for _ in range(3):
        miss = r.select(a < 0.5, r.library("erf", y) - a, (1.0 - a) - r.library("erfc", y))
        (gauss,) = r.call("exp", -(y * y))
        u = miss / (gauss * (2.0 / math.sqrt(math.pi)))
        y = y - u / r.fma(y, u, 1.0)
    return [r.intrinsic("copysign", r.select(a.equals(1.0), math.inf, y), x)]


def _start(r: Routine, a: Value) -> Value:
    """Return the inverse to 0.2 % (S. Winitzki, 2008, from 1 - erf^2 ~ exp)."""
    logarithm = r.library("log1p", -(a * a))
    b = r.fma(logarithm, 0.5, 2.0 / (math.pi * WINITZKI))
    c = logarithm * (-1.0 / WINITZKI)
    return r.intrinsic("sqrt", c / (r.intrinsic("sqrt", r.fma(b, b, c)) + b))
