"""Motions given by a solution or by one state, in the coordinates of a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import Assembly
from jourdain.analysis.driving import velocity_name
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError
from jourdain.model.names import owned
from jourdain.results import Solution
from jourdain.results.channels.naming import acceleration_names
from jourdain.spatial import check
from jourdain.system import System

_SAME = 1e-8  # part of the accelerations by which constraints may be off

_OF_ROWS = (
    Mechanism.jacobian,
    Mechanism.row_biases,
    Mechanism.cut_velocity_jacobian,
    Mechanism.cut_biases,
)


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
    for link in system.description.links:
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
        If they contradict the constraints, with the loops that would open and how fast.
    """
    own, cut = _sorted_by_place(system, wanted)
    n_v, n_rows = len(system.names.v), 0
    A, b = np.zeros((0, n_v)), np.zeros(0)
    if system.has_constraints:
        P, gamma, J, bias = (
            system.answers(quantity, state.q, state.v, t=state.t, parameters=parameters)
            for quantity in _OF_ROWS
        )
        A, n_rows = np.vstack([P, J[list(cut)]]), len(P)
        b = np.concatenate([-gamma, np.array([*cut.values()]) - bias[list(cut)]])
    vdot = np.zeros(n_v)
    vdot[list(own)] = [*own.values()]
    free = [k for k in range(n_v) if k not in own]
    vdot[free] = np.linalg.lstsq(A[:, free], b - A @ vdot, rcond=1e-11)[0]
    off = A @ vdot - b
    scale = 1.0 + np.abs(b).max(initial=0.0) + np.abs([*own.values()]).max(initial=0.0)
    if np.abs(off).max(initial=0.0) > _SAME * scale:
        n_free = n_v - int(np.linalg.matrix_rank(A[:n_rows], rtol=1e-9))
        raise _contradiction(system, state, wanted, off, n_free)
    return vdot


def _sorted_by_place(
    system: System, wanted: Mapping[str, float]
) -> tuple[dict[int, float], dict[int, float]]:
    """Wanted accelerations by the place of their velocity: of the tree, and of cut joints."""
    found: dict[str, float] = {}
    for name, value in wanted.items():
        velocity, number = (
            velocity_name(system, name),
            check.number(value, f"the acceleration of {name!r}"),
        )
        if found.get(velocity, number) != number:
            raise ModelError(
                f"two accelerations of {velocity!r} are given, {found[velocity]:g} and {number:g}. "
                "Give one."
            )
        found[velocity] = float(number)
    names, cuts = system.names.v, list(system.description.parts.cut_velocities)
    own = {names.index(name): x for name, x in found.items() if name in names}
    return own, {cuts.index(name): x for name, x in found.items() if name not in names}


def _contradiction(
    system: System, state: Assembly, wanted: Mapping[str, float], off: Any, n_free: int
) -> ModelError:
    """Error that tells which loops would open, and how fast."""
    W = system.answers(Mechanism.cut_jacobian, state.q, state.v, t=state.t)
    cuts = [cut.name for cut in system.topology.cuts]
    limit, lines = 1e-3 * np.abs(off).max(), []
    for name, rows in system.constraint_rows.items():
        if np.abs(off[rows]).max(initial=0.0) <= limit:
            continue
        if name in cuts:
            k = 6 * cuts.index(name)
            gap = np.linalg.pinv(W[rows, k : k + 6]) @ off[rows]
            size = [np.linalg.norm(part) for part in (gap[3:], gap[:3])]
            opens = f"opens at joint {name!r} by {size[0]:.4g} m/s^2 and {size[1]:.4g} rad/s^2"
            lines.append(f"  the loop {' - '.join(system.topology.loop(name))} {opens}")
        else:
            lines.append(f"  connection {name!r} is off by {np.abs(off[rows]).max():.4g}")
    given = {velocity_name(system, name): name for name in wanted}
    at_cuts = [name for velocity, name in given.items() if velocity not in system.names.v]
    for name, size in zip(at_cuts, np.abs(off[len(W) :]), strict=True):
        if size > limit:
            loop = " - ".join(system.topology.loop(owned(name, cuts)[0]))
            lines.append(f"  in the loop {loop}, {name!r} is off by {size:.4g} m/s^2 or rad/s^2")
    enough = "none is free" if not n_free else "1 is enough" if n_free == 1 else f"{n_free} do"
    return ModelError(
        f"the accelerations of {', '.join(map(repr, wanted))} contradict the constraints of model "
        f"{system.model.name!r} at t = {state.t:g} s:\n" + "\n".join(lines) + "\n"
        f"  Give fewer of them ({enough}); the others follow."
    )
