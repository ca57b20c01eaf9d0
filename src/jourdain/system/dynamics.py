"""Dynamics of a compiled system: ``M(q) dv/dt + h(q, v) = tau``."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import articulated_body, balance, composite_body, newton_euler
from jourdain.errors import SingularSystemError
from jourdain.system.checks.faults import connection_fault
from jourdain.system.checks.singular import (
    has_doubtful_inertia,
    leans_on_constraints,
    require_inertia,
)
from jourdain.system.connections import Connections
from jourdain.system.description import Description
from jourdain.system.execution import Looped, Unrolled, interpreted
from jourdain.system.looped import dense
from jourdain.system.plan import CHECKED_UP_TO, COMPILED_FROM

FORWARD = dataclasses.replace(articulated_body.FORWARD, small=composite_body.forward)

_HELD = 1e-12  # part of masses and constraints that every motion must meet
_HUGE = 1e12  # acceleration beyond which to ask whether the system is singular


class Dynamics(Connections):
    """Questions about motion and forces."""

    _unchecked = True  # whether every free coordinate has inertia
    _is_sound = False  # whether none can ever lack it, so that none need be asked for
    _inertia_at: Any = None  # position, time and parameters at which every coordinate had some
    _energies_asked = 0  # states whose energies were asked for
    _forward: Any = None  # shortest way to accelerations, of a sound system

    def forward_dynamics(
        self,
        q: Any,
        v: Any,
        tau: Any = None,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Accelerations dv/dt caused by forces.

        Parameters
        ----------
        q : (..., n_q) [m, rad, 1]
            Position coordinates.
        v : (..., n_v) [m/s, rad/s]
            Velocity coordinates.
        tau : (..., n_v) [N, N m] or mapping
            Generalized forces, or ``{"main.angle": 3.0}``; default zero.
        t : (...) [s]
            Time.
        wrenches : (..., n_bodies, 6) [N m, N]
            External loads [torque; force] on the bodies at their frames, world components.
        parameters : mapping or (..., n_p)
            Values of parameters that differ from the nominal ones.

        Returns
        -------
        (..., n_v) [m/s^2, rad/s^2]
            Accelerations.

        Raises
        ------
        SingularSystemError
            If a free coordinate moves no inertia, or a measure has no derivative.
        ModelError
            If a law gives no number.
        """
        if self._forward is not None and wrenches is None and parameters is None:
            if tau is None:
                tau = self._no_force
            elif type(tau) is not np.ndarray:
                tau = self.forces(tau)
            try:
                return self._forward(q, v, tau, t, self._nominal)[0]
            except ValueError as error:
                raise self._told(error) from error
        if self._unchecked:
            self.check_inertia(q, t, parameters)
        if type(tau) is not np.ndarray:
            tau = self._no_force if tau is None else self.forces(tau)
        if self.has_connections:
            vdot = self.answers(
                Mechanism.vdot, q, v, tau, t, wrenches=wrenches, parameters=parameters
            )
        elif wrenches is None:
            (vdot,) = self._run(FORWARD, q, v, tau, t, parameters=parameters)
        else:
            loads = self._padded(wrenches)
            (vdot,) = self._run(
                articulated_body.FORWARD_LOADED, q, v, tau, loads, t, parameters=parameters
            )
        if self._is_sound and parameters is None:
            return vdot
        size = vdot.dot(vdot) / _HUGE if vdot.ndim == 1 else abs(vdot.sum())
        if not size < _HUGE:  # NaN, infinite, or divided by rounding
            bad = ~(np.abs(vdot).sum(axis=-1) < _HUGE)
            self._require_inertia(q, t, parameters, bad.shape, int(np.argmax(bad)))
            if vdot.ndim == 1 and self.has_connections and not np.isfinite(size):
                fault = connection_fault(self, q, v, float(t), parameters)
                if fault is not None:
                    raise fault
        return vdot

    @cached_property
    def _is_doubtful(self) -> bool:
        return has_doubtful_inertia(self.model)

    def check_inertia(self, q: Any, t: Any, parameters: Any) -> None:
        """Look once for coordinates without inertia, if a body is massless, a point or a rod."""
        is_doubtful = self._is_doubtful
        if np.ndim(q) == 0:
            return  # no positions, as the call itself will say
        if len(self.description.links) <= CHECKED_UP_TO and is_doubtful:
            self._require_inertia(q, t, parameters, np.shape(q)[:-1], 0)
        motions = {id(link.motion): link.motion for link in self.description.links}
        is_even = all(motion.modes[0].is_constant() for motion in motions.values())
        self._is_sound = is_even and not (is_doubtful or self.has_connections)
        self._unchecked = False
        self._forward = self._nominal_call(FORWARD) if self._is_sound else None

    def _require_inertia(
        self, q: Any, t: Any, parameters: Any, lead: tuple[int, ...], row: int
    ) -> None:
        """Raise if a coordinate has no inertia in one row of a batch."""
        whole, q = np.asarray(q, dtype=float), self.of_tree(q)
        columns = q, np.asarray(t, dtype=float)[..., np.newaxis], self.parameter_array(parameters)
        lead = np.broadcast_shapes(lead, *(np.shape(c)[:-1] for c in columns))
        if 0 in lead:
            return
        wide = [np.broadcast_to(c, (*lead, np.shape(c)[-1])) for c in columns]
        at = np.unravel_index(row, lead)
        q, t, p = (w[at] for w in wide)
        whole = np.broadcast_to(whole, (*lead, whole.shape[-1]))[at]
        place = q.tobytes(), float(t[0]), p.tobytes()
        if place != self._inertia_at:
            if not self._is_held(whole, float(t[0]), p):
                require_inertia(self.description, q, float(t[0]), p)
            self._inertia_at = place

    def _is_held(self, q: Any, t: float, p: Any) -> bool:
        """Tell whether constraints exclude all motions without inertia (CD-8)."""
        if not self.has_constraints or not leans_on_constraints(self.description):
            return False
        M = self.mass_matrix(q, t, parameters=p)
        P = self.answers(Mechanism.jacobian, q, np.zeros(len(M)), t=t, parameters=p)
        P = P[np.abs(P).max(axis=1, initial=0.0) > 0.0]
        mass = np.diag(M)
        heavy = mass > _HELD * mass.max(initial=0.0)
        response = (P[:, heavy] ** 2 / mass[heavy]).sum(axis=1)
        rest = (P * P).sum(axis=1) / max(mass.max(initial=0.0), 1e-300)
        whole = M + P.T @ (P / np.where(response > 0.0, response, rest)[:, np.newaxis])
        scale = np.sqrt(np.maximum(np.diag(whole), 1e-300))
        return bool(np.linalg.eigvalsh(whole / np.outer(scale, scale))[0] > _HELD)

    def inverse_dynamics(
        self,
        q: Any,
        v: Any,
        vdot: Any,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Generalized forces tau (..., n_v) [N, N m] that cause given accelerations."""
        if wrenches is None:
            return self._run(newton_euler.INVERSE, q, v, vdot, t, parameters=parameters)[0]
        loads = self._padded(wrenches)
        return self._run(newton_euler.INVERSE_LOADED, q, v, vdot, loads, t, parameters=parameters)[
            0
        ]

    def bias(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Forces h(q, v) of ``M dv/dt + h = tau``: gyroscopic, drives and gravity (..., n_v)."""
        zero = np.zeros(self.description.n_v)
        return self.inverse_dynamics(q, v, zero, t, parameters=parameters)

    def gravity_forces(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Part of `bias` that is due to gravity (..., n_v) [N, N m]."""
        return self._run(newton_euler.GRAVITY, q, t, parameters=parameters)[0]

    def velocity_forces(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Part of `bias` that is due to velocities and drives: Coriolis, centrifugal (..., n_v)."""
        return self.bias(q, v, t, parameters=parameters) - self.gravity_forces(
            q, t, parameters=parameters
        )

    def mass_matrix(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix M (..., n_v, n_v) [kg, kg m, kg m^2], both triangles filled."""
        is_looped = isinstance(self.execution, Looped)
        way = dense.MASS_MATRIX if is_looped else composite_body.MASS_MATRIX
        return self._run(way, q, t, parameters=parameters)[0]

    def multiply_mass_matrix(self, q: Any, x: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Product M(q) x (..., n_v) in O(n)."""
        return self._run(composite_body.MULTIPLY, q, x, t, parameters=parameters)[0]

    def solve_mass_matrix(self, q: Any, x: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Solution y of M(q) y = x for one or many right sides x (..., n_v), O(n) each.

        One factorisation by articulated bodies serves all right sides; ``q`` is a single
        configuration (n_q,).
        """
        rights, p = np.asarray(x, dtype=float), self.parameter_array(parameters)
        if rights.ndim == 1:
            return self._solver(self.of_tree(q), rights, np.ones(1), t, p)[0]
        rows = rights.reshape(int(np.prod(rights.shape[:-1])), rights.shape[-1])
        fresh = np.zeros((len(rows), 1))
        fresh[:1] = 1.0
        q = self.of_tree(q)
        (y,) = self._solver(q, rows, fresh, np.asarray(t, dtype=float), p)
        return y.reshape(rights.shape)

    @cached_property
    def _solver(self) -> Any:
        description = Description(self.model, share=True, cut=self.description.cut)
        return Looped(lanes=1).prepare(articulated_body.SOLVE, description)

    def energy(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> tuple[Any, Any]:
        """Kinetic and potential energy [J]; the potential is zero at the world's origin."""
        energy = self.energies(q, v, t, parameters=parameters)
        return energy[..., 0].sum(axis=-1), energy[..., 1].sum(axis=-1)

    def energies(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Kinetic and potential energy (..., n_links, 2) [J] of each body and scalar coordinate."""
        return self._run(balance.BALANCE, q, v, t, parameters=parameters)[0]

    def energy_of_few(self, q: Any, v: Any, t: Any, p: Any) -> tuple[Any, Any]:
        """As `energy`, for a few states: straight-line code is interpreted until that pays."""
        self._energies_asked += len(q)
        is_straight = isinstance(self.execution, Unrolled)
        if not is_straight or self._energies_asked > COMPILED_FROM:
            return self.energy(q, v, t, parameters=p)
        energy = self._few_energies(self.of_tree(q), v, t, p)[0]
        return energy[..., 0].sum(axis=-1), energy[..., 1].sum(axis=-1)

    @cached_property
    def _few_energies(self) -> Any:
        return interpreted(balance.BALANCE, self.description)

    def momentum(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Momentum [L; P] (..., 6) [kg m^2/s, kg m/s] of all bodies about the world's origin."""
        momenta = self._run(balance.BALANCE, q, v, t, parameters=parameters)[1]
        return momenta[..., : self._n_bodies, :].sum(axis=-2)

    def centre_of_mass(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Centre of mass of all bodies (..., 3) [m]."""
        zero = np.zeros(self.description.n_v)
        moment = self._run(balance.BALANCE, q, zero, t, parameters=parameters)[2].sum(axis=-2)
        return moment[..., 1:] / self._mass(moment[..., :1])

    def centre_of_mass_jacobian(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Jacobian (..., 3, n_v) of the centre of mass."""
        (columns,) = self._run(balance.MOMENT_COLUMNS, q, t, parameters=parameters)
        zero = np.zeros(self.description.n_v)
        moment = self._run(balance.BALANCE, q, zero, t, parameters=parameters)[2].sum(axis=-2)
        return np.swapaxes(columns, -1, -2) / self._mass(moment[..., :1])[..., np.newaxis]

    def _mass(self, total: Any) -> Any:
        if not np.all(total > 0.0):
            raise SingularSystemError(
                f"model {self.model.name!r} has no mass, so it has no centre of mass. "
                "Give a body a mass."
            )
        return total
