"""Constraint rows on symbols of their own bodies, one graph for all rows of a kind.

What the rows of a cut joint or of a held measure are in `constrained`, as expressions of the whole
state, they are here as expressions of the poses, twists and accelerations of their own bodies. A
row with the derivatives J = [a; b] by the twist of a body at p has, by velocity coordinate k with
the mode vector [w; u] at p_k,

    P_k = a · w + b · (u + w × (p − p_k))                                       (CD-6)
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.connections.scene import Actual, trace_measure
from jourdain.equations.constraints.cut_joints import close, motion_of
from jourdain.equations.constraints.held import hold
from jourdain.equations.tracing.constant_entries import Known, filled, known
from jourdain.model.connection import Connection
from jourdain.model.elements import WORLD, Frame, JointElement, with_values
from jourdain.model.laws.equal import Equal
from jourdain.spatial.parameter import evaluate, values_in_force

Read = tuple[Any, str, int]  # symbol, pointer, offset


class Seen:
    """Symbols that a kind of rows looks at, and where each of them lies."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.t, self.values = ca.SX.sym("t"), parameters
        self.reads: list[Read] = [(self.t, "t", 0)]
        self.reads += [(symbol, "p", k) for k, symbol in enumerate(parameters.values())]

    def column(self, pointer: str, entries: Known, start: int = 0) -> Any:
        """Column of numbers that are known, and of symbols that are read."""
        column = filled(pointer, entries)
        for k, x in enumerate(entries):
            if x is None:
                self.reads.append((column.nz[k], pointer, start + k))
        return column

    def packed(self, pointer: str, entries: Known) -> Any:
        """As `column`, where only what is not known has been stored, without gaps."""
        column = filled(pointer, entries)
        unknown = (column.nz[k] for k, x in enumerate(entries) if x is None)
        self.reads += [(symbol, pointer, k) for k, symbol in enumerate(unknown)]
        return column

    def body(self, k: int, entries: Mapping[str, Known]) -> tuple[Any, Any, Any, Any]:
        """Pose, twist and acceleration of the k-th body."""
        pose = self.column(f"pose{k}", entries["pose"])
        R = ca.vertcat(*(pose[4 * i : 4 * i + 3].T for i in range(3)))
        p = ca.vertcat(*(pose[4 * i + 3] for i in range(3)))
        rest = (self.column(f"{n}{k}", entries[n]) for n in ("twist", "acceleration"))
        return R, p, *rest


@dataclass(frozen=True)
class RowKind:
    """Rows of one kind.

    Parameters
    ----------
    reads : list of Read
        What is read.
    bodies : list of (J, A, B)
        Per moving body: derivatives (n, 6) by its twist; squared size of an entry by a mode vector
        is A |w|² + B |u|².
    coordinates : list of casadi.SX
        Derivatives by rates of coordinates.
    rate, bias, error : casadi.SX
        As in `constrained.Block`.
    gap : casadi.SX
        All position errors: six of a cut joint.
    is_holonomic : bool
        Whether the rows on velocity level are rates of those on position level.
    fit : casadi.SX
        Change of the coordinates of a cut joint that brings them to where the bodies are.
    velocities, rates : casadi.SX
        Free velocities of a cut joint, and rates of its coordinates.
    shift : casadi.SX
        Change of the coordinates when the bodies are moved by ``moved0``, …
    joint : mapping
        Derivatives of ``fit`` and ``velocities`` of a cut joint by displacements and by twists of
        its bodies.
    directions : casadi.SX
        Derivatives of the rows of a cut joint by its relative velocity, row by row.
    """

    reads: list[Read]
    bodies: list[tuple[Any, Any, Any]]
    coordinates: list[Any]
    rate: Any
    bias: Any
    error: Any
    gap: Any
    is_holonomic: bool = True
    fit: Any = field(default_factory=lambda: ca.SX(0, 1))
    velocities: Any = field(default_factory=lambda: ca.SX(0, 1))
    rates: Any = field(default_factory=lambda: ca.SX(0, 1))
    shift: Any = field(default_factory=lambda: ca.SX(0, 1))
    joint: Mapping[str, list[Any]] = field(default_factory=dict)
    directions: Any = field(default_factory=lambda: ca.SX(0, 1))

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.rate.numel())

    def of_coordinates(self, name: str) -> RowKind:
        """Rows that are the rates of ``fit`` or the ``velocities`` of a cut joint, not held."""
        n = getattr(self, name).numel()
        bodies = [(J, ca.SX(n, 1), ca.SX(n, 1)) for J in self.joint[name]]
        return replace(self, rate=getattr(self, name), bodies=bodies, coordinates=[])

    @property
    def by_twists(self) -> Any:
        """Derivatives by the twists of the bodies, one after the other, row by row."""
        return ca.vertcat(ca.SX(0, 1), *(ca.vec(ca.densify(J.T)) for J, _, _ in self.bodies))

    @property
    def largest(self) -> Any:
        """Largest position error."""
        return ca.norm_inf(self.gap) if self.gap.numel() else ca.SX(0)

    @cached_property
    def by_bodies(self) -> list[tuple[Any, Known]]:
        """Per moving body: J row by row, A and B in one column, and what is known of it."""
        columns = [
            ca.vertcat(*(ca.vec(ca.densify(x)) for x in (J.T, A, B))) for J, A, B in self.bodies
        ]
        return [(column, known("", column)) for column in columns]


