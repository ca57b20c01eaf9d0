"""States of laws over a step, implicitly: pressures beside open valves relax in microseconds.

    z₁ = z + hγ ż₁,   z⁺ = z + h(1 − γ) ż₁ + hγ ż⁺,   γ = 1 − 1/√2              (TS-15)

with rates at the times γh and h of the step, at positions on the way there and the velocity of the
step: of order two, and what relaxes faster than a step comes to rest in it. Each stage is solved by
Newton's method, whose steps are halved where they do not help: flow through an orifice has a slope
that grows without end towards rest.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.linear import factor, solve
from jourdain.solvers.timestep.records import MOTION, STATES

GAMMA = 0.2928932188134524
EXACT = 1e-13
"""Step of Newton's method, part of the largest value so far, that is as good as none."""
NEARLY = 1e-8
"""Step with which a stage may end where rounding leaves no smaller one."""
QUICK = 0.1
"""Part of the residual that may be left where the matrix is used again."""
BEFORE = 1.0 - 1e-6
"""Time of the second stage, part of the step: what jumps at its end belongs to the next one."""
MOST = 25
"""Steps of Newton's method in a stage."""
SHORTEST = 1e-3
"""Part of a step of Newton's method that is tried last."""
GROWTH = 8.0
"""Ratio of parts of a step."""
ENDLESS = 1e300
LEAST = 1e-12
"""Shortest part of a step."""


def move_states(m, s, v, h, to):
    """States after a time h from the start of the step, into ``to``, where positions are known.

    Where the equations find no solution, in parts that begin short and grow: a chamber that is
    filled at once, whose oil gets stiffer meanwhile.
    """
    time = m.t[0]
    for i in range(m.n_v):
        m.v[i] = v[i]
    for k in range(m.n_implicit):
        s.state_begin[k] = s.y[m.implicit[k]]
        s.state_middle[k] = 0.0
    for k in range(m.n_followers):
        to[m.followers[k]] = s.y[m.followers[k]]
    s.state_fails = 0
    s.is_endless = 0
    done = 0.0
    part = 1.0
    while done < 1.0 and s.state_fails == 0:
        if both_stages(m, s, h, to, done, part):
            for k in range(m.n_followers):
                to[m.followers[k]] += part * h * s.follower_rate[k]
            for k in range(m.n_implicit):
                end = m.q[m.implicit[k]]
                s.state_middle[k] += part * ((1.0 - GAMMA) * s.guess[k] + GAMMA * end)
                s.state_begin[k] = end
            done += part
            part = min(GROWTH * part, 1.0 - done)
        else:
            part /= GROWTH
            s.state_fails = 0 if part > LEAST else 1 + s.is_endless
    for k in range(m.n_implicit):
        to[m.implicit[k]] = s.state_begin[k]
    m.t[0] = time


def both_stages(m, s, h, to, done, part):
    """Solve the stages of a part of the step, and note rates of followers; tell whether it can."""
    n = m.n_implicit
    is_whole = part == 1.0
    for turn in range(2):
        share = done + part * (GAMMA if turn == 0 else 1.0)
        for i in range(m.n_q):
            m.q[i] = s.y[i] + share * (to[i] - s.y[i])
        for k in range(n):
            s.state_known[k] = s.state_begin[k]
            if turn == 1:
                s.state_known[k] += part * h * (1.0 - GAMMA) * s.first_rate[k]
            elif not (is_whole and s.has_guess > 0):
                s.guess[k] = s.state_begin[k]
            m.q[m.implicit[k]] = s.guess[k]
            if turn == 1 and is_whole and s.has_guess > 1:
                m.q[m.implicit[k]] = s.guess[n + k]
        m.t[0] = s.now + (share if turn == 0 else share * BEFORE) * h
        if not solve_stage(m, s, GAMMA * part * h):
            s.has_guess = 0
            return False
        for k in range(n):
            s.guess[turn * n + k] = m.q[m.implicit[k]]
            if turn == 0:
                s.first_rate[k] = (m.q[m.implicit[k]] - s.state_known[k]) / (GAMMA * part * h)
        for k in range(m.n_followers):
            rate = m.zdot[m.followers[k]]
            first = (1.0 - GAMMA) * rate
            s.follower_rate[k] = first if turn == 0 else s.follower_rate[k] + GAMMA * rate
        s.has_guess = max(s.has_guess, turn + 1) if is_whole else 0
    return True


def forget_stages(m, s):
    """Let the next stages begin from the state at the start."""
    s.has_guess = 0
    s.state_h = 0.0


