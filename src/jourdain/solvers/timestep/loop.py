"""Many steps of a run without a return: samples, sums, and what makes it stop.

It stops before a step that needs more than machine code has (results of `step` other than DONE, the
last one before a stop, events of the user that pass), and behind one that has something to note.
"""

from __future__ import annotations

from typing import Any

from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord
from jourdain.codegen.translator.loops import call
from jourdain.solvers.native import native
from jourdain.solvers.timestep.alpha import start_alpha
from jourdain.solvers.timestep.assembly import copy
from jourdain.solvers.timestep.groups.ends import look_at_start, take_start
from jourdain.solvers.timestep.groups.memory import go_back_to_contacts, keep_safe_contacts
from jourdain.solvers.timestep.groups.samples import sample_groups
from jourdain.solvers.timestep.records import TERMS, Machine, Step
from jourdain.solvers.timestep.results import (
    BEGIN,
    DONE,
    LOOK,
    MANY,
    SAMPLE,
    SINGULAR,
    START,
    TAKE_LOOK,
    TERMS_ONLY,
)
from jourdain.solvers.timestep.step import take_step

SPENT, NEAR_END, SLOW, NOTE = range(4)
"""Why a loop has stopped: its steps are done; the end is less than a step away; the next step needs
more; the last step has something to note."""
_SHORTEST = 1e-6  # part of a step that is rounding of the time
_SAME = 1e-9  # part of a step by which two times may differ and be one


class Run(LoopRecord):
    """Where a run is, what it has summed up, and its samples."""

    t: float
    begin: float
    end: float
    h: float
    steps: int  # done by the loop
    most: int  # that it may do
    grid: int  # whole steps since the begin
    evaluations: int
    residual: float
    n_works: int
    works: Floats  # of rows that are always there, of groups, of drives
    before: Floats  # state before the last step
    acting: Integers  # rows that acted in the last step
    most_acting: int  # up to which others than before are told
    # What a step depends on, to go back to.
    n_safe: int
    safe: Floats
    safe_modes: Integers
    # Samples.
    times: Floats
    n_times: int
    next_time: int
    hits_times: int
    n_samples: int
    room: int
    sample_t: Floats
    sample_y: Floats
    n_forces: int
    sample_forces: Floats  # of rows that are always there, then numbers of the groups
    sample_works: Floats
    # Events of the user.
    n_events: int
    events: Integers  # address of their functions, and of its pointers
    values: Floats
    new_values: Floats
    directions: Floats


def keep_safe(m, s, run):
    """Keep what the next step depends on."""
    at = m.n_q + m.n_v
    copy(s.y, at, run.safe)
    for row in range(m.fixed_rows):
        run.safe[at + 3 * row] = s.last[row]
        run.safe[at + 3 * row + 1] = s.anchor[row]
        run.safe[at + 3 * row + 2] = s.mean[row]
    at += 3 * m.fixed_rows
    for k in range(m.fixed_points):
        run.safe[at + 2 * k] = s.band[k]
        run.safe[at + 2 * k + 1] = s.start_gaps[k]
        run.safe_modes[3 * k] = s.mode[k]
        run.safe_modes[3 * k + 1] = s.jams[k]
        run.safe_modes[3 * k + 2] = s.noted[k]
    at += 2 * m.fixed_points
    for i in range(m.n_v):
        run.safe[at + 2 * i] = s.a[i]
        run.safe[at + 2 * i + 1] = s.phi[i]
    if m.has_groups:
        keep_safe_contacts(m.groups)


def go_back(m, s, run):
    """Take back what was kept."""
    at = m.n_q + m.n_v
    copy(run.safe, at, s.y)
    for row in range(m.fixed_rows):
        s.last[row] = run.safe[at + 3 * row]
        s.anchor[row] = run.safe[at + 3 * row + 1]
        s.mean[row] = run.safe[at + 3 * row + 2]
    at += 3 * m.fixed_rows
    for k in range(m.fixed_points):
        s.band[k] = run.safe[at + 2 * k]
        s.start_gaps[k] = run.safe[at + 2 * k + 1]
        s.mode[k] = run.safe_modes[3 * k]
        s.jams[k] = run.safe_modes[3 * k + 1]
        s.noted[k] = run.safe_modes[3 * k + 2]
    at += 2 * m.fixed_points
    for i in range(m.n_v):
        s.a[i] = run.safe[at + 2 * i]
        s.phi[i] = run.safe[at + 2 * i + 1]
    if m.has_groups:
        go_back_to_contacts(m.groups)


