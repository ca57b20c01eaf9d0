"""Modes of kinks and jumps in a run: which side of each the state is on, and when that changes.

See `equations.tracing.kinks`. A step ends at the first kink on its way; there the mode is switched,
and the next step goes on beyond. Where the state is driven back to a kink from both sides, as by
friction written with ``sign``, switching would not end. Such a kink *slides*: it is not watched,
short steps take the mode that is right where they begin, until the state stays on one side for many
of them. They grow while it slides: what rests from the start has no time scale to begin with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain.codegen.translator.loops import call, part, result_of
from jourdain.solvers.events import event_values, has_passed, record
from jourdain.solvers.integration import Integration, Kinks
from jourdain.solvers.native import native
from jourdain.solvers.ode.stepping import (
    IS_FIXED,
    KINK,
    LOOK_AT,
    MAX_STEPS,
    N_ACCEPTED,
    N_EVENTS,
    N_FROZEN,
    N_KINKS,
    N_Q,
    N_REJECTED,
    N_V,
    T_WORK,
    H,
    T,
    begin_anew,
)  # fmt: skip
from jourdain.solvers.record import LARGEST, MOST, Record, refused
from jourdain.solvers.status import Status

LIVE, UNWATCHED = -1e300, 0.25  # as of `equations.tracing.kinks`
_QUICK, _MANY = 1e-6, 4  # part of a step in which a kink is passed again; how often in a row
_SHORT, _SHORTEST, _PART = 1e-4, 1e-7, 1e-3  # [s], [s], [1] steps of a kink that slides
_GROWS = 1.01  # factor from one of them to the next: they stay within a hundredth of the slide
_RELEASED, _SLIDING = 8, 1  # steps between two looks at kinks that are not watched
_ENOUGH = 32  # steps on one side after which a kink is watched again
MOST_STEPS = max(_RELEASED, _SLIDING)
"""Largest number of steps until the next look."""
_LAST, _COUNT, _SIDE, _STAYED, _STEP, _HAS_SLID, _PASSED, _EVEN, _ODD = range(9)  # columns
_COLUMNS = 9
_TINY = 1e-300  # [s] step that is none
_WHOLE = 6755399441055744.0  # a number added to this, and taken from it, is rounded to a whole one
_PAUSED, _TERMINAL, _AT_KINK = map(int, (Status.PAUSED, Status.TERMINAL_EVENT, Status.KINK))
_FAILED, _BEFORE_END = int(Status.NOT_FINITE), int(Status.BEFORE_END)
# Columns by name, with their ranges; first those of whole numbers.
_COUNTS = {
    "kink_counts": (_COUNT, 0, _MANY),
    "kink_sides": (_SIDE, -MOST, MOST),
    "kink_stays": (_STAYED, 0, MOST),
    "kink_slides": (_HAS_SLID, 0, 1),
    "kink_passages": (_PASSED, 0, MOST),
}
_TIMES = {
    "kink_times": (_LAST, -LARGEST, LARGEST),
    "kink_short_steps": (_STEP, 0.0, _SHORT),
    "kink_even_steps": (_EVEN, 0.0, LARGEST),
    "kink_odd_steps": (_ODD, 0.0, LARGEST),
}


class Switches:
    """Modes of one run.

    Parameters
    ----------
    modes : (n,)
        Modes among the inputs of the state equation; they are changed here.
    inside : function
        Gives for each mode, at the state reached, a number that is positive inside of it.
    ask : function
        Gives modes beyond the nearest border, and those that are right, at the state reached.
    t : float [s]
        Time of the start.
    """

    def __init__(
        self, modes: Any, inside: Callable[[], Any], ask: Callable[[], list[Any]], t: float
    ) -> None:
        self.modes, self.n, self._inside, self._ask = modes, len(modes), inside, ask
        self.memory = np.zeros((self.n, _COLUMNS))
        self.memory[:, _LAST] = t

    @property
    def is_sliding(self) -> bool:
        """Whether any kink slides now."""
        return bool(self._are_sliding.any())

    @property
    def longest_step(self) -> float:
        """Longest step [s] while a kink slides."""
        return float(self.memory[self._are_sliding, _STEP].min(initial=np.inf))

    @property
    def n_passed(self) -> int:
        """Number of passages."""
        return int(self.memory[:, _PASSED].sum())

    @property
    def n_sliding(self) -> int:
        """Number of kinks that have slid."""
        return int(self.memory[:, _HAS_SLID].sum())

    @property
    def _are_sliding(self) -> Any:
        return self.modes != np.floor(self.modes)

    def begin(self) -> None:
        """Take the modes that are right at the start."""
        self.modes[:] = LIVE
        self.modes[:] = self._ask()[1]

    def settle(self) -> None:
        """Correct modes that are wrong since something jumped: an input, or other modes."""
        for _ in range(3 if self.n else 0):
            wrong = self._inside() < 0.0
            if not wrong.any():
                return
            self.modes[wrong] = self._ask()[1][wrong]

    def contents(self) -> dict[str, Any]:
        """All that the next step depends on, by name."""
        if not self.n:
            return {}
        places = {name: x[0] for name, x in {**_COUNTS, **_TIMES}.items()}
        columns = {name: self.memory[:, k].copy() for name, k in places.items()}
        return {"kink_modes": self.modes.copy(), **columns}

    def recall(self, record: Record) -> None:
        """Take over the contents of another run.

        Raises
        ------
        ModelError
            If a number is missing or out of its range.
        """
        if not self.n:
            return
        modes = record.array("kink_modes", self.n)
        decided = modes != LIVE
        parts = modes[decided] - np.floor(modes[decided])
        if np.any(np.abs(modes[decided]) > MOST) or not np.all(np.isin(parts, (0.0, UNWATCHED))):
            raise refused("'kink_modes' has numbers that are no modes")
        for name, (column, least, most) in _COUNTS.items():
            self.memory[:, column] = record.whole(name, self.n, least, most)
        for name, (column, low, high) in _TIMES.items():
            self.memory[:, column] = record.array(name, self.n, low, high)
        self.modes[:] = modes
        if self.longest_step < _SHORTEST:
            raise refused("a kink slides in steps of no length")
        steps = self.memory[:, [_EVEN, _ODD]]
        if np.any((steps > 0.0) & (steps < _TINY)):
            raise refused("a kink was passed in steps of no length")


def is_between(mode):
    """Tell whether a mode is no whole number: its kink slides."""
    return (mode + _WHOLE) - _WHOLE != mode


def ask(run, kinks):
    """Modes beyond the nearest border, and those that are right, at the state reached."""
    run.dp[T_WORK] = run.dp[T]
    call(kinks.ask.function, kinks.ask.at)


def watch(run, kinks, wait):
    """Count the kinks that are watched; look at the others after ``wait`` steps, or soon if < 0."""
    ip, n = run.ip, run.ip[N_KINKS]
    n_live, n_sliding = 0, 0
    for k in range(n):
        if kinks.modes[k] == LIVE:
            n_live += 1
        elif is_between(kinks.modes[k]):
            n_sliding += 1
    soon = _SLIDING if n_sliding > 0 else _RELEASED
    ip[N_FROZEN] = n - n_live - n_sliding
    ip[LOOK_AT] = -1
    if n_live + n_sliding > 0:
        ip[LOOK_AT] = ip[N_ACCEPTED] + (soon if wait < 0 else wait)


def pass_kink(run, kinks, k, step):
    """Take the mode beyond a kink and count the passage; return the step [s] to go on with."""
    row, t = part(kinks.memory, _COLUMNS * k), run.dp[T]
    old, beyond = kinks.modes[k], kinks.beyond[k]
    if row[_PASSED] > 0.0 and t - row[_LAST] <= max(_QUICK * step, kinks.at_once):
        row[_COUNT] += 1.0
    else:
        row[_COUNT] = 0.0
        row[_PASSED] += 1.0
        if row[_HAS_SLID] == 0.0:
            row[_STEP] = min(_SHORT, max(_SHORTEST, _PART * (t - row[_LAST])))
    row[_LAST] = t
    if row[_COUNT] >= _MANY:
        row[_COUNT] = 0.0
        row[_STAYED] = 0.0
        row[_HAS_SLID] = 1.0
        kinks.modes[k] = beyond + UNWATCHED
        return min(step, row[_STEP])
    kinks.modes[k] = beyond
    row[_ODD if is_between(0.5 * old) else _EVEN] = step
    known = row[_ODD if is_between(0.5 * beyond) else _EVEN]
    return min(step, known) if known > 0.0 else step


def switch(run, kinks, at_before, step):
    """Switch the modes of all kinks that are passed; return the step [s] to go on with.

    Modes that depend on those are corrected, too. In w lie the values of all events before.
    """
    w, ip, dp = run.w, run.ip, run.dp
    first, n = ip[N_EVENTS] - ip[N_KINKS], ip[N_KINKS]
    at_after = at_before + 2 * ip[N_EVENTS]
    ask(run, kinks)
    for k in range(n):
        if w[at_before + first + k] < 0.0 or k == ip[KINK]:
            step = pass_kink(run, kinks, k, step)
    event_values(run, dp[T], 0, at_after)
    has_asked = False
    for k in range(n):
        old, new = w[at_before + first + k], w[at_after + first + k]
        if new < 0.0 and new != old and old >= 0.0 and k != ip[KINK]:
            if not has_asked:
                ask(run, kinks)
                has_asked = True
            kinks.modes[k] = kinks.now[k]
    return step


def look(run, kinks, step):
    """Update modes that are not watched; return the step [s] to go on with."""
    ask(run, kinks)
    for k in range(run.ip[N_KINKS]):
        row = part(kinks.memory, _COLUMNS * k)
        mode, right = kinks.modes[k], kinks.now[k]
        slides = is_between(mode)
        row[_STAYED] += _SLIDING if slides else _RELEASED
        if right != row[_SIDE]:
            row[_STAYED] = 0.0
        row[_SIDE] = right
        if slides:
            row[_STEP] = min(_SHORT, _GROWS * row[_STEP])
            kinks.modes[k] = right + UNWATCHED
        if (slides or mode == LIVE) and row[_STAYED] >= _ENOUGH:
            kinks.modes[k] = right
        elif slides:
            step = min(step, row[_STEP])
    return step


def release(run, kinks):
    """Let all laws decide by themselves: a piece was asked for numbers that it has not."""
    w, at_stages = run.w, 3 * (run.ip[N_Q] + run.ip[N_V])
    for k in range(run.ip[N_KINKS]):
        if not is_between(kinks.modes[k]):
            kinks.modes[k] = LIVE
    for i in range(at_stages, run.at_events):
        if not abs(w[i]) < LARGEST:  # stages are a first guess
            w[i] = 0.0


def note_jumps(run, at_before):
    """Record events that pass zero in a jump of the laws; tell whether one ends the run."""
    w, ip, found = run.w, run.ip, run.found
    m, ends = ip[N_EVENTS], False
    for e in range(m - ip[N_KINKS]):
        old, new = w[at_before + e], w[run.at_events + e]
        if has_passed(old, new) and found[e] * (new - old) >= 0.0:
            record(w, 0, ip, found, e, run.dp[T])
            ends = ends or found[m + e] != 0.0
    return ends


@native()
def change_modes(run: Integration, kinks: Kinks, status: int) -> Any:
    """Change modes after the loop of a method; return `Status.KINK` if it is to go on.

    The mode at a kink is switched, kinks that are not watched are looked at, and where steps have
    failed all are released.
    """
    ip, dp = run.ip, run.dp
    at_before = run.at_events + 3 * ip[N_EVENTS]
    is_look = status == _PAUSED and ip[N_ACCEPTED] == ip[LOOK_AT]
    has_failed = status >= _FAILED and status != _BEFORE_END and ip[N_FROZEN] > 0
    if not (status == _AT_KINK or is_look or has_failed):
        return status
    event_values(run, dp[T], 0, at_before)
    step = dp[H]
    if status == _AT_KINK:
        step = switch(run, kinks, at_before, step)
    elif is_look:
        step = look(run, kinks, step)
    else:
        release(run, kinks)
    if ip[IS_FIXED] == 0:
        dp[H] = step
    begin_anew(ip, dp)
    watch(run, kinks, -1)
    event_values(run, dp[T], 0, run.at_events)
    return _TERMINAL if note_jumps(run, at_before) else _AT_KINK


@native()
def watch_anew(run: Integration, kinks: Kinks, wait: int) -> Any:
    """See `watch`."""
    watch(run, kinks, wait)
    return 0


@native()
def run_over_kinks(run: Integration, kinks: Kinks, loop: int, own: int, method: int) -> Any:
    """Advance by the loop of a method, with addresses of its records, over kinks."""
    ip, left, status = run.ip, run.ip[MAX_STEPS], _AT_KINK
    while status == _AT_KINK:
        if left <= 0:
            return _PAUSED
        before = ip[N_ACCEPTED] + ip[N_REJECTED]
        ip[MAX_STEPS] = left
        status = change_modes(run, kinks, result_of(loop, own, method))
        left -= max(1, ip[N_ACCEPTED] + ip[N_REJECTED] - before)
    return status
