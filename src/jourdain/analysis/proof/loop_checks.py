"""Checks of closed loops and connections at states that satisfy all constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.proof.case import TINY, Discrepancies
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.errors import AssemblyError
from jourdain.formulations import Augmented
from jourdain.model.model import Model
from jourdain.results.channels.energetics import Power
from jourdain.results.trajectory import Trajectory
from jourdain.system import System

_STEPS = (1e-3, 1e-4, 1e-5)  # of differences [s]


def tree_of(model: Model, cuts: Any) -> Model:
    """Copy of a model without its connections and without the joints that are cut."""
    twin = Model(model.name, model.gravity)
    tables = twin.tables()
    tables["body"].update(model.bodies)
    tables["joint"].update({name: j for name, j in model.joints.items() if name not in cuts})
    tables["coordinate"].update(model.coordinates)
    return twin


@dataclass(frozen=True, eq=False)
class LoopCase:
    """A system with loops or connections at a state that satisfies its constraints."""

    system: System
    q: Any
    v: Any
    tau: Any
    t: float

    @staticmethod
    def near(
        system: System, rough: Mapping[str, Any], known: Mapping[str, Any], t: float, rng: Any
    ) -> LoopCase:
        """Case at a random state near rough positions, or where it is known to fit together."""
        found = None
        for positions, time in ((rough, t), (known, t)):
            try:
                found, t = assemble(system, near=positions, t=time), time
                break
            except AssemblyError:
                continue
        if found is None:
            found, t = assemble(system, near=known), 0.0
        n_v = len(system.names.v)
        q, v = system.project(found.q, found.v + rng.uniform(-1.0, 1.0, n_v), t)
        return LoopCase(system, q, v, rng.uniform(-1.0, 1.0, n_v), t)

    @cached_property
    def run(self) -> Trajectory:
        """The state as a trajectory of one sample."""
        extra = np.zeros((1, len(self.system.extra_names)))
        q, v, vdot, tau = (x[np.newaxis] for x in (self.q, self.v, self.vdot, self.tau))
        return Trajectory(self.system, np.array([self.t]), q, v, vdot, tau, extra, {})

    @cached_property
    def vdot(self) -> Any:
        """Accelerations."""
        return self.system.forward_dynamics(self.q, self.v, self.tau, self.t)

    def slopes(self, function: Any) -> list[Any]:
        """Slopes of a function (q, v, t) along the motion, by differences of several steps."""
        rates, found = self.run.rates[0], []
        for h in _STEPS:
            shifts = h * np.array([-2.0, -1.0, 1.0, 2.0])
            q = self.q + np.outer(shifts, rates)
            v = self.v + np.outer(shifts, self.vdot)
            far0, near0, near1, far1 = function(q, v, self.t + shifts)
            found.append((8.0 * (near1 - near0) - (far1 - far0)) / (12.0 * h))
        return found


def accelerations(case: LoopCase) -> Discrepancies:
    """Recursion with cut joints against free bodies with all joints as constraints."""
    s, state = case.system, (case.q, case.v, case.tau, case.t)
    other = Augmented().accelerations(s, *state)
    M, h = s.mass_matrix(case.q, case.t), s.bias(case.q, case.v, case.t)
    size = np.abs(M) @ (np.abs(other) + np.abs(case.vdot)) + np.abs(h) + np.abs(case.tau) + TINY
    errors = np.abs(M @ (other - case.vdot)) / size
    return dict(zip(s.names.v, errors.tolist(), strict=True))


def constraints(case: LoopCase) -> Discrepancies:
    """Constraints stay satisfied along the motion, on the level of positions and velocities."""
    s, found = case.system, {}
    speed = 1.0 + np.abs(case.v).max(initial=0.0) + np.abs(case.vdot).max(initial=0.0)
    levels = {"position": Mechanism.row_errors, "velocity": Mechanism.velocity_errors}
    for words, quantity in levels.items():

        def errors(q: Any, v: Any, t: Any, quantity: MechanismQuantity = quantity) -> Any:
            return s.answers(quantity, q, v, t=t)

        worst = np.min([np.abs(x) for x in case.slopes(errors)], axis=0) / speed
        for element, place in s.constraint_rows.items():
            found[f"{words} of {element}"] = float(worst[place].max(initial=0.0))
    return found


def power(case: LoopCase) -> Discrepancies:
    """Energy of bodies and connections grows by the power of forces, drives and laws."""
    s, powers = case.system, Power(case.run)
    given = powers.applied[0] + powers.drives[0]
    stored = s.has_connections
    given += powers.connections[0] if stored else 0.0

    def energy(q: Any, v: Any, t: Any) -> Any:
        total = np.sum(s.energy(q, v, t), axis=0)
        return total + (s.answers(Mechanism.powers, q, v, t=t)[:, 0] if stored else 0.0)

    motion = s.multiply_mass_matrix(case.q, case.vdot, case.t)
    size = np.abs(motion) @ np.abs(case.v) + abs(given) + 1.0
    return {"": min(abs(float(x) - given) for x in case.slopes(energy)) / float(size)}
