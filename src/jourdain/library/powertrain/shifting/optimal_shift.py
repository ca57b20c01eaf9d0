"""The best way to synchronise a clutch: smooth and short (4.F42 to 4.F46)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import expm

from jourdain import math
from jourdain.analysis.linear.linearize import linearize
from jourdain.errors import ModelError
from jourdain.library.powertrain.shifting.horizon import Horizon, Plan
from jourdain.math import Table
from jourdain.results import Solution
from jourdain.spatial.annotations import Number, record

INSIDE = 1e-3
"""Part of a phase that is left out at its ends, where contacts change."""


@record()
class Control:
    """An input that a shift may use.

    Parameters
    ----------
    low, high : float
        Its least and largest value.
    weight : float
        Weight of its squared deviation from the reference.
    end : float, optional
        Value that it shall have when the clutch is synchronous: 0 for an intervention.
    after : float, optional
        Value from then on; by default what it has then.
    """

    low: Number
    high: Number
    weight: Number = 1e-6
    end: Number | None = None
    after: Number | None = None


@dataclass(frozen=True)
class Phase:
    """Matrices over a phase at some moments, between which they change linearly."""

    time: Any
    A: Any
    B: Any
    C: Any
    D: Any
    names: tuple[str, ...]

    def at(self, t: float) -> list[Any]:
        """A, B, C, D at a time."""
        k = int(np.clip(np.searchsorted(self.time, t) - 1, 0, len(self.time) - 2))
        s = np.clip((t - self.time[k]) / (self.time[k + 1] - self.time[k]), 0.0, 1.0)
        return [(1.0 - s) * M[k] + s * M[k + 1] for M in (self.A, self.B, self.C, self.D)]


@dataclass(frozen=True)
class OptimalShift:
    """Inputs of the best shift. Made by `optimal_shift`.

    Parameters
    ----------
    time : (K + 1,) [s]
        Nodes of the controlled phase, from the release to the synchronous point.
    controls : mapping of str to (K + 1,)
        Inputs at the nodes; linear between them.
    acceleration : (K + 1,)
        What the linear equations expect.
    plan : Plan
        States, gains of the feedback law, and the multiplier of the end.
    reference : Solution
        Run along which the equations are linear.
    given : mapping of str to Control
        As the user gave them.
    """

    time: Any
    controls: Mapping[str, Any]
    acceleration: Any
    plan: Plan
    reference: Solution
    given: Mapping[str, Control]

    @property
    def duration(self) -> float:
        """Time from the release to the synchronous point [s]."""
        return float(self.time[-1] - self.time[0])

    def inputs(self) -> dict[str, Any]:
        """Functions of time for `jd.simulate`: the reference, then the plan, then what is after."""
        found = dict(self.reference.inputs)
        for name, values in self.controls.items():
            after = self.given[name].after
            last = float(values[-1]) if after is None else float(after)
            before = self.reference.inputs[name]
            found[name] = _joined(before, Table(self.time.tolist(), values.tolist()), last)
        return found


def _joined(before: Any, table: Table, after: float) -> Callable[[Any], Any]:
    begin, end = float(table.x[0]), float(table.x[-1])

    def value(t: Any) -> Any:
        early = before(t) if callable(before) else before
        return math.where(t < begin, early, math.where(t <= end, table(t), after))

    return value


def optimal_shift(
    reference: Solution,
    clutch: str,
    controls: Mapping[str, Control],
    acceleration: str,
    *,
    duration: float | None = None,
    step: float = 5e-3,
    tail: float = 0.3,
    weight: float = 1.0,
    moments: int = 7,
) -> OptimalShift:
    """Inputs with which a clutch becomes synchronous at a given time, and the vehicle jerks least.

    The reference is a run of the same shift. From its last release of a freewheel or clutch to the
    synchronous point its equations are linear along it (4.F43), in steps with inputs that are
    linear between nodes (4.F44). What is least is the sum of the squared jerks (4.F45), during the
    phase and, with ``weight`` λ, while the train swings freely after it (4.F46).

    Parameters
    ----------
    reference : Solution
        The run, with the controls among its inputs, a little longer than ``tail`` after the
        synchronous point.
    clutch : str
        Full name of the clutch that comes.
    controls : mapping of str to Control
        Inputs that may be used: its capacity or pressure, the intervention of the engine.
    acceleration : str
        Result whose steps count as jerk, such as ``"car.acceleration"``.
    duration : float, optional [s]
        Time from the release to the synchronous point, not above that of the reference.
    step, tail : float [s]
        Distance of the nodes; time after the synchronous point that counts.
    weight : float
        Weight λ of the tail.
    moments : int
        Moments of each phase at which equations are made.

    Returns
    -------
    OptimalShift
        ``.inputs()`` are those of the best run; take that run as the next reference where the
        machine is far from linear.

    Raises
    ------
    ModelError
        If the reference has no such phase, or the end is out of reach.
    """
    begin, end = _phase(reference, clutch)
    wanted = end - begin if duration is None else float(duration)
    if not 0.0 < wanted <= (end - begin) * (1.0 + 1e-9):
        raise ModelError(
            f"duration is {wanted:g} s, but {clutch!r} slips for {end - begin:.6g} s in the "
            "reference. Give at most that, or a reference with less capacity."
        )
    missing = [name for name in controls if name not in reference.inputs]
    if missing or not controls:
        raise ModelError(
            f"the reference has no input {', '.join(map(repr, missing)) or 'to control'}: its "
            f"inputs are {', '.join(reference.inputs) or 'none'}."
        )
    if end + tail > float(reference.time[-1]):
        raise ModelError(
            f"the reference ends at {reference.time[-1]:g} s, less than tail={tail:g} s after the "
            f"synchronous point at {end:.6g} s. Run it longer, or give a shorter tail."
        )
    count = max(2, round(wanted / step))
    T = wanted / count
    outputs = [acceleration, f"{clutch}.slip"]
    both = (begin, end), (end, end + tail)
    slips, sticks = (_along(reference, span, list(controls), outputs, moments) for span in both)
    problem = _Problem(reference, slips, sticks, begin, end, T, count, round(tail / T), outputs)
    horizon = problem.horizon(tuple(controls.values()), list(controls), weight)
    plan = horizon.solve(np.zeros(horizon.A.shape[1]))
    return problem.answer(plan, controls)


def _phase(reference: Solution, clutch: str) -> tuple[float, float]:
    """Time of the last release before the clutch sticks, and of that."""
    sticks = [e for e in reference.events if e.kind == "stick" and e.name.startswith(f"{clutch}.")]
    if not sticks:
        raise ModelError(
            f"{clutch!r} does not become synchronous in the reference: it has the events "
            f"{', '.join(f'{e.name} {e.kind}' for e in reference.events) or 'none'}. Give the full "
            "name of a clutch that sticks at the end of its slip, and run from event to event."
        )
    end = sticks[-1].time
    free = [e.time for e in reference.events if e.kind in ("detachment", "slip") and e.time < end]
    return (free[-1] if free else float(reference.time[0])), end


def _along(
    run: Solution, span: tuple[float, float], inputs: list[str], outputs: list[str], moments: int
) -> Phase:
    """Linear equations at moments inside of a phase."""
    cut = INSIDE * (span[1] - span[0])
    time = np.linspace(span[0] + cut, span[1] - cut, max(2, moments))
    found: list[Any] = []
    for t in time.tolist():
        given: dict[str, Any] = {"inputs": inputs, "outputs": outputs}
        if found:
            given["coordinates"] = [x.removesuffix(".value") for x in _positions(found[0])]
        own = run.parameters
        found.append(linearize(run.system, run.at(t), moving=True, parameters=own or None, **given))
        if found[-1].states != found[0].states:
            raise ModelError(
                f"contacts change at {t:.6g} s, inside of the phase from {span[0]:.6g} to "
                f"{span[1]:.6g} s of the shift. Take a reference in which they do not."
            )
    A, B, C, D = (
        np.array([getattr(x, name) for x in found]) for name in ("A", "B", "C", "feedthrough")
    )
    return Phase(time, A, B, C, D, found[0].states)


def _positions(lin: Any) -> list[str]:
    return [name for name in lin.states if name.endswith(".value")]


@dataclass(frozen=True)
class _Problem:
    """Deviations from the reference in steps: z = (x, acceleration of the step before, inputs)."""

    run: Solution
    slips: Phase
    sticks: Phase
    begin: float
    end: float
    T: float
    count: int
    tail: int
    outputs: list[str]

    def _values(self, name: str, times: Any) -> Any:
        return self.run.at(times).values(name)

    @property
    def nodes(self) -> Any:
        """Times of the nodes; the last a little before contacts change."""
        time = self.begin + self.T * np.arange(self.count + 1)
        time[-1] = min(time[-1], self.end - INSIDE * self.T)
        return time

    def horizon(self, given: tuple[Control, ...], names: list[str], weight: float) -> Horizon:
        """The linear problem."""
        n, m, K, N, T = len(self.slips.names), len(names), self.count, self.tail, self.T
        size, k7, held = n + 1 + m, n, slice(n + 1, n + 1 + m)
        A, B, e = (np.zeros(s) for s in ((K + N, size, size), (K, size, m), (K + N, size)))
        C, g = np.zeros((K + N + 1, 1, size)), np.zeros((K + N + 1, 1))
        for k in range(K):
            a, b, c, d = self.slips.at(self.begin + (k + 0.5) * T)
            A[k, :n, :n], now, ahead = _held_linear(a, b, T)
            A[k, :n, held], B[k, :n] = now, ahead
            A[k, k7, :n], A[k, k7, held], B[k, held] = c[0], d[0], np.eye(m)
            C[k, 0, :n], C[k, 0, k7], C[k, 0, held] = c[0] / T, -1.0 / T, d[0] / T
        slip_row = self.slips.at(self.end)[2][1]
        own = [self.slips.names.index(name) for name in self.sticks.names]
        place = np.ix_(own, own)
        for i in range(K, K + N + 1):
            a, _, c, _ = self.sticks.at(self.end + (i - K) * T)
            C[i, 0, own], C[i, 0, k7] = c[0] / T, -1.0 / T
            if i < K + N:
                A[i][place], A[i, k7, own] = expm(a * T), c[0]
        nodes, after = self.nodes, self.end + INSIDE * T + T * np.arange(N + 1)
        accelerations = self._values(
            self.outputs[0], np.concatenate([[self.begin - T], nodes[:-1], after])
        )
        g[:, 0] = np.diff(accelerations) / T
        jump = np.array(
            [-float(np.diff(self._values(x, [nodes[-1], after[0]]))[0]) for x in self.slips.names]
        )
        e[K - 1, :n] = jump
        w = np.zeros(size)
        w[:n] = slip_row
        slip = float(self._values(self.outputs[1], nodes[-1:])[0])
        u0 = np.stack([self._inputs(name, nodes) for name in names], axis=1)
        low, high = (np.array([getattr(c, x) for c in given]) - u0[1:] for x in ("low", "high"))
        for j, one in enumerate(given):
            if one.end is not None:
                low[-1, j] = high[-1, j] = one.end - u0[-1, j]
        R = np.broadcast_to(np.diag([float(c.weight) for c in given]), (K, m, m))
        return Horizon(
            A, B, e, C, g, np.zeros((K, 1, m)), R, np.zeros((K, m)),
            (w, float(w[:n] @ jump) - slip), weight, (low, high),
        )  # fmt: skip

    def _inputs(self, name: str, times: Any) -> Any:
        given = self.run.inputs[name]
        if not callable(given):
            return np.full(len(times), float(given))
        return np.array([float(given(t)) for t in times.tolist()])

    def answer(self, plan: Plan, given: Mapping[str, Control]) -> OptimalShift:
        """Inputs at the nodes, and the acceleration that is expected."""
        time = self.begin + self.T * np.arange(self.count + 1)
        moved = np.concatenate([np.zeros((1, len(given))), plan.inputs])
        found = {name: self._inputs(name, self.nodes) + moved[:, j] for j, name in enumerate(given)}
        k7 = len(self.slips.names)
        expected = np.array(self._values(self.outputs[0], self.nodes))
        expected[:-1] += plan.states[1:, k7]
        return OptimalShift(time, found, expected, plan, self.run, dict(given))


def _held_linear(A: Any, B: Any, T: float) -> tuple[Any, Any, Any]:
    """Step of dx/dt = A x + B u with u linear: x₊ = Φ x + Γ₀ u + Γ₁ u₊ (4.F44)."""
    n, m = B.shape
    whole = np.zeros((n + 2 * m, n + 2 * m))
    whole[:n, :n], whole[:n, n : n + m] = A * T, B * T
    whole[n : n + m, n + m :] = np.eye(m)
    found = expm(whole)
    ahead = found[:n, n + m :]
    return found[:n, :n], found[:n, n : n + m] - ahead, ahead
