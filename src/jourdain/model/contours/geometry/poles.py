"""Poles of surfaces: ends of a parameter at which the other one moves nothing.

Near a pole, let ρ be the distance of the first parameter from its end and φ the other one as an
angle. The surface is smooth in a = ρ cos φ, b = ρ sin φ, though not in ρ and φ. A step (δρ, δφ) is
(δρ, ρ δφ) along the axes of a and b that are turned by φ, and leads to

    ρ⁺ = |(ρ + δρ, ρ δφ)|,   φ⁺ = φ + arg(ρ + δρ, ρ δφ)                            (CP-6)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain import math

NEAR = 0.125
"""Part of the span of a parameter that is near its end."""
BESIDE = 1e-11
"""Distance from a pole, in parts of the span, that is none: points keep twenty times as far."""
_SAMPLE = 0.3125  # part of a span where it is looked whether the end of the other one is a pole
_NONE = 1e-9  # part of the length of a tangent that is none


@dataclass(frozen=True)
class Pole:
    """An end of a parameter of a surface, which may be a pole.

    Parameters
    ----------
    number : int
        Which parameter ends, 0 or 1.
    end, length : float
        Where, and the way from there to its other end, with sign.
    turn : float
        Angle [rad] by unit of the other parameter.
    is_one : bool
        Whether it is a pole.
    """

    number: int
    end: float
    length: float
    turn: float
    is_one: Any

    def _distance(self, c: Any) -> Any:
        return (c[self.number] - self.end) * float(np.sign(self.length))

    def is_near(self, c: Any) -> Any:
        """Tell whether parameters are near this pole."""
        return math.both(self.is_one, self._distance(c) < NEAR * abs(self.length))

    def moved(self, c: Any, way: Any, longest: float) -> Any:
        """Parameters after a step ``-way`` that is no longer than a distance (CP-6)."""
        k, side = self.number, float(np.sign(self.length))
        rho = self._distance(c)
        x, y = -side * way[k], -rho * self.turn * way[1 - k]
        part = longest / math.maximum(math.sqrt(x * x + y * y + BESIDE**2), longest)
        x, y = rho + part * x, part * y
        none = BESIDE * abs(self.length)
        x = math.where(x * x + y * y < (10.0 * none) ** 2, x + 20.0 * none, x)
        new = {
            k: self.end + side * math.sqrt(x * x + y * y),
            1 - k: c[1 - k] + math.atan2(y, x) / self.turn,
        }
        return math.vector([new[0], new[1]])


def poles_of(function: Callable[..., Any], spans: Any) -> list[Pole]:
    """Ends of the parameters of a surface; none for a curve.

    The other parameter is taken to go round once in its span.
    """
    return [
        Pole(k, end, other - end, 2.0 * math.pi / (spans[1 - k][1] - spans[1 - k][0]),
             _is_pole(function, spans, k, end))
        for k in range(len(spans) if len(spans) > 1 else 0)
        for end, other in (spans[k], spans[k][::-1])
    ]  # fmt: skip


def _is_pole(function: Callable[..., Any], spans: Any, k: int, end: float) -> Any:
    c = [start + _SAMPLE * (stop - start) for start, stop in spans]
    c[k] = end
    _, T, _ = math.derivatives(function, *c)
    return math.dot(T[:, 1 - k], T[:, 1 - k]) <= _NONE**2 * math.dot(T[:, k], T[:, k])


def is_near_one(poles: Iterable[Pole], c: Any) -> Any:
    """Tell whether parameters are near one of some poles."""
    return sum(math.where(pole.is_near(c), 1.0, 0.0) for pole in poles) > 0.5
