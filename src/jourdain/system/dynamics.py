"""Dynamics of a compiled system: ``M(q) dv/dt + h(q, v) = tau``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations import articulated_body, balance, composite_body, newton_euler
from jourdain.errors import ModelError, SingularSystemError, unknown_name
from jourdain.system.description import Description
from jourdain.system.execution import Looped
from jourdain.system.kinematics import Kinematics

FORWARD = dataclasses.replace(articulated_body.FORWARD, small=composite_body.forward)


class Dynamics(Kinematics):
    """Questions about motion and forces."""

    def forces(self, values: Mapping[str, Any] | Any = None) -> Any:
        """Generalized forces ``tau`` (n_v,) [N, N m] from names.

        Parameters
        ----------
        values : mapping
            ``{"main.angle": 3.0}``: by the name of the coordinate the force acts along, or by the
            name of its velocity; forces that are not named are zero. Arrays are passed through.
        """
        if values is None:
            return np.zeros(self._description.n_v)
        if not isinstance(values, Mapping):
            return values
        names = self._force_index
        columns = {}
        for name, value in values.items():
            if name not in names:
                raise unknown_name("force", name, names, f"model {self.model.name!r}")
            columns[names[name]] = np.asarray(value, dtype=float)
        lead = np.broadcast_shapes(*(c.shape for c in columns.values()))
        tau = np.zeros((*lead, self._description.n_v))
        for k, column in columns.items():
            tau[..., k] = column
        return tau

    @cached_property
    def _force_index(self) -> dict[str, int]:
        """Velocity index by the name of a velocity, or of the coordinate whose rate it is."""
        index = {name: k for k, name in enumerate(self.names.v)}
        d = self._description
        for link, q_start, v_start in zip(
            d.links, d.layout.q_start, d.layout.v_start, strict=True
        ):
            rates = link.motion.rates
            for row, i in enumerate(link.motion.free):
                for column, j in enumerate(link.motion.free_columns):
                    if rates[i, j].is_one():
                        index[self.names.q[q_start + row]] = v_start + column
        return index

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
            If a free coordinate moves no inertia.
        """
        if tau is None or isinstance(tau, Mapping):
            tau = self.forces(tau)
        if wrenches is None:
            (vdot,) = self._run(FORWARD, q, v, tau, t, parameters=parameters)
        else:
            loads = self._padded(wrenches)
            (vdot,) = self._run(
                articulated_body.FORWARD_LOADED, q, v, tau, loads, t, parameters=parameters
            )
        total = vdot.sum()
        if not total - total == 0.0:  # NaN or infinite
            self._explain_singular(q, t, parameters)
        return vdot

    def _padded(self, wrenches: Any) -> Any:
        """Loads of the bodies as one row, with zeros for the scalar coordinates behind them."""
        loads = np.asarray(wrenches, dtype=float)
        if loads.shape[-2:] != (self._n_bodies, 6):
            raise ModelError(
                f"wrenches has the shape {loads.shape}; give (..., {self._n_bodies}, 6): "
                "[torque; force] for every body."
            )
        more = self._description.layout.n_bodies - self._n_bodies
        width = [(0, 0)] * (loads.ndim - 2) + [(0, more), (0, 0)]
        return np.pad(loads, width).reshape(*loads.shape[:-2], -1)

    def _explain_singular(self, q: Any, t: Any, parameters: Any) -> None:
        """Raise if a coordinate has no inertia; otherwise the state itself is not finite."""
        M = self.mass_matrix(q, t, parameters=parameters)
        for matrix in M.reshape(-1, *M.shape[-2:]):
            if not np.all(np.isfinite(matrix)):
                continue
            values, vectors = np.linalg.eigh(matrix)
            if values[0] > 1e-13 * max(values[-1], 1e-300):  # noqa: PLR2004
                continue
            name = self.names.v[int(np.argmax(np.abs(vectors[:, 0])))]
            joint = name.split(".")[0]
            raise SingularSystemError(
                f"no inertia is moved by {name!r} of joint {joint!r} at t = {float(np.max(t)):g} s: "
                f"the mass matrix has the eigenvalue {values[0]:.1e} (largest {values[-1]:.1e}).\n"
                f"  Give the body outboard of {joint!r} mass or a moment of inertia about that "
                f"axis, drive the coordinate, or make {joint!r} a Fixed joint."
            )

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
        return self._run(
            newton_euler.INVERSE_LOADED, q, v, vdot, loads, t, parameters=parameters
        )[0]

    def bias(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Forces h(q, v) of ``M dv/dt + h = tau``: gyroscopic, drives and gravity (..., n_v)."""
        zero = np.zeros(self._description.n_v)
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
        """Mass matrix M (..., n_v, n_v) [kg, kg m, kg m^2]."""
        if not isinstance(self.execution, Looped):
            (M,) = self._run(composite_body.MASS_MATRIX, q, t, parameters=parameters)
            return M
        q = np.asarray(q, dtype=float)
        t = np.asarray(t, dtype=float)
        columns = np.eye(self._description.n_v)
        return self._run(
            composite_body.MULTIPLY,
            q[..., np.newaxis, :],
            columns,
            t[..., np.newaxis],
            parameters=parameters,
        )[0]

    def multiply_mass_matrix(
        self, q: Any, x: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Any:
        """Product M(q) x (..., n_v) in O(n)."""
        return self._run(composite_body.MULTIPLY, q, x, t, parameters=parameters)[0]

    def solve_mass_matrix(self, q: Any, x: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Solution y of M(q) y = x for one or many right sides x (..., n_v), O(n) each.

        One factorisation by articulated bodies serves all right sides; ``q`` is a single
        configuration (n_q,).
        """
        rights = np.asarray(x, dtype=float)
        lead = rights.shape[:-1]
        rows = rights.reshape(-1, rights.shape[-1])
        fresh = np.zeros((len(rows), 1))
        fresh[:1] = 1.0
        q = np.asarray(q, dtype=float)
        p = self._parameters(parameters)
        (y,) = self._solver(q, rows, fresh, np.asarray(t, dtype=float), p)
        return y.reshape(*lead, -1)

    @cached_property
    def _solver(self) -> Any:
        description = Description(self.model, share=True)
        return Looped(lanes=1).prepare(articulated_body.SOLVE, description)

    def energy(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> tuple[Any, Any]:
        """Kinetic and potential energy [J]; the potential is zero at the world's origin."""
        energy = self._run(balance.BALANCE, q, v, t, parameters=parameters)[0]
        return energy[..., 0].sum(axis=-1), energy[..., 1].sum(axis=-1)

    def momentum(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Momentum [L; P] (..., 6) [kg m^2/s, kg m/s] of all bodies about the world's origin."""
        momenta = self._run(balance.BALANCE, q, v, t, parameters=parameters)[1]
        return momenta[..., : self._n_bodies, :].sum(axis=-2)

    def centre_of_mass(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Centre of mass of all bodies (..., 3) [m]."""
        zero = np.zeros(self._description.n_v)
        moment = self._run(balance.BALANCE, q, zero, t, parameters=parameters)[2].sum(axis=-2)
        return moment[..., 1:] / self._mass(moment[..., :1])

    def centre_of_mass_jacobian(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Jacobian (..., 3, n_v) of the centre of mass."""
        (columns,) = self._run(balance.MOMENT_COLUMNS, q, t, parameters=parameters)
        zero = np.zeros(self._description.n_v)
        moment = self._run(balance.BALANCE, q, zero, t, parameters=parameters)[2].sum(axis=-2)
        return np.swapaxes(columns, -1, -2) / self._mass(moment[..., :1])[..., np.newaxis]

    def _mass(self, total: Any) -> Any:
        if not np.all(total > 0.0):
            raise SingularSystemError(
                f"model {self.model.name!r} has no mass, so it has no centre of mass. "
                "Give a body a mass."
            )
        return total
