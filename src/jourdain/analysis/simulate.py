"""Motion of a system in time under forces."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain.analysis.progress import shown_progress, tells_phases
from jourdain.analysis.remedy import remedy
from jourdain.analysis.start import settle_with_inputs, start_state
from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.results.moment import Moment
from jourdain.simulation.checkpoint import past_of, require_projection
from jourdain.simulation.checks.deformed import require_small_deformations
from jourdain.simulation.checks.doubts import tell_doubts
from jourdain.simulation.checks.finish import finished
from jourdain.simulation.checks.limits import (
    require_calls,
    require_steps,
    within_numbers,
)
from jourdain.simulation.checks.trust import Again, require_balance
from jourdain.simulation.delayed import Delayed
from jourdain.simulation.driver import Driver
from jourdain.simulation.event import Event
from jourdain.simulation.interruption import Progress, note_interruption
from jourdain.simulation.methods import EventDriven
from jourdain.simulation.sampled import Sampled, checked_input, taken_apart
from jourdain.simulation.saving import saved, saving_of
from jourdain.simulation.smooth import SmoothStepper
from jourdain.simulation.stepper import Stepper, Task
from jourdain.simulation.times import Span, sample_times, wanted_times
from jourdain.simulation.trials import refined
from jourdain.solvers import Closure, Integrator, Method
from jourdain.spatial.check import by_name
from jourdain.system import System, compile

__all__ = ["Delayed", "Event", "Sampled", "simulate"]


@within_numbers()
def simulate(  # noqa: PLR0913
    model: Model | System,
    t: float | tuple[float, float],
    *,
    start: Mapping[str, Any] | tuple[Any, Any] | Moment | None = None,
    method: Method | None = None,
    constraints: Closure | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Mapping[str, Any] | None = None,
    sample: float | Any | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Callable[[float, float], None] | None = None,
    resume: Solution | None = None,
    save: str | os.PathLike[str] | None = None,
    every: float | None = None,
) -> Solution:
    """Integrate the equations of motion.

    Parameters
    ----------
    model : Model or System
        The machine; a model is compiled first.
    t : float or (float, float) [s]
        Duration from time zero, or start and end.
    start : mapping
        Start values by name, ``{"main.angle": 0.4, "main.rate": 100.0}``; the rest is the
        reference position at rest. Or the arrays ``(q, v)``, or a moment of a run, ``sol.at(0.3)``.
    method : Integrator, EventDriven, MoreauJean or NonsmoothAlpha
        How to move through time; chosen by itself when left out, and the reason told in the report.
    constraints : Projection or Partition
        How closed loops and held measures are kept: by the smallest change of all coordinates, the
        default, or by coordinates that follow from independent ones.
    inputs : mapping
        Generalized forces by the name of their coordinate: numbers, functions of ``t`` or of
        ``(t, s)`` written with `jourdain.math`, tables, signals with a dead time (`Delayed`), or
        `Sampled` plain Python, which may serve several inputs, given as a tuple of names.
    events : mapping of str to Event or function
        Moments to find.
    sample : float or array [s]
        Spacing of the results, or the times themselves; default: 1000 intervals. With a spacing,
        times at which a sampled input jumps are there twice: before and after the jump.
    parameters : mapping
        Values of parameters that differ from the nominal ones.
    progress : function of (time, step)
        Called now and then during long runs; by default they are shown in notebooks and terminals.
    resume : Solution
        An earlier run of the same model to go on with, up to the new end: it may have been
        interrupted, or saved and loaded. The steps are those of one run without a stop, to the
        last bit. Give the same inputs and events; functions are not stored.
    save : str or path
        File to which the run is saved as it goes: what is killed, ``resume=jd.load(...)`` goes on.
    every : float [s]
        Time of computing between two files; default 10. All files together take less than a tenth
        of the time: where one takes long to write, they are written less often.

    Returns
    -------
    Solution
        Labelled results. After Ctrl-C, what has been computed; see ``resume``.

    Raises
    ------
    IntegrationError
        If the run cannot go on; ``error.solution`` holds what has been computed.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> joint = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> sol = jd.simulate(model, 1.0, start={"hinge.angle": 0.1})
    >>> round(float(sol["hinge.angle"][-1]), 6)
    0.065128
    """
    given = {"inputs": inputs, "events": events, "parameters": parameters}
    stepper = tells_phases(stepper_for)(
        model, t, method=method, constraints=constraints, sample=sample, resume=resume,
        start=start, **given,
    )  # fmt: skip
    task = stepper.task
    saving = saving_of(save, every)

    def checked_run() -> Solution:
        with shown_progress(progress, task.span.end) as told:
            watched = Progress(told)

            def run(chosen: Stepper) -> Solution:
                y = None if resume is not None else begun(chosen.task, start)
                return Driver(chosen, saving).run(y, watched)

            def run_again(method: Method, reason: str) -> Solution:
                again = stepper_for(
                    model, t, method=method, constraints=constraints, sample=sample, **given
                )
                again.reason = reason
                return run(again)

            solution = run(stepper)
            if method is None and resume is None:
                solution = refined(stepper, solution, run_again)
        if solution.statistics.status == "interrupted" and not watched.has_ended:
            note_interruption(solution)
        functions = {name: event.function for name, event in task.events.items()}
        first, last = wanted_times(task.span, sample)
        if resume is not None:
            first = float(solution.time[0])
        solution = finished(solution, (first, last), functions)
        require_small_deformations(solution)
        require_balance(solution, stepper.method, again_of(task, stepper.method, solution))
        tell_doubts(solution)
        return solution

    return saved(saving, checked_run)


def stepper_for(
    model: Any, t: Any, *, method: Any = None, constraints: Any = None, inputs: Any = None,
    events: Any = None, parameters: Any = None, sample: Any = None, start: Any = None,
    resume: Any = None,
) -> Stepper:  # fmt: skip
    """Stepper for what a user asks of `simulate`, all of it checked; it has not begun."""
    if not isinstance(model, Model | System):
        raise ModelError(f"cannot simulate {model!r:.60}; give a jd.Model or a compiled system.")
    system = model if isinstance(model, System) else compile(model)
    inputs = by_name(taken_apart(inputs, system.input_name), "inputs", '"main.angle": 3.0')
    events = by_name(events, "events", '"top": lambda t, s: s["main.angle"]')
    names = {"inputs": inputs, "events": events}
    if parameters is not None:
        parameters = by_name(parameters, "parameters", '"length": 0.3')
    past = past_of(resume, system, start, parameters, **names)
    parameters = parameters if resume is None else resume.parameters
    span = Span.of(t, past)
    require_steps(method, span)
    is_in_contact = system.has_contacts or bool(system.model.contact_groups)
    if not is_in_contact:
        if isinstance(method, Method) and not isinstance(method, Integrator):
            from jourdain.simulation.contact import smooth_method  # noqa: PLC0415

            method = smooth_method(method)
        is_given = isinstance(method, Method) and not isinstance(method, Integrator)
        is_in_contact = past.is_stepped if method is None else is_given  # stepped over as such
    if is_in_contact or system.model.composites:
        require_projection(constraints, system)
    checked = {name: checked_input(name, x) for name, x in inputs.items()}
    require_calls(checked, span)
    named = {k: x if isinstance(x, Event) else Event(x) for k, x in events.items()}
    task = Task(
        system, span, sample_times(span, sample), checked, named, parameters, past,
        is_spaced=np.asarray(sample).ndim == 0, hits_times=sample is not None,
    )  # fmt: skip
    if is_in_contact:
        from jourdain.simulation.contact import contact_stepper  # noqa: PLC0415

        return contact_stepper(task, method)
    return SmoothStepper(task, method, past.partition(constraints), remedy)


def again_of(task: Task, method: Method, solution: Solution) -> Again | None:
    """Function that computes the time from one sample to the next again; None for time stepping."""
    if not isinstance(method, Integrator | EventDriven):
        return None
    system = task.system

    def held(name: str, k: int) -> float:
        extras = system.extra_indices
        if name in extras:
            return float(solution.extra[k, extras[name]])
        return float(solution.tau[k, system.force_index(name)])

    def again(k: int) -> Solution | None:
        times = float(solution.time[k]), float(solution.time[k + 1])
        if task.sampled.has_call_between(*times) or task.sampled.histories:
            return None  # nobody knows what functions of the user would answer now
        start = solution.q[k], solution.v[k]
        inputs = {n: held(n, k) if isinstance(x, Sampled) else x for n, x in task.inputs.items()}
        given = {"inputs": inputs, "parameters": task.parameters}
        stepper = stepper_for(system, times, method=method, start=start, **given)
        return Driver(stepper).run(begun(stepper.task, start), Progress(None))

    return again


def begun(task: Task, start: Any) -> Any:
    """State at the start."""
    y = start_state(task.system, start, task.span.begin, task.p)
    settle_with_inputs(task.system, y, task.span.begin, task.p, task.inputs)
    return y
