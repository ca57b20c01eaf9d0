"""Connections and cut joints in absolute coordinates: constraint rows and loads.

With z₊ = [z; scalar coordinates], a measure has ẋ = J dz₊/dt + …, a law adds Jᵀ F to the loads,
and a measure that is held adds the row J d²z₊/dt² = −bias; a cut joint adds ψ̄ᵀ A (AG-2). Internal
coordinates that held parts of a composite place are scalar coordinates without inertia.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.connections.law_view import Known, LawView
from jourdain.equations.connections.scene import Actual, Others, Quantity, trace_measure
from jourdain.equations.constraints.held import hold
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError
from jourdain.formulations.descriptor import Descriptor
from jourdain.formulations.joint_rows import CoordinateRow, JointRows, cut_rows, tree_rows
from jourdain.formulations.skeleton import Posture, Skeleton
from jourdain.model.composites.composite import CompositeElement
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import Equal, ForceLaw, SetValued
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate, values_in_force


@dataclass(frozen=True)
class Rows:
    """Constraint rows W z̈₊ = right of one cut joint or held measure."""

    name: str
    W: Any
    right: Any


class Connections:
    """Cut joints and connections of a system at one state.

    Parameters
    ----------
    skeleton, posture, descriptor
        The tree at the state.
    q, v : (n_q,), (n_v,)
        All coordinates, and velocities of the tree.
    t : float [s]
        Time.
    """

    def __init__(
        self, skeleton: Skeleton, posture: Posture, descriptor: Descriptor, q: Any, v: Any, t: float
    ) -> None:
        self._skeleton, self._posture, self._d = skeleton, posture, descriptor
        self._q, self._v, self._t = np.asarray(q, dtype=float), np.asarray(v, dtype=float), float(t)
        self.scalars = np.flatnonzero(skeleton.scalar_inertias > 0.0)
        self._parts = skeleton.system.description.parts
        kinematic = [c for c in self._parts.composites if c.is_kinematic]
        self._placed = [name for c in kinematic for name in c.coordinates]
        scalar = skeleton.scalar_inertias[self.scalars]
        self.inertias = np.concatenate([scalar, np.zeros(len(self._placed))])
        self.size = descriptor.size + len(self.inertias)

    @cached_property
    def cuts(self) -> list[JointRows]:
        """Cut joints."""
        return list(cut_rows(self._skeleton, self._posture, self._d, self._q, self._t))

    @cached_property
    def rows(self) -> list[Rows]:
        """Constraint rows, cut joints first."""
        found = []
        for cut in self.cuts:
            W = np.zeros((cut.locked.shape[1], self.size))
            W[:, : self._d.size] = cut.locked.T @ cut.A
            found.append(Rows(cut.element.name, W, cut.locked.T @ cut.bias))
        for name, quantity in self._quantities.items():
            c = self._model.connections[name]
            if isinstance(c.law, Equal) and name in self.held:
                where = f"connection {c.name!r}"
                held = hold(quantity, c.law, self._skeleton.values, self._t, where)
                found.append(Rows(c.name, self._jacobian(held), -_flat(held.bias)))
        return found

    @property
    def held(self) -> list[str]:
        """Names of the measures that are held by multipliers."""
        return [c.name for c in self._parts.held]

    def padded(self, forces: Any) -> Any:
        """Forces on bodies and scalar coordinates, with none on internal ones."""
        return np.concatenate([forces, np.zeros(self.size - len(forces))])

    def loads(self, multipliers: Mapping[str, Any]) -> Any:
        """Loads of all laws (6n + scalars,), at the body frames, for given multipliers."""
        total = np.zeros(self.size)
        for name, quantity in self._quantities.items():
            c = self._model.connections[name]
            if isinstance(c.law, ForceLaw):
                total += self._jacobian(quantity).T @ self._force(c, c.law, quantity, multipliers)
        for element in self._parts.composites:
            if element.n_held and not element.is_kinematic:
                total += self._carried(element, multipliers)
        return total

    def _carried(self, element: CompositeElement, multipliers: Mapping[str, Any]) -> Any:
        """Loads of held parts that carry the forces of the other parts at the nodes (CN-7)."""
        names = list(element.coordinates)
        f, rows, W = np.zeros(len(names)), [], []
        for part in element.inner_names:
            c, quantity = self._model.connections[part], self._quantities[part]
            none = np.zeros((c.measure.size, 1))
            along = np.hstack([np.array(quantity.coordinates.get(n, none)) for n in names])
            if isinstance(c.law, ForceLaw):
                f += along.T @ self._force(c, c.law, quantity, multipliers)
            else:
                rows.append(along)
                W.append(self._jacobian(quantity))
        mu = np.linalg.lstsq(np.vstack(rows).T, -f, rcond=None)[0]
        return np.vstack(W).T @ mu

    @property
    def _model(self) -> Model:
        return self._skeleton.system.model

    def _force(
        self, c: Connection, law: ForceLaw, quantity: Quantity, multipliers: Mapping[str, Any]
    ) -> Any:
        values = self._skeleton.values
        law = with_values(law, values)
        actual = self._actual
        found = {name: _one_or_more(x) for name, x in multipliers.items()}
        forces = _Forces(self._quantities, partial(self._force_of, multipliers))
        rates = actual.state_rates
        known = Known(self._coordinates, actual.states, actual.inputs, found, forces, rates)
        view = LawView(c, known, actual)
        x = None if quantity.value is None else _one_or_more(quantity.value)
        with values_in_force(values):
            force = law.force(x, _one_or_more(quantity.rate), view)
            return _flat(math.vector(evaluate(force, values)))

    def _force_of(self, multipliers: Mapping[str, Any], name: str) -> Any:
        """Force of a connection that another one asks for."""
        c = self._model.connections[name]
        if isinstance(c.law, ForceLaw):
            return _one_or_more(self._force(c, c.law, self._quantities[name], multipliers))
        return _one_or_more(multipliers[name])

    def _rate_of(self, name: str) -> float:
        """Rate of a state that a law asks for."""
        system, p = self._skeleton.system, self._skeleton.values
        state = {"q": self._q, "v": self._v, "t": self._t, "p": np.array(list(p.values()))}
        return float(system.interpreted(Mechanism.zdot, **state)[system.names.q.index(name)])

    @cached_property
    def _actual(self) -> Actual:
        """Numbers of everything that measures and laws look at; inputs are zero."""
        numbers = {k: (c.value, c.rate, c.second) for k, c in self._coordinates.items()}
        places = {name: k for k, name in enumerate(self._skeleton.system.names.q)}
        states = {name: self._q[places[name]] for name in self._parts.states}
        inputs = dict.fromkeys(self._parts.inputs, 0.0)
        rates = _Forces(self._parts.states, self._rate_of)
        return Actual(self._bodies, numbers, self._t, states, inputs, rates, inputs)

    @cached_property
    def _quantities(self) -> dict[str, Quantity]:
        values, coordinates, actual = self._skeleton.values, self._coordinates, self._actual
        found = {}
        for c in self._model.connections.values():
            if isinstance(c.law, SetValued):
                continue  # smooth motion only
            with values_in_force(values):
                measure = with_values(c.measure, values)
                own = self._parts
                others = Others(own.states, own.inputs) if isinstance(c.law, ForceLaw) else None
                where = f"connection {c.name!r}"
                traced = trace_measure(measure, coordinates, where, others=others)
                found[c.name] = traced.at(actual)
        return found

    @cached_property
    def _bodies(self) -> Mapping[str, tuple[Any, Any, Any, Any]]:
        R, p = self._posture.bodies
        twists = self._d.twists.reshape(-1, 6)
        names = [s.name for s in self._posture.segments]
        return {n: (R[k + 1], p[k + 1], twists[k], np.zeros(6)) for k, n in enumerate(names)}

    @cached_property
    def _coordinates(self) -> Mapping[str, CoordinateRow]:
        state = self._q, self._v, self._t
        found: dict[str, CoordinateRow] = {}
        tree = tree_rows(self._skeleton, self._posture, self._d, *state)
        for joint in (*tree, *self.cuts):
            found |= dict(joint.coordinates())
        found |= self._scalar_coordinates() | self._internal_coordinates()
        return found | self._elastic_coordinates()

    def _elastic_coordinates(self) -> dict[str, CoordinateRow]:
        found = {}
        for own, rows in self._d.elastic_rows:
            element = self._skeleton.system.topology.tree[own.number].joint
            for k, name in enumerate(element.kind.coordinates):
                state = float(own.d[k]), float(own.rate[k]), float(own.known[k])
                free = float(own.E[k].any())
                row = free * np.eye(1, self.size, rows.start + k)[0]
                found[f"{element.name}.{name}"] = CoordinateRow(*state, row)
        return found

    def _internal_coordinates(self) -> dict[str, CoordinateRow]:
        names = list(self._parts.internal)
        if not names:
            return {}
        system, p = self._skeleton.system, self._skeleton.values
        state = {"q": self._q, "v": self._v, "t": self._t, "p": np.array(list(p.values()))}
        values, rates = np.split(system.interpreted(Mechanism.internal, **state), 2)
        found = {}
        for name, x, rate in zip(names, values, rates, strict=True):
            row = np.zeros(self.size)
            if name in self._placed:
                row[self._d.size + len(self.scalars) + self._placed.index(name)] = 1.0
            found[name] = CoordinateRow(float(x), float(rate), 0.0, row)
        return found

    def _scalar_coordinates(self) -> dict[str, CoordinateRow]:
        system, e = self._skeleton.system, self._skeleton.drives(self._t)
        layout, first = system.description.layout, len(self._posture.segments)
        found = {}
        for k, name in enumerate(system.model.coordinates, first):
            row = np.zeros(self.size)
            if system.model.coordinates[name].driven is not None:
                value, rate, second = e[:, layout.e_start[k]]
                found[name] = CoordinateRow(value, rate, second, row)
                continue
            v = layout.v_start[k]
            row[self._d.size + int(np.searchsorted(self.scalars, v))] = 1.0
            found[name] = CoordinateRow(self._q[layout.q_start[k]], self._v[v], 0.0, row)
        return found

    def _jacobian(self, quantity: Quantity) -> Any:
        J = np.zeros((quantity.rate.numel(), self.size))
        numbers = {s.name: k for k, s in enumerate(self._posture.segments)}
        for name, part in quantity.bodies.items():
            k = 6 * numbers[name]
            J[:, k : k + 6] += np.array(part)
        for name, part in quantity.coordinates.items():
            row = self._coordinates[name].row
            J[:, : len(row)] += np.outer(np.array(part), row)
        return J


class _Forces(Mapping[str, Any]):
    """Forces of connections, or rates of states, computed when they are asked for."""

    def __init__(self, names: Iterable[str], force: Callable[[str], Any]) -> None:
        self._names, self._force = list(names), force

    def __getitem__(self, name: str) -> Any:
        return self._force(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


def _flat(x: Any) -> Any:
    return np.array(x, dtype=float).reshape(-1)


def _one_or_more(x: Any) -> Any:
    column = _flat(x)
    return float(column[0]) if len(column) == 1 else column


def solve_constrained(M: Any, W: Any, f: Any, right: Any) -> tuple[Any, Any]:
    """Accelerations and multipliers of ``M z̈ = f + Wᵀ μ``, ``W z̈ = right``, rows of any rank.

    The multipliers are those of least norm; only what they do together is unique.

    Raises
    ------
    ModelError
        If the rows contradict each other.
    """
    scale = np.linalg.norm(W, axis=1)
    scale[scale == 0.0] = 1.0
    U, s, V = np.linalg.svd(W / scale[:, None])
    rank = int(np.sum(s > 1e-10 * max(W.shape) * s.max(initial=0.0)))
    N, b = V[rank:].T, right / scale
    z = V[:rank].T @ ((U[:, :rank].T @ b) / s[:rank])
    left = np.abs(W @ z - right).max(initial=0.0)
    if left > 1e-6 * (1.0 + np.abs(right).max(initial=0.0)):
        raise ModelError(
            f"constraints contradict each other on acceleration level by {left:.3g} m/s² or "
            "rad/s²: the state does not satisfy them, or they cannot all hold."
        )
    z = z + N @ np.linalg.solve(N.T @ M @ N, N.T @ (f - M @ z))
    mu = U[:, :rank] @ ((V[:rank] @ (M @ z - f)) / s[:rank]) / scale
    return z, mu
