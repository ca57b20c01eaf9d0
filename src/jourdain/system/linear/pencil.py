"""Sparse linear equations of large machines at rest, in absolute steps (LI-9).

Unknowns are a turn and a shift of each body in world axes, the steps of joints and scalar
coordinates; each joint has six rows that tie its coordinates to its two bodies, each held measure
its own. Blocks are made by kind: one small function for all joints of a kind, one for all
connections of a form. With V the potential and λ the forces of the rows,

    ∇V + Gᵀλ = 0,   K = ∇²V + Σ λ ∇²g                                         (LI-12)

in the exponential coordinates of each turn, so that K is symmetric where forces have a potential.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse.linalg import splu

from jourdain.errors import ModelError
from jourdain.model.laws import Equal, ForceLaw
from jourdain.spatial.parameter import evaluate
from jourdain.system.linear.connection_blocks import connection_blocks
from jourdain.system.linear.groups import Forces, Rows, entries, is_hashable, summed
from jourdain.system.linear.independent_rows import independent_rows
from jourdain.system.linear.joint_rows import joint_rows, joints_of, step_names
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
        Rows of joints and constraints, none of which repeats others.
    names : tuple of str
        Steps of joints and scalar coordinates, in the order of the last unknowns.
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
        names = [f"{j.name}.{s}" for j in joints_of(system) for s in step_names(j.kind)]
        self.names = (*names, *(f"{name}.value" for name in system.model.coordinates))
        self.first = 6 * len(self.bodies)
        self.places = {name: self.first + k for k, name in enumerate(self.names)}
        self.places |= {n.removesuffix(".value"): k for n, k in self.places.items()}
        self.n = self.first + len(self.names)
        self.p = p

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
        for joint in joints_of(self.system):
            for s, v in zip(step_names(joint.kind), joint.kind.velocities, strict=True):
                if v in joint.armature:
                    amount = float(evaluate(joint.armature[v], self.values))
                    rotors[self.places[f"{joint.name}.{s}"] - self.first] += amount
        own = np.arange(self.first).reshape(n, 6)
        diagonal = self.first + np.arange(len(rotors))
        both = [entries(blocks, own, own), (rotors, diagonal, diagonal)]
        shape = (self.n, self.n)
        return summed(both, shape), slope, summed([entries(stiff, own, own)], shape)

    def _inertias(self) -> tuple[Any, Any, Any]:
        """Masses (n,), centres of mass (n, 3) and moments about them (n, 3, 3), body axes."""
        n, known = len(self.bodies), dict[Any, Any]()
        mass, com, about = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3, 3))
        for k, body in enumerate(self.system.model.bodies.values()):
            own = body.inertia
            key = own if is_hashable(own) else id(own)
            if key not in known:
                parts = (own.mass, own.com, own.moments)
                known[key] = [np.array(evaluate(x, self.values), dtype=float) for x in parts]
            mass[k], com[k], about[k] = known[key]
        return mass, com, about

    # -- joints, laws, constraints ----------------------------------------------------------------

    def _pose(self, name: str) -> tuple[int, list[float]]:
        """Number of a body, its orientation column by column, and its position."""
        k = self.bodies[name]
        X = self.poses[k]
        return k, [*X[:3, :3].ravel(order="F").tolist(), *X[:3, 3].tolist()]

    def groups(self) -> list[Rows | Forces]:
        """Blocks by kind."""
        index = {name: k for k, name in enumerate(self.system.names.q)}
        at = {p: float(self.q[index[n]]) for n, p in self.places.items() if n in index}
        joints = joint_rows(self.system, self.q, self.poses, self.places, self.values)
        connections = self.system.description.parts.connections
        others = connection_blocks(connections, self._pose, self.places, at, self.values)
        return [*joints, *others]

    # -- all --------------------------------------------------------------------------------------

    def run(self) -> Pencil:
        """The pencil.

        Raises
        ------
        ModelError
            If the position is none of rest; the text says where.
        NotSparseError
            If something in the machine has no sparse blocks.
        """
        M, slope, K = self.masses()
        groups = self.groups()
        rows = [g for g in groups if isinstance(g, Rows)]
        shape, stiff, loss = (self.n, self.n), list[Any](), list[Any]()
        for group in groups:
            if isinstance(group, Forces):
                group.add(slope, stiff, loss)
        starts = np.cumsum([0, *(g.n for g in rows)]).tolist()
        slopes = [g.slopes(start) for g, start in zip(rows, starts, strict=False)]
        G = summed(slopes, (starts[-1], self.n))
        kept = np.arange(starts[-1])
        if self.system.is_corrected:
            kept = independent_rows(G, f"model {self.system.model.name!r}")
            G = G.tocsr()[kept].tocsc()
        lam = np.zeros(starts[-1])
        lam[kept] = self._multipliers(G, slope)
        for g, start in zip(rows, starts, strict=False):
            stiff.append(g.curved(lam[start : start + g.n]))
        K, D = K + summed(stiff, shape), summed(loss, shape)
        D.eliminate_zeros()
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
    """Why the sparse pencil cannot be made; empty where it can, unless a law asks for others."""
    model, parts = system.model, system.description.parts
    if system.has_contacts or model.contact_groups or parts.composites or parts.states:
        return "contacts, composites or states"
    for joint in joints_of(system):
        if joint.driven or len(joint.kind.velocities) != len(step_names(joint.kind)):
            return f"joint {joint.name!r}"
    if any(c.driven is not None for c in model.coordinates.values()):
        return "driven coordinates"
    for c in parts.connections:
        is_held = isinstance(c.law, Equal) and not callable(c.law.value)
        is_force = isinstance(c.law, ForceLaw) and not c.law.states and not c.law.inputs
        if not is_held and not is_force:
            return f"connection {c.name!r}"
    return ""


def _cross(x: Any) -> Any:
    """Matrices (n, 3, 3) of the cross product with vectors (n, 3)."""
    found = np.zeros((len(x), 3, 3))
    found[:, 2, 1], found[:, 0, 2], found[:, 1, 0] = x.T
    return found - found.transpose(0, 2, 1)
