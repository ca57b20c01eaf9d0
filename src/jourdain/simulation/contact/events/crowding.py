"""Events that crowd at one instant: a bound on them, and the names of what causes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from jourdain.errors import IntegrationError

_INSTANT, _AT_ONCE = 1e-14, 100  # part of a time that is an instant; events in it that are too many
MANY = 5
"""Events at one instant from which on errors of the integration are taken for their cause."""
_MOMENT, _SOON = 1e-6, 2000  # part of a run in which more events than these are too many


@dataclass
class Crowding:
    """Events since time last went on.

    Parameters
    ----------
    within : float
        Part of the time in which events count together.
    most : int
        Number of events that is too large.
    since : float [s]
        Time of the first of them.
    count : int
        Number of them.
    names : Counter
        How often each element has caused one.
    """

    within: float
    most: int
    since: float = -float("inf")
    count: int = 0
    names: Counter[str] = field(default_factory=Counter)

    def add(self, t: float, scale: float, names: Iterable[str]) -> None:
        """Count an event at t [s]; ``scale`` is the size of the times of the run [s].

        Raises
        ------
        IntegrationError
            If there are too many; the text names what causes most of them.
        """
        if t - self.since > self.within * scale:
            self.since, self.count = t, 0
            self.names.clear()
        self.count += 1
        self.names.update(names)
        if self.count > self.most:
            raise self._too_many(t)

    def _too_many(self, t: float) -> IntegrationError:
        named = ", ".join(repr(name) for name, _ in self.names.most_common(4)) or "of this model"
        return IntegrationError(
            f"contacts {named} change {self.count} times from t = {self.since:.9g} s on without "
            f"time going on by more than {t - self.since:.2g} s. Likely causes: friction that has "
            "no unique answer here; a force or capacity that jumps back and forth with what it "
            "moves. Next: try method=jd.MoreauJean(dt=1e-4), or write the jump as a steep slope."
        )


def crowdings() -> list[Crowding]:
    """Bounds of a run: on events at one instant, and on events shortly one after the other."""
    return [Crowding(_INSTANT, _AT_ONCE), Crowding(_MOMENT, _SOON)]
