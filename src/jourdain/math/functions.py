"""Functions of one variable that can be compared, printed and kept in files: for drives and laws.

Each is a formula with named numbers. The numbers may be parameters; the variable, mostly the
time [s], may be a float, an array or a symbol.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

from jourdain.errors import ModelError
from jourdain.math.scalar import is_symbolic, pi, sin, smooth_step


@dataclass(frozen=True, slots=True)
class Sine:
    """Wave ``offset + amplitude · sin(2π · frequency · t + phase)``.

    Parameters
    ----------
    amplitude : float or Parameter [rad, m, ...]
        Largest deviation from the offset.
    frequency : float or Parameter [Hz]
        Oscillations per second.
    phase : float or Parameter [rad]
        Angle at time zero: a quarter turn makes a cosine.
    offset : float or Parameter [rad, m, ...]
        Mean value.

    Examples
    --------
    >>> import jourdain as jd
    >>> shaker = jd.math.Sine(amplitude=0.002, frequency=50.0, offset=0.1)
    >>> round(float(shaker(0.005)), 12)
    0.102
    """

    amplitude: Any
    frequency: Any
    phase: Any = 0.0
    offset: Any = 0.0

    def __post_init__(self) -> None:
        _check_fields(self)

    def __call__(self, t: Any) -> Any:
        """Value at time t [s]."""
        return self.offset + self.amplitude * sin(2.0 * pi * self.frequency * t + self.phase)


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Power series ``c₀ + c₁ t + c₂ t² + …``; two coefficients make a steady motion.

    Parameters
    ----------
    coefficients : sequence of float or Parameter
        From the constant one upwards; the k-th has the unit of the value per s^k.

    Examples
    --------
    >>> import jourdain as jd
    >>> turning = jd.math.Polynomial((0.5, 100.0))
    >>> float(turning(0.01))
    1.5
    """

    coefficients: Any

    def __post_init__(self) -> None:
        given = self.coefficients
        items = given.tolist() if hasattr(given, "tolist") else given
        if not isinstance(items, list | tuple) or not items:
            raise ModelError(
                f"coefficients of Polynomial are {given!r}: give a list of at least one number, "
                "such as (0.5, 100.0) for 0.5 + 100 t."
            )
        checked = (_number(c, f"coefficient {k} of Polynomial") for k, c in enumerate(items))
        object.__setattr__(self, "coefficients", tuple(checked))

    def __call__(self, t: Any) -> Any:
        """Value at time t [s]."""
        value = self.coefficients[-1] + 0.0 * t  # takes the shape of t
        for c in self.coefficients[-2::-1]:
            value = value * t + c
        return value


@dataclass(frozen=True, slots=True)
class Ramp:
    """Change from one value to another with two continuous derivatives, see `smooth_step`.

    It holds the first value before ``start`` and the second one after ``end``.

    Parameters
    ----------
    start, end : float or Parameter [s]
        Times at which it leaves the first value and reaches the second; start comes first.
    from_value, to_value : float or Parameter [rad, m, ...]
        The two values.

    Examples
    --------
    >>> import jourdain as jd
    >>> lift = jd.math.Ramp(start=1.0, end=3.0, from_value=0.0, to_value=0.5)
    >>> float(lift(0.0)), float(lift(2.0)), float(lift(9.0))
    (0.0, 0.25, 0.5)
    """

    start: Any
    end: Any
    from_value: Any
    to_value: Any

    def __post_init__(self) -> None:
        _check_fields(self)
        plain = isinstance(self.start, float) and isinstance(self.end, float)
        if plain and self.start >= self.end:
            raise ModelError(
                f"Ramp starts at {self.start:g} s and ends at {self.end:g} s: "
                "it must end after it starts."
            )

    def __call__(self, t: Any) -> Any:
        """Value at time t [s]."""
        s = smooth_step(t, self.start, self.end)
        return (1.0 - s) * self.from_value + s * self.to_value  # exact at both ends


def _check_fields(function: Any) -> None:
    for f in fields(function):
        what = f"{f.name} of {type(function).__name__}"
        object.__setattr__(function, f.name, _number(getattr(function, f.name), what))


def _number(value: Any, what: str) -> Any:
    """Return a finite float, or a parameter or symbol as it is."""
    if is_symbolic(value) or hasattr(value, "__SX__"):
        return value
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ModelError(f"{what} is {value!r}: give a number or a Parameter.")
    try:
        plain = float(value)
    except OverflowError:  # an integer beyond the range of floats
        plain = math.inf
    if not math.isfinite(plain):
        raise ModelError(f"{what} is {plain}: give a finite number.")
    return plain
