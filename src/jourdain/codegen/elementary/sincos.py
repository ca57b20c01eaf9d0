"""Sine, cosine and tangent on lanes of doubles, to 0.85 ulp (tangent 1.1)."""

from __future__ import annotations

from jourdain.codegen.elementary.routine import Routine, Value

ROUND = 1.5 * 2.0**52  # once added, the nearest integer stands in the low bits
SIGN = -(2**63)

Pair = tuple[Value, Value]

# pi/2 in three parts of 53 bits each
PIO2_1 = 1.5707963267948966
PIO2_2 = 6.123233995736766e-17
PIO2_3 = -1.4973849048591698e-33
TWO_OVER_PI = 0.6366197723675814
LIMIT = 2.0**48  # [rad], beyond which y would leave the range of the polynomials

# sin y = y + y^3 S(y^2), cos y = 1 - y^2/2 + y^4 C(y^2) on [-pi/4, pi/4]: the minimax
# polynomials of fdlibm (Sun Microsystems, k_sin.c and k_cos.c), errors below 2^-58.
S = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
C = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


def sincos(r: Routine, x: Value) -> list[Value]:
    """Return sine and cosine; beyond the limit the C library serves."""
    y, excess, n = _reduce(r, x)
    (sine, _), (cosine, _) = _kernels(r, y, excess)
    odd, twice = n << 63, n << 62
    swap = r.is_odd(n)
    s = r.bits(r.select(swap, cosine, sine)) ^ (twice & SIGN)
    c = r.bits(r.select(swap, sine, cosine)) ^ ((twice ^ odd) & SIGN)
    return r.replace_rare(r.abs(x) >= LIMIT, [r.number(s), r.number(c)], "sincos_far", x)


def sincos_far(r: Routine, x: Value) -> list[Value]:
    """Return sine and cosine of large arguments."""
    return [r.library("sin", x), r.library("cos", x)]


def sine(r: Routine, x: Value) -> list[Value]:
    """Return the sine."""
    return r.call("sincos", x, n_results=2)[:1]


def cosine(r: Routine, x: Value) -> list[Value]:
    """Return the cosine."""
    return r.call("sincos", x, n_results=2)[1:]


def tangent(r: Routine, x: Value) -> list[Value]:
    """Return sin y / cos y or -cos y / sin y, with the roundings of all three put back."""
    y, excess, n = _reduce(r, x)
    sine, cosine = _kernels(r, y, excess)
    swap = r.is_odd(n)
    a, a_low = (r.select(swap, c, s) for s, c in zip(sine, cosine, strict=True))
    b, b_low = (r.select(swap, s, c) for s, c in zip(sine, cosine, strict=True))
    inverse = 1.0 / b
    t = a * inverse
    t_low = (r.fma(-t, b, a) + r.fma(-t, b_low, a_low)) * inverse
    value = r.number(r.bits(r.intrinsic("copysign", t + t_low, t)) ^ (n << 63))
    return r.replace_rare(r.abs(x) >= LIMIT, [value], "tan_far", x)


def tangent_far(r: Routine, x: Value) -> list[Value]:
    """Return the tangent of large arguments."""
    return [r.library("tan", x)]


def _reduce(r: Routine, x: Value) -> tuple[Value, Value, Value]:
    """Return y, excess and the bits of n with y - excess = x - n pi/2, |y| < pi/4.

    The first two differences are exact (Cody and Waite; Dekker).
    At x = -0 the excess is +0, as the kernel of the sine needs to return -0.
    """
    shifted = r.fma(x, TWO_OVER_PI, ROUND)
    n = shifted - ROUND
    rest = r.fma(n, -PIO2_1, x)
    y = rest - n * PIO2_2
    excess = r.fma(n, PIO2_3, r.fma(n, PIO2_2, -(rest - y)))
    return y, excess, r.bits(shifted)


def _kernels(r: Routine, y: Value, excess: Value) -> tuple[Pair, Pair]:
    """Return sine and cosine of y - excess, each with what its rounding took."""
    z = y * y
    w = r.fma(z, -0.5, 1.0)
    w_low = r.fma(z, -0.5, 1.0 - w)
    s = r.fma(z * y, r.polynomial(z, [-c for c in S]), excess * w)
    c = r.fma(z * z, r.polynomial(z, C), r.fma(y, excess, w_low))
    sine, cosine = y - s, w + c
    return (sine, (y - sine) - s), (cosine, (w - cosine) + c)
