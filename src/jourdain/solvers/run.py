"""Memory of one integration, advanced in chunks by machine code."""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.solvers import stepping as at
from jourdain.solvers.events import NUMBERS_PER_EVENT, NUMBERS_PER_SIDE, PEAK, has_passed
from jourdain.solvers.explicit import explicit_run
from jourdain.solvers.fixed import fixed_run
from jourdain.solvers.partition import room
from jourdain.solvers.problem import Control, Memory, Problem
from jourdain.solvers.status import REMEDY, Status
from jourdain.solvers.switches import Switches
from jourdain.solvers.tableau import Tableau

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
        self.w = aligned(at_projection + n + 2 + 8 + room(n_rows, problem.n_q, n - problem.n_q))
        self.w[:n] = y
        self.times = np.ascontiguousarray(times, dtype=float)
        self.samples = np.zeros((len(times), n))
        self.ip, self.dp = np.zeros(at.N_PLACES + n_rows + n, dtype=np.int64), np.zeros(15)
        ip, dp = self.ip, self.dp
        ip[at.N_Q], ip[at.N_V] = problem.n_q, n - problem.n_q
        ip[at.N_STAGES], ip[at.DEGREE] = n_stages, degree
        ip[at.IS_FIXED], ip[at.N_EVENTS], ip[at.N_SAMPLES] = control.rtol is None, m, len(times)
        ip[at.N_QUATERNIONS] = len(problem.quaternions)
        ip[at.N_PARTS] = _PARTS[control.rtol is None]
        ip[at.N_KINKS], ip[at.LOOK_AT] = n_kinks, -1
        ip[at.MAX_FOUND] = _ROOM + 2 * ip[at.N_PARTS] * m
        dp[at.T], dp[at.T_END] = span
        dp[at.H], dp[at.H_MAX], dp[at.H_MIN] = control.step, control.max_step, 1e-15
        dp[at.RTOL], dp[at.ATOL] = control.rtol or 0.0, control.atol
        dp[at.EVENT_TOLERANCE] = 1e-14
        self._quaternions = np.array([*problem.quaternions, 0], dtype=np.int64)
        self.found = np.zeros(2 * m + int(ip[at.MAX_FOUND] + 2 * m) * (n + 2) if m else 1)
        self.found[:n_user], self.found[m : m + n_user] = problem.directions, problem.terminal
        self.u, self.p = np.array([*problem.u, 0.0]), np.array([*problem.p, 0.0])
        self.events: list[tuple[int, float, Any]] = []
        self.mark: Memory | None = None
        self._arrays = {"w": self.w, "ip": self.ip, "dp": self.dp, "u": self.u}
        self._fill_first_samples(y, span[0])
        self._buffers: list[Any] = []
        self._values_here = self._caller(problem.events)
        self.switches = Switches(
            self.u[len(problem.u) - n_kinks : -1], lambda: self._values_here()[0][n_user:],
            self._caller(problem.modes), span[0],
        )  # fmt: skip
        if n_kinks:
            self._arrays["switches"] = self.switches.memory.reshape(-1)
            self.switches.begin()
            ip[at.N_FROZEN] = n_kinks
        self._rates = self._bind(problem.rates)
        self._events = np.zeros(8, dtype=np.int64)
        if problem.events:
            self._events = self._bind(problem.events)
            self._set_event_values()
            values = self.w[self._at_events : self._at_events + n_user]
            self.w[at_sides + PEAK : self._at_extra : 2 * n + NUMBERS_PER_SIDE] = np.abs(values)
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
        m, n_q = self.problem.n_rows, self.problem.n_q
        n_v = self.samples.shape[1] - n_q
        self.ip[at.N_ROWS], self.ip[at.AT_PARTITION], self.ip[at.AT_ORDER] = m, place, at.N_PLACES
        self.dp[at.KEEP] = self.problem.partition.keep  # type: ignore[union-attr]
        sizes = [m * n_v, m, m, m, n_q * n_v, n_q]
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

    def _caller(self, kernel: Kernel | None) -> Callable[[], list[Any]]:
        """Function that evaluates a kernel at the state reached; the next call fills its arrays."""
        if kernel is None:
            return list
        pointers, w = self._bind(kernel), address(self.w)
        results = [np.zeros(math.prod(shape)) for _, shape in kernel.outputs]
        pointers[:2] = [w, w + 8 * self.problem.n_q]
        pointers[5 : 5 + len(results)] = [address(x) for x in results]
        call, place, dp = _CALL(kernel.library.addresses["single"]), address(pointers), self.dp

        def values() -> list[Any]:
            dp[at.T_WORK] = dp[at.T]
            call(place)
            return results

        return values

    def _set_event_values(self) -> None:
        (values,) = self._values_here()
        self.w[self._at_events : self._at_events + len(values)] = values

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
        """Advance by about so many steps at most."""
        status, left = Status.KINK, max_steps
        while status == Status.KINK and left > 0:
            before = int(self.ip[at.N_ACCEPTED] + self.ip[at.N_REJECTED])
            self.ip[at.MAX_STEPS] = left
            status = Status(self._launch())
            self._collect_events(is_over=status == Status.TERMINAL_EVENT)
            status = self._switch(status) if self.problem.modes else status
            left -= max(1, int(self.ip[at.N_ACCEPTED] + self.ip[at.N_REJECTED]) - before)
        if status == Status.KINK:
            return Status.PAUSED
        if status == Status.BEFORE_END:
            self.mark = self.memory()
            self.ip[at.HALTS_BEFORE_END] = 0
            return Status.PAUSED
        return status

    def _switch(self, status: Status) -> Status:
        """Switch the mode at a kink, or decide which kinks to watch: then it tells of a kink."""
        ip = self.ip
        is_look = status == Status.PAUSED and ip[at.N_ACCEPTED] == ip[at.LOOK_AT]
        if not (status == Status.KINK or is_look or (status in REMEDY and ip[at.N_FROZEN])):
            return status
        changed, n_events = (self.u, self.switches.memory, self.ip, self.dp), len(self.events)
        before = [array.copy() for array in changed]
        try:
            return self._change_modes(status)
        except KeyboardInterrupt:  # waits for the end, so that it leaves no half
            del self.events[n_events:]
            for array, old in zip(changed, before, strict=True):
                array[:] = old
            self._change_modes(status)
            raise

    def _change_modes(self, status: Status) -> Status:
        step, values = self.step, self._values_here()[0].copy()
        if status == Status.KINK:
            step = self.switches.switch(int(self.ip[at.KINK]), self.t, step)
        elif status == Status.PAUSED:
            step = self.switches.look(step)
        else:
            self.switches.release()
            n = self.samples.shape[1]
            np.nan_to_num(self.w[3 * n : self._at_events], copy=False)  # stages are a first guess
        if not self.ip[at.IS_FIXED]:
            self.dp[at.H] = step
        self._begin_anew()
        return self._jumped(values)

    def _jumped(self, old: Any) -> Status:
        """Record events that passed zero in a jump of the laws, such as forces of contacts."""
        problem, y, status = self.problem, self.y, Status.KINK
        for e, direction in enumerate(problem.directions):
            new = self.w[self._at_events + e]
            if has_passed(old[e], new) and direction * (new - old[e]) >= 0.0:
                self.events.append((e, self.t, y))
                status = Status.TERMINAL_EVENT if problem.terminal[e] else status
        return status

    def _begin_anew(self) -> None:
        """Forget what belongs to other inputs or modes."""
        ip = self.ip
        ip[at.HAS_FIRST] = ip[at.HAS_JACOBIAN] = ip[at.HAS_OLD] = 0
        self.dp[at.H_CUT] = 0.0
        if self.problem.modes:
            ip[at.N_FROZEN], wait = self.switches.n_watched, self.switches.next_look
            ip[at.LOOK_AT] = ip[at.N_ACCEPTED] + wait if wait else -1
            self._set_event_values()

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
        arrays = {name: array.copy() for name, array in self._arrays.items()}
        return Memory(arrays, self.n_samples_done, len(self.events))

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on from the memory of another run of the same problem, with own samples.

        Raises
        ------
        ValueError
            If it is the memory of another problem.
        """
        kept = [at.N_SAMPLES, at.NEXT_SAMPLE, at.PROJECTION, at.PROJECTION_ARGUMENTS]
        own = self.ip[kept]
        for name, array in self._arrays.items():
            if np.shape(arrays.get(name, ())) != array.shape:
                raise ValueError(f"{name!r} has another size")
            array[:] = arrays[name]
        self.ip[kept] = own
        self.ip[at.N_FOUND] = self.ip[at.HALTS_BEFORE_END] = 0

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

    def _rates_call(self) -> list[int]:
        kernel = self.problem.rates.library.addresses["single"]
        return [
            kernel,
            address(self._rates),
            address(self._rates),
            address(self.w),
            address(self.w),
        ]


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


class FixedRun(Run):
    """Semi-implicit Euler, or Gauss–Legendre with two stages."""

    def __init__(
        self, problem: Problem, y: Any, span: Any, times: Any, control: Control, *, is_gauss: bool
    ) -> None:
        n_kept = 2 if is_gauss else 1
        super().__init__(
            problem, y, span, times, control,
            n_stages=n_kept, degree=n_kept, extra=2 * len(y),
        )  # fmt: skip
        self._is_gauss = is_gauss
        self._tables = [np.ascontiguousarray(x) for x in _gauss_coefficients()]
        if not is_gauss:
            self._tables[2] = np.ones((1, 1))

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        tables = [address(x) for x in self._tables]
        last = [int(self._is_gauss), self._at_extra]
        return partial(fixed_run, *self._rates_call(), *tables, *shared, *last)


def _gauss_coefficients() -> tuple[Any, Any, Any]:
    """Two-stage Gauss–Legendre: A, c and the continuous extension."""
    r = 3**0.5 / 6
    A = np.array([[0.25, 0.25 - r], [0.25 + r, 0.25]])
    c = np.array([0.5 - r, 0.5 + r])
    P = np.array([[c[1], -0.5], [-c[0], 0.5]]) / (c[1] - c[0])
    return A, c, P
