"""Anderson's extrapolation of a fixed-point iteration, for solver loops.

The iteration ``r → g(r)`` has the error ``f = g(r) - r``. The next point combines the last ones so
that the errors, if they were linear, would cancel best (Anderson 1965; Walker & Ni 2011).
"""

from __future__ import annotations

from jourdain.solvers.linear import factor, solve

FILLED, HEAD, HAS_OLD, PIVOTS = range(4)
GROWTH = 4.0
DAMPING = 1e-12


def memory_size(n, depth):
    """Numbers needed: point, old error and result, differences of both, three small matrices."""
    return 3 * n + 2 * depth * n + 2 * depth * depth + depth


def dot(x, a, b, n):
    """Scalar product of two vectors in one array, in four sums that do not wait for each other."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = n // 4 * 4
    for i in range(0, whole, 4):
        s0 += x[a + i] * x[b + i]
        s1 += x[a + i + 1] * x[b + i + 1]
        s2 += x[a + i + 2] * x[b + i + 2]
        s3 += x[a + i + 3] * x[b + i + 3]
    for i in range(whole, n):
        s0 += x[a + i] * x[b + i]
    return (s0 + s1) + (s2 + s3)


def remember(r, root, n, depth, state, memory):
    """Store the differences to the iteration before, and their products."""
    k = state[HEAD]
    at_F = 3 * n + k * n
    at_G = 3 * n + (depth + k) * n
    for i in range(n):
        error = root[i] * (r[i] - memory[i])
        memory[at_F + i] = error - memory[n + i]
        memory[at_G + i] = r[i] - memory[2 * n + i]
    state[HEAD] = (k + 1) % depth
    state[FILLED] = min(state[FILLED] + 1, depth)
    gram = 3 * n + 2 * depth * n
    for j in range(state[FILLED]):
        product = dot(memory, at_F, 3 * n + j * n, n)
        memory[gram + k * depth + j] = product
        memory[gram + j * depth + k] = product


def combine(r, n, depth, state, memory):
    """Subtract the differences whose errors cancel the present one best."""
    m = state[FILLED]
    gram = 3 * n + 2 * depth * n
    small = gram + depth * depth
    right = small + depth * depth
    trace = 0.0
    for j in range(m):
        trace += memory[gram + j * depth + j]
    for i in range(m):
        for j in range(m):
            memory[small + i * m + j] = memory[gram + i * depth + j]
        memory[small + i * m + i] += DAMPING * trace
        memory[right + i] = dot(memory, 3 * n + i * n, n, n)
    if factor(memory, small, m, state, PIVOTS):
        solve(memory, small, m, state, PIVOTS, right)
        for j in range(m):
            factor_j = memory[right + j]
            at_G = 3 * n + (depth + j) * n
            for i in range(n):
                r[i] -= factor_j * memory[at_G + i]


def extrapolate(r, root, n, depth, state, memory, last):
    """Replace the result r of an iteration by a better guess; return the size of its error.

    ``memory[:n]`` holds the point the iteration started from. When the error grows, the past is
    forgotten.
    """
    size = 0.0
    for i in range(n):
        size += (root[i] * (r[i] - memory[i])) ** 2
    if size > GROWTH * last:
        state[FILLED] = 0
        state[HEAD] = 0
    elif state[HAS_OLD]:
        remember(r, root, n, depth, state, memory)
    state[HAS_OLD] = 1
    for i in range(n):
        memory[n + i] = root[i] * (r[i] - memory[i])
        memory[2 * n + i] = r[i]
    if state[FILLED] > 0 and size > 0.0:
        combine(r, n, depth, state, memory)
    return size
