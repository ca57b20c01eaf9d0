"""Dense factorisations for solver loops: LU with partial pivoting, real and complex.

Matrices lie row by row in ``w``; a complex one has its imaginary part in a second matrix.
"""

from __future__ import annotations


def factor(w, at, n, pivots, at_p):
    """Replace a matrix by its factors; tell whether it is regular."""
    for k in range(n):
        best, row = abs(w[at + k * n + k]), k
        for i in range(k + 1, n):
            size = abs(w[at + i * n + k])
            if size > best:
                best, row = size, i
        pivots[at_p + k] = row
        if not best > 0.0:
            return False
        if row != k:
            for j in range(k, n):
                x = w[at + k * n + j]
                w[at + k * n + j] = w[at + row * n + j]
                w[at + row * n + j] = x
        inverse = 1.0 / w[at + k * n + k]
        for i in range(k + 1, n):
            ratio = w[at + i * n + k] * inverse
            w[at + i * n + k] = ratio
            if ratio != 0.0:
                for j in range(k + 1, n):
                    w[at + i * n + j] -= ratio * w[at + k * n + j]
    return True


def solve(w, at, n, pivots, at_p, at_x):
    """Replace x by the solution of the factored system."""
    for k in range(n):
        row = pivots[at_p + k]
        x = w[at_x + row]
        w[at_x + row] = w[at_x + k]
        w[at_x + k] = x
        for i in range(k + 1, n):
            w[at_x + i] -= w[at + i * n + k] * x
    for k in range(n - 1, -1, -1):
        total = w[at_x + k]
        for j in range(k + 1, n):
            total -= w[at + k * n + j] * w[at_x + j]
        w[at_x + k] = total / w[at + k * n + k]


def factor_complex(w, at, n, pivots, at_p):
    """As `factor`, for a complex matrix: real part at ``at``, imaginary part behind it."""
    im = at + n * n
    for k in range(n):
        best, row = -1.0, k
        for i in range(k, n):
            size = w[at + i * n + k] ** 2 + w[im + i * n + k] ** 2
            if size > best:
                best, row = size, i
        pivots[at_p + k] = row
        if not best > 0.0:
            return False
        if row != k:
            for j in range(k, n):
                x, y = w[at + k * n + j], w[im + k * n + j]
                w[at + k * n + j] = w[at + row * n + j]
                w[im + k * n + j] = w[im + row * n + j]
                w[at + row * n + j] = x
                w[im + row * n + j] = y
        a, b = w[at + k * n + k] / best, -w[im + k * n + k] / best
        for i in range(k + 1, n):
            x, y = w[at + i * n + k], w[im + i * n + k]
            re, imag = x * a - y * b, x * b + y * a
            w[at + i * n + k] = re
            w[im + i * n + k] = imag
            if re != 0.0 or imag != 0.0:
                for j in range(k + 1, n):
                    x, y = w[at + k * n + j], w[im + k * n + j]
                    w[at + i * n + j] -= re * x - imag * y
                    w[im + i * n + j] -= re * y + imag * x
    return True


def solve_complex(w, at, n, pivots, at_p, at_x):
    """As `solve`; the imaginary part of x lies behind its real part."""
    im, at_y = at + n * n, at_x + n
    for k in range(n):
        row = pivots[at_p + k]
        x, y = w[at_x + row], w[at_y + row]
        w[at_x + row] = w[at_x + k]
        w[at_y + row] = w[at_y + k]
        w[at_x + k] = x
        w[at_y + k] = y
        for i in range(k + 1, n):
            a, b = w[at + i * n + k], w[im + i * n + k]
            w[at_x + i] -= a * x - b * y
            w[at_y + i] -= a * y + b * x
    for k in range(n - 1, -1, -1):
        x, y = w[at_x + k], w[at_y + k]
        for j in range(k + 1, n):
            a, b = w[at + k * n + j], w[im + k * n + j]
            x -= a * w[at_x + j] - b * w[at_y + j]
            y -= a * w[at_y + j] + b * w[at_x + j]
        a, b = w[at + k * n + k], w[im + k * n + k]
        size = a * a + b * b
        w[at_x + k] = (x * a + y * b) / size
        w[at_y + k] = (y * a - x * b) / size
