"""Memory of one integration, advanced in chunks by machine code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.solvers import sizes
from jourdain.solvers import stepping as at
from jourdain.solvers.closure import Partition
from jourdain.solvers.euler import euler_run
from jourdain.solvers.events import NUMBERS_PER_EVENT
from jourdain.solvers.explicit import explicit_run
from jourdain.solvers.memory import Memory, contents_of, recall
from jourdain.solvers.record import Record, refused
from jourdain.solvers.status import Status
from jourdain.solvers.tableau import Tableau

_ROOM = 256  # for events between two looks at them
_PARTS = {False: 4, True: 2}  # in which a step is searched for events, by whether it is fixed


@dataclass(frozen=True)
class Problem:
    """What is to be integrated.

    Parameters
    ----------
    rates : Kernel
        State equation q, v, u, t, p → dq/dt, dv/dt.
    events : Kernel or None
        Event functions of the same inputs.
    directions, terminal : sequences
        Per event: wanted sign of the crossing (0 for both), and whether it ends the run.
    quaternions : sequence of int
        Indices in q where quaternions begin.
    u, p : arrays
        Held inputs and parameters.
    tangent : function giving a Kernel
        Derivative of the state equation, for implicit methods; compiled when it is called.
    projection : Kernel or None
        Changes of q and v that take constraint errors away, and the largest errors of both.
    partition : Partition or None
        Dependent coordinates follow from independent ones; ``projection`` gives what that needs.
    units : sequence of str
        Units of q and v: coordinates with one unit have rounding of one size.
    sizes : (n_q + n_v,) or None
        Largest values of q and v in earlier phases of a motion, by which errors are judged.
    """

    rates: Kernel
    events: Kernel | None
    directions: Sequence[float]
    terminal: Sequence[bool]
    quaternions: Sequence[int]
    u: Any
    p: Any
    tangent: Callable[[], Kernel] | None = None
    projection: Kernel | None = None
    partition: Partition | None = None
    units: Sequence[str] = ()
    sizes: Any = None

    @property
    def n_q(self) -> int:
        """Number of position coordinates."""
        return self.rates.inputs[0][1]


@dataclass(frozen=True)
class Control:
    """Step sizes and tolerances; ``rtol`` is None for fixed steps, ``atol`` for one by sizes."""

    step: float
    rtol: float | None = None
    atol: float | None = None
    max_step: float = np.inf


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
        n, m = len(y), len(problem.directions)
        self._at_events = 3 * n + n_stages * n
        self._at_extra = self._at_events + NUMBERS_PER_EVENT * m
        at_projection = self._at_extra + extra
        n_rows = _n_rows(problem)
        at_sizes = at_projection + n + 2 + 8 + _room(n_rows, problem.n_q, n - problem.n_q)
        kinds, n_kinds = sizes.kinds(problem.units or [""] * n, problem.n_q)
        self.w = aligned(at_sizes + 3 * n + n_kinds)
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
        np.fmax.at(self.w[at_sizes + 3 * n :], kinds[:n], largest)
        ip[at.N_Q], ip[at.N_V] = problem.n_q, n - problem.n_q
        ip[at.N_STAGES], ip[at.DEGREE] = n_stages, degree
        ip[at.IS_FIXED], ip[at.N_EVENTS], ip[at.N_SAMPLES] = control.rtol is None, m, len(times)
        ip[at.N_QUATERNIONS], ip[at.N_PARTS] = (
            len(problem.quaternions),
            _PARTS[control.rtol is None],
        )
        ip[at.MAX_FOUND] = _ROOM + 2 * ip[at.N_PARTS] * m
        dp[at.T], dp[at.T_END] = span
        dp[at.T_BASE] = span[0]
        dp[at.H], dp[at.H_MAX], dp[at.H_MIN] = control.step, control.max_step, 1e-15
        dp[at.RTOL], dp[at.ATOL] = control.rtol or 0.0, control.atol or 0.0
        dp[at.EVENT_TOLERANCE] = 1e-14
        self._quaternions = np.array([*problem.quaternions, 0], dtype=np.int64)
        self.found = np.zeros(2 * m + int(ip[at.MAX_FOUND]) * (n + 2) if m else 1)
        self.found[:m], self.found[m : 2 * m] = problem.directions, problem.terminal
        self.u, self.p = np.array([*problem.u, 0.0]), np.array([*problem.p, 0.0])
        self.events: list[tuple[int, float, Any]] = []
        self.mark: Memory | None = None
        ends = self._at_events, self._at_events + m
        self.history = {  # places in w
            "y": slice(0, n), "event_values": slice(*ends), "sizes": slice(at_sizes, at_sizes + n),
            "kind_sizes": slice(at_sizes + 3 * n, len(self.w)),
        }  # fmt: skip
        self._fill_first_samples(y, span[0])
        self._buffers: list[Any] = []
        self._rates = self._bind(problem.rates)
        self._events = np.zeros(8, dtype=np.int64)
        if problem.events:
            self._events = self._bind(problem.events)
            self._first_event_values(problem.events)
        if problem.projection:
            self._bind_projection(problem.projection, at_projection)

    def _bind_projection(self, kernel: Kernel, place: int) -> None:
        """Let the projection look at y_stage and write to a fixed place."""
        n, n_q = self.samples.shape[1], self.problem.n_q
        pointers, w = self._bind(kernel), address(self.w)
        pointers[:2] = [w + 8 * 2 * n, w + 8 * (2 * n + n_q)]
        places = [place, place + n_q, place + n]
        if self.problem.partition is not None:
            places += self._partition_places(place + n + 2)
        pointers[5 : 5 + len(places)] = [w + 8 * k for k in places]
        self.ip[at.PROJECTION] = kernel.library.addresses["single"]
        self.ip[at.PROJECTION_ARGUMENTS], self.ip[at.AT_PROJECTION] = address(pointers), place

    def _partition_places(self, place: int) -> list[int]:
        """Where the kernel of a partition writes what the elimination needs."""
        m, n_q = _n_rows(self.problem), self.problem.n_q
        n_v = self.samples.shape[1] - n_q
        self.ip[at.N_ROWS], self.ip[at.AT_PARTITION], self.ip[at.AT_ORDER] = m, place, at.N_INTEGERS
        self.dp[at.KEEP] = self.problem.partition.keep  # type: ignore[union-attr]
        sizes = [m * n_v, m, m, m, n_q * n_v, n_q]
        flags = place + _room(m, n_q, n_v) - 2 * n_v
        self.history["dependent"] = slice(flags, flags + 2 * n_v)
        return [place + sum(sizes[:k]) for k in range(len(sizes) + 1)]

    def _fill_first_samples(self, y: Any, t: float) -> None:
        done = int(np.searchsorted(self.times, t, side="right"))
        self.samples[:done] = y
        self.ip[at.NEXT_SAMPLE] = done

    def _bind(self, kernel: Kernel) -> Any:
        """Pointers of a kernel, with u, t and p where this run keeps them."""
        buffers = kernel.take_buffers()
        self._buffers.append(buffers)
        place_of_t = address(self.dp) + 8 * at.T_WORK
        buffers.pointers[2:5] = [address(self.u), place_of_t, address(self.p)]
        return buffers.pointers

    def _first_event_values(self, events: Kernel) -> None:
        y, n_q = self.y, self.problem.n_q
        (values,) = events.run(y[:n_q], y[n_q:], self.u[:-1], self.t, self.p[:-1])
        self.w[self._at_events : self._at_events + len(values)] = values

    @property
    def event_values(self) -> Any:
        """Event functions at the state, from which they pass zero; they may be changed."""
        return self.w[self._at_events : self._at_events + int(self.ip[at.N_EVENTS])]

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

    @abstractmethod
    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        """Call of the loop of the method, with the arguments all loops share."""

    @cached_property
    def _launch(self) -> Callable[[], int]:
        """The call of the loop: no array moves, so its arguments are asked for once."""
        events = self.problem.events
        shared = [
            address(x) for x in (self._quaternions, self.ip, self.dp, self.times, self.samples)
        ]
        shared.append(events.library.addresses["single"] if events else 0)
        shared += [address(self._events)] * 2
        return self._launcher([*shared, self._at_events, address(self.found)])

    def advance(self, max_steps: int) -> Status:
        """Advance by at most so many steps."""
        self.ip[at.MAX_STEPS] = max_steps
        status = Status(self._launch())
        self._collect_events(is_over=status == Status.TERMINAL_EVENT)
        if status == Status.BEFORE_END:
            self.mark = self.memory()
            self.ip[at.HALTS_BEFORE_END] = 0
            return Status.PAUSED
        return status

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop. Before the end of all, a mark is kept to go on from another time."""
        self.dp[at.T_END] = t_end
        self.ip[at.HALTS_BEFORE_END] = is_end and self.mark is None

    def hold(self, u: Any) -> None:
        """Set new held inputs; the next step starts afresh."""
        self.u[: len(u)] = u
        self.ip[at.HAS_FIRST] = self.ip[at.HAS_JACOBIAN] = self.ip[at.HAS_OLD] = 0

    def memory(self) -> Memory:
        """All that the next step depends on, and the counts."""
        self._collect_events(is_over=False)  # left behind by an interruption
        contents = contents_of(self.w, self.dp, self.ip, self.history)
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
        return {name: int(self.ip[k]) for name, k in names.items()}

    def _rates_call(self) -> list[int]:
        kernel = self.problem.rates.library.addresses["single"]
        return [
            kernel,
            address(self._rates),
            address(self._rates),
            address(self.w),
            address(self.w),
        ]


