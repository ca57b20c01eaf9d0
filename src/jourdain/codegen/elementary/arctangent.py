"""Arctangents on lanes of doubles, to 0.75 ulp (1.5 where an argument is below 1e-290)."""

from __future__ import annotations

import math

from jourdain.codegen.elementary.routine import Routine, Value
from jourdain.codegen.elementary.sincos import SIGN

TAN_PI_8 = 0.41421356237309503
PIO4_1, PIO4_2 = 0.7853981633974483, 3.061616997868383e-17

# atan t = t + t^3 A(t^2) on [-tan(pi/8), tan(pi/8)]: minimax, error below 2^-57.
A = (
    -0.3333333333333323,
    0.19999999999961648,
    -0.14285714280879547,
    0.11111110813296812,
    -0.09090898526001916,
    0.07692072662301404,
    -0.06663234538454273,
    0.05848773320984118,
    -0.05043041321781799,
    0.03815416529346607,
    -0.01800029611849701,
)


def arctangent(r: Routine, y: Value) -> list[Value]:
    """Return the angle between -pi/2 and pi/2."""
    return arctangent2(r, y, r.constant(1.0))


def arctangent2(r: Routine, y: Value, x: Value) -> list[Value]:
    """Return the angle of the point (x, y), between -pi and pi.

    The angle is i pi/4 plus or minus a small one, with i from 0 to 4.
    """
    a, b = r.abs(y), r.abs(x)
    steep, left = a > b, r.is_negative(r.bits(x))
    low, high = _scale(r, r.select(steep, b, a), r.select(steep, a, b))
    middle = low > high * TAN_PI_8
    t, t_low = _quotient(r, low, high, middle)

    i = r.select(middle, 1.0, 0.0)
    i = r.select(steep, 2.0 - i, i)
    i = r.select(left, 4.0 - i, i)
    flip = r.bits(r.select(steep, -x, x)) & SIGN
    t, t_low = (r.number(r.bits(value) ^ flip) for value in (t, t_low))

    z = t * t
    small = r.fma(t * z, r.polynomial(z, A), r.fma(-z, t_low, t_low))
    base = i * PIO4_1  # exact: the last three bits of the constant are 0
    total = base + t
    rounding = t - (total - base)
    return [r.intrinsic("copysign", total + (rounding + r.fma(i, PIO4_2, small)), y)]


def _scale(r: Routine, low: Value, high: Value) -> tuple[Value, Value]:
    """Return numbers with the same quotient, the higher one far from overflow and not 0."""
    infinite = high.equals(math.inf)
    low = r.select(infinite, r.select(low.equals(math.inf), 1.0, low * 0.0), low)
    high = r.select(infinite, 1.0, r.select(high.equals(0.0), 1.0, high))
    factor = r.select(high > 2.0**1000, 2.0**-100, r.select(high < 2.0**-900, 2.0**200, 1.0))
    return low * factor, high * factor


def _quotient(r: Routine, low: Value, high: Value, middle: Value) -> tuple[Value, Value]:
    """Return low/high, in the middle (low - high)/(low + high), and what rounding took."""
    p, q = r.select(middle, high, 0.0), r.select(middle, low, 0.0)
    numerator, denominator = low - p, high + q
    numerator_low = low - (numerator + p)
    denominator_low = q - (denominator - high)
    inverse = 1.0 / denominator
    t = numerator * inverse
    rest = r.fma(-t, denominator, numerator) + r.fma(-t, denominator_low, numerator_low)
    return t, rest * inverse
