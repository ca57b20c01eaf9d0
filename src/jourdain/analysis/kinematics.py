"""Driven motion: positions, velocities, accelerations and loads from drives and constraints."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.branch import Branch
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.driving import coordinate_name, coordinates, released, with_drives
from jourdain.analysis.progress import tells_phases
from jourdain.analysis.wording import counted
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import IntegrationError, ModelError
from jourdain.model.laws import Equal
from jourdain.model.model import Model
from jourdain.results import Solution, Statistics
from jourdain.simulation.checkpoint import past_of
from jourdain.simulation.times import Span, sample_times
from jourdain.system import System, compile
from jourdain.system.checks.faults import no_numbers
from jourdain.system.state import forces_kernel

_SINGULAR = 1e-2  # ratio of singular values at which the motion ends for that reason
_TORN = (
    "the constraints cannot hold beyond it. Likely causes: a drive that jumps, two drives that "
    "contradict each other, or parts that do not reach."
)


@tells_phases
def kinematics(
    model: Model | System,
    t: float | tuple[float, float],
    *,
    driven: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    near: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    sample: float | Any | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Solution:
    """Motion of a machine whose freedoms are all driven, and the loads it takes.

    Nothing is integrated but states of laws and what nonholonomic constraints leave: positions
    are as exact after many turns as at the start. The forces of the drives are the
    ``applied_torque`` or ``applied_force`` of the driven coordinates.

    Parameters
    ----------
    model : Model or System
        The machine; its own drives hold too.
    t : float or (float, float) [s]
        Duration from time zero, or start and end.
    driven : mapping of str to number or function of time
        Drives of further coordinates: ``{"crank.angle": lambda t: 100.0 * t}``.
    start : mapping
        Coordinates at the start that the drives do not determine, by name.
    near : mapping
        Rough positions at the start: they choose between the ways to assemble the machine.
    inputs : mapping
        Forces and inputs of laws, as in `jourdain.simulate`; they change loads, not the motion.
    sample : float or array [s]
        Spacing of the results, or the times themselves; default: 1000 intervals.
    parameters : mapping
        Values of parameters that differ from the nominal ones.

    Returns
    -------
    Solution
        Results by name, as those of `jourdain.simulate`.

    Raises
    ------
    ModelError
        If freedoms are left that nothing drives.
    AssemblyError
        If the machine cannot be assembled at the start, or if drives contradict each other.
    IntegrationError
        If the motion ends at a dead point; ``error.solution`` holds what was computed.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("slider crank")
    >>> crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
    >>> _ = model.add_joint("main", model.world, crank, jd.Revolute("y"))
    >>> _ = model.add_joint("pin", crank.at(1, 0, 0), rod, jd.Revolute("y"))
    >>> _ = model.add_joint("guide", model.world, rod.at(2, 0, 0),
    ...                     jd.Prismatic("x") * jd.Revolute("y"))
    >>> sol = jd.kinematics(model, 1.0, driven={"main.angle": lambda t: 0.5 + 6.0 * t})
    >>> round(float(sol["guide.position"][0]), 6)  # cos 0.5 + sqrt(4 - sin² 0.5)
    2.81927
    """
    if not isinstance(model, Model | System):
        raise ModelError(f"cannot move {model!r:.60}; give a jd.Model or a compiled system.")
    bare = model.model if isinstance(model, System) else model
    twin = with_drives(bare, driven or {})
    system = model if isinstance(model, System) and not driven else compile(twin)
    span = Span.of(t, past_of(None, system, None, None, inputs={}, events={}))
    run = _Run(system, span, inputs or {}, parameters)
    return run.follow(_known(system, start), _known(system, near), sample_times(span, sample))


def _known(system: System, values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Values without those of driven coordinates and their velocities."""
    model = system.model
    names = system.names
    known = {*names.q, *names.v, *system.description.parts.cut_velocities}
    rates = {f"{j.name}.{v}" for j in model.joints.values() for v in j.kind.velocities}
    rates |= {f"{c}.{x}" for c in model.coordinates for x in ("rate", "value")}
    driven = {*coordinates(model), *rates} - known
    return {name: x for name, x in (values or {}).items() if name not in driven}