def frame_numbers(frame: Frame, values: Mapping[str, Any]) -> list[Any]:
    """Position and rotation of a frame, row by row: numbers, or expressions of parameters."""
    position = math.vector(evaluate(frame.position, values))
    return [*(position[k] for k in range(3)), *np.array(frame.rotation, dtype=float).ravel()]


def simple(numbers: Sequence[Any]) -> Known:
    """Numbers that are 0 or ±1; None for all others."""
    plain = [None if isinstance(x, ca.SX) else float(x) for x in numbers]
    return tuple(x if x in (0.0, 1.0, -1.0) else None for x in plain)


def _framed(frame: Frame, column: Any) -> Frame:
    """Frame with symbols for its numbers."""
    x = ca.vertsplit(column)
    twin = copy.copy(frame)
    object.__setattr__(twin, "position", tuple(x[:3]))
    object.__setattr__(twin, "rotation", tuple(tuple(x[3 + 3 * i : 6 + 3 * i]) for i in range(3)))
    return twin


def cut_joint_rows(
    element: JointElement,
    frames: tuple[Known, Known],
    bodies: Mapping[str, Mapping[str, Known]],
    parameters: Mapping[str, Any],
) -> RowKind:
    """Rows of a cut joint.

    Parameters
    ----------
    element : JointElement
        The joint.
    frames : (Known, Known)
        What is known of the numbers of its parent frame and of its child frame; the others are
        read.
    bodies : mapping
        Per moving body, in the order parent, child: what is known of its motion.
    parameters : mapping
        Symbols of the parameters.
    """
    seen = Seen(parameters)
    twin = copy.copy(element)
    for k, name in enumerate(("parent", "child")):
        column = seen.column("constants", frames[k], 12 * k)
        object.__setattr__(twin, name, _framed(getattr(element, name), column))
    q = seen.column("coordinates", (None,) * len(motion_of(element).free))
    moving = {name: seen.body(k, own) for k, (name, own) in enumerate(bodies.items())}
    c = close(twin, parameters, q, Actual(moving, {}, seen.t), ())
    W, gap = c.W, c.error
    rows = []
    for k, name in enumerate(moving):
        J = c.velocity.bodies[name]
        A, B = (c.W_size @ ca.sum2(part**2) for part in (J[:, :3], J[:, 3:]))
        rows.append((W.T @ J, A, B))
        gap = gap + J @ seen.column(f"moved{k}", (None,) * 6)
    ways = {"fit": c.fit, "velocities": c.S_plus}
    return RowKind(
        seen.reads, rows, [], W.T @ c.gap_rate, W.T @ c.bias, W.T @ c.error,
        c.error, c.W_place is c.W, c.fit @ c.error, c.S_plus @ c.gap_rate, c.rates, c.back @ gap,
        {n: [A @ c.velocity.bodies[x] for x in moving] for n, A in ways.items()},
        ca.vec(ca.densify(W)),
    )  # fmt: skip


