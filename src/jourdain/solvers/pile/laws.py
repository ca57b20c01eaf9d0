"""Laws of contacts as numbers: coefficients of each contact, and factors of its axes.

Limits that differ between the axes are one limit for rows that are scaled (CT-19):

    |r_i| ≤ μ_i r_N  ⇔  |r'_i| ≤ μ r_N,   r_i = s_i r'_i,   s_i = μ_i / μ,   μ = max μ_i
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.pile.arrays import Arrays
from jourdain.solvers.pile.units import PairLaw


def directions(normals: Any) -> Any:
    """Tangents (n, 2, 3), those of `model.contours.tangents`, for elliptic friction."""
    a, b, c = normals.T
    s = np.where(c < 0.0, -1.0, 1.0)
    k = -1.0 / (s + c)
    first = 1.0 + s * a * a * k, s * a * b * k, -s * a
    return np.stack([np.stack(first, 1), np.stack([a * b * k, s + b * b * k, -b], 1)], 1)


class Laws:
    """Laws of all groups, numbered through.

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

    @property
    def coefficients(self) -> Any:
        """Coefficients (n, 2) of the laws; zero for functions."""
        return np.stack([self._mu[0], self._e[0]], axis=1) + 0.0

    def expand(self, contacts: Arrays, n_islands: int) -> int:
        """Put contacts that resist turning behind those that lead them; return the new number."""
        first = contacts["first"][: n_islands + 1]
        order = contacts["order"][: first[-1]].copy()
        turns = self._turns[contacts["law"][order]]
        place = np.concatenate([[0], np.cumsum(1 + turns)])
        n = int(place[-1])
        contacts["order"][:n], contacts["lead"][:n] = np.repeat(order, 1 + turns), -1
        contacts["lead"][place[1:][turns] - 1] = place[:-1][turns]
        first[:] = place[first]
        return n

    @property
    def have_poisson(self) -> bool:
        """Whether some contacts follow Poisson's law of impact."""
        return any(self._is_poisson)

    def are_poisson(self, numbers: Any) -> Any:
        """Which contacts (n,) follow Poisson's law of impact, by the numbers of their laws."""
        return np.asarray(self._is_poisson, dtype=bool)[numbers]

    def turn_axes(self, numbers: Any, axes: Any) -> None:
        """Turn the axes (n, 3, 3) of elliptic contacts to the directions of their coefficients."""
        if self._is_elliptic.any():
            own = self._is_elliptic[numbers]
            axes[own, 1:] = directions(axes[own, 0])

    def fill(self, numbers: Any, lead: Any, rates: Any, out: Any) -> Any:
        """Write μ and e of all contacts to ``out``; return the factors (n, 3) of their axes.

        ``rates`` (n, 3) are velocities along unit axes; None where no law is a function.
        """
        mu, e = out
        place = (lead >= 0).astype(int), numbers
        mu[:], e[:], scale = self._mu[place], self._e[place], self._scale[place]
        for k, law in enumerate(self._laws if rates is not None else ()):
            for is_turned in (False, True) if any(map(callable, law.coefficients)) else ():
                own = (numbers == k) & ((lead >= 0) == is_turned)
                mu[own], e[own], scale[own] = law.at(rates[own], is_turned)
        return scale
