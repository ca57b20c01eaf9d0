"""Loads that constraints can exert on each other without any force from outside.

Each combination μ of rows with μᵀ P = 0 (MO-1) is a state of self-stress: the wrenches Jᵀ μ on the
bodies are in balance with loads of the tree joints, which follow outboard to inboard (Sol F69). A
load is unique if it is zero in all of them. The elements that carry one are those that repeat each
other. A set of them is minimal for one of its elements: without any other, that carries nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.analysis.mobility import Mobility
from jourdain.model.elements import WORLD, Frame, JointElement
from jourdain.spatial.parameter import evaluate

_NONE = 1e-7  # load, against the largest, that counts as zero
_FEW = 60  # states among which those of one element are searched without a look at its surroundings
_STEPS_AWAY = 4  # from an element to the loops where those states are searched
_COMPONENTS = ("torque.x", "torque.y", "torque.z", "force.x", "force.y", "force.z")


class SelfStress:
    """States of self-stress of a machine in one position.

    Parameters
    ----------
    mobility : Mobility
        Constraints there.
    """

    def __init__(self, mobility: Mobility) -> None:
        self.mobility, self.system = mobility, mobility.system

    @cached_property
    def loads(self) -> dict[str, Any]:
        """Loads of joints (6, n) and forces of held measures (size, n), by name.

        Joints: torque, divided by the length of the machine, and force, on the child at its frame
        in the axes of the parent frame. The n states are orthonormal in these loads.
        """
        if not self.mobility.n_redundant:
            return {}
        _, sizes, basis = self._states
        return {name: x @ basis.T / sizes for name, x in self._states[0].items()}

    @cached_property
    def _states(self) -> tuple[dict[str, Any], Any, Any]:
        """Loads of all combinations of rows; sizes and rows of the basis of those that carry."""
        loads, n = self.of(self.mobility.repeats), self.mobility.n_redundant
        _, sizes, basis = np.linalg.svd(np.vstack(list(loads.values())), full_matrices=False)
        return loads, sizes[:n], basis[:n]

    def of(self, mu: Any) -> dict[str, Any]:
        """Loads of joints and of held measures that belong to combinations of rows."""
        system = self.system
        wrench = self.mobility.of_rows("body_jacobian").T @ mu
        bodies = wrench.reshape(len(wrench) // 6, 6, mu.shape[1])
        loads = {
            name: mu[rows] * self.mobility.sizes[rows, np.newaxis]
            for name, rows in system.constraint_rows.items()
            if name not in system.model.joints
        }
        loads |= self._of_tree(bodies) | self._of_cuts(mu)
        return {name: loads[name] for name in self._order if name in loads}

    @cached_property
    def _poses(self) -> Any:
        m = self.mobility
        return self.system.poses(m.q, m.t, parameters=m.p) if m.system.model.bodies else []

    def _of_tree(self, bodies: Any) -> dict[str, Any]:
        """Load of each tree joint against the wrenches on all bodies outboard of it."""
        topology, loads = self.system.topology, {}
        names = self.system.names.bodies
        total = {name: _at_origin(bodies[k], self._place(name)) for k, name in enumerate(names)}
        for branch in reversed(topology.tree):
            inboard = topology.names[branch.inboard]
            if inboard != WORLD:
                total[inboard] = total[inboard] + total[branch.outboard]
            if not branch.automatic:
                sign = 1.0 if branch.reversed else -1.0
                loads[branch.name] = self._in_parent(branch.joint, sign * total[branch.outboard])
        return loads

    def _of_cuts(self, mu: Any) -> dict[str, Any]:
        """Load of each cut joint on its child."""
        loads = {}
        on_child = self.mobility.of_rows("cut_jacobian").T @ mu
        for k, cut in enumerate(self.system.topology.cuts):
            turn = self._axes(cut.parent).T @ self._axes(cut.child)
            torque, force = np.split(on_child[6 * k : 6 * k + 6], 2)
            loads[cut.name] = np.vstack([turn @ torque / self.mobility.length, turn @ force])
        return loads

    def _place(self, body: str) -> Any:
        return self._poses[self.system.names.bodies.index(body), :3, 3]

    def _in_parent(self, joint: JointElement, load: Any) -> Any:
        """Load [torque / L; force] on the child, at its frame, in axes of the parent frame."""
        point = self.system._point(self._poses, joint.child, self.mobility.p)
        torque, force = np.split(_at_origin(load, -point), 2)
        R = self._axes(joint.parent)
        return np.vstack([R.T @ torque / self.mobility.length, R.T @ force])

    def _axes(self, frame: Frame) -> Any:
        """Axes of a frame in the world."""
        names = self.system.names
        values = dict(zip(names.parameters, self.mobility.p.tolist(), strict=True))
        R = np.array(evaluate(frame.rotation, values), dtype=float)
        if frame.body == WORLD:
            return R
        return self._poses[names.bodies.index(frame.body), :3, :3] @ R

    @cached_property
    def not_unique(self) -> tuple[str, ...]:
        """Components of loads that are not unique, as results name them."""
        return tuple(name for name, size in self._components if size > _NONE)

    @cached_property
    def unique(self) -> tuple[str, ...]:
        """Components of loads of the same elements that are unique all the same."""
        touched = {name.partition(".")[0] for name in self.not_unique}
        return tuple(
            name for name, size in self._components
            if size <= _NONE and name.partition(".")[0] in touched
        )  # fmt: skip

    @cached_property
    def _components(self) -> list[tuple[str, float]]:
        found = []
        for name, load in self.loads.items():
            if name in self.system.model.joints:
                words: Any = _COMPONENTS
            else:
                words = (
                    ["force"] if len(load) == 1 else [f"force.{k + 1}" for k in range(len(load))]
                )
            sizes = np.abs(load).max(axis=1, initial=0.0)
            found += [(f"{name}.{word}", float(x)) for word, x in zip(words, sizes, strict=True)]
        return found

    @cached_property
    def sets(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """Minimal sets of joints and connections that repeat each other, with the rows too many.

        Each element that repeats others is in one of them at least.
        """
        left = [name for name, load in self.loads.items() if _carries(load)]
        found: list[tuple[tuple[str, ...], int]] = []
        while left:
            names, n = self._minimal(left[0])
            found.append((names, n))
            left = [name for name in left if name not in names]
        return tuple(found)

    def _minimal(self, kept: str) -> tuple[tuple[str, ...], int]:
        """Smallest set with one element, found by leaving out the others one by one."""
        ends = np.cumsum([0, *(len(load) for load in self.loads.values())])
        rows = {name: slice(*ab) for name, ab in zip(self.loads, pairwise(ends), strict=True)}
        stacked = np.vstack(list(self.loads.values()))
        near = self._near(kept, stacked[rows[kept]])
        stacked = stacked if near is None else stacked @ near
        for name in self._far_first(kept):
            if name != kept and _carries(stacked[rows[name]]):
                without = _null(stacked[rows[name]])
                if _carries(stacked[rows[kept]] @ without):
                    stacked = stacked @ without
        names = tuple(name for name, own in rows.items() if _carries(stacked[own]))
        return names, stacked.shape[1]

    def _near(self, kept: str, load: Any) -> Any:
        """States of a large machine that only loops near one element carry, if it carries them.

        They are searched among the rows of ever more loops; None in small machines.
        """
        if load.shape[1] <= _FEW:
            return None
        m, (_, sizes, basis) = self.mobility, self._states
        scaled = m.P * m.units / m.sizes[:, np.newaxis]
        for names in self._around(kept):
            places = [m.system.constraint_rows[name] for name in names]
            rows = np.concatenate([np.arange(p.start, p.stop) for p in places])
            left = _null(scaled[rows].T)
            states = sizes[:, np.newaxis] * (basis @ (m.repeats[rows].T * m.sizes[rows] @ left))
            u, values, _ = np.linalg.svd(states, full_matrices=False)
            own = u[:, values > _NONE * max(values.max(initial=0.0), 1.0)]
            if _carries(load @ own):
                return own
        return None

    def _around(self, kept: str) -> Iterator[list[str]]:
        """Yield cuts of loops through an element, then of those that share joints with them."""
        reached, names = {kept}, list[str]()
        for _ in range(_STEPS_AWAY):
            found = [cut for cut, loop in self._loops.items() if not reached.isdisjoint(loop)]
            if len(found) > len(names):
                names = found
                yield names
            reached = reached.union(*(self._loops[cut] for cut in found))

    @cached_property
    def _loops(self) -> dict[str, set[str]]:
        """Joints of the loop of each cut."""
        topology = self.system.topology
        return {cut.name: set(topology.loop(cut.name)) for cut in topology.cuts}

    @cached_property
    def _order(self) -> list[str]:
        model = self.system.model
        return [*model.joints, *model.connections]

    def _far_first(self, kept: str) -> list[str]:
        """Elements in the order of adding, those far from one in that order first."""
        order = list(self.loads)
        place = order.index(kept)
        return sorted(order, key=lambda name: -abs(order.index(name) - place))


def _carries(load: Any) -> bool:
    return bool(np.abs(load).max(initial=0.0) > _NONE)


def _null(load: Any) -> Any:
    """Combinations of states in which a load is zero."""
    _, values, basis = np.linalg.svd(load, full_matrices=False)
    rank = int(np.sum(values > _NONE))
    return np.linalg.qr(basis[:rank].T, mode="complete")[0][:, rank:]


def _at_origin(wrench: Any, point: Any) -> Any:
    """Wrenches [torque; force] (6, n) at a point carried to the origin of the world."""
    return np.vstack([wrench[:3] + np.cross(point, wrench[3:].T).T, wrench[3:]])
