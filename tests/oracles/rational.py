"""Constrained accelerations in exact arithmetic, for inertias of any ratio."""

from fractions import Fraction


def independent(rows):
    """Rows that do not depend on those before them, reduced."""
    found = []
    for row in rows:
        left = [Fraction(x) for x in row]
        for other, pivot in found:
            factor = left[pivot] / other[pivot]
            left = [a - factor * b for a, b in zip(left, other, strict=True)]
        places = [i for i, x in enumerate(left) if x]
        if places:
            found.append((left, places[0]))
    return [row for row, _ in found]


def accelerations(M, P, f):
    """Solution a of M a = f + Pᵀ λ, P a = 0, for a diagonal M; repeated rows are left out."""
    rows, n = independent(P), len(M)
    size = n + len(rows)
    A = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for i in range(n):
        A[i][i], A[i][size] = Fraction(M[i]), Fraction(f[i])
        for k, row in enumerate(rows):
            A[i][n + k] = A[n + k][i] = row[i]
    for i in range(size):
        pivot = next(j for j in range(i, size) if A[j][i])
        A[i], A[pivot] = A[pivot], A[i]
        for j in range(size):
            if j != i and A[j][i]:
                factor = A[j][i] / A[i][i]
                A[j] = [a - factor * b for a, b in zip(A[j], A[i], strict=True)]
    return [float(A[i][size] / A[i][i]) for i in range(n)]
