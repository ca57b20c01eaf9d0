"""`linearize`: the linear equations of a machine about a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.doctor.shaky import neighbours
from jourdain.analysis.linear.drives import drive_columns, moved_along, split_inputs
from jourdain.analysis.linear.independent import Tangent, slim, tangent_space
from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.linear.outputs import Inputs, output_matrices
from jourdain.analysis.linear.point import OperatingPoint, operating_point, system_of
from jourdain.analysis.progress import tells_phases
from jourdain.errors import ModelError, SingularSystemError
from jourdain.model.model import Model
from jourdain.system import System
from jourdain.system.linear.state_graph import Slopes

_REST = 1e-6  # acceleration [m/s^2, rad/s^2], times their size here, that counts as none
_MOST_VELOCITIES = 60  # of machines whose neighbouring positions are looked at
_STEADY = 1e-6  # part of A by which the tangent space may turn in time


@tells_phases
def linearize(
    model: Model | System,
    about: Mapping[str, Any] | tuple[Any, Any] | None = None,
    *,
    inputs: Mapping[str, Any] | Iterable[str] | None = None,
    outputs: Iterable[str] | Mapping[str, Any] | None = None,
    coordinates: Iterable[str] = (),
    t: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    moving: bool = False,
) -> Linearization:
    """Linear equations of a machine about a state of rest or of steady motion.

    With x the changes of independent coordinates, their velocities and the states of elements,

        dx/dt = A x + B u,   y = C x + D u,

    exact derivatives of the equations that `simulate` integrates, along the steps that all loops,
    constraints and closed contacts allow. Contacts that stick, carry or slide stay so.

    Parameters
    ----------
    model : Model or System
        The machine.
    about : mapping, Equilibrium, Assembly, Moment or (q, v)
        The state; by default the reference position at rest. Along a run: ``sol.at(0.3)`` with
        ``moving=True``.
    inputs : mapping or iterable of str
        Forces along coordinates, inputs of laws and driven coordinates (``"table.position"``, with
        columns for value, rate and acceleration) that may vary, by name; a mapping gives their
        values at the state. Functions of (t, s), such as controllers, become part of the machine.
    outputs : iterable of str or mapping
        Results by name, as a solution has them, or functions of (t, s); by default all coordinates.
    coordinates : iterable of str
        Coordinates that shall be independent; others are chosen by the program.
    t : float [s]
        Time.
    parameters : mapping
        Values of parameters that differ from the nominal ones.
    moving : bool
        Whether the state may be any point of a motion: then A belongs to this instant alone.

    Returns
    -------
    Linearization
        Matrices with names and units.

    Raises
    ------
    ModelError
        If the state is no equilibrium; the text says by how much and where.
    SingularSystemError
        If the position is singular, or a coordinate moves no inertia.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> _ = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> lin = jd.linearize(model, inputs=["hinge.angle"])
    >>> lin.A.round(6).tolist()
    [[0.0, 1.0], [-29.43, 0.0]]
    """
    system = system_of(model)
    forces, driven = split_inputs(system, inputs)
    point = operating_point(system, about, forces, t, parameters)
    return linearized(point, driven, outputs, tuple(coordinates), moving=moving)


def linearized(
    point: OperatingPoint,
    driven: tuple[str, ...] = (),
    outputs: Any = None,
    coordinates: tuple[str, ...] = (),
    *,
    moving: bool = False,
) -> Linearization:
    """Linear equations about an operating point."""
    slopes = point.graph.slopes(point.at)
    point.system.check_inertia(point.at.q, point.at.t, point.at.p)
    if not moving:
        require_rest(point, slopes)
        _require_no_edge(point)
        _require_regular(point)
    tangent = tangent_space(point.system, point.at, slopes, coordinates)
    whole, A = reduced(point, slopes, tangent)
    if not moving:
        _require_steady(point, tangent, whole, A)
    columns, moved = input_columns(point, slopes, tangent, driven)
    inputs = Inputs(driven, columns, moved)
    found = output_matrices(point, tangent, whole, inputs, outputs)
    return Linearization(point, tangent, A, columns[_independent(tangent)], driven, found)


def reduced(point: OperatingPoint, slopes: Slopes, tangent: Tangent) -> tuple[Any, Any]:
    """Rates of all steps by the independent ones, and those of the independent ones: A (LI-3)."""
    whole = rates_along(point, slopes, tangent, tangent.T_sparse)
    return whole, whole[_independent(tangent)]


def rates_along(point: OperatingPoint, slopes: Slopes, tangent: Tangent, whole: Any) -> Any:
    """Rates of all steps along given ones, E⁺(DF E − Ė) of (LI-3)."""
    steps, at = tangent.steps, point.at
    n = len(steps.places)
    eta, v = whole[:n], whole[n:]
    z = slim(steps.matrix(at.q)) @ eta
    back = slim(steps.inverse(at.q))
    zdot = slopes.by_z["zdot"] @ z + slopes.by_v["zdot"] @ v
    rates = back @ (zdot - slim(steps.rate(slopes.zdot)) @ eta)
    vdot = slopes.by_z["vdot"] @ z + slopes.by_v["vdot"] @ v
    return np.vstack([rates, vdot])


def _independent(tangent: Tangent) -> list[int]:
    """Rows of the independent steps among all."""
    n = len(tangent.steps.places)
    return [*tangent.positions, *(n + k for k in tangent.velocities)]


def input_columns(
    point: OperatingPoint, slopes: Slopes, tangent: Tangent, driven: tuple[str, ...]
) -> tuple[Any, Any]:
    """Rates of all steps by inputs, and all steps by them: only drives in loops move some.

    Columns: forces, then value, rate and acceleration of each drive.
    """
    places = drive_columns(point, driven)
    n_u, back = len(point.at.u), tangent.steps.inverse(point.at.q)
    zdot = np.hstack([slopes.by_u["zdot"], slopes.by_e["zdot"][:, places]])
    vdot = np.hstack([slopes.by_u["vdot"], slopes.by_e["vdot"][:, places]])
    columns = np.vstack([back @ zdot, vdot])
    moved = np.zeros_like(columns)
    if driven:
        moved[:, n_u:] = moved_along(point, slopes, tangent, places)
        columns = columns + rates_along(point, slopes, tangent, moved)
    return columns, moved


def require_rest(point: OperatingPoint, slopes: Slopes) -> None:
    """Refuse states that accelerate, or equations that change in time."""
    names, system = (*point.system.names.q, *point.system.names.v), point.system
    n = len(point.at.q)
    parts = len(system.description.parts.states) - len(system.description.parts.internal)
    rates = np.concatenate([slopes.zdot, slopes.vdot])
    stiff = np.vstack([slopes.by_z["zdot"], slopes.by_z["vdot"]])
    size = np.maximum(np.abs(stiff).max(axis=1, initial=0.0), 1.0)
    first = n - len(system.description.parts.states)
    counted = np.r_[first : first + parts, n : len(rates)] if parts else np.arange(n, len(rates))
    counted = np.array([k for k in counted if k not in point.graph.followed], dtype=int)
    share = np.abs(rates[counted]) / size[counted]
    if len(share) and share.max() > _REST:
        worst = int(counted[np.argmax(share)])
        word = "accelerates" if worst >= n else "changes"
        unit = point.system.names.units[worst]
        raise _no_equilibrium(system, names[worst], word, rates[worst], unit)
    _require_constant(point, slopes, size[n:])
    changes = np.abs(np.vstack([slopes.by_t["zdot"], slopes.by_t["vdot"]])).ravel()
    if len(changes) and (changes / size).max() > _REST:
        worst = int(np.argmax(changes / size))
        raise ModelError(
            f"model {system.model.name!r}: its equations change in time ({names[worst]!r} by "
            f"{changes[worst]:.4g} {point.system.names.units[worst]}/s^2): no rest. Likely cause: "
            "a drive or a law that depends on t. Next: give constant drives, or moving=True for "
            "the equations of this instant."
        )


def _no_equilibrium(system: Any, name: str, word: str, rate: Any, unit: str) -> ModelError:
    return ModelError(
        f"model {system.model.name!r}: the state is no equilibrium: {name!r} {word} by "
        f"{rate:.4g} {unit}/s.\n"
        "  Next: take rest = jd.equilibrium(model, near=...) and jd.linearize(model, "
        "about=rest); or moving=True for the equations of this instant."
    )


def _require_constant(point: OperatingPoint, slopes: Slopes, size: Any) -> None:
    """Refuse motions whose accelerations are none at this instant only."""
    change = np.abs(slopes.by_z["vdot"] @ slopes.zdot + slopes.by_v["vdot"] @ slopes.vdot)
    speed = max(1.0, float(np.abs(point.at.v).max(initial=0.0)))
    if not len(change) or (change / (size * speed)).max() <= _REST:
        return
    names, system = point.system.names.v, point.system
    worst = int(np.argmax(change / size))
    moving = [n for n, v in zip(names, point.at.v, strict=True) if abs(v) > 0.0]
    if not moving:
        k = int(np.argmax(np.abs(slopes.vdot) / size))
        raise _no_equilibrium(
            system, names[k], "accelerates", slopes.vdot[k], system.names.v_units[k]
        )
    raise ModelError(
        f"model {system.model.name!r}: the motion is not steady: {names[worst]!r} accelerates by "
        f"{change[worst]:.4g} {system.names.v_units[worst]}/s more each second, for forces depend "
        f"on the positions that move with {', '.join(moving[:3])}.\n"
        "  Next: jd.periodic(...) for motions that repeat, or moving=True for the equations of "
        "this instant."
    )


def _require_regular(point: OperatingPoint) -> None:
    """Refuse positions with more freedoms than their neighbours: there motions branch."""
    system, at = point.system, point.at
    if not system.has_constraints or len(at.v) > _MOST_VELOCITIES:
        return
    here = Mobility(system, at.q, at.t, at.p)
    if not here.n_redundant or not here.n_dof:
        return
    nearby = [Mobility(system, q, at.t, at.p).n_dof for q in neighbours(here, here.n_dof)[0]]
    if min(nearby, default=here.n_dof) < here.n_dof:
        raise SingularSystemError(
            f"model {system.model.name!r} is in a singular position: {here.n_dof} freedoms here, "
            f"{min(nearby)} beside it. Motions branch here, so there are no linear equations. "
            "Next: linearise about another position."
        )


def _require_no_edge(point: OperatingPoint) -> None:
    edge = point.contacts.on_edge
    if edge:
        raise ModelError(
            f"contact on the edge of another mode: {'; '.join(str(x) for x in edge)}. There the "
            "linear equations hold on one side only.\n"
            "  Next: change the load a little, more friction, or moving=True to take the mode as "
            "it is."
        )


def _require_steady(point: OperatingPoint, tangent: Tangent, whole: Any, A: Any) -> None:
    """Refuse motions along which A is not constant (LI-4)."""
    change = whole - tangent.T_sparse @ A
    size = 1.0 + np.abs(A).max(initial=0.0)
    if np.abs(change).max(initial=0.0) > _STEADY * size:
        row = int(np.argmax(np.abs(change).max(axis=1)))
        names = (*tangent.steps.names, *point.system.names.v)
        raise ModelError(
            f"model {point.system.model.name!r}: the motion is not steady in these coordinates: "
            f"the linear equations of {names[row]!r} change in time. Likely causes: a wheel that "
            "spins on a quaternion (use a joint with angles, jd.Euler or jd.RollingDisc), or a "
            "coordinate that moves and on which forces depend. Next: jd.periodic(...), or "
            "moving=True for the equations of this instant."
        )
