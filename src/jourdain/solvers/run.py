"""Memory of one integration, advanced in chunks by machine code."""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.solvers import sizes
from jourdain.solvers.events import NUMBERS_PER_EVENT, NUMBERS_PER_SIDE, PEAK, SIDE
from jourdain.solvers.integration import NO_KERNEL, Integration, Kinks, call_of
from jourdain.solvers.memory import Memory, contents_of, recall
from jourdain.solvers.native import Program
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.partition import lay_out, room
from jourdain.solvers.quadrature import Integrals, room_for_integrals
from jourdain.solvers.record import Record, refused
from jourdain.solvers.status import Status
from jourdain.solvers.switches import MOST_STEPS, Switches, run_over_kinks, watch_anew

_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_ROOM = 256  # for events between two looks at them
_PARTS = {False: 4, True: 2}  # in which a step is searched for events, by whether it is fixed


class Run(ABC):
    """State, samples and events of one integration.

    Parameters
    ----------
    problem : Problem
        What is integrated.
    y : array
        State q, v at the start.
    span : (float, float) [s]
        Start and end.
    times : array [s]
        Times of the samples.
    control : Control
        Step sizes and tolerances.
    n_stages, degree : int
        Vectors kept for dense output and degree of its polynomial.
    extra : int
        Numbers of memory the method needs besides; behind the stages and the event values.

    The end of a run cuts its last step short. ``mark`` is the memory before that step: from there
    a longer run goes on as if there had been no end.
    """

    is_resumable = True
    keeps_first = False  # whether the first rates of a step are more than those at its state

    def __init__(
        self,
        problem: Problem,
        y: Any,
        span: tuple[float, float],
        times: Any,
        control: Control,
        *,
        n_stages: int,
        degree: int,
        extra: int = 0,
    ) -> None:
        self.problem = problem
        n_user, n_kinks = len(problem.directions), problem.n_modes
        n, m = len(y), n_user + n_kinks
        self._at_events = 3 * n + n_stages * n
        at_sides = self._at_events + NUMBERS_PER_EVENT * m
        self._at_extra = at_sides + (2 * n + NUMBERS_PER_SIDE) * n_user
        at_projection = self._at_extra + extra
        n_rows = problem.n_rows
        at_sizes = at_projection + n + 2 + 8 + room(n_rows, problem.n_q, n - problem.n_q)
        kinds, n_kinds = sizes.kinds(tuple(problem.units) or ("",) * n, problem.n_q)
        at_integrals = at_sizes + 3 * n + n_kinds
        self.w = aligned(at_integrals + room_for_integrals(len(problem.integrals), len(times)))
        self.w[:n] = y
        self.times = np.ascontiguousarray(times, dtype=float)
        self.samples = np.zeros((len(times), n))
        at_kinds = at.N_INTEGERS + n_rows + n
        self.ip = np.zeros(at_kinds + 2 * n, dtype=np.int64)
        self.dp = np.zeros(at.N_DOUBLES)
        ip, dp = self.ip, self.dp
        ip[at.AT_SIZES], ip[at.AT_KINDS], ip[at_kinds:] = at_sizes, at_kinds, kinds
        largest = np.abs(y) if problem.sizes is None else np.fmax(np.abs(y), problem.sizes)
        self.w[at_sizes : at_sizes + n] = largest
        np.fmax.at(self.w[at_sizes + 3 * n : at_integrals], kinds[:n], largest)
        ip[at.N_Q], ip[at.N_V] = problem.n_q, n - problem.n_q
        ip[at.N_STAGES], ip[at.DEGREE] = n_stages, degree
        ip[at.IS_FIXED], ip[at.N_EVENTS], ip[at.N_SAMPLES] = control.rtol is None, m, len(times)
        ip[at.N_QUATERNIONS] = len(problem.quaternions)
        ip[at.N_PARTS] = _PARTS[control.rtol is None]
        ip[at.N_KINKS], ip[at.LOOK_AT] = n_kinks, -1
        ip[at.MAX_FOUND] = _ROOM + 2 * ip[at.N_PARTS] * m
        dp[at.T], dp[at.T_END] = span
        dp[at.T_BASE] = span[0]
        dp[at.H], dp[at.H_MAX], dp[at.H_MIN] = control.step, control.max_step, 1e-15
        dp[at.RTOL], dp[at.ATOL] = control.rtol or 0.0, control.atol or 0.0
        dp[at.EVENT_TOLERANCE] = 1e-14
        self._quaternions = np.array([*problem.quaternions, 0], dtype=np.int64)
        self.found = np.zeros(2 * m + int(ip[at.MAX_FOUND] + 3 * m) * (n + 2) if m else 1)
        self.found[:n_user], self.found[m : m + n_user] = problem.directions, problem.terminal
        self.u, self.p = np.array([*problem.u, 0.0]), np.array([*problem.p, 0.0])
        self.events: list[tuple[int, float, Any]] = []
        self.mark: Memory | None = None
        ends = self._at_events, self._at_events + m
        self.history = {  # places in w
            "y": slice(0, n), "event_values": slice(*ends), "sizes": slice(at_sizes, at_sizes + n),
            "kind_sizes": slice(at_sizes + 3 * n, at_integrals),
            "event_sides": slice(at_sides, self._at_extra),
        }  # fmt: skip
        ip[at.NEXT_SAMPLE] = done = int(np.searchsorted(self.times, span[0], side="right"))
        self.samples[:done] = y
        self.bindings: list[tuple[Kernel, Any]] = []  # functions that the loop may call
        self.integrals = Integrals(self.w, at_integrals, problem.integrals, self.times, span[0])
        if problem.integrands is not None:
            self._bind_integrands(problem.integrands, at_integrals)
        self._values_here = self._caller(problem.events)
        modes = self.u[len(problem.u) - n_kinks : -1]
        asked = self.attach(problem.modes) if problem.modes else None
        self.switches = Switches(
            modes, lambda: self._values_here()[0][n_user:],
            self._caller(problem.modes, asked), span[0],
        )  # fmt: skip
        if problem.modes and asked:
            self.switches.begin()
            ip[at.N_FROZEN] = n_kinks
            self.kinks = Kinks(
                ask=call_of(problem.modes, asked[0]), modes=modes, memory=self.switches.memory,
                beyond=asked[1][0], now=asked[1][1],
            )  # fmt: skip
        self._rates = self._bind(problem.rates)
        if problem.events:
            self._events = self._bind(problem.events)
            self._set_event_values()
            values = self.w[self._at_events : self._at_events + n_user]
            self.w[at_sides + PEAK : self._at_extra : 2 * n + NUMBERS_PER_SIDE] = np.abs(values)
        if problem.projection:
            self._bind_projection(problem.projection, at_projection)
        self.record = Integration(
            rates=call_of(problem.rates, self._rates),
            events=call_of(problem.events, self._events) if problem.events else NO_KERNEL,
            w=self.w, w_at=address(self.w), ip=self.ip, dp=self.dp, times=self.times,
            quaternions=self._quaternions, samples=self.samples, found=self.found,
            at_events=self._at_events,
        )  # fmt: skip

    def _bind_projection(self, kernel: Kernel, place: int) -> None:
        """Let the projection look at y_stage and write to a fixed place."""
        n, n_q = self.samples.shape[1], self.problem.n_q
        pointers, w = self._bind(kernel, 2 * n), address(self.w)
        places = [place, place + n_q, place + n]
        if (partition := self.problem.partition) is not None:
            own = lay_out(self.ip, self.dp, self.problem.n_rows, place + n + 2, partition.keep)
            places, self.history["dependent"] = places + own[0], own[1]
        pointers[5 : 5 + len(places)] = [w + 8 * k for k in places]
        self.ip[at.PROJECTION] = kernel.library.addresses["single"]
        self.ip[at.PROJECTION_ARGUMENTS], self.ip[at.AT_PROJECTION] = address(pointers), place

    def _bind_integrands(self, kernel: Kernel, place: int) -> None:
        """Let the functions look at y_stage, and write where they are summed up from."""
        m = len(self.problem.integrals)
        pointers = self._bind(kernel, 2 * self.samples.shape[1])
        pointers[4 + len(kernel.outputs)] = address(self.w) + 8 * (place + m)
        told = kernel.library.addresses["single"], address(pointers), place, m
        self.ip[at.INTEGRANDS : at.N_INTEGRALS + 1] = told
        self.history["integrals"] = slice(place, place + m)

    def _bind(self, kernel: Kernel, at_y: int = 0) -> Any:
        """Pointers of a kernel; q and v are at a place in w, u, t and p where this run has them."""
        buffers = kernel.take_buffers()
        self.bindings.append((kernel, buffers))
        place_of_t, w = address(self.dp) + 8 * at.T_WORK, address(self.w) + 8 * at_y
        buffers.pointers[:2] = [w, w + 8 * self.problem.n_q]
        buffers.pointers[2:5] = [address(self.u), place_of_t, address(self.p)]
        return buffers.pointers

    def _caller(self, kernel: Kernel | None, attached: Any = None) -> Callable[[], list[Any]]:
        """Function that evaluates a kernel at the state reached; the next call fills its arrays."""
        if kernel is None:
            return list
        (pointers, results), dp = attached or self.attach(kernel), self.dp
        call, place = _CALL(kernel.library.addresses["single"]), address(pointers)

        def values() -> list[Any]:
            dp[at.T_WORK] = dp[at.T]
            call(place)
            return results

        return values

    def _set_event_values(self) -> None:
        (values,) = self._values_here()
        self.w[self._at_events : self._at_events + len(values)] = values

    @property
    def event_values(self) -> Any:
        """Event functions at the state, from which they pass zero; they may be changed."""
        return self.w[self._at_events : self._at_events + int(self.ip[at.N_EVENTS])]

    @property
    def event_sides(self) -> Any:
        """Signs of event functions where they were last off zero, or 0; they may be changed."""
        places, width = self.history["event_sides"], 2 * len(self.y) + NUMBERS_PER_SIDE
        return self.w[places][SIDE::width]

    @property
    def sizes(self) -> Any:
        """Largest values of the state so far."""
        return self.w[self.history["sizes"]].copy()

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self.dp[at.T])

    @property
    def step(self) -> float:
        """Present step size [s]."""
        return float(self.dp[at.H])

    @property
    def constraint_error(self) -> float:
        """Largest error [m, rad] of a constraint that the projection has left."""
        return float(self.dp[at.WORST_ERROR])

    @property
    def partition_changes(self) -> int | None:
        """How often the choice of dependent coordinates changed; None without a partition."""
        return None if self.problem.partition is None else int(self.ip[at.N_CHANGES])

    @property
    def n_samples_done(self) -> int:
        """Number of samples filled."""
        return int(self.ip[at.NEXT_SAMPLE])

    @property
    def y(self) -> Any:
        """State reached."""
        return self.w[: self.samples.shape[1]].copy()

    @property
    @abstractmethod
    def program(self) -> Program | None:
        """Loop of the method and the records it works on; None where a library leads it."""

    def _launcher(self) -> Callable[[], int]:
        """Call of the loop of the method."""
        return partial(*self.program)  # type: ignore[misc]

    def attach(self, kernel: Kernel) -> tuple[Any, list[Any]]:
        """Pointers of a kernel that looks at the state reached, and the arrays it fills."""
        pointers = self._bind(kernel)
        results = [np.zeros(math.prod(shape)) for _, shape in kernel.outputs]
        pointers[5 : 5 + len(results)] = [address(x) for x in results]
        return pointers, results

    @cached_property
    def _launch(self) -> Callable[[], int]:
        """The call of the loop: no array moves, so its arguments are asked for once."""
        self.record.complete()
        return self._over_kinks() if self.problem.modes else self._launcher()

    def _over_kinks(self) -> Callable[[], int]:
        """Call of the loop of the method that switches modes at kinks."""
        loop, *records = self.program  # type: ignore[misc]
        places = [x.complete()._as_parameter_ for x in records]
        own, method = (*places, 0)[:2]
        return partial(run_over_kinks, self.record, self.kinks, loop.address, own, method)

    def advance(self, max_steps: int) -> Status:
        """Advance by about so many steps at most."""
        self.ip[at.MAX_STEPS] = max_steps
        status = Status(self._launch())
        self._collect_events(is_over=status == Status.TERMINAL_EVENT)
        if status == Status.BEFORE_END:
            self.mark = self.memory()
            self.ip[at.HALTS_BEFORE_END] = 0
            return Status.PAUSED
        return status

    def _begin_anew(self) -> None:
        """Forget what belongs to other inputs."""
        at.begin_anew(self.ip, self.dp)
        if self.problem.modes:
            watch_anew(self.record, self.kinks, -1)
            self._set_event_values()

    def close(self) -> None:
        """Give the buffers of the kernels back; what was computed stays."""
        vars(self).update(_launch=None, _values_here=None)  # their memory is others' from now on
        while self.bindings:
            kernel, buffers = self.bindings.pop()
            kernel.give_back(buffers)

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop. Before the end of all, a mark is kept to go on from another time."""
        self.dp[at.T_END] = t_end
        self.ip[at.HALTS_BEFORE_END] = is_end and self.mark is None

    def hold(self, u: Any) -> None:
        """Set new held inputs; the next step starts afresh."""
        self.u[: len(u)] = u
        self.switches.settle()
        self._begin_anew()

    def memory(self) -> Memory:
        """All that the next step depends on, and the counts."""
        self._collect_events(is_over=False)  # left behind by an interruption
        contents = contents_of(self.w, self.dp, self.ip, self.history) | self.switches.contents()
        return Memory(contents, self.n_samples_done, len(self.events))

    def restore(self, record: Record) -> None:
        """Go on from the memory of another run of the same problem, with own samples.

        Raises
        ------
        ModelError
            If it is the memory of another problem, or a number is out of its range.
        """
        if not self.is_resumable:
            raise refused("its method does not tell what its next step depends on")
        recall(record, self.w, self.dp, self.ip, self.history)
        self.switches.recall(record)
        if self.problem.modes:
            wait = record.record("integration").count("steps_to_look", MOST_STEPS)
            watch_anew(self.record, self.kinks, wait)
        if self.ip[at.HAS_FIRST] and not self.keeps_first:  # evaluated again, and counted once
            self.ip[at.HAS_FIRST] = 0
            self.ip[at.N_EVALUATIONS] = max(0, int(self.ip[at.N_EVALUATIONS]) - 1)

    def _collect_events(self, *, is_over: bool) -> None:
        """Move what was found to the list ``events`` of number, time [s] and state."""
        n, m = self.samples.shape[1], int(self.ip[at.N_EVENTS])
        rows = self.found[2 * m :]
        for k in range(int(self.ip[at.N_FOUND])):
            row = rows[k * (n + 2) : (k + 1) * (n + 2)]
            if not (is_over and row[1] > self.t):  # nothing happens after a terminal event
                self.events.append((int(row[0]), float(row[1]), row[2:].copy()))
        self.ip[at.N_FOUND] = 0

    @property
    def counts(self) -> dict[str, Any]:
        """Numbers of accepted and rejected steps and of evaluations."""
        names = {"steps": at.N_ACCEPTED, "rejected": at.N_REJECTED, "evaluations": at.N_EVALUATIONS}
        counts = {name: int(self.ip[k]) for name, k in names.items()}
        return counts | {"kinks": self.switches.n_passed, "sliding_kinks": self.switches.n_sliding}