def held_rows(
    connection: Connection,
    law: Equal,
    bodies: Mapping[str, Mapping[str, Known]],
    coordinates: Sequence[str],
    parameters: Mapping[str, Any],
) -> tuple[RowKind, list[str], list[str]]:
    """Rows of a held measure, the moving bodies that it looks at, and the coordinates.

    Parameters
    ----------
    connection : Connection
        The measure, with its name.
    law : Equal
        Its law.
    bodies : mapping
        Per body of the model: entries known of its motion.
    coordinates : sequence of str
        Coordinates that are numbers of q with rates of v.
    parameters : mapping
        Symbols of the parameters.
    """
    seen, where = Seen(parameters), f"connection {connection.name!r}"
    with values_in_force(parameters):
        measure = with_values(connection.measure, parameters)
        traced = trace_measure(measure, coordinates, where)
        names = [name for name in traced.scene.moving if name != WORLD]
        moving = {name: seen.body(k, bodies[name]) for k, name in enumerate(names)}
        asked = {
            name: (*(seen.column(f"{x}{k}", (None,)) for x in ("q", "v")), ca.SX(0))
            for k, name in enumerate(traced.scene.coordinates)
        }
        quantity = traced.at(Actual(moving, asked, seen.t))
        quantity = hold(quantity, law, parameters, seen.t, where)
    squares = [
        (J, ca.sum2(J[:, :3] ** 2), ca.sum2(J[:, 3:] ** 2)) for J in quantity.bodies.values()
    ]
    error = quantity.value
    kind = RowKind(
        seen.reads, squares, list(quantity.coordinates.values()),
        quantity.rate, quantity.bias, error, ca.SX(0, 1) if error is None else error,
        error is not None,
    )  # fmt: skip
    return kind, names, list(asked)


def entries_along(derivatives: Known, column: Known, pose: Known) -> tuple[list[Read], Any, Any]:
    """Derivatives of rows by one velocity coordinate, and their squared sizes (CD-6).

    Parameters
    ----------
    derivatives : Known
        What is known of the derivatives of the rows by the twist of a body, see
        `RowKind.by_bodies`.
    column, pose : Known
        What is known of the mode vector and of the pose of the body.
    """
    seen, n = Seen({}), len(derivatives) // 8
    rows = seen.packed("rows", derivatives)
    J = ca.reshape(rows[: 6 * n], 6, n).T
    mode, place = seen.column("column", column), seen.column("pose", pose)
    w, u = _carried(mode, ca.vertcat(place[3], place[7], place[11]))
    squares = rows[6 * n : 7 * n] * ca.sumsqr(w) + rows[7 * n :] * ca.sumsqr(u)
    return seen.reads, J[:, :3] @ w + J[:, 3:] @ u, squares


def mass_entry(inner: Known, outer: Known, is_diagonal: bool) -> tuple[list[Read], Any]:
    """Entry M_ki of the mass matrix from the mode i and the momentum of mode k (CD-5)."""
    seen = Seen({})
    mode, place = seen.column("inner", inner), seen.column("outer", outer)
    F = seen.column("momentum", (None,) * 7)
    w, u = _carried(mode, place[6:])
    return seen.reads, ca.dot(w, F[:3]) + ca.dot(u, F[3:6]) + (F[6] if is_diagonal else 0.0)


def _carried(mode: Any, p: Any) -> tuple[Any, Any]:
    """Mode vector at another place."""
    w = mode[:3]
    return w, mode[3:6] + math.cross(w, p - mode[6:9])
