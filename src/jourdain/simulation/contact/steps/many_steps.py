"""The loop over steps in machine code, bound to one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.simulation.contact.redundancy import MOST_ROWS
from jourdain.simulation.contact.steps.one_step import OneStep
from jourdain.simulation.contact.steps.responses import contact_matrix, responses
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.solvers.timestep.groups import search
from jourdain.solvers.timestep.loop import Run, run_steps
from jourdain.solvers.timestep.results import BEGIN, LOOK, MANY, TAKE_LOOK, TERMS_ONLY

if TYPE_CHECKING:
    from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun

_ROOM = 256  # samples that are kept before they are fetched
_SAME = 1e-9  # part of a step by which two times may differ and be one


class ManySteps:
    """Memory of the loop.

    Parameters
    ----------
    one : OneStep
        The step.
    watch : Watch
        Events of the user.
    """

    def __init__(self, one: OneStep, watch: Watch) -> None:
        m, self._one, self._watch = one.machine, one, watch
        n, n_rows = m.n_q + m.n_v, m.fixed_rows
        n_safe = n + 3 * n_rows + 2 * m.fixed_points + 2 * m.n_v
        n_works = n_rows + m.groups.n_groups + 1
        self.run = Run(
            room=_ROOM, n_safe=n_safe, safe=np.zeros(n_safe + 1), before=np.zeros(n + 1),
            safe_modes=np.zeros(3 * m.fixed_points + 1, dtype=np.int64), works=np.zeros(n_works),
            n_works=n_works, n_forces=one.n_forces,
            acting=np.full(n_rows + 1, -1), most_acting=MOST_ROWS, sample_t=np.zeros(_ROOM),
            sample_y=np.zeros(_ROOM * n + 1), sample_forces=np.zeros(_ROOM * one.n_forces + 1),
            sample_works=np.zeros(_ROOM * n_works), n_events=len(watch.names),
            events=np.zeros(2, dtype=np.int64), values=np.zeros(len(watch.names) + 1),
            new_values=np.zeros(len(watch.names) + 1), directions=np.zeros(len(watch.names) + 1),
            times=np.zeros(1),
        )  # fmt: skip
        self.run.complete()
        if watch.kernel is not None:
            kernel, self._buffers = watch.kernel, watch.kernel.take_buffers()
            self._buffers.pointers[:6] = [
                *(address(x) for x in one.state_memory),
                address(self.run.new_values),
            ]
            code = kernel.library.addresses["single"], address(self._buffers.pointers)
            self.run.events[:] = code
            self.run.directions[:-1] = watch.directions

    def step(self, phase: int = BEGIN) -> int:
        """One step, or the rest of one."""
        result = run_steps(self._one.machine, self._one.step, self.run, phase)
        self._one.resting.require_no_fault()
        return result

    def look_at_start(self, h: float) -> None:
        """Find contacts of groups at the start of a run, where the machine was evaluated."""
        self._one.step.h, groups = h, self._one.groups
        result = self.step(LOOK)
        while result != search.FOUND:
            if result == search.NO_ROOM or not groups.find_others():
                self._one.make_room(groups.wanted_room)
                result = self.step(LOOK)
            else:
                result = self.step(TAKE_LOOK)

    def rows(self, q: Any, v: Any, u: Any, t: float) -> list[Any]:
        """Gaps, velocities, biases, capacities, rows, responses, accelerations without contact."""
        m = self._one.machine
        n, n_rows = m.fixed_points, m.fixed_rows
        m.q[:-1], m.v[:-1], m.t[0], self._one.u[: len(u)] = q, v, t, u
        held = m.capacity.copy()  # a step that is under way may have changed it
        run_steps(m, self._one.step, self.run, TERMS_ONLY)
        W = contact_matrix(m)[:n_rows]
        B, vdot = responses(m) if n_rows else (W, m.force[: m.n_v])  # no row, no response
        B = B[:n_rows]
        capacity = m.capacity[: 2 * n].reshape(n, 2).copy()
        m.capacity[:] = held
        gaps, u, bias = m.gaps[:n].copy(), m.u[:n_rows].copy(), m.bias[:n_rows].copy()
        return [gaps, u, bias, capacity, W, B, vdot]

    def advance(self, owner: TimeSteppingRun, t_end: float, times: Any) -> int:
        """Take steps from where a run is, and bring it to where they end; return why they do."""
        m, s, run = self._one.machine, self._one.step, self.run
        h, n, n_forces, n_works = owner.method.dt, m.n_q + m.n_v, run.n_forces, run.n_works
        s.y[:-1], s.evaluations = owner.y, 0
        self._one.u[: len(owner.held)] = owner.held
        run.t, run.begin, run.end, run.h = owner.t, owner.t_begin, t_end, h
        run.grid, run.steps, run.most = round((owner.t - owner.t_begin) / h), 0, owner.budget
        run.works[:], run.residual, run.evaluations = owner.works, owner.residual, 0
        if run.n_times != len(times) or run.times[0] != times[0]:
            run.times = np.ascontiguousarray([*times, np.inf])
            run.n_times = len(times)
        run.next_time = int(np.searchsorted(times, owner.t + _SAME * h, side="right"))
        run.hits_times, run.n_samples = owner.hits_times, 0
        run.values[:-1] = self._watch.values_before
        why = self.step(MANY)
        count = run.n_samples
        samples = zip(
            run.sample_t[:count].tolist(), run.sample_y[: count * n].reshape(count, n).copy(),
            run.sample_forces[: count * n_forces].reshape(count, n_forces).copy(),
            run.sample_works[: count * n_works].reshape(count, n_works).copy(),
            strict=True,
        )  # fmt: skip
        self._watch.begin(run.values[:-1].copy())
        owner.take_steps(run.t, s.y[:-1].copy(), run.works.copy(), samples, run)
        return why
