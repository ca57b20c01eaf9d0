"""Trees and loops beside loose bodies: their rows and responses through the compiled system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.equations import kinematics
from jourdain.solvers.collision import Candidates
from jourdain.solvers.pile.pile import Pile
from jourdain.solvers.pile.rows import SIDE
from jourdain.system import System
from jourdain.system.state import quaternion_starts, state_kernel

_SAME = 1e-14


class Articulated:
    """All that is no loose body: one unit whose columns are its velocity coordinates.

    Parameters
    ----------
    system : System
        Compiled without loose bodies and groups.
    places : (at_q, at_v)
        Places of its coordinates among those of the whole model.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs.
    p : (n_p,)
        Parameters.
    contours : sequence of (body, R, r) or None
        For each contour its body with the place on it, None for those of others.
    """

    def __init__(
        self, system: System, places: tuple[Any, Any], inputs: Mapping[str, Any],
        held: Mapping[str, int], p: Any, contours: Any,
    ) -> None:  # fmt: skip
        self.system, self.p = system, p
        self._at_q, self._at_v = places
        self.widths: Sequence[int] = [len(system.names.v)]
        self._rates: Kernel = state_kernel(system, inputs, held)
        self._quaternions = quaternion_starts(system)
        number = {name: k for k, name in enumerate(system.names.bodies)}
        own = [k for k, place in enumerate(contours) if place is not None]
        self._contours = np.array(own, dtype=np.int64)
        self._body = np.full(len(contours), -1)
        self._body[own] = [number[contours[k][0]] for k in own]
        self._turns = np.array([contours[k][1] for k in own]).reshape(-1, 3, 3)
        self._points = np.array([contours[k][2] for k in own]).reshape(-1, 3)
        self.u = np.zeros(len(held))
        self.speed, self.evaluations = 0.0, 0

    def begin(self, pile: Pile, q: Any, v: Any, t: float, h: float) -> None:
        """Poses in the middle, velocities before and without contacts."""
        self._q, self._v = q[self._at_q], v[self._at_v]
        self._start = self._accelerations(self._q, self._v, t)
        self._middle = self._moved(self._q, self._v, 0.5 * h, t)
        poses, self._columns = self.system._run(
            kinematics.COLUMNS, self._middle, t + 0.5 * h, parameters=self.p
        )
        matrices = self.system._matrices(poses)[self._body[self._contours]]
        turns = matrices[:, :3, :3] @ self._turns
        points = np.einsum("nij,nj->ni", matrices[:, :3, :3], self._points) + matrices[:, :3, 3]
        pile.poses[self._contours, :9] = turns.reshape(-1, 9)
        pile.poses[self._contours, 9:] = points
        self._old = self._v
        pile.old[-self.widths[0] :] = self._old
        pile.free[-self.widths[0] :] = self._v + h * self._start
        twists = self.system.twists(self._middle, self._v, t + 0.5 * h, parameters=self.p)
        self.speed = float(np.abs(twists).sum(axis=-1).max(initial=0.0))

    def block(self, pile: Pile, found: Candidates) -> None:
        """Rows and responses of contacts on own bodies."""
        n = self.widths[0]
        bodies = self._body[found.pairs[pile.order]]
        contact, side = np.nonzero(bodies >= 0)
        points = np.stack([found.point_a[pile.order], found.point_b[pile.order]], axis=1)
        W = self._rows(bodies[contact, side], points[contact, side], pile.axes[contact])
        W *= np.where(side == 0, -1.0, 1.0)[:, None, None]
        B = self._responses(W.reshape(-1, n)).reshape(-1, 3, n) if len(W) else W
        both = np.concatenate([W.transpose(0, 2, 1), B.transpose(0, 2, 1)], axis=1)
        pile.blocks = np.ascontiguousarray(both).ravel() if len(W) else np.zeros(1)
        sides = pile.contacts["sides"][: 2 * SIDE * pile.count].reshape(-1, 2, SIDE)
        sides[contact, side, 0] = n
        sides[contact, side, 1] = len(pile.x) - n
        sides[contact, side, 2] = 6 * n * np.arange(len(contact))

    def _rows(self, bodies: Any, points: Any, axes: Any) -> Any:
        """Rows (m, 3, n_v) of points of bodies along axes."""
        columns = self._columns
        spin, along, at = columns[:, :3], columns[:, 3:6], columns[:, 6:]
        moving = np.zeros((len(self.system.names.bodies), self.widths[0]))
        for body, use in enumerate(self.system._columns_moving):
            moving[body, use] = 1.0
        velocity = along + np.cross(spin, points[:, None, :] - at)
        return np.einsum("mij,mkj,mk->mik", axes, velocity, moving[bodies])

    def _responses(self, rows: Any) -> Any:
        """Velocities (m, n_v) that unit impulses along rows cause."""
        s, q = self.system, self._middle
        if not s.has_constraints:
            return s.solve_mass_matrix(q, rows, parameters=self.p)
        none = np.zeros_like(self._v)
        at_rest = s.answers("vdot", q, none, parameters=self.p)
        wide = np.broadcast_to(q, (len(rows), len(q))), np.broadcast_to(none, rows.shape)
        return s.answers("vdot", *wide, rows, parameters=self.p) - at_rest

    def refine(self, pile: Pile, t: float, h: float, theta: float) -> bool:
        """Take forces at the end of the step; tell whether that changes the free velocities."""
        new = pile.x[-self.widths[0] :]
        q = self._moved(self._q, theta * new + (1.0 - theta) * self._v, h, t + 0.5 * h)
        after = self._accelerations(q, new, t + h) if theta > 0.0 else self._start
        free = self._v + h * (theta * after + (1.0 - theta) * self._start)
        old = pile.free[-self.widths[0] :].copy()
        pile.free[-self.widths[0] :] = free
        size = 1.0 + float(np.abs(free).max(initial=0.0))
        return bool(np.abs(free - old).max(initial=0.0) > _SAME * size)

    def end(self, pile: Pile, q: Any, v: Any, t: float, h: float, theta: float) -> None:
        """Coordinates at the end of the step, moved on by the shift."""
        new = pile.x[-self.widths[0] :].copy()
        moved = self._moved(self._q, theta * new + (1.0 - theta) * self._v, h, t + 0.5 * h)
        shift = pile.shift[-self.widths[0] :]
        if shift.any():
            moved = self._moved(moved, shift, 1.0, t + h)
        if self.system.has_constraints:
            moved, new = self.system.project(moved, new, t + h, parameters=self.p)
        q[self._at_q], v[self._at_v] = moved, new

    def _accelerations(self, q: Any, v: Any, t: float) -> Any:
        self.evaluations += 1
        return self._rates(q, v, self.u, t, self.p)[1]

    def _moved(self, q: Any, v: Any, h: float, t: float) -> Any:
        moved = q + h * self._rates(q, v, self.u, t, self.p)[0]
        for k in self._quaternions:
            moved[k : k + 4] /= np.linalg.norm(moved[k : k + 4])
        return moved
