"""Trees and loops beside loose bodies: their rows and responses through the compiled system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.equations.recursion import kinematics
from jourdain.simulation.contact.singles import SingleContacts
from jourdain.solvers.pile.pile import Pile
from jourdain.solvers.pile.rows import SIDE
from jourdain.solvers.pile.units import Singles
from jourdain.solvers.pile.wide import wide_rows
from jourdain.system import System
from jourdain.system.contact.modal import contact_kernels
from jourdain.system.state import quaternion_starts, state_kernel

_SAME = 1e-14
_ENOUGH = 1e-3  # part of the tolerance of sweeps, whose errors are not followed further
_PATIENCE, _SLOWLY = 3, 0.3  # rounds after which forces must settle by this factor in each
_SETTLED, _UNSETTLED = 1e-9, 1e-4  # parts of velocities that are left of them
_NONE = Singles(*np.zeros((6, 0)))


class Articulated:
    """All that is no loose body: one unit whose columns are its velocity coordinates.

    One more column is 1 where something is driven: its rows are the velocities of drives.

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
    theta : float
        Where forces of a step are taken.

    Attributes
    ----------
    is_stiff : bool
        Whether forces at the end of a step were found by Newton's method only.
    """

    def __init__(
        self, system: System, places: tuple[Any, Any], inputs: Mapping[str, Any],
        held: Mapping[str, int], p: Any, contours: Any, theta: float,
    ) -> None:  # fmt: skip
        self.system, self.p, self._theta = system, p, theta
        self._at_q, self._at_v = places
        self._n = len(system.names.v)
        self.widths: Sequence[int] = [self._n + 1]
        self.contacts = SingleContacts(system, inputs, held, p) if system.has_contacts else None
        self._rates: Kernel = (
            state_kernel(system, inputs, held) if self.contacts is None
            else self.contacts.kernels.open_rates
        )  # fmt: skip
        self._own_kernels = partial(contact_kernels, system, inputs, held, {})
        self.is_stiff, self.change = False, 0.0
        self._matrix: Any = None
        self._quaternions = quaternion_starts(system)
        self._is_driven = any(j.driven for j in system.model.joints.values())
        number = {name: k for k, name in enumerate(system.names.bodies)}
        own = [k for k, place in enumerate(contours) if place is not None]
        self._contours = np.array(own, dtype=np.int64)
        self._body = np.full(len(contours) + 2, -1)  # and the two ends of single contacts
        self._body[own] = [number[contours[k][0]] for k in own]
        self._turns = np.array([contours[k][1] for k in own]).reshape(-1, 3, 3)
        self._points = np.array([contours[k][2] for k in own]).reshape(-1, 3)
        self.hold(np.zeros(len(held)))
        self.speed, self.evaluations = 0.0, 0

    def hold(self, u: Any) -> None:
        """Take new sampled inputs."""
        self._u = u if self.contacts is None else np.concatenate([u, self.contacts.modes])

    def found(self, q: Any, v: Any, t: float) -> Any:
        """Coordinates at the start, where contact points of surfaces are looked for.

        Raises
        ------
        AssemblyError
            If a single contact overlaps.
        """
        if self.contacts is not None:
            q = q.copy()
            q[self._at_q] = self.contacts.following.found(q[self._at_q], t)
            start = self.contacts.at(q[self._at_q], v[self._at_v], self._u, t, 1.0)
            self.contacts.require_apart(start.gap)
        return q

    def begin(self, pile: Pile, q: Any, v: Any, t: float, h: float) -> None:
        """Poses in the middle, velocities before and without contacts."""
        self._q, self._v = q[self._at_q], v[self._at_v]
        self._start = self._accelerations(self._q, self._v, t)
        self._middle = self._moved(self._q, self._v, 0.5 * h, t)
        self._poses_into(pile, t + 0.5 * h)
        x = slice(len(pile.x) - self._n - 1, len(pile.x) - 1)
        pile.old[x], pile.free[x] = self._v, self._v + h * self._start
        self._own, twists = x, self.system.twists
        along = twists(self._middle, self._v, t + 0.5 * h, parameters=self.p)
        self.speed = float(np.abs(along).sum(axis=-1).max(initial=0.0))
        self._drives = np.zeros_like(along)
        if self._is_driven:
            self._drives = twists(self._middle, 0.0 * self._v, t + h, parameters=self.p)
        self.singles, is_moved = _NONE, bool(self._drives.any())
        if self.contacts is not None:
            self.singles = self.contacts.at(self._middle, self._v, self._u, t + 0.5 * h, h)
            is_moved |= bool(self.contacts.drift.any())
        pile.old[-1] = pile.free[-1] = float(is_moved)
        self._rounds, self.change, self._matrix = 0, 0.0, None
        if self.is_stiff and h > 0.0:
            self._take_stiffness(pile, t, h)

    def _take_stiffness(self, pile: Pile, t: float, h: float) -> None:
        """Matrix D of forces at the end of the step (CT-6), and free velocities by it."""
        part = h * self._theta
        by_v, by_q = self._tangent(self._q, self._v, self._u, t, self.p)
        self._matrix = np.eye(self._n) - part * by_v - part**2 * by_q
        pile.free[self._own] = self._v - np.linalg.solve(self._matrix, self._rest(self._v, t, h))

    @cached_property
    def _tangent(self) -> Kernel:
        return self._own_kernels().stiffness

    def _rest(self, new: Any, t: float, h: float) -> Any:
        """Change of the velocities in a step that forces do not explain."""
        theta = self._theta
        q = self._moved(self._q, theta * new + (1.0 - theta) * self._v, h, t + 0.5 * h)
        after = self._accelerations(q, new, t + h) if theta > 0.0 else self._start
        return new - self._v - h * (theta * after + (1.0 - theta) * self._start)

    def _poses_into(self, pile: Pile, t: float) -> None:
        """Poses of the own contours."""
        poses, self._columns = self.system._run(
            kinematics.COLUMNS, self._middle, t, parameters=self.p
        )
        frames = self.system._matrices(poses)
        self._origins = frames[:, :3, 3]
        matrices = frames[self._body[self._contours]]
        turns = matrices[:, :3, :3] @ self._turns
        points = np.einsum("nij,nj->ni", matrices[:, :3, :3], self._points) + matrices[:, :3, 3]
        pile.poses[self._contours, :9] = turns.reshape(-1, 9)
        pile.poses[self._contours, 9:] = points

    def block(self, pile: Pile) -> None:
        """Rows and responses of contacts on own bodies, of one body or of two, and single ones."""
        n, own, W = self._n, *self._rows(pile)
        B = np.zeros_like(W)
        if len(own) and n:
            B[:, :, :n] = self._responses(W[:, :, :n].reshape(-1, n)).reshape(-1, 3, n)
        if self.contacts is not None:
            numbers = pile.single_numbers
            singles = np.flatnonzero(numbers >= 0)
            given = self.contacts.W, self.contacts.B, self.contacts.drift
            rows, responses, drift = (x[numbers[singles]] for x in given)
            W = np.concatenate([W, np.concatenate([rows, drift[:, :, None]], axis=2)])
            B = np.concatenate([B, np.pad(responses, ((0, 0), (0, 0), (0, 1)))])
            own = np.concatenate([own, singles])
        if self._matrix is not None and len(own):
            flat = B[:, :, :n].reshape(-1, n)
            B[:, :, :n] = np.linalg.solve(self._matrix, flat.T).T.reshape(-1, 3, n)
        both = np.concatenate([W.transpose(0, 2, 1), B.transpose(0, 2, 1)], axis=1)
        pile.blocks = np.ascontiguousarray(both).ravel() if len(own) else np.zeros(1)
        sides = pile.contacts["sides"][: 2 * SIDE * pile.count].reshape(-1, 2, SIDE)
        free = np.where(sides[own, 0, 0] < 0, 1, 0)  # the side that is no loose body
        sides[own, free, 0] = n + 1
        sides[own, free, 1] = self._own.start
        sides[own, free, 2] = 6 * (n + 1) * np.arange(len(own))

    def _rows(self, pile: Pile) -> tuple[Any, Any]:
        """Contacts on own bodies (m,), and their rows (m, 3, n_v + 1), with those of drives."""
        W, own = np.empty((pile.count, 3, self._n + 1)), np.empty(pile.count, dtype=np.int64)
        known = self._columns, self._moving, self._origins, self._drives, np.empty(12)
        kept = [np.ascontiguousarray(x) for x in known]
        c = pile.contacts.at
        count = wide_rows(
            pile.count, c["order"], c["pairs"], address(self._body), c["lead"], c["point_a"],
            c["point_b"], c["arms"], *map(address, kept), self._n, address(W), address(own),
        )  # fmt: skip
        return own[:count], W[:count]

    def _responses(self, rows: Any) -> Any:
        """Velocities (m, n_v) that unit impulses along rows cause; of all coordinates, if fewer."""
        if len(rows) > self._n:
            return rows @ self._responses(np.eye(self._n))
        s, q = self.system, self._middle
        if not s.has_constraints:
            return s.solve_mass_matrix(q, rows, parameters=self.p)
        none = np.zeros_like(self._v)
        at_rest = s.answers("vdot", q, none, parameters=self.p)
        wide = np.broadcast_to(q, (len(rows), len(q))), np.broadcast_to(none, rows.shape)
        return s.answers("vdot", *wide, rows, parameters=self.p) - at_rest

    @cached_property
    def _moving(self) -> Any:
        """Which columns move each body (bodies, n_v), 0 or 1."""
        moving = np.zeros((len(self.system.names.bodies), self._n), dtype=np.int64)
        for body, use in enumerate(self.system._columns_moving):
            moving[body, use] = 1
        return moving

    def refine(self, pile: Pile, t: float, h: float, theta: float) -> bool:
        """Take forces at the end of the step; tell whether that changes the free velocities.

        Where repeating alone does not settle them, as for stiff springs and dampers, Newton's
        method does, in this step and from then on.
        """
        new, old = pile.x[self._own], pile.free[self._own].copy()
        rest = self._rest(new, t, h)
        if self._matrix is not None:
            rest = np.linalg.solve(self._matrix, rest)
        pile.free[self._own] = new - rest
        last, self.change = self.change, float(np.abs(new - rest - old).max(initial=0.0))
        self._rounds += 1
        size = 1.0 + float(np.abs(old).max(initial=0.0))
        if self.change <= max(_SAME * size, _ENOUGH * pile.tolerance):
            return False
        grows = self._rounds > _PATIENCE and not self.change <= _SLOWLY * last
        if grows and self._matrix is None and theta > 0.0 and not self.change <= _SETTLED * size:
            self.is_stiff = True
            self._take_stiffness(pile, t, h)
            self.block(pile)
        return True

    @property
    def is_unsettled(self) -> bool:
        """Whether forces at the end of the last step were not found."""
        size = 1.0 + float(np.abs(self._v).max(initial=0.0))
        return not self.change <= _UNSETTLED * size

    def end(self, pile: Pile, q: Any, v: Any, t: float, h: float, theta: float) -> None:
        """Coordinates at the end of the step, moved on by the shift."""
        new = pile.x[self._own].copy()
        moved = self._moved(self._q, theta * new + (1.0 - theta) * self._v, h, t + 0.5 * h)
        shift = pile.shift[self._own]
        if shift.any():
            moved = self._moved(moved, shift, 1.0, t + h)
        if self.system.has_constraints:
            moved, new = self.system.project(moved, new, t + h, parameters=self.p)
        if self.contacts is not None:
            moved = self.contacts.following.kept(moved, new, self._u, t + h)
        q[self._at_q], v[self._at_v] = moved, new

    def _accelerations(self, q: Any, v: Any, t: float) -> Any:
        self.evaluations += 1
        return self._rates(q, v, self._u, t, self.p)[1]

    def _moved(self, q: Any, v: Any, h: float, t: float) -> Any:
        moved = q + h * self._rates(q, v, self._u, t, self.p)[0]
        for k in self._quaternions:
            moved[k : k + 4] /= np.linalg.norm(moved[k : k + 4])
        return moved
