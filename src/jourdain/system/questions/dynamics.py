"""Dynamics of a compiled system: ``M(q) dv/dt + h(q, v) = tau``."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import articulated_body, composite_body, newton_euler
from jourdain.system.checks.faults import connection_fault
from jourdain.system.compiled import CompiledModel
from jourdain.system.description import Description
from jourdain.system.execution import Looped
from jourdain.system.questions.answers import Answers
from jourdain.system.questions.forces import Forces
from jourdain.system.questions.inertia import InertiaCheck, mass_matrix

FORWARD = dataclasses.replace(articulated_body.FORWARD, small=composite_body.forward)

_HUGE = 1e12  # acceleration beyond which to ask whether the system is singular


class Dynamics:
    """Questions about accelerations and the forces that cause them.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    forces : Forces
        Gives arrays of forces and loads.
    answers : Answers
        Gives accelerations where there are connections or cut joints.
    """

    def __init__(self, compiled: CompiledModel, forces: Forces, answers: Answers) -> None:
        self._compiled, self._forces, self._answers = compiled, forces, answers
        self._d, self._nominal = compiled.description, compiled.parameters.nominal
        self._inertia = InertiaCheck(compiled, answers)
        self._forward: Any = None  # shortest way to accelerations, of a sound system

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
                tau = self._forces.none
            elif type(tau) is not np.ndarray:
                tau = self._forces.forces(tau)
            try:
                return self._forward(q, v, tau, t, self._nominal)[0]
            except ValueError as error:
                raise self._compiled.told(error) from error
        if self._inertia.is_pending:
            self.check_inertia(q, t, parameters)
        if type(tau) is not np.ndarray:
            tau = self._forces.none if tau is None else self._forces.forces(tau)
        if self._compiled.has_connections:
            vdot = self._answers.answers(
                Mechanism.vdot, q, v, tau, t, wrenches=wrenches, parameters=parameters
            )
        elif wrenches is None:
            (vdot,) = self._compiled.run(FORWARD, q, v, tau, t, parameters=parameters)
        else:
            loads = self._forces.padded(wrenches)
            (vdot,) = self._compiled.run(
                articulated_body.FORWARD_LOADED, q, v, tau, loads, t, parameters=parameters
            )
        if self._inertia.is_sound and parameters is None:
            return vdot
        size = vdot.dot(vdot) / _HUGE if vdot.ndim == 1 else abs(vdot.sum())
        if not size < _HUGE:  # NaN, infinite, or divided by rounding
            bad = ~(np.abs(vdot).sum(axis=-1) < _HUGE)
            self._inertia.require(q, t, parameters, bad.shape, int(np.argmax(bad)))
            if vdot.ndim == 1 and self._compiled.has_connections and not np.isfinite(size):
                fault = connection_fault(self._answers, q, v, float(t), parameters)
                if fault is not None:
                    raise fault
        return vdot

    def check_inertia(self, q: Any, t: Any, parameters: Any) -> None:
        """Look once for coordinates without inertia, if a body is massless, a point or a rod."""
        self._inertia.look(q, t, parameters)
        if self._inertia.is_sound:
            self._forward = self._compiled.nominal_call_of(FORWARD)

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
            return self._compiled.run(newton_euler.INVERSE, q, v, vdot, t, parameters=parameters)[0]
        loads = self._forces.padded(wrenches)
        return self._compiled.run(
            newton_euler.INVERSE_LOADED, q, v, vdot, loads, t, parameters=parameters
        )[0]

    def bias(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Forces h(q, v) of ``M dv/dt + h = tau``: gyroscopic, drives and gravity (..., n_v)."""
        zero = np.zeros(self._d.n_v)
        return self.inverse_dynamics(q, v, zero, t, parameters=parameters)

    def gravity_forces(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Part of `bias` that is due to gravity (..., n_v) [N, N m]."""
        return self._compiled.run(newton_euler.GRAVITY, q, t, parameters=parameters)[0]

    def velocity_forces(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Part of `bias` that is due to velocities and drives: Coriolis, centrifugal (..., n_v)."""
        return self.bias(q, v, t, parameters=parameters) - self.gravity_forces(
            q, t, parameters=parameters
        )

    def mass_matrix(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix M (..., n_v, n_v) [kg, kg m, kg m^2], both triangles filled."""
        return mass_matrix(self._compiled, q, t, parameters)

    def multiply_mass_matrix(self, q: Any, x: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Product M(q) x (..., n_v) in O(n)."""
        return self._compiled.run(composite_body.MULTIPLY, q, x, t, parameters=parameters)[0]

    def solve_mass_matrix(self, q: Any, x: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Solution y of M(q) y = x for one or many right sides x (..., n_v), O(n) each.

        One factorisation by articulated bodies serves all right sides; ``q`` is a single
        configuration (n_q,).
        """
        rights, p = np.asarray(x, dtype=float), self._compiled.parameters.array(parameters)
        if rights.ndim == 1:
            return self._solver(self._compiled.of_tree(q), rights, np.ones(1), t, p)[0]
        rows = rights.reshape(int(np.prod(rights.shape[:-1])), rights.shape[-1])
        fresh = np.zeros((len(rows), 1))
        fresh[:1] = 1.0
        q = self._compiled.of_tree(q)
        (y,) = self._solver(q, rows, fresh, np.asarray(t, dtype=float), p)
        return y.reshape(rights.shape)

    @cached_property
    def _solver(self) -> Any:
        description = Description(self._compiled.model, share=True, cut=self._d.cut)
        return Looped(lanes=1).prepare(articulated_body.SOLVE, description)
