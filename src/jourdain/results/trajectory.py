"""States of a system over time, and what follows from them in one batch call each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.errors import ModelError
from jourdain.results.channels.contact_groups import contact_wrenches
from jourdain.results.channels.driven import drive_values
from jourdain.solvers.sizes import DOUBT, with_noise
from jourdain.system import System
from jourdain.system.questions.loads import Loads


class Trajectory:
    """Samples of a motion. Everything derived is computed once, when it is first asked for.

    Parameters
    ----------
    system : System
        The compiled machine.
    time : (n,) [s]
        Times, not falling; discontinuities have their time twice.
    q : (n, n_q) [m, rad, 1]
        Position coordinates.
    v : (n, n_v) [m/s, rad/s]
        Velocity coordinates.
    vdot : (n, n_v) [m/s^2, rad/s^2]
        Accelerations.
    tau : (n, n_v) [N, N m]
        Generalized forces.
    extra : (n, n_extra)
        Forces along the coordinates of cut joints, then inputs of laws.
    parameters : mapping of str to float
        Values that differ from the nominal ones.
    contacts : (n, n_contacts), optional
        What groups of contacts do; see `results.channels.contact_groups`.
    """

    def __init__(  # noqa: PLR0917
        self,
        system: System,
        time: Any,
        q: Any,
        v: Any,
        vdot: Any,
        tau: Any,
        extra: Any,
        parameters: Mapping[str, float],
        contacts: Any = None,
    ) -> None:
        self.system, self.parameters = system, parameters
        self.time, self.q, self.v, self.vdot, self.tau = time, q, v, vdot, tau
        self.extra, self.contacts = extra, contacts
        self._answers: dict[MechanismQuantity, Any] = {}

    @cached_property
    def p(self) -> Any:
        """Values of all parameters (n_p,)."""
        return self.system.parameter_array(self.parameters)

    @cached_property
    def values(self) -> dict[str, float]:
        """Values of all parameters by name."""
        return dict(zip(self.system.names.parameters, self.p.tolist(), strict=True))

    @cached_property
    def rates(self) -> Any:
        """Rates dq/dt (n, n_q)."""
        if self.system.has_connections:
            return self.answers(Mechanism.zdot)
        return self.system.coordinate_rates(self.q, self.v, self.time, parameters=self.p)

    def shifted(self, dt: float, tau_rates: Any) -> Trajectory:
        """Trajectory moved along itself by a small time [s], to first order."""
        q, v, tau = self.q + dt * self.rates, self.v + dt * self.vdot, self.tau + dt * tau_rates
        time = self.time + dt
        more = self.extra, self.parameters, self.contacts
        return Trajectory(self.system, time, q, v, self.vdot, tau, *more)

    @property
    def accelerations(self) -> Any:
        """Accelerations that the forces cause (n, n_v)."""
        if self.system.has_connections:
            return self.answers(Mechanism.vdot)
        state = self.q, self.v, self.tau, self.time
        loads = self.contact_wrenches
        return self.system.forward_dynamics(*state, wrenches=loads, parameters=self.p)

    @cached_property
    def contact_wrenches(self) -> Any:
        """Loads [torque; force] of groups of contacts on the bodies (n, n_bodies, 6), or None."""
        return contact_wrenches(self.system.model, self.contacts)

    @cached_property
    def drives(self) -> tuple[Any, Any, Any]:
        """Driven coordinates with their first and second rates, each (n, n_e)."""
        return drive_values(self.system.description, self.time, self.p)

    @cached_property
    def motion(self) -> tuple[Any, Any, Any]:
        """Poses (n, n_bodies, 4, 4), twists and accelerations (n, n_bodies, 6) of all bodies."""
        return self.system.kinematics(self.q, self.v, self.vdot, self.time, parameters=self.p)

    @cached_property
    def loads(self) -> Loads:
        """Loads of all joints and drives."""
        wrenches = None
        if self.system.has_connections:
            wrenches = self.answers(Mechanism.wrenches).reshape(len(self.time), -1, 6)
            wrenches = wrenches[:, : len(self.system.names.bodies)]
        if self.contact_wrenches is not None:
            wrenches = self.contact_wrenches + (0.0 if wrenches is None else wrenches)
        return self.system.loads(
            self.q, self.v, self.vdot, self.time, wrenches=wrenches, parameters=self.p
        )

    def answers(self, quantity: MechanismQuantity) -> Any:
        """A quantity of connections and cut joints (n, …)."""
        if quantity not in self._answers:
            self._answers[quantity] = self.system.answers(
                quantity, self.q, self.v, self.tau, self.time,
                wrenches=self.contact_wrenches, extra=self.extra, parameters=self.p,
            )  # fmt: skip
        return self._answers[quantity]

    @cached_property
    def doubtful_locks(self) -> Any:
        """Contact points whose number that tells whether they lock is rounding (n, n_points).

        Their forces tell it: a lock that closes where its measure passes a value holds it there.
        """
        y, n_q = np.hstack([self.q, self.v]), self.q.shape[1]

        def locks(y: Any) -> Any:
            return self.system.answers(
                Mechanism.locks, y[:, :n_q], y[:, n_q:], self.tau, self.time,
                wrenches=self.contact_wrenches, extra=self.extra, parameters=self.p,
            )  # fmt: skip

        values, noise = with_noise(locks, y, np.abs(y).max(axis=0, initial=0.0))
        return np.abs(values) < DOUBT * noise

    @cached_property
    def energy(self) -> tuple[Any, Any]:
        """Kinetic and potential energy (n,) [J]."""
        return self.system.energy(self.q, self.v, self.time, parameters=self.p)

    @cached_property
    def momentum(self) -> Any:
        """Angular and linear momentum (n, 6) [kg m^2/s, kg m/s]."""
        return self.system.momentum(self.q, self.v, self.time, parameters=self.p)

    @cached_property
    def centre_of_mass(self) -> Any:
        """Centre of mass (n, 3) [m]."""
        return self.system.centre_of_mass(self.q, self.time, parameters=self.p)

    def at_body(self, body: int) -> tuple[Any, Any, Any]:
        """Motion of one body: orientation and origin (n, 4, 4), twist, acceleration (n, 6).

        The world has the number −1 and rests.
        """
        if body < 0:
            n = len(self.time)
            return np.broadcast_to(np.eye(4), (n, 4, 4)), np.zeros((n, 6)), np.zeros((n, 6))
        poses, twists, accelerations = self.motion
        return poses[:, body], twists[:, body], accelerations[:, body]


def checked_samples(array: Any, what: str, shape: tuple[int, int] | None = None) -> NDArray[Any]:
    """View of an array of floats that cannot be written to: the time (n,), or (n, columns)."""
    samples = np.ascontiguousarray(array, dtype=float).view()
    samples.flags.writeable = False
    if shape is None:
        if samples.ndim != 1 or not np.all(np.diff(samples) >= 0.0):
            words = "a row of numbers in rising order; discontinuities may have their time twice"
            raise ModelError(f"the times of a solution must be {words}.")
    elif samples.shape != shape:
        raise ModelError(
            f"{what} of a solution has the shape {samples.shape} instead of {shape}: "
            "one row per time, one column per coordinate."
        )
    return samples