def solve_stage(m, s, gh):
    """Newton's method for z = known + gh ż, from what ``m.q`` has; tell whether it comes there."""
    n = m.n_implicit
    is_fresh = False
    last = 1e300
    evaluate_rates(m, s, gh)
    size = residual(m, s)
    if not size < ENDLESS:
        s.is_endless = 1
        return False
    for _ in range(MOST):
        if s.state_h != gh:
            if not prepare(m, s, gh):
                return False
            is_fresh = True
        step = direction(m, s)
        if step <= EXACT or (is_fresh and step <= NEARLY and step >= 0.5 * last):
            return True
        last = step
        for k in range(n):
            s.state_old[k] = m.q[m.implicit[k]]
        new = tried(m, s, gh, 1.0)
        if not new < size and not is_fresh:
            tried(m, s, gh, 0.0)
            s.state_h = 0.0
            last = 1e300
            continue
        part = 1.0
        while not new < size and part > SHORTEST:
            part *= 0.5
            new = tried(m, s, gh, part)
        if not new < size and step > NEARLY:
            return False
        if not new < QUICK * size:
            s.state_h = 0.0
        is_fresh = False
        keep_scale(m, s)
        size = residual(m, s)
    return last <= NEARLY


def keep_scale(m, s):
    """Note the largest values so far."""
    for k in range(m.n_implicit):
        s.state_scale[k] = max(s.state_scale[k], abs(m.q[m.implicit[k]]))


def tried(m, s, gh, part):
    """Size of the residual after a part of a step, in the units of before."""
    for k in range(m.n_implicit):
        m.q[m.implicit[k]] = s.state_old[k] + part * s.state_step[k]
    evaluate_rates(m, s, gh)
    size = largest_share(m.n_implicit, s.state_left, s.state_unit)
    if not size < ENDLESS:
        s.is_endless = 1
    return size


def evaluate_rates(m, s, gh):
    """What is left of a stage, into ``state_left``."""
    call(m.code[MOTION], m.code[MOTION + 1])
    s.evaluations += 1
    for k in range(m.n_implicit):
        i = m.implicit[k]
        s.state_left[k] = s.state_known[k] + gh * m.zdot[i] - m.q[i]


def residual(m, s):
    """Size of what is left, part of the largest values, or of itself where it is larger."""
    for k in range(m.n_implicit):
        size = max(abs(m.q[m.implicit[k]]), abs(s.state_known[k]))
        size = max(size, s.state_scale[k])
        s.state_unit[k] = max(size, abs(s.state_left[k]))
    return largest_share(m.n_implicit, s.state_left, s.state_unit)


def largest_share(n, x, unit):
    """Largest of n numbers, each as a part of its unit; a large one where one is not finite.

    What has no unit yet does not count.
    """
    most = 0.0
    for k in range(n):
        if unit[k] > 0.0:
            share = abs(x[k]) / unit[k]
            most = max(most, share) if share < ENDLESS else ENDLESS
    return most


def prepare(m, s, gh):
    """Factors of 1 − gh ∂ż/∂z, block by block; tell whether they are regular."""
    call(m.code[STATES], m.code[STATES + 1])
    for i in range(m.block_start[m.n_blocks]):
        s.state_matrix[i] = 0.0
    for b in range(m.n_blocks):
        n = m.block_first[b + 1] - m.block_first[b]
        for k in range(n):
            s.state_matrix[m.block_start[b] + k * (n + 1)] = 1.0
    for e in range(m.n_by_state):
        s.state_matrix[m.by_state_place[e]] -= gh * m.by_state[m.by_state_entry[e]]
    for b in range(m.n_blocks):
        first = m.block_first[b]
        n = m.block_first[b + 1] - first
        if not factor(s.state_matrix, m.block_start[b], n, s.state_pivots, first):
            return False
    s.state_h = gh
    return True


def direction(m, s):
    """Step of Newton's method, into ``state_step``; its size, part of the largest values."""
    most = 0.0
    for b in range(m.n_blocks):
        first = m.block_first[b]
        n = m.block_first[b + 1] - first
        right = m.block_start[b] + n * n
        for k in range(n):
            s.state_matrix[right + k] = s.state_left[first + k]
        solve(s.state_matrix, m.block_start[b], n, s.state_pivots, first, right)
        for k in range(n):
            step = s.state_matrix[right + k]
            s.state_step[first + k] = step
            if s.state_unit[first + k] == 0.0 and step != 0.0:
                most = 1.0
    share = largest_share(m.n_implicit, s.state_step, s.state_unit)
    return max(most, share)
