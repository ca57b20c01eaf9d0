"""Laws of contacts as numbers: coefficients of each contact, and factors of its axes.

Limits that differ between the axes are one limit for rows that are scaled (CT-19):

    |r_i| ≤ μ_i r_N  ⇔  |r'_i| ≤ μ r_N,   r_i = s_i r'_i,   s_i = μ_i / μ,   μ = max μ_i
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.pile.arrays import Arrays
from jourdain.solvers.pile.phases import COEFFICIENTS, IS_GIVEN, MU, E
from jourdain.solvers.pile.units import PairLaw, Singles


def directions(normals: Any) -> Any:
    """Tangents (n, 2, 3) of single contacts, `model.contours.tangents`, for elliptic friction."""
    a, b, c = normals.T
    s = np.where(c < 0.0, -1.0, 1.0)
    k = -1.0 / (s + c)
    first = 1.0 + s * a * a * k, s * a * b * k, -s * a
    return np.stack([np.stack(first, 1), np.stack([a * b * k, s + b * b * k, -b], 1)], 1)


class Laws:
    """Laws of all groups, numbered through; those of single contacts follow.

    Parameters
    ----------
    laws : sequence of PairLaw
        Laws of groups.
    """

    def __init__(self, laws: Sequence[PairLaw]) -> None:
        self._laws = tuple(laws)
        self.has_functions = any(callable(x) for law in laws for x in law.coefficients)
        self._turns = np.array([law.turns for law in laws], dtype=bool)
        self.have_turning = bool(self._turns.any())
        self._is_elliptic = np.array([law.is_elliptic for law in laws], dtype=bool)
        self.are_scaled = self.have_turning or bool(self._is_elliptic.any())
        self.are_plain = not (self.has_functions or self.are_scaled)
        self._is_poisson = [law.is_poisson for law in laws]
        constant = [[law.at(None, is_turned) for law in laws] for is_turned in (False, True)]
        self._mu, self._e = (np.array([[x[i] for x in row] for row in constant]) for i in (0, 1))
        self._scale = np.array([[x[2] for x in row] for row in constant])

    def __len__(self) -> int:
        return len(self._laws)

    def coefficients(self, singles: Singles | None) -> Any:
        """Coefficients (n, 3) of the laws, then of single contacts; zero for functions."""
        n = len(self)
        found = np.zeros((n + (0 if singles is None else len(singles)), COEFFICIENTS))
        found[:n, MU], found[:n, E] = self._mu[0], self._e[0]
        if singles is not None:
            found[n:, MU], found[n:, E] = singles.friction, singles.restitution
            found[n:, IS_GIVEN] = singles.is_dry
        return found

    def expand(self, singles: Singles | None, contacts: Arrays, n_islands: int) -> int:
        """Put contacts that resist turning behind those that lead them; return the new number.

        Single contacts come in that order already.
        """
        first = contacts["first"][: n_islands + 1]
        order = contacts["order"][: first[-1]].copy()
        turns = np.append(self._turns, False)[np.minimum(contacts["law"][order], len(self))]
        place = np.concatenate([[0], np.cumsum(1 + turns)])
        n = int(place[-1])
        contacts["order"][:n], contacts["lead"][:n] = np.repeat(order, 1 + turns), -1
        contacts["lead"][place[1:][turns] - 1] = place[:-1][turns]
        first[:] = place[first]
        if singles is not None and singles.turns:
            single = contacts["law"][contacts["order"][:n]] - len(self)
            at = np.zeros(len(singles) + 1, dtype=np.int64)
            at[single[single >= 0]] = np.flatnonzero(single >= 0)
            led = np.flatnonzero((single >= 0) & (singles.lead[np.maximum(single, 0)] >= 0))
            contacts["lead"][led] = at[singles.lead[single[led]]]
        return n

    def have_poisson(self, singles: Singles | None) -> bool:
        """Whether some contacts follow Poisson's law of impact."""
        return any(self._is_poisson) or (singles is not None and bool(singles.is_poisson.any()))

    def are_poisson(self, singles: Singles | None, numbers: Any) -> Any:
        """Which contacts (n,) follow Poisson's law of impact, by the numbers of their laws."""
        every = self._is_poisson if singles is None else [*self._is_poisson, *singles.is_poisson]
        return np.asarray(every, dtype=bool)[numbers]

    def turn_axes(self, numbers: Any, axes: Any) -> None:
        """Turn the axes (n, 3, 3) of elliptic contacts to the directions of their coefficients."""
        if self._is_elliptic.any():
            own = np.append(self._is_elliptic, False)[np.minimum(numbers, len(self))]
            axes[own, 1:] = directions(axes[own, 0])

    def fill(self, singles: Singles | None, numbers: Any, lead: Any, rates: Any, out: Any) -> Any:
        """Write μ and e of all contacts to ``out``; return the factors (n, 3) of their axes.

        ``rates`` (n, 3) are velocities along unit axes; None where no law is a function.
        """
        mu, e = out
        place = (lead >= 0).astype(int), np.minimum(numbers, len(self) - 1)
        mu[:], e[:], scale = self._mu[place], self._e[place], self._scale[place]
        own = numbers >= len(self)
        if singles is not None and own.any():
            which = numbers[own] - len(self)
            mu[own], e[own], scale[own] = singles.friction[which], singles.restitution[which], 1.0
        for k, law in enumerate(self._laws if rates is not None else ()):
            for is_turned in (False, True) if any(map(callable, law.coefficients)) else ():
                own = (numbers == k) & ((lead >= 0) == is_turned)
                mu[own], e[own], scale[own] = law.at(rates[own], is_turned)
        return scale