def add_sample(m, s, run, t, works):
    """Keep a sample of the present state; ``works`` tells whether the last step is summed up."""
    n, k = m.n_q + m.n_v, run.n_samples
    run.sample_t[k] = t
    for i in range(n):
        run.sample_y[k * n + i] = s.y[i]
    for row in range(m.fixed_rows):
        run.sample_forces[k * run.n_forces + row] = s.at_end[row]
    for i in range(run.n_works):
        run.sample_works[k * run.n_works + i] = run.works[i] + (0.0 if works else s.sums[i])
    if m.has_groups:
        sample_groups(m, s, m.groups, run.sample_forces, k * run.n_forces + m.fixed_rows)
    run.n_samples += 1


def step_from(m, s, run, h):
    """One step of a length from where the run is."""
    s.h = h
    s.now = run.t
    result = take_step(m, s, BEGIN)
    run.evaluations += s.evaluations
    s.evaluations = 0
    return result


def sample_within(m, s, run):
    """Samples at times within the next step, by shorter steps that are taken back.

    One place is left for the sample at the end of the step.
    """
    while run.next_time < run.n_times:
        t = run.times[run.next_time]
        if t >= run.t + run.h - _SAME * run.h:
            return True
        s.is_trial = 1
        result = step_from(m, s, run, t - run.t)
        s.is_trial = 0
        if result != DONE or run.n_samples + 1 >= run.room:
            return False
        add_sample(m, s, run, t, 0)
        go_back(m, s, run)
        run.next_time += 1
    return True


def has_passed(m, s, run):
    """Tell whether an event of the user has passed zero."""
    if run.n_events == 0:
        return False
    copy(s.y, m.n_q, m.q)
    for i in range(m.n_v):
        m.v[i] = s.y[m.n_q + i]
    m.t[0] = run.t + run.h
    call(run.events[0], run.events[1])
    for k in range(run.n_events):
        old, new, way = run.values[k], run.new_values[k], run.directions[k]
        if old < 0.0 and new >= 0.0 and way >= 0.0:
            return True
        if old > 0.0 and new <= 0.0 and way <= 0.0:
            return True
    copy(run.new_values, run.n_events, run.values)
    return False


def take_sums(m, s, run):
    """Sum up works and residuals; tell whether a few other rows act than before."""
    is_new, count = False, 0
    for i in range(run.n_works):
        run.works[i] += s.sums[i]
    for row in range(m.fixed_rows):
        acts = 1 if s.impulses[row] != 0.0 else 0
        count += acts
        is_new = is_new or (acts != run.acting[row])
        run.acting[row] = acts
    run.residual = max(run.residual, s.residual)
    return is_new and count <= run.most_acting


def on_grid(run):
    """Time after a step: that of whole steps since the begin, which it is but for rounding."""
    t = run.t + run.h
    run.grid += 1
    whole = run.begin + run.grid * run.h
    run.t = whole if abs(whole - t) <= _SAME * run.h else t


def sample_if_due(m, s, run):
    """Take a sample where the time of one has come."""
    if run.next_time < run.n_times and run.t >= run.times[run.next_time] - _SAME * run.h:
        t = run.times[run.next_time]
        add_sample(m, s, run, t if abs(t - run.t) <= _SAME * run.h else run.t, 1)
        while run.next_time < run.n_times and run.times[run.next_time] <= run.t + _SAME * run.h:
            run.next_time += 1


@native()
def run_steps(m: Machine, s: Step, run: Run, phase: int) -> Any:
    """One step from a phase of `results`; or steps of equal length, see why they stop above.

    One function serves both, so that machine code of a step is made once.
    """
    if phase == TERMS_ONLY:
        call(m.code[TERMS], m.code[TERMS + 1])
        return DONE
    if phase == START:
        s.at_fault = start_alpha(m, s)
        return DONE if s.at_fault < 0 else SINGULAR
    if phase == LOOK:
        return look_at_start(m, s, m.groups)
    if phase == TAKE_LOOK:
        return take_start(m, s, m.groups)
    if phase == SAMPLE:
        return sample_groups(m, s, m.groups, run.sample_forces, 0)
    if phase != MANY:
        return take_step(m, s, phase)
    return many_steps(m, s, run)


def many_steps(m, s, run):
    """Take steps of equal length."""
    while run.steps < run.most and run.n_samples < run.room:
        if run.end - run.t <= (1.0 + _SHORTEST) * run.h:
            return NEAR_END
        keep_safe(m, s, run)
        n_samples, next_time, evaluations = run.n_samples, run.next_time, run.evaluations
        is_done = True
        if run.hits_times:
            is_done = sample_within(m, s, run)
        if is_done:
            is_done = step_from(m, s, run, run.h) == DONE and not has_passed(m, s, run)
        if not is_done:
            go_back(m, s, run)
            run.n_samples = n_samples
            run.next_time = next_time
            run.evaluations = evaluations
            return SLOW
        copy(run.safe, m.n_q + m.n_v, run.before)
        is_new = take_sums(m, s, run)
        on_grid(run)
        run.steps += 1
        sample_if_due(m, s, run)
        if is_new or s.has_impact or s.has_jam or s.has_change:
            return NOTE
    return SPENT
