"""Checkpoints: how a run goes on where another one stopped, to the last bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.results import Checkpoint, Solution
from jourdain.simulation.tolerances import SAME_TIME
from jourdain.solvers import Closure, Method, Partition, Record, all_integrators
from jourdain.solvers.record import refused
from jourdain.system import System

_LAYOUT = 5  # of the memory of a run
_SETTINGS = {"int": (int,), "float": (int, float), "bool": (bool,)}  # of methods


@dataclass(frozen=True)
class Past:
    """What a run has behind it when it starts: nothing, or an earlier run.

    Parameters
    ----------
    solution : Solution or None
        Result of the earlier run.
    record : Record
        Facts and memory of it, to be checked where they are taken.
    begin, t : float [s]
        When it began, and from when on it is gone on with.
    n_samples, n_events : int
        Numbers of its samples and events that stay.
    reason : str
        Why its method was chosen.
    """

    solution: Solution | None = None
    record: Record = field(default_factory=lambda: Record({}))
    begin: float = 0.0
    t: float = 0.0
    n_samples: int = 0
    n_events: int = 0
    reason: str = ""

    @property
    def is_stepped(self) -> bool:
        """Whether the earlier run was made by time stepping."""
        stepped = "MoreauJean", "NonsmoothAlpha"
        return self.solution is not None and self.record.method("method")[0] in stepped

    @property
    def ends_in_sample(self) -> bool:
        """Whether it goes on from the time of the last sample that stays."""
        kept = self.n_samples
        return self.solution is not None and kept > 0 and self.solution.time[kept - 1] == self.t

    @property
    def events(self) -> tuple[Any, ...]:
        """Events of the earlier run that stay."""
        return self.solution.events[: self.n_events] if self.solution else ()

    @property
    def wall_time(self) -> float:
        """Time [s] that was spent."""
        return self.solution.statistics.wall_time if self.solution else 0.0

    def method(self, given: Any, *more: type) -> Any:
        """Method of the earlier run: an integrator, or of one of some more kinds."""
        kind, settings = described = self.record.method("method")
        known = {x.__name__: x for x in (*map(type, all_integrators()), *more)}
        if given is None and kind in known:
            return _made(described, known)
        if given is None or _described(given) != [kind, settings]:
            words = ", ".join(f"{name}={_said(value)}" for name, value in settings.items())
            raise ModelError(
                f"the run to resume was made with {kind}({words}), and goes on with nothing else. "
                "Leave method= out, or give the same."
            )
        return given

    def joined(self, columns: Iterable[Any]) -> tuple[Any, ...]:
        """Columns time, q, v, … of the earlier run as far as they stay, and behind them new ones.

        One that is None is left to the solution.
        """
        earlier, kept = self.solution, self.n_samples
        if earlier is None:
            return tuple(columns)
        names = "time", "q", "v", "vdot", "tau", "extra", "contacts"
        return tuple(
            None if x is None else np.concatenate([getattr(earlier, name)[:kept], x])
            for name, x in zip(names, columns, strict=False)
        )

    def partition(self, given: Any) -> Partition | None:
        """Partition that is asked for, or that of the earlier run; None for the projection."""
        asked = _partition(given)
        if self.solution is None:
            return asked
        is_partitioned = self.record.text("constraints") == "partition"
        own = Partition(self.record.number("keep")) if is_partitioned else None
        if given is not None and asked != own:
            raise ModelError(
                f"the run to resume keeps its constraints by {own or 'Projection()'}, and goes on "
                "with nothing else. Leave constraints= out, or give the same."
            )
        return own

    def require(self, kind: str, names: Iterable[str]) -> None:
        """Check that a run has the elements of a kind that the earlier one had."""
        had = self.record.texts(kind)
        if list(names) != list(had):
            raise ModelError(
                f"the run to resume has the {kind} {_listed(had)}, but "
                f"{_listed(names)} are given. Give the same {kind} in the same order: functions "
                "are not stored."
            )


def _described(method: Any) -> list[Any]:
    """Kind and settings of a method, and of methods within it, as JSON can hold them."""
    settings = {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}
    return [type(method).__name__, {k: _plain(x) for k, x in settings.items()}]


def _plain(x: Any) -> Any:
    return _described(x) if isinstance(x, Method) else x


def _made(described: Any, known: Mapping[str, type]) -> Any:
    """Method from its description."""
    kind, settings = described
    for x in dataclasses.fields(known.get(kind, Past)):
        wanted, given = _SETTINGS.get(str(x.type)), settings.get(x.name)
        if x.name in settings and wanted is not None and type(given) not in wanted:
            raise refused(f"{x.name} = {given!r:.40} is no setting of {kind}")
    try:
        made = {k: _made(x, known) if _is_method(x) else x for k, x in settings.items()}
        return known[kind](**made)
    except (LookupError, TypeError) as error:
        raise refused(f"{kind!r:.40} is no method with such settings ({error})") from error


def _is_method(x: Any) -> bool:
    return isinstance(x, list) and len(x) == 2 and isinstance(x[1], dict)


def _said(x: Any) -> str:
    if not _is_method(x):
        return repr(x)
    return f"{x[0]}({', '.join(f'{k}={_said(value)}' for k, value in x[1].items())})"


def _partition(given: Any) -> Partition | None:
    if given is not None and not isinstance(given, Closure):
        raise ModelError(f"constraints is {given!r:.60}; give jd.Projection() or jd.Partition().")
    return given if isinstance(given, Partition) else None


def require_projection(given: Any, system: System) -> None:
    """Check that no partition is asked of a system in contact, stepped or with massless nodes."""
    if _partition(given) is None:
        return
    if system.has_contacts:
        what = "contacts or dry friction, whose constraints come and go: they are kept"
    elif not system.model.composites:
        what = "a method for contacts to move it: constraints are kept"
    else:
        what = "composite connections, whose massless nodes are not partitioned: they are kept"
    raise ModelError(
        f"model {system.model.name!r} has {what} by jd.Projection() only. Leave constraints= out."
    )


def checkpoint(method: Any, facts: Mapping[str, Any], memory: Mapping[str, Any]) -> Checkpoint:
    """Checkpoint of a run by some method, from facts and memory: arrays, and what JSON can hold."""
    numbers = {name: x for name, x in memory.items() if isinstance(x, np.ndarray)}
    more = {name: x for name, x in memory.items() if name not in numbers}
    own = {"layout": _LAYOUT, "method": _described(method)}
    return Checkpoint({**more, **facts, **own}, numbers)


def past_of(
    solution: Any, system: System, start: Any, parameters: Any, **names: Iterable[str]
) -> Past:
    """Check that a solution can be gone on with by this system.

    Raises
    ------
    ModelError
        With what does not fit.
    """
    if solution is None:
        return Past()
    if not isinstance(solution, Solution):
        raise ModelError(
            f"resume is {solution!r:.60}; give the solution to go on with, as jd.simulate returned "
            'it or as jd.load("run.nc") reads it.'
        )
    if solution.checkpoint is None:
        why = solution.statistics.status.replace("_", " ")
        raise ModelError(
            f"the solution of model {solution.model_name!r} cannot be resumed: it has no "
            f"checkpoint (status: {why}). Start anew from its end: jd.simulate(model, "
            "(sol.time[-1], t_end), start=sol.final)."
        )
    record = Record({**solution.checkpoint.numbers, **solution.checkpoint.facts})
    layout = record.count("layout")
    if layout != _LAYOUT:
        raise ModelError(
            f"the checkpoint has layout {layout}, this version of jourdain reads "
            f"{_LAYOUT}. Start anew from its end with start=sol.final."
        )
    past = _past(solution, record)
    _require_same(past, system, start, parameters, names)
    return past


def _past(solution: Solution, record: Record) -> Past:
    """What lies behind, with times and numbers of samples and events that fit together."""
    time, t = solution.time, record.number("t")
    begin = record.number("begin", high=min([t, *time[:1]]))
    same = SAME_TIME * (1.0 + abs(t))
    counts = {}
    for name, times in (("samples", time), ("events", [event.time for event in solution.events])):
        n = record.count(f"n_{name}", len(times))
        if np.any(np.diff(times) < 0.0) or not np.all(np.isfinite(times)):
            raise refused(f"the times of its {name} do not rise")
        if not np.searchsorted(times, t - same) <= n <= np.searchsorted(times, t + same, "right"):
            raise refused(f"{n} {name} do not end at {t:g} s")
        counts[f"n_{name}"] = n
    if not (np.isfinite(solution.q).all() and np.isfinite(solution.v).all()):
        raise refused("its samples are not all finite")
    return Past(solution, record, begin, t, **counts, reason=record.text("reason"))


def _require_same(
    past: Past, system: System, start: Any, parameters: Any, names: Mapping[str, Any]
) -> None:
    solution: Any = past.solution
    if start is not None:
        raise ModelError("a run that is resumed starts where it stopped: leave start= out.")
    given = solution.parameters if parameters is None else system.parameters_in_si(parameters)
    if given != solution.parameters:
        raise ModelError(
            f"the run to resume has the parameters {solution.parameters}, not {given}. "
            "Leave parameters= out, or start anew with start=sol.final."
        )
    own = (system.names.q, system.names.v)
    if own != (solution.columns["q"], solution.columns["v"]):
        raise ModelError(
            f"the solution of model {solution.model_name!r} cannot be resumed with model "
            f"{system.model.name!r}: their coordinates differ."
        )
    for kind, given in names.items():
        past.require(kind, given)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"
