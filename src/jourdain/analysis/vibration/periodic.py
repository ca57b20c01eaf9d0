"""`periodic`: motions that repeat themselves, and their multipliers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.linear.independent import Steps, Tangent, step_index, tangent_space
from jourdain.analysis.linear.point import OperatingPoint, operating_point, system_of
from jourdain.analysis.progress import tells_phases
from jourdain.analysis.simulate import simulate
from jourdain.errors import IntegrationError, ModelError, unknown_name
from jourdain.results import Solution
from jourdain.simulation.methods import EventDriven
from jourdain.solvers import Dop853, Method
from jourdain.spatial.check import number
from jourdain.system import System

_STEPS = 30
_FOUND = 1e-8  # change over a period, times the size of the state, that counts as none
_HALVINGS = 6
_ON_CIRCLE = 1e-6  # by which the size of a multiplier may exceed one
_SHORTEST = 0.2  # part of the guess below which a period is none: every motion repeats in no time
_STEP = 1e-5  # of differences, times the size of the states
_RTOL, _ATOL = 1e-12, 1e-14  # of runs whose differences are taken


@dataclass(frozen=True, repr=False)
class PeriodicMotion:
    """A motion that repeats itself. Made by `jd.periodic`.

    Parameters
    ----------
    solution : Solution
        One period.
    period : float [s]
        Its duration.
    monodromy : (n, n)
        Change of the independent states after a period by their change before it.
    states : tuple of str
        Names of these states.
    shift : mapping of str to float
        By how much cyclic coordinates advance in a period.
    is_driven : bool
        Whether the period is given; else one multiplier is 1.
    """

    solution: Solution
    period: float
    monodromy: Any
    states: tuple[str, ...]
    shift: Mapping[str, float]
    is_driven: bool

    @cached_property
    def multipliers(self) -> Any:
        """Eigenvalues of the monodromy matrix, largest first; without that of the period itself."""
        found = np.linalg.eigvals(self.monodromy)
        found = found[np.argsort(-np.abs(found), kind="stable")]
        if self.is_driven or not len(found):
            return found
        return np.delete(found, int(np.argmin(np.abs(found - 1.0))))

    @property
    def is_stable(self) -> bool:
        """Whether no small disturbance grows: no multiplier outside of the unit circle."""
        return bool(np.all(np.abs(self.multipliers) <= 1.0 + _ON_CIRCLE))

    def __repr__(self) -> str:
        word = "stable" if self.is_stable else "not stable"
        name = self.solution.model_name
        return f"<periodic motion of {name!r}: {self.period:.9g} s, {word}>"

    def __str__(self) -> str:
        lines = [repr(self).strip("<>")]
        shown = ", ".join(f"{x:.6g}" for x in self.multipliers[:6])
        lines.append(f"  multipliers {shown or 'none'}")
        lines += [f"  {name} advances by {x:.9g} in a period" for name, x in self.shift.items()]
        return "\n".join(lines)


@tells_phases
def periodic(
    model: Any,
    period: float | None = None,
    *,
    start: Mapping[str, Any] | tuple[Any, Any] | None = None,
    guess: float | None = None,
    cyclic: Iterable[str] = (),
    method: Method | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> PeriodicMotion:
    """Find a motion that repeats itself: limit cycles, forced vibrations, pecking and hammering.

    Newton's method on the state after a period (LI-11); its derivatives are differences of runs,
    so impacts and friction count with all their events.

    Parameters
    ----------
    model : Model or System
        The machine.
    period : float [s]
        Period, where drives or inputs have one.
    start : mapping or (q, v)
        State near the motion, away from impacts.
    guess : float [s]
        Rough period where none is given: then it is found.
    cyclic : iterable of str
        Coordinates that may advance in a period, such as the angle of a shaft.
    method : Method
        How to integrate; by default precisely.
    inputs, parameters
        As in `simulate`.

    Returns
    -------
    PeriodicMotion
        One period, its multipliers and whether it is stable.

    Raises
    ------
    IntegrationError
        If no such motion is found near the start.
    """
    system = system_of(model)
    if (period is None) == (guess is None):
        raise ModelError(
            "give either the period [s], where drives have one, or guess=..., a rough period that "
            "is to be found."
        )
    duration = number(period if guess is None else guess, "period", positive=True, unit="s")
    point = operating_point(system, start, inputs, 0.0, parameters)
    options = {"inputs": inputs, "parameters": parameters}
    if method is None:
        inner = Dop853(rtol=_RTOL, atol=_ATOL)
        has_contacts = system.has_contacts
        method = EventDriven(integrator=inner) if has_contacts else inner
    shooting = Shooting(point, tuple(cyclic), method, options)
    return shooting.run(duration, is_driven=period is not None)


@dataclass
class Shooting:
    """Newton's method on the state after a period.

    Parameters
    ----------
    point : OperatingPoint
        Start.
    cyclic : tuple of str
        Coordinates that may advance.
    method : Method
        Integrator.
    options : mapping
        Inputs and parameters of the runs.
    """

    point: OperatingPoint
    cyclic: tuple[str, ...]
    method: Any
    options: Mapping[str, Any]
    tangent: Tangent = field(init=False)
    kept: list[int] = field(init=False)

    def __post_init__(self) -> None:
        point = self.point
        free = point.at.moved(mode=np.zeros_like(point.at.mode))
        self.tangent = tangent_space(self.system, free, point.graph.slopes(free), self.cyclic)
        steps = Steps(self.system)
        known = {step_index(steps, name) for name in self.cyclic}
        places = self.tangent.positions
        missing = [steps.names[k] for k in known if k not in places]
        if missing:
            raise unknown_name(
                "independent coordinate", missing[0], self.tangent.names, "cyclic coordinates"
            )
        self.kept = [
            k for k in range(len(self.tangent.names)) if k >= len(places) or places[k] not in known
        ]

    @property
    def system(self) -> System:
        """The compiled machine."""
        return self.point.system

    def state(self, y: Any) -> tuple[Any, Any]:
        """Positions and velocities of changes y of the independent states."""
        at, whole = self.point.at, np.zeros(len(self.tangent.names))
        whole[self.kept] = y
        steps = self.tangent.steps
        q = steps.moved(at.q, self.tangent.T_positions_whole @ whole)
        v = at.v + self.tangent.T_velocities @ whole
        return self.system.project(q, v, at.t, parameters=at.p)

    def changes(self, q: Any, v: Any) -> Any:
        """Changes of all independent states from the start to a state."""
        at, steps = self.point.at, self.tangent.steps
        eta = steps.inverse(at.q) @ (q - at.q)
        return np.concatenate([eta[self.tangent.positions], (v - at.v)[self.tangent.velocities]])

    def flow(self, y: Any, duration: float) -> tuple[Any, Any]:
        """State after a time, and rates there."""
        sol = self._run(y, duration, np.array([0.0, duration]))
        found = self.changes(sol.q[-1], sol.v[-1])
        rate = sol.trajectory.rates[-1]
        back = self.tangent.steps.inverse(self.point.at.q) @ rate
        moving = np.concatenate(
            [back[self.tangent.positions], sol.vdot[-1][self.tangent.velocities]]
        )
        return found, moving

    def _run(self, y: Any, duration: float, sample: Any) -> Solution:
        given = {k: x for k, x in self.options.items() if x is not None}
        start = self.state(y)
        return simulate(
            self.system, duration, start=start, method=self.method, sample=sample, **given
        )

    def monodromy(self, y: Any, duration: float) -> Any:
        """Derivative of the state after a time by the state before, by differences of runs."""
        columns = []
        sizes = self._sizes()
        for k in range(len(y)):
            h = np.zeros(len(y))
            h[k] = _STEP * sizes[k]
            ahead, behind = (self.flow(y + s * h, duration)[0][self.kept] for s in (1.0, -1.0))
            columns.append((ahead - behind) / (2.0 * h[k]))
        return np.array(columns).T.reshape(len(y), len(y))

    def _sizes(self) -> Any:
        """Sizes of the states: of the start, at least a hundredth of the largest of their kind."""
        at = self.point.at
        n = len(self.tangent.positions)
        v = np.abs(at.v[self.tangent.velocities])
        whole = np.concatenate([np.ones(n), np.maximum(v, 0.01 * v.max(initial=0.0) + 0.1)])
        return np.minimum(np.maximum(whole[self.kept], 0.01), 10.0)

    def run(self, duration: float, *, is_driven: bool) -> PeriodicMotion:
        """The motion.

        Raises
        ------
        IntegrationError
            If Newton's method does not come to an end.
        """
        y, sizes = np.zeros(len(self.kept)), self._sizes()
        end, rate = self.flow(y, duration)
        first = duration
        for _ in range(_STEPS):
            error = end[self.kept] - y
            if np.abs(error / sizes).max(initial=0.0) < _FOUND:
                return self._finished(y, duration, is_driven)
            Phi = self.monodromy(y, duration)
            J = Phi - np.eye(len(y))
            if not is_driven:
                along = rate[self.kept]
                J = np.block([[J, along[:, None]], [along[None, :], np.zeros((1, 1))]])
                error = np.append(error, 0.0)
            step = -np.linalg.lstsq(J, error, rcond=1e-12)[0]
            y, duration, end, rate, is_better = self._line(y, duration, step, error, is_driven)
            if not is_better or duration < _SHORTEST * first:
                break
        error = end[self.kept] - y
        is_long = duration >= _SHORTEST * first
        if is_long and np.abs(error / sizes).max(initial=0.0) < 1e3 * _FOUND:
            return self._finished(y, duration, is_driven)
        worst = int(np.argmax(np.abs(error / sizes)))
        raise IntegrationError(
            f"model {self.system.model.name!r}: no periodic motion found near the start; "
            f"{self.tangent.names[self.kept[worst]]!r} still changes by {error[worst]:.3g} in "
            f"{duration:.6g} s.\n  Likely causes: the start is far from the motion, the period is "
            "another one, or a coordinate advances (cyclic=[...]). Next: simulate for a while and "
            "start from sol.final."
        )

    def _line(self, y: Any, duration: float, step: Any, error: Any, is_driven: bool) -> Any:
        part, n = 1.0, len(y)
        before = np.linalg.norm(error)
        for _ in range(_HALVINGS):
            moved = y + part * step[:n]
            longer = duration if is_driven else duration + part * step[n]
            if longer > 0.1 * duration:
                end, rate = self.flow(moved, longer)
                after = np.linalg.norm(end[self.kept] - moved)
                if after < before:
                    return moved, longer, end, rate, True
            part *= 0.5
        end, rate = self.flow(y, duration)
        return y, duration, end, rate, False

    def _finished(self, y: Any, duration: float, is_driven: bool) -> PeriodicMotion:
        sol = self._run(y, duration, duration / 400.0)
        end = self.changes(sol.q[-1], sol.v[-1]) - self.changes(sol.q[0], sol.v[0])
        names = self.tangent.names
        shift = {names[k]: float(end[k]) for k in range(len(names)) if k not in self.kept}
        kept = tuple(names[k] for k in self.kept)
        return PeriodicMotion(sol, duration, self.monodromy(y, duration), kept, shift, is_driven)
