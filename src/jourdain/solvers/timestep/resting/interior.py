"""Impulses that hold bodies at rest (CT-18), found in one loop: the path of `Equilibrium`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.codegen.translator.loops import part
from jourdain.solvers.native import BoundLoop, native
from jourdain.solvers.nonsmooth.interior.cone_loops import (
    NONE,
    determinant_at,
    divide_at,
    longest_step_at,
    scaling_at,
    times_at,
)
from jourdain.solvers.timestep.resting.elimination import (
    BLOCK,
    WIDTH,
    Elimination,
    assemble_blocks,
    factor_blocks,
    solve_blocks,
)
from jourdain.solvers.timestep.resting.equilibrium import (
    AHEAD,
    FAR,
    PROVEN,
    REPEATS,
    SLOWEST,
    START,
    STEPS,
    STRAIGHT,
    add_transposed,
    rows_times,
)


def times_block(M, i, p, row):
    """Row of a block of a unit times its part of p."""
    total = 0.0
    for j in range(WIDTH):
        total += M[BLOCK * i + WIDTH * row + j] * p[WIDTH * i + j]
    return total


def speed_of(n, response, radius, p):
    """Largest velocity [m/s] of momenta p."""
    most = 0.0
    for i in range(n):
        for row in range(WIDTH):
            most = max(most, abs(times_block(response, i, p, row)) * radius[WIDTH * i + row])
    return most


def turned(H, k, x, row):
    """Component of the product of a 3×3 matrix of contact k with its part of x."""
    h = 9 * k + 3 * row
    return H[h] * x[3 * k] + H[h + 1] * x[3 * k + 1] + H[h + 2] * x[3 * k + 2]


def solve_units(n, start, rows, order, L, right, spare):
    """Solve with the factors in place of the right side."""
    for k in range(n):
        for j in range(WIDTH):
            spare[WIDTH * k + j] = right[WIDTH * order[k] + j]
    solve_blocks(n, start, rows, L, spare)
    for k in range(n):
        for j in range(WIDTH):
            right[WIDTH * order[k] + j] = spare[WIDTH * k + j]


def copy_into(n, x, y):
    """``y = x``."""
    for i in range(n):
        y[i] = x[i]


def are_inside(m, z):
    """Whether points are in their cones."""
    for k in range(m):
        if not (determinant_at(z, 3 * k) >= 0.0 and z[3 * k] >= 0.0):
            return False
    return True


@native("iiapppaaapppppdp", is_unrolled=True)
def adjust_impulses(
    n, m, pairs, S, response, radius, start, rows, order, L, weight, z, p, found, limit, w
):  # fmt: skip
    """Impulses near z that hold momenta p, by the present factors; tell whether there are."""
    left, spare, rates = w, part(w, WIDTH * n), part(w, 2 * WIDTH * n)
    copy_into(3 * m, z, found)
    last = NONE
    for _ in range(REPEATS):
        copy_into(WIDTH * n, p, left)
        add_transposed(m, pairs, S, found, left)
        speed = speed_of(n, response, radius, left)
        if speed <= limit:
            return 1 if are_inside(m, found) else 0
        solve_units(n, start, rows, order, L, left, spare)
        rows_times(m, pairs, S, left, rates)
        outside = -NONE
        change = 0.0
        for k in range(m):
            i = 3 * k
            size = (found[i + 1] * found[i + 1] + found[i + 2] * found[i + 2]) ** 0.5
            outside = max(outside, size - found[i])
            for row in range(3):
                change = max(change, abs(turned(weight, k, rates, row)))
        if not speed <= SLOWEST * last or outside > AHEAD * change:
            return 0
        last = speed
        for k in range(m):
            for row in range(3):
                found[3 * k + row] -= turned(weight, k, rates, row)
    return 0


def begin_inside(n, m, pairs, S, response, radius, p, z, x, y):
    """Start inside the cones; tell whether anything can be done."""
    for i in range(WIDTH * n):
        x[i] = 0.0
    size = speed_of(n, response, radius, p)
    if m == 0 or not size > 0.0:
        return False
    for k in range(m):
        own = 0.0
        for row in range(3):
            total = 0.0
            for side in range(2):
                i = pairs[2 * k + side]
                if i >= 0:
                    at = 6 * WIDTH * k + 3 * WIDTH * side + WIDTH * row
                    for a in range(WIDTH):
                        for b in range(WIDTH):
                            M = response[BLOCK * i + WIDTH * a + b]
                            total += S[at + a] * M * S[at + b]
            own = max(own, total)
        if not own > 0.0:
            return False
        first = max(z[3 * k], (z[3 * k + 1] ** 2 + z[3 * k + 2] ** 2) ** 0.5)
        z[3 * k] = first + START * max(first, size / own)
        y[3 * k] = FAR * size
        y[3 * k + 1] = 0.0
        y[3 * k + 2] = 0.0
    return True


def direction(n, m, pairs, S, start, rows, order, L, inverse, weight, lam, lag, left, right, push,
              dx, dy, dz, spare):  # fmt: skip
    """Step (dx, dy, dz) for the right side of the cones."""
    for k in range(m):
        divide_at(right, 3 * k, lam, 3 * k, dz, 3 * k)
        for row in range(3):
            push[3 * k + row] = turned(inverse, k, dz, row)
    for k in range(m):
        for row in range(3):
            dz[3 * k + row] = push[3 * k + row] - turned(weight, k, lag, row)
    copy_into(WIDTH * n, left, dx)
    add_transposed(m, pairs, S, dz, dx)
    solve_units(n, start, rows, order, L, dx, spare)
    rows_times(m, pairs, S, dx, dy)
    for i in range(3 * m):
        dy[i] += lag[i]
    for k in range(m):
        for row in range(3):
            dz[3 * k + row] = push[3 * k + row] - turned(weight, k, dy, row)


def longest(m, z, dz, y, dy, part_of):
    """Longest step of both points, up to one; a part of it."""
    step = 1.0 / part_of
    for k in range(m):
        step = longest_step_at(z, 3 * k, dz, 3 * k, step)
        step = longest_step_at(y, 3 * k, dy, 3 * k, step)
    return part_of * step


def advance(n, m, pairs, S, M, start, rows, order, L, p, z, x, y, W, inverse, weight, mean, w):
    """One step along the path, predictor and corrector; return its length, zero if it ends."""
    left, dx, spare = w, part(w, WIDTH * n), part(w, 2 * WIDTH * n)
    v = part(w, 3 * WIDTH * n)
    lam, lag, right = v, part(v, 3 * m), part(v, 6 * m)
    push, dy, dz = part(v, 9 * m), part(v, 12 * m), part(v, 15 * m)
    rows_times(m, pairs, S, x, lag)
    copy_into(WIDTH * n, p, left)
    add_transposed(m, pairs, S, z, left)
    for i in range(n):
        for row in range(WIDTH):
            left[WIDTH * i + row] -= times_block(M, i, x, row)
    for k in range(m):
        for row in range(3):
            lag[3 * k + row] -= y[3 * k + row]
            lam[3 * k + row] = turned(W, k, z, row)
        times_at(lam, 3 * k, lam, 3 * k, right, 3 * k)
    for i in range(3 * m):
        right[i] = -right[i]
    direction(n, m, pairs, S, start, rows, order, L, inverse, weight, lam, lag, left, right, push,
              dx, dy, dz, spare)  # fmt: skip
    length = longest(m, z, dz, y, dy, 1.0)
    ahead = 0.0
    for i in range(3 * m):
        ahead += (z[i] + length * dz[i]) * (y[i] + length * dy[i])
    ratio = max(ahead / m, 0.0) / mean
    centre = mean * min(1.0, max(1e-6, ratio * ratio * ratio))
    for k in range(m):
        for row in range(3):
            push[3 * k + row] = turned(W, k, dz, row)
        for row in range(3):
            dz[3 * k + row] = turned(inverse, k, dy, row)
        times_at(push, 3 * k, dz, 3 * k, dy, 3 * k)
        for row in range(3):
            right[3 * k + row] -= dy[3 * k + row]
        right[3 * k] += centre
    direction(n, m, pairs, S, start, rows, order, L, inverse, weight, lam, lag, left, right, push,
              dx, dy, dz, spare)  # fmt: skip
    length = min(1.0, longest(m, z, dz, y, dy, 0.99))
    total = 0.0
    for i in range(WIDTH * n):
        x[i] += length * dx[i]
        total += 0.0 * x[i]
    for i in range(3 * m):
        z[i] += length * dz[i]
        y[i] += length * dy[i]
    for k in range(m):
        if not (determinant_at(z, 3 * k) > 0.0 and determinant_at(y, 3 * k) > 0.0):
            return 0.0
    return length if length > 1e-6 and total == 0.0 else 0.0


def are_factored(n, m, n_blocks, start, rows, own, place, M, S, weight, L):
    """Factor the matrix of a step; tell whether it can be."""
    for i in range(BLOCK * (n_blocks + 1)):
        L[i] = 0.0
    assemble_blocks(n, m, place, own, M, S, weight, L)
    return factor_blocks(n, start, rows, L) == 0


@native("iiappppiaaaaapppppppdp", is_unrolled=True)
def find_impulses(
    n, m, pairs, S, M, response, radius, n_blocks, start, rows, own, place, order, L, weight, p, z,
    x, y, found, limit, w,
):  # fmt: skip
    """Impulses ``found`` that hold momenta p, from a guess z; tell whether they do.

    If they do not, x is a motion that no impulses stop.
    """
    W, inverse, rest = w, part(w, 9 * m), part(w, 18 * m)
    if not begin_inside(n, m, pairs, S, response, radius, p, z, x, y):
        return 1 if speed_of(n, response, radius, p) <= limit else 0
    is_straight = False
    for _ in range(STEPS):
        gap = 0.0
        for i in range(3 * m):
            gap += y[i] * z[i]
        for k in range(m):
            scaling_at(z, 3 * k, y, 3 * k, W, 9 * k, inverse)
            for i in range(3):
                for j in range(3):
                    a, b = 9 * k + 3 * i, 9 * k + j
                    weight[9 * k + 3 * i + j] = (
                        inverse[a] * inverse[b]
                        + inverse[a + 1] * inverse[b + 3]
                        + inverse[a + 2] * inverse[b + 6]
                    )
        if not are_factored(n, m, n_blocks, start, rows, own, place, M, S, weight, L):
            break
        if is_straight:
            if adjust_impulses(
                n, m, pairs, S, response, radius, start, rows, order, L, weight, z, p, found,
                limit, rest,
            ):  # fmt: skip
                copy_into(3 * m, found, z)
                return 1
            energy = 0.0
            for i in range(n):
                for row in range(WIDTH):
                    energy += 0.5 * x[WIDTH * i + row] * times_block(M, i, x, row)
            if gap <= PROVEN * energy:
                return 0
        length = advance(n, m, pairs, S, M, start, rows, order, L, p, z, x, y, W, inverse, weight,
                         gap / m, rest)  # fmt: skip
        if not length > 0.0:
            break
        is_straight = length >= STRAIGHT
    return 0


class CompiledEquilibrium:
    """`Equilibrium` in machine code; the parameters and attributes are the same."""

    def __init__(self, M: Any, response: Any, S: Any, pairs: Any, radius: Any) -> None:
        n, m = len(M), len(S)
        self._arrays = {
            name: np.ascontiguousarray(x)
            for name, x in (("M", M), ("response", response), ("S", S), ("pairs", pairs))
        }
        self._arrays["radius"] = np.ascontiguousarray(radius, dtype=float)
        self.z, self.x, self._found = np.zeros((m, 3)), np.zeros(WIDTH * n), np.zeros((m, 3))
        self._elimination = Elimination(n, self._arrays["pairs"])
        self._arrays |= {
            "z": self.z, "x": self.x, "found": self._found, "y": np.zeros((m, 3)),
            "weight": np.zeros((m, 3, 3)), "w": np.zeros(3 * WIDTH * n + (18 + 18) * m + 1),
        }  # fmt: skip
        given = {name: address(x) for name, x in self._arrays.items()}
        given |= {"n": n, "m": m, **self._elimination.arguments}
        self._find, self._adjust = (
            BoundLoop(find_impulses, given),
            BoundLoop(adjust_impulses, given),
        )

    def find(self, p: Any, z: Any, limit: float) -> bool:
        """Find impulses that hold momenta p, from a guess z; tell whether they do."""
        self.z[:] = z
        return bool(self._find(address(p), limit))

    def adjust(self, p: Any, limit: float) -> Any:
        """Impulses (m, 3) near those that were found, for other momenta p; None if there are none.

        With the factors of the last solution: nothing is factored.
        """
        return self._found.copy() if self._adjust(address(p), limit) else None
