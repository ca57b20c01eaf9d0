"""Inputs that are held while a kernel is used: numbers, or polynomials of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class HeldPolynomial:
    """An input that is a polynomial of time: Σ cₖ τᵏ, τ = (t − t₀)/h.

    Parameters
    ----------
    start : int
        Place of t₀ [s] among the held numbers; the coefficients lie behind it.
    count : int
        Number of coefficients.
    step : float [s]
        Unit h of time.
    """

    start: int
    count: int
    step: float

    def value(self, u: Any, t: Any) -> Any:
        """Value at a time, by Horner's rule."""
        tau, found = (t - u[self.start]) / self.step, 0.0
        for k in range(self.count, 0, -1):
            found = found * tau + u[self.start + k]
        return found


Places: TypeAlias = Mapping[str, int | HeldPolynomial]
"""Where held inputs lie by name; as many entries as there are held numbers."""


def held_value(place: int | HeldPolynomial, u: Any, t: Any) -> Any:
    """Value of a held input."""
    return place.value(u, t) if isinstance(place, HeldPolynomial) else u[place]
