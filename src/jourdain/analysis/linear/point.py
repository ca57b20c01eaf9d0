"""Operating points: a state, its inputs and its contacts, from what a user gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.linear.contact_state import Touched, touched
from jourdain.analysis.start import settle_with_inputs, start_state
from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.results.moment import Moment
from jourdain.simulation.delayed import Delayed
from jourdain.simulation.sampled import Sampled, checked_input, taken_apart
from jourdain.spatial.check import by_name, shown
from jourdain.system import System, compile
from jourdain.system.linear.state_graph import Point, StateGraph


@dataclass(frozen=True)
class OperatingPoint:
    """A state with its state equation.

    Parameters
    ----------
    graph : StateGraph
        State equation with derivatives.
    at : Point
        The state.
    contacts : Touched
        What the contacts do there.
    """

    graph: StateGraph
    at: Point
    contacts: Touched

    @property
    def system(self) -> System:
        """The compiled machine."""
        return self.graph.system


def system_of(model: Any) -> System:
    """Compiled machine of a model or of a system."""
    if isinstance(model, System):
        return model
    if not isinstance(model, Model):
        raise ModelError(f"{shown(model)} is no jd.Model and no compiled system.")
    return compile(model)


def inputs_of(system: System, given: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Inputs by name with their values, and the names of those that may vary.

    A list of names has the value zero; functions of (t, s) are part of the machine.
    """
    if given is None:
        return {}, ()
    if isinstance(given, str):
        given = (given,)
    are_names = not isinstance(given, Mapping) and isinstance(given, Iterable)
    if are_names:
        given = dict.fromkeys(given, 0.0)
    named = by_name(taken_apart(given, system.input_name), "inputs", '"main.angle": 3.0')
    checked = {name: checked_input(name, x) for name, x in named.items()}
    for name, x in checked.items():
        if isinstance(x, Delayed):
            raise ModelError(
                f"input {name!r} has a dead time, of which there are no linear equations. Take "
                "model.add_pade_delay(...), whose states have them."
            )
        if isinstance(x, Sampled):
            raise ModelError(
                f"input {name!r} is sampled plain Python, which has no derivative. Give a function "
                "of (t, s) written with jd.math, or a number."
            )
        if name not in system.extra_indices:
            system.force_index(name)
    rated = system.description.parts.rated  # their rates belong to them
    if are_names and (fixed := [name for name in checked if name in rated]):
        raise ModelError(
            f"input {fixed[0]!r} is looked at by a measure, so that its rate counts as well: there "
            f"are no linear equations with it as an input. Give it a value, inputs={{{fixed[0]!r}: "
            "0.0}, or let the measure look at a state that follows it: model.add_lag(...)."
        )
    free = tuple(name for name, x in checked.items() if not callable(x) and name not in rated)
    return checked, free


def operating_point(
    system: System,
    about: Any,
    inputs: Any = None,
    t: float | None = None,
    parameters: Any = None,
) -> OperatingPoint:
    """Operating point from a state by name, arrays, an assembly or an equilibrium.

    What an equilibrium was found with, parameters and inputs, counts unless something else is
    given; so do the inputs of a run at a moment of it.
    """
    if t is None:
        t = about.time if isinstance(about, Moment) else float(getattr(about, "t", 0.0))
    p = parameters_at(system, about, parameters)
    values, free = inputs_of(system, inputs)
    had = _inputs_of_run(system, about) if isinstance(about, Moment) else _inputs_of_rest(about)
    values = {**had, **values}
    if not isinstance(inputs, Mapping):  # names alone keep the values that they had
        values |= {k: x for k, x in had.items() if k in free}
    y = start_state(system, plain_state(about), t, p)
    settle_with_inputs(system, y, t, p, values)
    n = len(system.names.q)
    q, v = y[:n], y[n:]
    contacts = touched(system, values, q, v, t, p)
    u = np.array([float(values[name]) for name in free])
    at = Point(q, v, u, t, p, contacts.mode)
    return OperatingPoint(StateGraph(system, values, free), at, contacts)


def _inputs_of_run(system: System, about: Moment) -> dict[str, Any]:
    """Inputs of a run at a moment of it, as numbers."""
    sol, extras = about.solution, system.extra_indices
    return {
        name: float(sol.extra[0, extras[name]])
        if name in extras
        else float(sol.tau[0, system.force_index(name)])
        for name in taken_apart(sol.inputs, system.input_name)
    }


def _inputs_of_rest(about: Any) -> dict[str, Any]:
    """Inputs with which an equilibrium was found."""
    point = getattr(about, "point", None)
    if not isinstance(point, OperatingPoint):
        return {}
    return {**point.graph.inputs, **dict(zip(point.graph.free, point.at.u.tolist(), strict=True))}


def parameters_at(system: System, about: Any, given: Any) -> Any:
    """Parameters: those given, else those with which an equilibrium was found."""
    point = getattr(about, "point", None)
    if given is None and isinstance(point, OperatingPoint) and point.system is system:
        return point.at.p
    if given is None and isinstance(point, OperatingPoint):
        own = dict(zip(point.system.names.parameters, point.at.p.tolist(), strict=True))
        return system.one_parameter_set({k: own[k] for k in system.names.parameters if k in own})
    return system.one_parameter_set(given)


def plain_state(about: Any) -> Any:
    """Arrays of a state that has them."""
    if isinstance(about, Moment):
        return np.array(about.solution.q[0]), np.array(about.solution.v[0])
    q, v = getattr(about, "q", None), getattr(about, "v", None)
    if q is not None and v is not None and np.ndim(q) == 1:
        return np.array(q), np.array(v)
    return about
