"""Loads that constraints can exert on each other without any force from outside.

Each combination μ of rows with μᵀ P = 0 (MO-1) is a state of self-stress: the wrenches Jᵀ μ on the
bodies are in balance with loads of the tree joints, which follow outboard to inboard (Sol F69). A
load is unique if it is zero in all of them. The elements that carry one are those that repeat each
other. A set of them is minimal for one of its elements: without any other, that carries nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.doctor.mobility import Mobility
from jourdain.equations.mechanism import Mechanism
from jourdain.model.elements import WORLD, Frame, JointElement
from jourdain.model.names import owned
from jourdain.spatial.parameter import evaluate

_NONE = 1e-7  # load, against the largest, that counts as zero
_ALONE = 1e-6  # from size 1, of states that are looked at as those of one loop
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
        loads = self.of(self.mobility.repeats)
        stacked = np.vstack(list(loads.values()))
        _, sizes, basis = np.linalg.svd(stacked, full_matrices=False)
        n = self.mobility.n_redundant
        return {name: x @ basis[:n].T / sizes[:n] for name, x in loads.items()}

    def of(self, mu: Any) -> dict[str, Any]:
        """Loads of joints and of held measures that belong to combinations of rows."""
        system = self.system
        wrench = self.mobility.of_rows(Mechanism.body_jacobian).T @ mu
        bodies = wrench.reshape(len(wrench) // 6, 6, mu.shape[1])
        forces = self.mobility.of_rows(Mechanism.row_force_jacobian) @ mu
        loads = {
            name: forces[rows] * self.mobility.sizes[rows, np.newaxis]
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
            if not branch.automatic and not self._is_inside(branch.joint):
                sign = 1.0 if branch.reversed else -1.0
                loads[branch.name] = self._in_parent(branch.joint, sign * total[branch.outboard])
        return loads

    def _is_inside(self, joint: JointElement) -> bool:
        """Whether a joint is between a flexible body and a frame of it."""
        bodies = self.system.model.bodies
        whole = bodies[joint.child.body].piece_of
        own = bodies.get(joint.parent.body)
        return own is not None and bool(whole) and own.piece_of == whole

    def _of_cuts(self, mu: Any) -> dict[str, Any]:
        """Load of each cut joint on its child."""
        loads = {}
        on_child = self.mobility.of_rows(Mechanism.cut_jacobian).T @ mu
        for k, cut in enumerate(self.system.topology.cuts):
            turn = self._axes(cut.parent).T @ self._axes(cut.child)
            torque, force = np.split(on_child[6 * k : 6 * k + 6], 2)
            loads[cut.name] = np.vstack([turn @ torque / self.mobility.length, turn @ force])
        return loads

    def _place(self, body: str) -> Any:
        return self._poses[self.system.names.bodies.index(body), :3, 3]

    def _in_parent(self, joint: JointElement, load: Any) -> Any:
        """Load [torque / L; force] on the child, at its frame, in axes of the parent frame."""
        point = self.system.point_of(self._poses, joint.child, self.mobility.p)
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
        touched = {owned(name, self.loads)[0] for name in self.not_unique}
        return tuple(
            name for name, size in self._components
            if size <= _NONE and owned(name, self.loads)[0] in touched
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
        """Smallest set with one element, found by leaving out the others, far ones first.

        What can be left out together could be one by one: halves of what cannot are tried in turn.
        """
        states = self._in_one_loop(kept)
        blocks = [[name for name in self._far_first(kept) if name != kept]]
        while blocks:
            block = blocks.pop()
            if not block:
                continue
            load = np.vstack([self.loads[name] for name in block]) @ states
            if not _carries(load):
                continue
            without = states @ _null(load)
            if _carries(self.loads[kept] @ without):
                states = without
            elif len(block) > 1:
                half = len(block) // 2
                blocks += [block[half:], block[:half]]
        names = tuple(name for name, load in self.loads.items() if _carries(load @ states))
        return names, states.shape[1]

    def _in_one_loop(self, kept: str) -> Any:
        """States that load one loop with an element, and nothing else; all states if there is none.

        All loads together are orthonormal: a state that a loop carries alone has there the size 1.
        """
        n = len(next(iter(self.loads.values())).T)
        for loop in sorted((x for x in self._loops if kept in x), key=len):
            own = np.vstack([self.loads[name] for name in loop])
            _, sizes, basis = np.linalg.svd(own, full_matrices=False)
            states = basis[sizes > 1.0 - _ALONE].T
            rest = [load @ states for name, load in self.loads.items() if name not in loop]
            states = states @ _null(np.vstack(rest)) if rest else states
            if _carries(self.loads[kept] @ states):
                return states
        return np.eye(n)

    @cached_property
    def _loops(self) -> list[tuple[str, ...]]:
        """Joints of every loop that have loads."""
        loops = [self.system.topology.loop(cut.name) for cut in self.system.topology.cuts]
        return [tuple(name for name in loop if name in self.loads) for loop in loops]

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
