"""Impulses that hold bodies at rest: found, or shown not to exist.

Bodies with momenta p rest if there are impulses z in their friction cones with

    Sᵀ z + p = 0,   z_k ∈ K = {z_N ≥ |z_T|},   z = (r_N, r_T / mu)                      (CT-18)

This is convex, though Coulomb's law is not: what moves by the shortest way, ``M x = p + Sᵀ z``, is
the solution of ``min ½ xᵀM x`` over K, and rest is a solution of the step where it vanishes. An
interior-point method (`nonsmooth.interior_point`) with one velocity for each unit finds it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.interior.cones import (
    determinant,
    divide,
    longest_step,
    scaling,
    times,
)
from jourdain.solvers.timestep.resting.elimination import WIDTH, Elimination
from jourdain.solvers.timestep.resting.sharing import Sharing

CERTAIN = 1e-10
"""Part of the velocity without contacts up to which a velocity is rounding."""
STEPS = 40
START = 0.03  # part of the impulses by which the start lies inside the cones
FAR = 0.01  # part of the velocity without contacts at which the path begins
STRAIGHT = 0.9  # length of a step after which impulses are completed by a linear solution
PROVEN = 0.01  # part of the energy of motion that may be left of the gap where rest is impossible
REPEATS = 40
SLOWEST = 0.8  # part of a velocity that a repeat may leave
AHEAD = 10.0  # changes of one repeat that all further ones may add up to


@native("iappp", is_unrolled=True)
def rows_times(m, pairs, S, x, y):
    """``y = S x``."""
    for k in range(m):
        for row in range(3):
            t = 0.0
            for side in range(2):
                if pairs[2 * k + side] >= 0:
                    i = WIDTH * pairs[2 * k + side]
                    for j in range(WIDTH):
                        t += S[6 * WIDTH * k + 3 * WIDTH * side + WIDTH * row + j] * x[i + j]
            y[3 * k + row] = t
    return 0


@native("iappp", is_unrolled=True)
def add_transposed(m, pairs, S, z, p):
    """``p + Sᵀ z`` in place of p."""
    for k in range(m):
        for side in range(2):
            if pairs[2 * k + side] >= 0:
                i = WIDTH * pairs[2 * k + side]
                for row in range(3):
                    t = z[3 * k + row]
                    for j in range(WIDTH):
                        p[i + j] += S[6 * WIDTH * k + 3 * WIDTH * side + WIDTH * row + j] * t
    return 0


class Equilibrium:
    """Units that may rest, and the contacts that hold them.

    Parameters
    ----------
    M, response : (n, 6, 6)
        Mass matrices of the units and their inverses.
    S : (m, 2, 3, 6)
        Rows of both sides of each contact, those of the tangents times the friction.
    pairs : (m, 2) of int
        Units of each contact, −1 for none.
    radius : (n, 6) [m, 1]
        Lengths that make velocities of the columns.
    sharing : Sharing, optional
        Which of the contacts are cones of rolling and drilling.

    Attributes
    ----------
    z : (m, 3) [N s]
        Impulses.
    x : (6 n + …,)
        Velocities that are left, and the numbers that go with shared normal impulses.
    """

    def __init__(
        self, M: Any, response: Any, S: Any, pairs: Any, radius: Any, sharing: Sharing | None = None
    ) -> None:
        self._sharing = Sharing(len(S), np.zeros(0, dtype=np.int64)) if sharing is None else sharing
        self._M, self._response = np.ascontiguousarray(M), response
        self._S, self._pairs = np.ascontiguousarray(S), np.ascontiguousarray(pairs)
        self._radius = radius
        self._elimination = Elimination(len(M), self._pairs)
        self.z, self.x = np.zeros((len(S), 3)), np.zeros(WIDTH * len(M) + self._sharing.size)
        self._weight = np.zeros((len(S), 3, 3))

    def velocities(self, p: Any) -> Any:
        """Velocities (6 n) of momenta."""
        return np.einsum("nij,nj->ni", self._response, self.of_units(p)).ravel()

    def of_units(self, x: Any) -> Any:
        """Columns (n, 6) of the units."""
        return x[: WIDTH * len(self._M)].reshape(-1, WIDTH)

    def speed(self, x: Any) -> float:
        """Largest velocity [m/s]."""
        return float(np.abs(self.of_units(x) * self._radius).max(initial=0.0))

    def find(self, p: Any, z: Any, limit: float) -> bool:
        """Find impulses that hold momenta p, from a guess z; tell whether they do.

        ``limit`` [m/s] is the velocity that is none. If they do not, `x` is a motion that no
        impulses stop.
        """
        if not self._begin(p, z):
            return self.speed(self.velocities(p)) <= limit
        for _ in range(STEPS):
            gap = float((self._y * self.z).sum())
            W, inverse = scaling(self.z, self._y)
            self._weight = np.ascontiguousarray(inverse @ inverse)
            if not self._is_factored():
                break
            if self._is_straight and self._complete(p, limit):
                return True
            if gap <= PROVEN * 0.5 * float(self.x @ self._momenta(self.x)) and self._is_straight:
                return False
            if not self._advance(p, W, inverse, gap / len(self.z)):
                break
        return False

    def _is_factored(self) -> bool:
        """Factor the matrix of a step; tell whether it can be."""
        try:
            S, H = self._sharing.reduced(self._S, self._weight)
        except np.linalg.LinAlgError:
            return False
        return self._elimination.factor(self._M, np.ascontiguousarray(S), H)

    def _solved(self, left: Any) -> Any:
        """Velocities of the units and numbers s for a right side."""
        n = WIDTH * len(self._M)
        dx = self._elimination.solve(self._sum(left, -self._sharing.moved(left[n:]))[:n])
        return np.concatenate([dx, self._sharing.found(left[n:], self._unit_rates(dx))])

    def adjust(self, p: Any, limit: float) -> Any:
        """Impulses (m, 3) near those that were found, for other momenta p; None if there are none.

        With the factors of the last solution: nothing is factored.
        """
        z, last = self.z.copy(), np.inf
        for _ in range(REPEATS):
            self._sharing.make_equal(z)
            left = self._sum(p, z)
            speed = self.speed(self.velocities(left))
            if speed <= limit:
                return z if (determinant(z) >= 0.0).all() and (z[:, 0] >= 0.0).all() else None
            change = _apply(self._weight, self._rates(self._solved(left)))
            outside = (np.hypot(z[:, 1], z[:, 2]) - z[:, 0]).max()
            if not speed <= SLOWEST * last or outside > AHEAD * np.abs(change).max():
                return None
            z, last = z - change, speed
        return None

    def _begin(self, p: Any, z: Any) -> bool:
        """Start inside the cones; tell whether anything can be done."""
        self.x = np.zeros_like(self.x)
        if not len(self._S):
            return False
        size = self.speed(self.velocities(p))
        rows = np.einsum("ksij,ksjl,ksil->ksi", self._S, self._response[self._pairs], self._S)
        own = np.where((self._pairs >= 0)[:, :, None], rows, 0.0).sum(axis=1).max(axis=1)
        own = self._sharing.of_contacts(own)
        if not (size > 0.0 and (own > 0.0).all()):
            return False
        first = self._sharing.largest(np.maximum(z[:, 0], np.hypot(z[:, 1], z[:, 2])))
        self.z = z.copy()
        self.z[:, 0] = first + START * np.maximum(first, size / own)
        self._y = np.zeros_like(z)
        self._y[:, 0] = FAR * size
        self._is_straight = False
        return True

    def _momenta(self, x: Any) -> Any:
        p = np.zeros_like(x)
        self.of_units(p)[:] = np.einsum("nij,nj->ni", self._M, self.of_units(x))
        return p

    def _rates(self, x: Any) -> Any:
        y = self._unit_rates(x)
        self._sharing.add_rates(x[WIDTH * len(self._M) :], y)
        return y

    def _unit_rates(self, x: Any) -> Any:
        y = np.empty((len(self._S), 3))
        rows_times(len(y), address(self._pairs), address(self._S), address(x), address(y))
        return y

    def _sum(self, p: Any, z: Any) -> Any:
        """``p + Sᵀ z``, with what shared normal impulses lack."""
        n = WIDTH * len(self._M)
        total, z = np.zeros(n + self._sharing.size), np.ascontiguousarray(z)
        total[: len(p)] = p
        add_transposed(len(z), address(self._pairs), address(self._S), address(z), address(total))
        total[n:] += self._sharing.differences(z)
        return total

    def _complete(self, p: Any, limit: float) -> bool:
        """Complete the impulses by what the present factors give, if that is in the cones."""
        z = self.adjust(p, limit)
        if z is None:
            return False
        self.z = z
        return True

    def _advance(self, p: Any, W: Any, inverse: Any, mean: float) -> bool:
        """One step along the path, predictor and corrector; tell whether it goes on."""
        z, y = self.z, self._y
        lam = _apply(W, z)
        square = times(lam, lam)
        lag, left = self._rates(self.x) - y, self._sum(p, z) - self._momenta(self.x)

        def direction(right: Any) -> tuple[Any, Any, Any]:
            push = _apply(inverse, divide(right, lam))
            dx = self._solved(self._sum(left, push - _apply(self._weight, lag)))
            dy = self._rates(dx) + lag
            return dx, dy, push - _apply(self._weight, dy)

        dx, dy, dz = direction(-square)
        length = min(1.0, longest_step(z, dz), longest_step(y, dy))
        ahead = float(((z + length * dz) * (y + length * dy)).sum()) / len(z)
        centre = np.zeros_like(z)
        centre[:, 0] = mean * min(1.0, max(1e-6, (max(ahead, 0.0) / mean) ** 3))
        second = times(_apply(W, dz), _apply(inverse, dy))
        dx, dy, dz = direction(centre - square - second)
        length = min(1.0, 0.99 * longest_step(z, dz), 0.99 * longest_step(y, dy))
        self.x, self._y, self.z = self.x + length * dx, y + length * dy, z + length * dz
        self._is_straight = length >= STRAIGHT
        inside = (determinant(self.z) > 0.0).all() and (determinant(self._y) > 0.0).all()
        return bool(inside and length > 1e-6 and np.isfinite(self.x).all())


def _apply(matrices: Any, vectors: Any) -> Any:
    return np.einsum("nij,nj->ni", matrices, vectors)
