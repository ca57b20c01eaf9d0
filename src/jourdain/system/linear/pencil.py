"""Sparse linear equations of large machines at rest, in absolute steps (LI-9).

Unknowns are a turn and a shift of each body in world axes, the coordinates of joints and scalar
coordinates; each joint has six rows that tie its coordinates to its two bodies. Blocks are made by
kind: one small function for all joints of a kind, one for all equal laws. With V the potential and
λ the forces of the rows,

    ∇V + Gᵀλ = 0,   K = ∇²V + Σ λ ∇²g                                         (LI-12)

in the exponential coordinates of each turn, so that K is symmetric where forces have a potential.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from jourdain.errors import ModelError
from jourdain.model.elements import WORLD, with_values
from jourdain.model.laws import ForceLaw
from jourdain.model.measures import Coordinate, Sum
from jourdain.spatial.parameter import evaluate
from jourdain.system.system import System

_REST = 1e-6  # force along a coordinate, as part of the largest, that counts as none


@dataclass(frozen=True)
class Pencil:
    """Sparse matrices of a machine at rest.

    Parameters
    ----------
    M, D, K : sparse (n, n)
        Masses, damping, stiffness.
    G : sparse (m, n)
        Rows of the joints.
    names : tuple of str
        Coordinates of joints and scalar coordinates, in the order of the last unknowns.
    first : int
        Number of unknowns of bodies, six each, before them.
    """

    M: Any
    D: Any
    K: Any
    G: Any
    names: tuple[str, ...]
    first: int


class PencilMaker:
    """Assembles the pencil of a system; see `can_be_sparse`.

    Parameters
    ----------
    system : System
        The compiled machine.
    q : (n_q,)
        Positions of rest.
    t : float [s]
        Time.
    p : (n_p,)
        Parameters.
    """

    def __init__(self, system: System, q: Any, t: float, p: Any) -> None:
        self.system, self.q, self.t = system, q, t
        self.values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self.bodies = {name: k for k, name in enumerate(system.model.bodies)}
        joints = system.model.joints.values()
        names = [f"{j.name}.{c}" for j in joints for c in j.kind.coordinates]
        self.names = (*names, *(f"{name}.value" for name in system.model.coordinates))
        self.first = 6 * len(self.bodies)
        self.places = {name: self.first + k for k, name in enumerate(self.names)}
        self.places |= {n.removesuffix(".value"): k for n, k in self.places.items()}
        self.n = self.first + len(self.names)
        self.p = p

    @cached_property
    def coordinates(self) -> Any:
        """Values of the joint and scalar coordinates, in the order of the names."""
        index = {name: k for k, name in enumerate(self.system.names.q)}
        return np.array([self.q[index[name]] for name in self.names])

    @cached_property
    def poses(self) -> Any:
        """Poses (n_bodies + 1, 4, 4); the last is the world."""
        if not self.bodies:
            return np.eye(4)[None]
        found = self.system.poses(self.q, self.t, parameters=self.p)
        return np.concatenate([np.asarray(found), np.eye(4)[None]])

    # -- masses and weights -----------------------------------------------------------------------

    def masses(self) -> tuple[Any, Any, Any]:
        """Mass matrix, gradient of the weight's potential and its second derivative."""
        gravity = np.array(evaluate(self.system.model.gravity, self.values), dtype=float)
        slope, n = np.zeros(self.n), len(self.bodies)
        mass, com, about = self._inertias()
        R = self.poses[:n, :3, :3]
        com = np.einsum("kij,kj->ki", R, com)
        c = _cross(com)
        heavy = mass[:, None, None]
        blocks, stiff = np.zeros((n, 6, 6)), np.zeros((n, 6, 6))
        blocks[:, :3, :3] = R @ about @ R.transpose(0, 2, 1) - heavy * c @ c
        blocks[:, :3, 3:], blocks[:, 3:, :3] = heavy * c, heavy * c.transpose(0, 2, 1)
        blocks[:, 3:, 3:] = heavy * np.eye(3)
        outer = gravity[:, None] * com[:, None, :]
        outer = 0.5 * (outer + outer.transpose(0, 2, 1))
        stiff[:, :3, :3] = -heavy * (outer - (com @ gravity)[:, None, None] * np.eye(3))
        weight = -mass[:, None] * np.hstack([np.cross(com, gravity), np.tile(gravity, (n, 1))])
        slope[: self.first] = weight.ravel()
        rotors = np.zeros(len(self.names))
        for name, place in self.places.items():
            if name in self.system.model.coordinates:
                inertia = self.system.model.coordinates[name].inertia
                rotors[place - self.first] = float(evaluate(inertia, self.values))
        for joint in self.system.model.joints.values():
            for (c, _), (v, _) in zip(
                joint.kind.coordinates.items(), joint.kind.velocities.items(), strict=True
            ):
                if v in joint.armature:
                    amount = float(evaluate(joint.armature[v], self.values))
                    rotors[self.places[f"{joint.name}.{c}"] - self.first] += amount
        own = np.arange(self.first).reshape(n, 6)
        diagonal = self.first + np.arange(len(rotors))
        both = [_entries(blocks, own, own), (rotors, diagonal, diagonal)]
        shape = (self.n, self.n)
        return _summed(both, shape), slope, _summed([_entries(stiff, own, own)], shape)

    def _inertias(self) -> tuple[Any, Any, Any]:
        """Masses (n,), centres of mass (n, 3) and moments about them (n, 3, 3), body axes."""
        n, known = len(self.bodies), dict[Any, Any]()
        mass, com, about = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3, 3))
        for k, body in enumerate(self.system.model.bodies.values()):
            own = body.inertia
            key = own if _is_hashable(own) else id(own)
            if key not in known:
                parts = (own.mass, own.com, own.moments)
                known[key] = [np.array(evaluate(x, self.values), dtype=float) for x in parts]
            mass[k], com[k], about[k] = known[key]
        return mass, com, about

    # -- laws -------------------------------------------------------------------------------------

    def laws(self) -> tuple[Any, Any, Any]:
        """Gradient, stiffness and damping of laws on coordinates."""
        slope = np.zeros(self.n)
        rows, columns, stiff, loss = [], [], [], []
        functions: dict[Any, Any] = {}
        for connection in self.system.model.connections.values():
            places, factors = self._terms(connection.measure)
            value = float(factors @ self.coordinates[places - self.first])
            law = connection.law
            key = law if _is_hashable(law) else id(law)
            if key not in functions:
                functions[key] = _law_slopes(law, self.values)
            force, k, d = functions[key](value)
            slope[places] -= factors * force
            both = np.outer(factors, factors).ravel()
            rows.append(np.repeat(places, len(places)))
            columns.append(np.concatenate([places] * len(places)))
            stiff.append(k * both)
            loss.append(d * both)
        shape = (self.n, self.n)
        if not rows:
            return slope, sparse.csc_array(shape), sparse.csc_array(shape)
        at = np.concatenate(rows), np.concatenate(columns)
        K = sparse.coo_array((np.concatenate(stiff), at), shape).tocsc()
        D = sparse.coo_array((np.concatenate(loss), at), shape).tocsc()
        D.eliminate_zeros()
        return slope, K, D

    def _terms(self, measure: Any) -> tuple[Any, Any]:
        terms: Any = measure.terms if isinstance(measure, Sum) else ((1.0, measure),)
        places = np.array([self.places[m.name] for _, m in terms])
        return places, np.array([float(evaluate(f, self.values)) for f, _ in terms])

    # -- joints -----------------------------------------------------------------------------------

    def joints(self) -> list[tuple[Any, Any, Any]]:
        """By kind: functions, their arguments by column, and places of the unknowns."""
        kinds: dict[Any, list[Any]] = {}
        for joint in self.system.model.joints.values():
            key = joint.kind if _is_hashable(joint.kind) else id(joint.kind)
            kinds.setdefault(key, []).append(joint)
        return [self._kind(own) for own in kinds.values()]

    def _frame(self, frame: Any) -> tuple[Any, Any]:
        """Position and orientation of a frame on its body."""
        key = (frame.position, frame.rotation)
        if key not in self._frames:
            both = (np.array(evaluate(x, self.values), dtype=float) for x in key)
            self._frames[key] = tuple(both)
        found: tuple[Any, Any] = self._frames[key]
        return found

    @cached_property
    def _frames(self) -> dict[Any, Any]:
        return {}

    def _kind(self, joints: list[Any]) -> tuple[Any, Any, Any]:
        kind = joints[0].kind
        n_q = len(kind.coordinates)
        columns, places = [], []
        for joint in joints:
            numbers, own = [], []
            for frame in (joint.parent, joint.child):
                k = -1 if frame.body == WORLD else self.bodies[frame.body]
                R, p = self.poses[k, :3, :3], self.poses[k, :3, 3]
                place, axes = self._frame(frame)
                arm, turn = R @ place, R @ axes
                numbers += [*turn.ravel(order="F"), *arm, *(p + arm)]
                own += [-1] * 6 if k < 0 else list(range(6 * k, 6 * k + 6))
            own += [self.places[f"{joint.name}.{c}"] for c in kind.coordinates]
            values = [self.coordinates[k - self.first] for k in own[12:]]
            columns.append([*numbers, *values])
            places.append(own)
        return _joint_rows(kind, n_q, self.values), np.array(columns).T, np.array(places)

    # -- all --------------------------------------------------------------------------------------

    def run(self) -> Pencil:
        """The pencil.

        Raises
        ------
        ModelError
            If the position is none of rest; the text says where.
        """
        M, slope, K = self.masses()
        pull, K_laws, D = self.laws()
        slope, K = slope + pull, K + K_laws
        kinds, n_rows, entries = self.joints(), 0, []
        for function, columns, places in kinds:
            rows = np.array(function[0].map(columns.shape[1])(columns)).reshape(6, -1, order="F")
            blocks = rows.reshape(6, columns.shape[1], places.shape[1]).transpose(1, 0, 2)
            at = n_rows + 6 * np.arange(len(places))
            entries.append(_entries(blocks, at[:, None] + np.arange(6), places))
            n_rows += 6 * len(places)
        G = _summed(entries, (n_rows, self.n))
        lam = self._multipliers(G, slope)
        start, curved = 0, []
        for function, columns, places in kinds:
            own = lam[start : start + 6 * len(places)].reshape(-1, 6).T
            found = function[1].map(columns.shape[1])(columns, own)
            size = places.shape[1]
            blocks = np.array(found).reshape(size, len(places), size).transpose(1, 0, 2)
            curved.append(_entries(blocks, places, places))
            start += 6 * len(places)
        K = K + _summed(curved, (self.n, self.n))
        return Pencil(M.tocsc(), D.tocsc(), K.tocsc(), G.tocsc(), self.names, self.first)

    def _multipliers(self, G: Any, slope: Any) -> Any:
        """Forces λ of the rows; what they leave of the gradient must be none."""
        lam = np.zeros(G.shape[0])
        if G.shape[0]:
            square = (G @ G.T).tocsc()
            factors = splu(square)
            lam = -factors.solve(G @ slope)
            lam -= factors.solve(G @ (slope + G.T @ lam))
        left = slope + G.T @ lam
        size = max(1.0, float(np.abs(slope).max(initial=0.0)))
        worst = int(np.argmax(np.abs(left))) if len(left) else 0
        if len(left) and abs(left[worst]) > _REST * size:
            in_body = worst < self.first
            name = list(self.bodies)[worst // 6] if in_body else self.names[worst - self.first]
            raise ModelError(
                f"model {self.system.model.name!r}: the position is no equilibrium: "
                f"{abs(left[worst]):.4g} N or N m act on {name!r}. Next: give the position of "
                "rest, about={...}."
            )
        return lam


def can_be_sparse(system: System) -> str:
    """Why the sparse pencil cannot be made; empty where it can."""
    model = system.model
    if system.has_contacts or model.contact_groups or model.composites or model.states:
        return "contacts, composites or states"
    if system.topology.cuts:
        return "closed loops"
    joined = {frame.body for j in model.joints.values() for frame in (j.parent, j.child)}
    free = [body for body in model.bodies if body not in joined]
    if free:
        return f"body {free[0]!r} without a joint"
    for joint in model.joints.values():
        plain = all(unit in ("rad", "m") for unit in joint.kind.coordinates.values())
        if joint.driven or not plain or len(joint.kind.velocities) != len(joint.kind.coordinates):
            return f"joint {joint.name!r}"
    if any(c.driven is not None for c in model.coordinates.values()):
        return "driven coordinates"
    for connection in model.connections.values():
        measure, law = connection.measure, connection.law
        terms = measure.terms if isinstance(measure, Sum) else ((1.0, measure),)
        if not isinstance(law, ForceLaw) or law.states or law.inputs:
            return f"connection {connection.name!r}"
        if not all(isinstance(m, Coordinate) for _, m in terms):
            return f"connection {connection.name!r}"
    return ""


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _law_slopes(law: Any, values: Any) -> Any:
    """Function of a value at rest: force, stiffness −∂f/∂x and damping −∂f/∂v."""
    x, v = ca.SX.sym("x"), ca.SX.sym("v")
    force = ca.SX(with_values(law, values).force(x, v, None))
    slopes = [force, -ca.jacobian(force, x), -ca.jacobian(force, v)]
    f = ca.Function("law", [x, v], slopes)
    known: dict[float, tuple[float, float, float]] = {}

    def at(value: float) -> tuple[float, float, float]:
        if value not in known:
            found = f(value, 0.0)
            known[value] = (float(found[0]), float(found[1]), float(found[2]))
        return known[value]

    return at


def _joint_rows(kind: Any, n_q: int, values: Any) -> tuple[Any, Any]:
    """Functions of frames and coordinates: derivatives of the rows; second ones times λ."""
    given = ca.SX.sym("given", 30 + n_q)
    steps = ca.SX.sym("steps", 12 + n_q)
    ends = []
    for k in range(2):
        own = given[15 * k : 15 * k + 15]
        R, arm, place = ca.reshape(own[:9], 3, 3), own[9:12], own[12:15]
        theta, shift = steps[6 * k : 6 * k + 3], steps[6 * k + 3 : 6 * k + 6]
        w = ca.skew(theta)
        turn = w + 0.5 * w @ w  # exp θ − 1 to second order
        ends.append((R + turn @ R, place + shift + turn @ arm))
    (R_a, p_a), (R_b, p_b) = ends
    R_j, r_j = with_values(kind, values).pose(
        ca.vertsplit(given[30:] + steps[12:]) if n_q else [], ca.SX(0)
    )
    relative = ca.SX(R_j).T @ (R_a.T @ R_b)
    turned = 0.5 * ca.vertcat(
        relative[2, 1] - relative[1, 2],
        relative[0, 2] - relative[2, 0],
        relative[1, 0] - relative[0, 1],
    )
    apart = R_a.T @ (p_b - p_a) - ca.vertcat(*(r_j[k] for k in range(3)))
    rows = ca.vertcat(turned, apart)
    lam = ca.SX.sym("lam", 6)
    still = ca.SX.zeros(steps.numel())
    slope = ca.substitute(ca.jacobian(rows, steps), steps, still)
    second = ca.substitute(ca.hessian(ca.dot(lam, rows), steps)[0], steps, still)
    first = ca.Function("rows", [given], [ca.densify(slope)])
    return first, ca.Function("second", [given, lam], [ca.densify(second)])


def _entries(blocks: Any, rows: Any, columns: Any) -> tuple[Any, Any, Any]:
    """Values, rows and columns of blocks (n, a, b) with given places; those of the world go."""
    i = np.broadcast_to(rows[:, :, None], blocks.shape)
    j = np.broadcast_to(columns[:, None, :], blocks.shape)
    kept = (i >= 0) & (j >= 0) & (blocks != 0.0)
    return blocks[kept], i[kept], j[kept]


def _summed(entries: list[tuple[Any, Any, Any]], shape: tuple[int, int]) -> Any:
    if not entries:
        return sparse.csc_array(shape)
    values, i, j = (np.concatenate(x) for x in zip(*entries, strict=True))
    return sparse.coo_array((values, (i, j)), shape).tocsc()


def _cross(x: Any) -> Any:
    """Matrices (n, 3, 3) of the cross product with vectors (n, 3)."""
    found = np.zeros((len(x), 3, 3))
    found[:, 2, 1], found[:, 0, 2], found[:, 1, 0] = x.T
    return found - found.transpose(0, 2, 1)
