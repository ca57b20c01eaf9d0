"""Stepper of systems with groups of contacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.results import Event
from jourdain.simulation.checks.blame import fault_ahead
from jourdain.simulation.contact.pile_run import PileRun
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.interruption import Progress
from jourdain.simulation.methods import MoreauJean
from jourdain.simulation.plan import TimeScales, method_for
from jourdain.simulation.stepper import Results, Stepper, Task
from jourdain.simulation.times import Span
from jourdain.solvers import Record, Status
from jourdain.system.state import forces_kernel


def pile_method(given: Any, model: Model, span: Span) -> tuple[MoreauJean, str]:
    """Method for groups of contacts, and the reason for it.

    Raises
    ------
    ModelError
        If another one is asked for.
    """
    if given is None:
        return method_for(model, span.end - span.begin, TimeScales())  # type: ignore[return-value]
    if isinstance(given, MoreauJean):
        return given, "chosen by the user"
    raise ModelError(
        f"method is {given!r:.60}; a model with groups of contacts is stepped over in time: "
        "use jd.MoreauJean(dt=1e-3)."
    )


class PileStepper(Stepper):
    """Time stepping of groups of contacts at work.

    Parameters
    ----------
    task : Task
        The simulation.
    method : MoreauJean or None
        Step and settings.
    """

    def __init__(self, task: Task, method: Any) -> None:
        super().__init__(task)
        if task.past.solution is None:
            method, self.reason = pile_method(method, task.system.model, task.span)
        else:
            method, self.reason = task.past.method(method, MoreauJean), task.past.reason
        self.method, places = method, task.sampled.places
        watch = Watch(task.system, task.events, places)
        self.run = PileRun(task.system, method, task.inputs, places, task.p, watch)
        self.run.hits_times = task.hits_times

    @property
    def has_begun(self) -> bool:
        """Whether there is something to keep."""
        return hasattr(self.run, "t")

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self.run.t)

    @property
    def y(self) -> Any:
        """State reached."""
        return np.concatenate([self.run.q, self.run.v])

    @property
    def held(self) -> Any:
        """Values of sampled inputs in use."""
        return self.run.u

    def begin(self, y: Any, t: float, sampled: Any) -> None:
        """Take the start."""
        self.run.look = self.look
        self.run.hold(sampled)
        self.run.begin(y, t)

    def resume(self, record: Record, sampled: Any, events: Iterable[Event]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        self.task.past.require("contacts", self._contacts)
        self.run.look = self.look
        self.run.resume(record, sampled, events)

    def hold(self, sampled: Any) -> None:
        """Take new values of sampled inputs."""
        self.run.hold(sampled)

    def advance_to(self, t: float, progress: Progress, is_end: bool) -> Status:
        """Advance in equal steps."""
        self.run.advance_to(t, self.task.times, progress, is_end=is_end)
        return Status.TERMINAL_EVENT if self.run.is_over else Status.FINISHED

    def roll_back(self) -> None:
        """Leave an unfinished step."""
        self.run.go_back()

    def memory(self) -> dict[str, Any]:
        """Memory to go on from."""
        return self.run.memory()

    def facts(self) -> dict[str, Any]:
        """Names of the contacts."""
        return {"contacts": self._contacts}

    @property
    def _contacts(self) -> list[str]:
        return list(self.task.system.model.contact_groups)

    def results(self, status: str) -> Results:
        """Samples with loads and work of the groups."""
        task, system = self.task, self.task.system
        times, q, v, u, contacts = self.run.samples()
        tau, extra = np.zeros_like(v), np.zeros((len(times), len(system.extra_names)))
        if task.inputs:
            p = np.broadcast_to(task.p, (len(times), len(task.p)))
            kernel = forces_kernel(system, task.inputs, task.sampled.places)
            tau, extra = kernel.run(q, v, u, times, p)
        columns = task.past.joined((times, q, v, None, tau, extra, contacts))
        statistics = {
            "contact_work": float(self.run.works[:-1].sum()), "residual": self.run.residual,
            "steps": self.run.steps, "evaluations": self.run.steps,
        }  # fmt: skip
        return Results(columns, np.arange(len(times)), self.run.ledger, statistics)

    def explain(self, status: Status, stopped: BaseException | None) -> str:
        """What gives NaN ahead, or the reason of the run itself."""
        y, given = self.y, (self.task.system, self.task.inputs)
        return str(fault_ahead(*given, y, np.zeros(len(y)), self.t, self.task.p) or stopped)
