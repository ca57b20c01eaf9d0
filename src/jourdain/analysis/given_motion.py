"""Motions given by a solution or by one state, in the coordinates of a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import Assembly
from jourdain.analysis.driving import velocity_name
from jourdain.errors import ModelError, unknown_name
from jourdain.results import Solution
from jourdain.results.naming import acceleration_names
from jourdain.system import System


def samples_of(motion: Solution, system: System) -> tuple[Any, Any, Any, Any]:
    """Times, positions, velocities and accelerations of a solution, found by name.

    The solution may be one of the same machine with drives, whose tree is another.

    Raises
    ------
    ModelError
        If it has no samples, or not all the coordinates.
    """
    if not len(motion.time):
        raise ModelError(f"the solution of model {motion.model_name!r} has no samples.")
    names = system.names
    missing = [name for name in (*names.q, *names.v) if name not in motion]
    if missing:
        raise ModelError(
            f"the motion is one of model {motion.model_name!r}, which has no {missing[0]!r}; give "
            f"a solution of the machine {system.model.name!r} itself."
        )
    if motion.has_model and motion.system.names == names:
        return motion.time, motion.q, motion.v, motion.vdot
    rates = _accelerations(system)
    columns = names.q, names.v, tuple(rates[name] for name in names.v)
    q, v, vdot = (
        np.array([np.asarray(motion[name]) for name in wanted]).reshape(len(wanted), -1).T
        for wanted in columns
    )
    return motion.time, q, v, vdot


def _accelerations(system: System) -> dict[str, str]:
    """Names of the accelerations by those of the velocities of the tree."""
    found = {}
    for link in system._description.links:
        velocities = link.joint.joint.kind.velocities
        for name, rate in zip(velocities, acceleration_names(velocities), strict=True):
            found[f"{link.joint.name}.{name}"] = f"{link.joint.name}.{rate}"
    return found


def accelerate(
    system: System, state: Assembly, wanted: Mapping[str, float], parameters: Any
) -> Any:
    """Accelerations of one state: those that are wanted, the others from the constraints.

    Raises
    ------
    ModelError
        If they contradict the constraints.
    """
    names = system.names.v
    right = {}
    for name, value in wanted.items():
        velocity = velocity_name(system, name)
        if velocity not in names:
            raise unknown_name("coordinate of the tree", name, names, "accelerations")
        right[names.index(velocity)] = float(value)
    P, gamma = np.zeros((0, len(names))), np.zeros(0)
    if system.has_constraints:
        P, gamma = (
            system.answers(name, state.q, state.v, t=state.t, parameters=parameters)
            for name in ("jacobian", "row_biases")
        )
    C = np.eye(len(names))[list(right)]
    matrix, values = np.vstack([P, C]), np.concatenate([-gamma, list(right.values())])
    vdot = np.linalg.lstsq(matrix, values, rcond=1e-11)[0]
    off = np.abs(matrix @ vdot - values).max(initial=0.0)
    if off > 1e-8 * (1.0 + np.abs(values).max(initial=0.0)):
        raise ModelError(
            f"the accelerations of {', '.join(map(repr, wanted))} contradict the constraints of "
            f"model {system.model.name!r} by {off:.3g} m/s^2 or rad/s^2. Give fewer of them; the "
            "others follow."
        )
    return vdot
