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

from jourdain.solvers.record import LARGEST, MOST, Record, refused

LIVE, UNWATCHED = -1e300, 0.25  # as of `equations.tracing.kinks`
_QUICK, _MANY = 1e-6, 4  # part of a step in which a kink is passed again; how often in a row
_SHORT, _SHORTEST, _PART = 1e-4, 1e-7, 1e-3  # [s], [s], [1] steps of a kink that slides
_GROWS = 1.01  # factor from one of them to the next: they stay within a hundredth of the slide
_RELEASED, _SLIDING = 8, 1  # steps between two looks at kinks that are not watched
_ENOUGH = 32  # steps on one side after which a kink is watched again
MOST_STEPS = max(_RELEASED, _SLIDING)
"""Largest number of steps until the next look."""
_LAST, _COUNT, _SIDE, _STAYED, _STEP, _HAS_SLID, _PASSED, _EVEN, _ODD = range(9)  # columns
_TINY = 1e-300  # [s] step that is none
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
        self.memory = np.zeros((self.n, 9))
        self.memory[:, _LAST] = t

    def watch(self) -> tuple[int, int]:
        """Number of kinks that are watched, and of steps after which to `look`, or 0."""
        n_live, n_sliding = np.count_nonzero(self._are_live), np.count_nonzero(self._are_sliding)
        wait = _SLIDING if n_sliding else _RELEASED if n_live else 0
        return self.n - int(n_live + n_sliding), wait

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
    def _are_live(self) -> Any:
        return self.modes == LIVE

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

    def switch(self, kink: int, t: float, step: float) -> float:
        """Switch the mode of a kink that is passed; return the step [s] to go on with."""
        before, beyond = self._inside().copy(), self._ask()[0]
        passed = before < 0.0
        passed[kink] = True
        for k in passed.nonzero()[0].tolist():
            step = self._switch(k, float(beyond[k]), t, step)
        after = self._inside()
        wrong = (after < 0.0) & (after != before) & ~passed
        if np.count_nonzero(wrong):  # they depend on the modes that were switched
            self.modes[wrong] = self._ask()[1][wrong]
        return step

    def _switch(self, k: int, beyond: float, t: float, step: float) -> float:
        row = self.memory[k].tolist()  # lists are quicker than arrays for a few numbers
        try:
            return self._passed(row, k, beyond, t, step)
        finally:
            self.memory[k] = row

    def _passed(self, row: list[float], k: int, beyond: float, t: float, step: float) -> float:
        """Count a passage; return the step [s] to go on with."""
        old = float(self.modes[k])
        is_quick = row[_PASSED] > 0 and t - row[_LAST] <= _QUICK * step
        row[_COUNT] = row[_COUNT] + 1 if is_quick else 0
        if row[_COUNT] == 0:
            row[_PASSED] += 1
            if not row[_HAS_SLID]:
                row[_STEP] = min(_SHORT, max(_SHORTEST, _PART * (t - row[_LAST])))
        row[_LAST] = t
        if row[_COUNT] >= _MANY:
            row[_COUNT] = row[_STAYED] = 0
            row[_HAS_SLID] = 1
            self.modes[k] = beyond + UNWATCHED
            return min(step, row[_STEP])
        row[_ODD if old % 2.0 else _EVEN] = step
        self.modes[k] = beyond
        known = row[_ODD if beyond % 2.0 else _EVEN]
        return min(step, known) if known > 0.0 else step

    def release(self) -> None:
        """Let all laws decide by themselves: a piece was asked for numbers that it has not."""
        self.modes[~self._are_sliding] = LIVE

    def look(self, step: float) -> float:
        """Update modes that are not watched; return the step [s] to go on with."""
        right, live, sliding = self._ask()[1], self._are_live, self._are_sliding
        stayed, passed = self.memory[:, _STAYED], right != self.memory[:, _SIDE]
        stayed += np.where(sliding, _SLIDING, _RELEASED)
        stayed[passed] = 0
        self.memory[:, _SIDE] = right
        self.memory[sliding, _STEP] = np.minimum(_SHORT, _GROWS * self.memory[sliding, _STEP])
        self.modes[sliding] = right[sliding] + UNWATCHED
        again = (live | sliding) & (stayed >= _ENOUGH)
        self.modes[again] = right[again]
        return min(step, self.longest_step)

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