class _Run:
    """One driven motion."""

    def __init__(self, system: System, span: Span, inputs: Mapping[str, Any], given: Any) -> None:
        self.system, self.span, self.inputs = system, span, dict(inputs)
        self.parameters = system.parameters_in_si(given)
        self.p = system.one_parameter_set(given)
        self._forces = forces_kernel(system, self.inputs, {}) if self.inputs else None

    def _tau_and_extra(self, q: Any, v: Any, t: Any) -> tuple[Any, Any]:
        lead = np.shape(t)
        if self._forces is None:
            n = len(self.system.names.v), len(self.system.extra_names)
            return np.zeros((*lead, n[0])), np.zeros((*lead, n[1]))
        p = np.broadcast_to(self.p, (*lead, len(self.p)))
        tau, extra = self._forces(q, v, np.zeros((*lead, 0)), t, p)
        return tau, extra

    def follow(self, start: Any, near: Any, times: Any) -> Solution:
        began = clock.perf_counter()
        here = self._begin(start, near)
        branch = Branch(self.system, self.p, lambda *x: self._tau_and_extra(*x)[1], here)
        states = []
        for time in times:
            state = branch.go_to(float(time))
            if state is None:
                break
            states.append(state)
        is_complete = len(states) == len(times)
        statistics = Statistics(
            method="driven motion: Newton's method with prediction",
            steps=branch.steps,
            rejected=branch.rejected,
            evaluations=branch.steps + branch.rejected,
            wall_time=clock.perf_counter() - began,
            status="finished" if is_complete else "dead_point",
            is_complete=is_complete,
            t_end_wanted=self.span.end,
        )
        solution = self._solution(times[: len(states)], states, statistics)
        if not is_complete:
            raise self._ended(branch, solution)
        self._require_loads(solution)
        return solution

    def _require_loads(self, solution: Solution) -> None:
        """Refuse a motion on the way of which a law gives no number."""
        connections = self.system.model.connections.values()
        if self.system.has_contacts or all(isinstance(c.law, Equal) for c in connections):
            return
        q, v, t = solution.q, solution.v, solution.time
        measured = self.system.answers(
            Mechanism.measured, q, v, t=t, extra=solution.extra, parameters=self.p
        )
        fine, start = np.ones(len(t), dtype=bool), 0
        for c in connections:  # value, rate, force, energy, energy rate
            n = c.measure.size
            fine &= np.isfinite(measured[:, start + 2 * n : start + 3 * n]).all(axis=1)
            start += 3 * n + 2
        if fine.all():
            return
        k = int(np.argmin(fine))
        fault = no_numbers(self.system.mechanism, q[k], v[k], float(t[k]), self.p)
        error = IntegrationError(
            f"model {self.system.model.name!r} moves as driven, but has no loads: {fault}\n"
            f"  The motion is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        raise error from fault

    def _begin(self, start: Any, near: Any) -> Mobility:
        """Position at the start; all freedoms must be driven there."""
        found = assemble(
            self.system, start, near=near, t=self.span.begin, parameters=self.parameters
        )
        here = Mobility(self.system, found.q, self.span.begin, self.p)
        if here.n_dof:
            names = [coordinate_name(self.system, name) for name in here.proposal()]
            count = counted(here.n_dof, "degree", "degrees")
            raise ModelError(
                f"model {self.system.model.name!r} has {count} of freedom that nothing drives at t "
                f"= {self.span.begin:g} s: drive also {', '.join(map(repr, names))}. If "
                "the drives should do, the machine is at a dead point or a change point: start "
                "elsewhere, see jd.structure(model, at=...)."
            )
        return here

    def _solution(self, times: Any, states: Any, statistics: Statistics) -> Solution:
        names = self.system.names
        q, v, a = (
            np.array([state[k] for state in states]).reshape(len(states), n)
            for k, n in enumerate((len(names.q), len(names.v), len(names.v)))
        )
        tau, extra = self._tau_and_extra(q, v, times)
        return Solution(
            self.system, times, q, v, a, tau, extra,
            statistics=statistics, inputs=self.inputs, parameters=self.parameters,
        )  # fmt: skip

    def _ended(self, branch: Branch, solution: Solution) -> IntegrationError:
        now = branch.now
        here = Mobility(self.system, now.q, now.t, self.p)
        error = IntegrationError(
            f"model {self.system.model.name!r} stops at t = {now.t:.9g} s of {self.span.end:g} s: "
            f"{_dead(here, now.v) if here.ratio < _SINGULAR else _TORN}\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error


def _dead(here: Mobility, v: Any) -> str:
    """Words for a dead point: what runs away there, and what to drive instead."""
    names, free = here.system.names, released(here)
    k = int(np.argmax(np.abs(v / here.units)))
    better = [repr(coordinate_name(free.system, name)) for name in free.proposal()]
    return (
        f"a dead point. The drives do not determine the motion there: {names.v[k]!r} reaches "
        f"{v[k]:.3g} {names.v_units[k]}, and the smallest singular value of the constraint rows is "
        f"{here.ratio:.1g} of the largest.\n"
        f"  Next: end before, or drive {', '.join(better)} instead."
    )
