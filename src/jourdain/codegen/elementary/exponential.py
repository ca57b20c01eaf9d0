"""Exponential and logarithm on lanes of doubles, to 0.85 ulp."""

from __future__ import annotations

import math

from jourdain.codegen.elementary.routine import Routine, Value
from jourdain.codegen.elementary.sincos import ROUND

ONE = 1023 << 52  # bits of 1.0
MANTISSA = 2**52 - 1
ROOT_HALF = 0x3FE6A09E667F3BCD  # bits of sqrt(1/2)
NORMAL = 2.0**-1022  # smallest normal number

LOG2_E = 1.4426950408889634
LN2_1, LN2_2 = 0.6931471805599453, 2.3190468138462996e-17
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # high: 33 bits

# exp y = 1 + y + y^2 E(y) on [-ln(2)/2, ln(2)/2]: minimax, error below 2^-60.
E = (
    0.5,
    0.16666666666666682,
    0.041666666666666095,
    0.008333333333317074,
    0.0013888888889115056,
    0.00019841269896303705,
    2.480158692717934e-05,
    2.7557234930837298e-06,
    2.7557581657027684e-07,
    2.5112015683320694e-08,
    2.0826633865912093e-09,
)
# log(1 + f) = 2 s + s z L(z), s = f/(2 + f), z = s^2: the minimax polynomial of fdlibm
# (Sun Microsystems, e_log.c), error below 2^-58.
L = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


def exponential(r: Routine, x: Value) -> list[Value]:
    """Return e^x = 2^k e^y, the power of two applied in halves to pass through denormals."""
    x = r.select(x > 710.0, 710.0, r.select(x < -746.0, -746.0, x))
    k = r.fma(x, LOG2_E, ROUND) - ROUND
    difference = r.fma(k, -LN2_1, x)
    y = r.fma(k, -LN2_2, difference)
    y_low = r.fma(k, -LN2_2, difference - y)
    s = y + 1.0
    value = s + ((y - (s - 1.0)) + r.fma(y * y, r.polynomial(y, E), y_low))
    half = r.fma(k, 0.5, ROUND)
    rest = (k - (half - ROUND)) + ROUND
    return [value * _power_of_two(r, half) * _power_of_two(r, rest)]


def _power_of_two(r: Routine, shifted: Value) -> Value:
    """Return 2^k for the integer k that stands in the low bits."""
    return r.number((r.bits(shifted) << 52) + ONE)


def logarithm(r: Routine, x: Value) -> list[Value]:
    """Return log x = k ln 2 + log(1 + f) with 1 + f between sqrt(1/2) and sqrt 2."""
    tiny = x < NORMAL
    split = r.bits(x * r.select(tiny, 2.0**54, 1.0)) + (ONE - ROOT_HALF)
    bias = r.select(tiny, 2.0**52 + 1023 + 54, 2.0**52 + 1023)
    k = r.number((split >> 52) | ((1023 + 52) << 52)) - bias
    f = r.number((split & MANTISSA) + ROOT_HALF) - 1.0
    s = f / (f + 2.0)
    z, h = s * s, f * f * 0.5
    tail = r.fma(s, r.fma(z, r.polynomial(z, L), h), k * LN2_LOW)
    value = r.fma(k, LN2_HIGH, f - (h - tail))
    value = r.select(x < math.inf, value, x)
    return [r.select(x > 0.0, value, r.select(x.equals(0.0), -math.inf, math.nan))]
