"""Driven motion followed on one branch (Sol F61–F64).

With all freedoms driven, positions, velocities and accelerations follow from the constraints alone,

    r(q, t) = 0,   P v + b = 0,   P dv/dt + γ = 0                             (KI-1)

A step predicts q from velocities and accelerations, and corrects it by Newton's method. It counts
only if ‖P₀⁺ P₁ − 1‖ < ½ (KI-2): then P is regular all the way, so that no other branch can have
been reached; else it is halved. States of laws and nonholonomic coordinates are integrated instead
of predicted. At a singular position the step goes to zero: either the motion ends there (dead
point), or it passes smoothly (change point), and is found again on the other side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from jourdain.analysis.doctor.mobility import Mobility
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.system import System

_CLOSED = 1e-9  # error of a position [m, rad] that counts as none
_CHANGE = 0.5  # of P in one step
_JUMP = 2.0**-7  # part of that way at which it is tried to pass a singular position
_LEAST = 2.0**-20  # part of the way to the next sample that is the shortest step
_SMOOTH = 0.2  # part by which velocity may differ from its prediction behind a change point


@dataclass(frozen=True)
class Point:
    """A state of the motion: time, position, velocity, acceleration, rates, P and P⁺, scaled."""

    t: float
    q: Any
    v: Any
    a: Any
    rates: Any
    P: Any
    inverse: Any


class Branch:
    """Motion of a system whose freedoms are all driven.

    Parameters
    ----------
    system : System
        The machine with its drives.
    p : (n_p,)
        Values of all parameters.
    extra : function of (q, v, t)
        Forces along cut joints and inputs of laws.
    start : Mobility
        Position and time to start from.
    """

    def __init__(self, system: System, p: Any, extra: Callable[..., Any], start: Mobility) -> None:
        self.system, self.p, self._extra = system, p, extra
        self._units, self._sizes = start.units, start.sizes[:, np.newaxis]
        self._quaternions = system.names.quaternions
        self.steps = self.rejected = 0
        self._h = np.inf
        q, v = system.project(start.q, np.zeros(start.n_v), start.t, parameters=p)
        self.before = self.now = self._point(q, v, start.t)

    @cached_property
    def _is_integrated(self) -> bool:
        """Whether positions do not follow from time alone."""
        system = self.system
        kinds = [joint.kind for joint in system.model.joints.values()]
        n_held = len(system.topology.cuts) + len(system.held_positions)
        return (
            bool(system.description.parts.states)
            or len(system.constraint_rows) > n_held
            or any(len(k.velocities) < len(k.coordinates) for k in kinds)
        )

    def go_to(self, t: float) -> tuple[Any, Any, Any] | None:
        """Position, velocity and acceleration at a later time; None if the motion ends before."""
        whole = t - self.now.t
        while self.now.t < t:
            if not self._step(t, whole):
                return None
        if self.now.t == t:
            return self.now.q, self.now.v, self.now.a
        return self._between(t)

    def _step(self, t: float, whole: float) -> bool:
        """Go on to a time, or as far as P allows; tell whether that is anywhere."""
        rest = t - self.now.t
        h = rest if self._h >= 0.5 * rest else self._h
        while h > _LEAST * whole:
            found = self._try(t if h == rest else self.now.t + h)
            if found is not None and self._change(found) < _CHANGE:
                self._h = 4.0 * h
                return self._accept(found)
            if h <= _JUMP * whole:
                found = self._passed(h)
                if found is not None:
                    self._h = h
                    return self._accept(found)
            self.rejected += 1
            h /= 2.0
        return False

    def _accept(self, found: Point) -> bool:
        self.before, self.now = self.now, found
        self.steps += 1
        return True

    def _try(self, t: float) -> Point | None:
        """State at a later time near the predicted one."""
        now, h = self.now, t - self.now.t
        q = self._integrated(t) if self._is_integrated else self._predicted(h)
        if q is None:
            return None
        guess = q
        q, v = self.system.project(q, now.v + h * now.a, t, parameters=self.p)
        moved, corrected = (
            np.abs(guess - now.q).max(initial=0.0),
            np.abs(q - guess).max(initial=0.0),
        )
        if not corrected <= 0.3 * moved + 1e-6 or not self._is_closed(q, v, t):
            return None
        return self._point(q, v, t)

    def _predicted(self, h: float) -> Any:
        now = self.now
        midway = self._rates(now.q, now.v + 0.5 * h * now.a, now.t)
        q = now.q + h * midway
        for k in self._quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return q

    def _integrated(self, t: float) -> Any:
        """Positions by integration of the velocities that the constraints prescribe."""

        def rates(time: float, q: Any) -> Any:
            return self._rates(q, self._velocity(q, time), time)

        with np.errstate(all="ignore"):
            run = solve_ivp(
                rates, (self.now.t, t), self.now.q, "DOP853", rtol=1e-10, atol=1e-12,
            )  # fmt: skip
        q = run.y[:, -1]
        return q if run.success and np.all(np.isfinite(q)) else None

    def _velocity(self, q: Any, t: float) -> Any:
        """Velocity that satisfies the constraints at a position."""
        rest = np.zeros(len(self._units))
        return -self._solve(
            self._answer(Mechanism.jacobian, q, rest, t), q, rest, t, Mechanism.velocity_errors
        )

    def _solve(self, P: Any, q: Any, v: Any, t: float, right: MechanismQuantity) -> Any:
        return np.linalg.lstsq(P, self._answer(right, q, v, t), rcond=1e-13)[0]

    def _point(self, q: Any, v: Any, t: float) -> Point:
        P = self._answer(Mechanism.jacobian, q, v, t)
        a = -self._solve(P, q, v, t, Mechanism.row_biases) if len(P) else np.zeros(len(v))
        scaled = P * self._units / self._sizes
        return Point(t, q, v, a, self._rates(q, v, t), scaled, np.linalg.pinv(scaled))

    def _change(self, found: Point) -> float:
        change = self.now.inverse @ found.P - np.eye(len(found.v))
        return float(np.linalg.norm(change, 2)) if change.size else 0.0

    def _passed(self, h: float) -> Point | None:
        """State behind a singular position, if the motion goes on smoothly there."""
        now = self.now
        found = self._try(now.t + 8.0 * h)
        if found is None:
            return None
        expected = now.v + (found.t - now.t) * now.a
        size = np.abs(now.v / self._units).max(initial=0.0)
        off = np.abs((found.v - expected) / self._units).max(initial=0.0)
        return found if off <= _SMOOTH * size else None

    def _between(self, t: float) -> tuple[Any, Any, Any]:
        """State in a short interval that was passed as a whole, by cubic interpolation."""
        a, b = self.before, self.now
        h = b.t - a.t
        x = (t - a.t) / h
        w = 1 - x
        weights = w * w * (1 + 2 * x), x * x * (3 - 2 * x), w * w * x * h, -x * x * w * h
        q = sum(k * y for k, y in zip(weights, (a.q, b.q, a.rates, b.rates), strict=True))
        v = sum(k * y for k, y in zip(weights, (a.v, b.v, a.a, b.a), strict=True))
        return q, v, w * a.a + x * b.a

    def _is_closed(self, q: Any, v: Any, t: float) -> bool:
        errors = self._answer(Mechanism.position_errors, q, v, t)
        return bool(np.abs(errors).max(initial=0.0) < _CLOSED and np.all(np.isfinite(v)))

    def _rates(self, q: Any, v: Any, t: float) -> Any:
        extra = self._extra(q, v, t)
        return self.system.interpreted(Mechanism.zdot, q=q, v=v, t=t, extra=extra, p=self.p)

    def _answer(self, quantity: MechanismQuantity, q: Any, v: Any, t: float) -> Any:
        return self.system.interpreted(quantity, q=q, v=v, t=t, p=self.p)