def _n_rows(problem: Problem) -> int:
    """Number of constraint rows that are partitioned."""
    if problem.partition is None or problem.projection is None:
        return 0
    return int(dict(problem.projection.outputs)["velocity_rows"][0])


def _room(m: int, n_q: int, n_v: int) -> int:
    """Numbers that a partition of m rows keeps in memory (see `solvers.partition`)."""
    return 2 * m * n_v + 4 * m + n_q * (n_v + 1) + 4 * n_v if m else 0


class ExplicitRun(Run):
    """Explicit Runge–Kutta method with given coefficients."""

    def __init__(
        self, problem: Problem, y: Any, span: Any, times: Any, control: Control, method: Tableau
    ) -> None:
        n_stages, degree = method.P.shape
        super().__init__(problem, y, span, times, control, n_stages=n_stages, degree=degree)
        self.ip[at.N_STEP], self.ip[at.N_ERRORS] = method.n_step, len(method.errors)
        self.ip[at.IS_FSAL] = method.is_fsal
        self.dp[at.EXPONENT] = 1.0 / (method.error_order + 1)
        arrays = (method.A, method.b, method.c, method.errors, method.P)
        self._tables = [np.ascontiguousarray(x, dtype=float) for x in arrays]

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        tables = [address(x) for x in self._tables]
        return partial(explicit_run, *self._rates_call(), *tables, *shared)


class EulerRun(Run):
    """Semi-implicit Euler."""

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        super().__init__(problem, y, span, times, control, n_stages=1, degree=1)
        self._straight = np.ones(1)

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        return partial(euler_run, *self._rates_call(), address(self._straight), *shared)
