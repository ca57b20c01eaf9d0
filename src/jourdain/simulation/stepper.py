"""The contract between the driver and the methods that move a system through time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from jourdain.results import Event
from jourdain.simulation.checkpoint import Past
from jourdain.simulation.interruption import Progress
from jourdain.simulation.sampled import Held
from jourdain.simulation.times import Span
from jourdain.solvers import Method, Record, Status
from jourdain.system import System


@dataclass(frozen=True)
class Task:
    """One simulation: what moves, from when to when, under which inputs.

    Parameters
    ----------
    system : System
        The compiled machine.
    span : Span
        Times from begin to end.
    times : (n,) [s]
        Times of the samples that lie ahead.
    inputs : mapping
        Inputs by the name of their coordinate.
    events : mapping of str to Event
        Moments to find.
    parameters : mapping or None
        Values of parameters that differ from the nominal ones.
    past : Past
        The earlier run that is resumed, if there is one.
    is_spaced : bool
        Whether the user gave a spacing of samples, or nothing; not the times themselves.
    hits_times : bool
        Whether samples are exactly at their times; without a wish of the user, time stepping gives
        the nearest step.
    """

    system: System
    span: Span
    times: Any
    inputs: Mapping[str, Any]
    events: Mapping[str, Any]
    parameters: Any
    past: Past
    is_spaced: bool = True
    hits_times: bool = False

    @cached_property
    def p(self) -> Any:
        """Values of all parameters."""
        return self.system.one_parameter_set(self.parameters)

    @cached_property
    def sampled(self) -> Held:
        """Sampled inputs: their values, and when their functions are called next."""
        return Held(self.inputs, self.span.begin)

    @property
    def n_q(self) -> int:
        """Number of position coordinates, which come first in a state."""
        return len(self.system.names.q)


@dataclass(frozen=True)
class Results:
    """What a stepper has computed.

    Parameters
    ----------
    columns : sequence of arrays
        Time, q, v, vdot (None: the solution finds it), tau, extra and, with contacts, their
        columns; rows of the earlier run come first.
    numbers : (n,) of int
        For each new row, the number of the sample it is made of.
    events : sequence of Event
        All events, those of the earlier run too.
    statistics : mapping
        Fields of `Statistics` that only the stepper knows.
    fault : str
        Sentence about a result that must not be called finished; empty if all is well.
    """

    columns: Sequence[Any]
    numbers: Any
    events: Sequence[Event]
    statistics: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


class Stepper(ABC):
    """A method at work on one task.

    The driver calls, the stepper moves. Its rules:

    1. A stepper is made for one `Task`. `begin` or `resume` is called once, before all else, and
       refuses what cannot be run. It sets ``has_begun`` as soon as there is something to keep; from
       then on ``t`` and ``y`` are a whole state, at any moment the driver looks.
    2. ``method`` and ``reason`` tell how it moves and why; they are there after rule 1.
    3. `advance_to` moves to a time and no further. It returns FINISHED there, TERMINAL_EVENT where
       an event has ended the run, or a status with a remedy, with the last good state in ``y``.
       It takes samples at ``task.times`` on its way.
    4. `advance_to` may raise, and Ctrl-C may come at any moment: then the driver calls
       `roll_back`, after which rule 1 holds again.
    5. `hold` takes new values of sampled inputs at the present time. They hold until the next
       call.
    6. `memory` is all that the next step depends on, and ``n_samples`` and ``n_events``: how many
       samples and events came before. A stepper that resumes from it takes the same steps, to the
       last bit, as one that never stopped. Before the step that the end of the run cuts short,
       not behind it. Empty if it cannot go on.
    7. `results` changes nothing that the next step depends on.
    8. It calls ``look`` where it may be stopped and saved, at least every tenth of a second, and
       ``progress(t, step)`` as often.
    9. It never calls a result finished that breaks a law: `Results.fault` says so.
    """

    method: Method
    reason: str = "chosen by the user"
    look: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, task: Task) -> None:
        self.task = task

    @property
    @abstractmethod
    def has_begun(self) -> bool:
        """Whether there is something to keep."""

    @property
    @abstractmethod
    def t(self) -> float:
        """Time reached [s]."""

    @property
    @abstractmethod
    def y(self) -> Any:
        """State reached: q, v."""

    @abstractmethod
    def begin(self, y: Any, t: float, sampled: Any) -> None:
        """Take the state y at the start t [s], with values of sampled inputs."""

    @abstractmethod
    def resume(self, record: Record, sampled: Any, events: Iterable[Event]) -> None:
        """Go on from the memory of an earlier run, with its events."""

    @abstractmethod
    def hold(self, sampled: Any) -> None:
        """Take new values of sampled inputs."""

    @property
    @abstractmethod
    def held(self) -> Any:
        """Values of sampled inputs in use."""

    @abstractmethod
    def advance_to(self, t: float, progress: Progress, is_end: bool) -> Status:
        """Advance to a time [s], which may be the end of the run."""

    @abstractmethod
    def roll_back(self) -> None:
        """Leave an unfinished step: go back to the last whole state."""

    @abstractmethod
    def memory(self) -> dict[str, Any]:
        """Memory to go on from, or nothing."""

    @abstractmethod
    def results(self, status: str) -> Results:
        """Results so far.

        Of a run that has not finished the last good state is a sample too, if forces there are
        known.
        """

    @abstractmethod
    def explain(self, status: Status, stopped: BaseException | None) -> str:
        """Why the run stopped and what to do about it, in one sentence or more."""

    def facts(self) -> dict[str, Any]:
        """Names and choices that a run must share with the one that it resumes."""
        return {}

    def snapshot(self) -> Self:
        """A stepper as this one would be after an interruption now; this one goes on."""
        return self
