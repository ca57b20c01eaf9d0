"""Proof of rest for the free bodies of large islands, asked by the steps in machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.solvers import Record
from jourdain.solvers.collision.layout import CAPACITY
from jourdain.solvers.timestep.free.bodies import FreeBodies
from jourdain.solvers.timestep.free.motion import (
    CENTRE,
    COM,
    INVERSE,
    LIGHT,
    MASS,
    MIDDLE,
    RESPONSE,
    SIZE,
)
from jourdain.solvers.timestep.groups.records import DRILLS, LAW_INTEGERS, ROLLS
from jourdain.solvers.timestep.impulses import CLOSED
from jourdain.solvers.timestep.records import COUNT, FIRST, NORMAL, POINT, Machine, Step
from jourdain.solvers.timestep.resting.rest import Rest
from jourdain.solvers.timestep.resting.scene import OPEN, Scene


@dataclass(frozen=True)
class ContactRows:
    """Rows of found contacts, three each; what resists turning follows as contacts of its own.

    Parameters
    ----------
    contacts, points, normals : (m,) of int
        Found contact, its contact point, its normal row.
    lead : (m,) of int
        For what resists turning the contact that presses; −1 for others.
    rows, scale : (m, 3)
        Rows along normal and tangents (of what turns: drilling, rolling) and their limits, as
        parts of the largest one ``mu`` (m,) (CT-19).
    """

    contacts: Any
    points: Any
    normals: Any
    lead: Any
    rows: Any
    scale: Any
    mu: Any


def rows_of_contacts(m: Machine) -> ContactRows:
    """Rows of the contacts of a step; those that are not there have the number behind the last."""
    g = m.groups
    points, limits = g.point_of[: g.n_found], m.capacity[: 2 * m.n_points].reshape(-1, 2)
    table = m.points[: POINT * m.n_points].reshape(-1, POINT)
    laws = g.law_integers[:-1].reshape(-1, LAW_INTEGERS)[g.law_of[: g.n_found]]
    normals = table[points, NORMAL]
    rows = normals[:, None] + np.arange(3)
    rows[table[points, COUNT] == 0, 1:] = m.n_rows
    limit = np.column_stack([np.zeros(len(points)), limits[points]])
    turns = np.flatnonzero((laws[:, ROLLS] > 0) | (laws[:, DRILLS] > 0))
    if len(turns):
        roll, drill = (laws[turns, k] > 0 for k in (ROLLS, DRILLS))
        rolling, drilling = points[turns] + 1, points[turns] + 1 + roll
        drilling = np.where(drill, drilling, 0)
        first = np.where(roll, table[rolling, FIRST], m.n_rows)
        more = [np.where(drill, table[drilling, FIRST], m.n_rows), first]
        more += [np.where(roll, first + 1, m.n_rows)]
        bounds = np.where(drill, limits[drilling, 0], 0.0), np.where(roll, limits[rolling, 0], 0.0)
        rows = np.vstack([rows, np.column_stack(more)])
        limit = np.vstack([limit, np.column_stack([bounds[0], bounds[1], bounds[1]])])
    contacts = np.concatenate([np.arange(len(points)), turns])
    lead = np.concatenate([np.full(len(points), -1), turns])
    mu = limit.max(axis=1)
    scale = limit / np.where(mu > 0.0, mu, 1.0)[:, None]
    scale[: len(points), 0] = 1.0
    return ContactRows(contacts, points[contacts], normals[contacts], lead, rows, scale, mu)


class Resting:
    """Free bodies of a machine, and what is known of their rest.

    Parameters
    ----------
    machine : Machine
        The machine, with its groups.
    free : FreeBodies
        Properties and coordinates of the free bodies.
    bodies : (n,) of int
        Their numbers among the bodies with contours.
    """

    def __init__(self, machine: Machine, free: FreeBodies, bodies: Any) -> None:
        m, g, n = machine, machine.groups, len(free)
        self._machine, self._properties, self._bodies = machine, free.properties, bodies
        self._columns = free.at_v[:, None] + np.arange(6)  # velocity of the origin, spin
        self._unit_of = np.full(max(g.n_bodies, 1), n)
        self._unit_of[bodies] = np.arange(n)
        self._radius = np.ones((n, 6))
        self._radius[:, :3] = free.properties[:, [SIZE]]
        self.rest, self._fault = Rest(n), list[Exception]()
        g.rest = self.rest.numbers
        g.n_free, g.free_v = n, np.append(free.at_v, 0)
        g.free_size = np.append(free.properties[:, SIZE], 0.0)
        g.free_island, g.free_speed = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1)
        g.is_free = np.zeros(m.factor.n + 1, dtype=np.int64)
        g.is_free[m.place[self._columns.ravel()]] = 1

    def callback(self, step: Step) -> Any:
        """Function for machine code that sets bodies to rest."""

        def ask(_: int) -> None:
            try:
                self._ask(step)
            except Exception as fault:  # nothing can be raised through machine code
                self._fault.append(fault)

        self._called = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ask)  # lives as long as this
        return self._called

    def require_no_fault(self) -> None:
        """Raise what went wrong while machine code asked."""
        if self._fault:
            raise self._fault.pop()

    def _ask(self, s: Step) -> None:
        g, n = self._machine.groups, len(self._columns)
        island, before = g.free_island[:n], self.rest.memory()
        due = self.rest.due(g.free_speed[:n], self._islands(island))
        if due:
            self._settle(s, due)
        if s.is_trial:
            self.rest.recall(Record({"rest": before}))

    @staticmethod
    def _islands(island: Any) -> Iterator[tuple[int, Any]]:
        for k in np.unique(island[island >= 0]).tolist():
            yield k, np.flatnonzero(island == k)

    def _settle(self, s: Step, due: list[tuple[int, Any, int]]) -> None:
        """Set to rest what rests in islands that are due."""
        m = self._machine
        own = rows_of_contacts(m)
        s.impulses[m.n_rows] = 0.0  # of rows that are not there
        safe = np.where(own.scale > 0.0, own.scale, 1.0)
        scene = self._scene(s, own, s.impulses[own.rows] / safe)
        of_contact = np.where(s.active[own.points] > 0, s.island_of[own.points], -1)
        parts = [(np.flatnonzero(of_contact == k), *more) for k, *more in due]
        moving = scene.x.reshape(-1, 6).any(axis=1)
        self.rest.settle(scene, parts)
        still = np.flatnonzero(moving & ~scene.x.reshape(-1, 6).any(axis=1))
        s.n_settled = len(still)
        if len(still):
            for contacts, *_ in parts:
                s.impulses[own.rows[contacts]] = (scene.r * own.scale)[contacts]
            s.new[self._columns[still].ravel()] = 0.0
            s.error = max(s.error, float(scene.lost[0]))

    def _scene(self, s: Step, own: ContactRows, r: Any) -> Scene:
        """Contacts of the step as arrays."""
        m, g = self._machine, self._machine.groups
        count, room = g.n_found, int(g.state[CAPACITY])
        middle, turn, arm = self._middle()
        bodies = g.body_of[g.ids[: 2 * count].reshape(-1, 2)]
        pairs = np.where(bodies >= 0, self._unit_of[bodies], -1)
        centres = np.vstack([middle[:, CENTRE : CENTRE + 3], np.zeros((2, 3))])
        ends = [g.out[k * room : k * room + 3 * count].reshape(-1, 3) for k in (4, 7)]
        arms = [end - centres[pairs[:, k]] for k, end in enumerate(ends)]
        axes = g.axes[: 9 * count].reshape(-1, 3, 3)[own.contacts] * own.scale[:, :, None]
        wanted, gaps = s.wanted[own.normals], m.gaps[own.points]
        c = np.where((gaps > 0.0) & (gaps <= CLOSED), 0.0, -wanted)
        c = np.where(s.active[own.points] > 0, c, OPEN)
        old, free, x = self._twists(turn, arm, np.stack([*self._velocities(s)]))
        return Scene(
            middle, self._radius.ravel(), old, free, x,
            np.hstack([axes.reshape(-1, 9), *(a[own.contacts] for a in arms)]),
            pairs[own.contacts], own.mu, c, r, own.lead, s.tolerance, np.zeros(1),
        )  # fmt: skip

    def _middle(self) -> tuple[Any, Any, Any]:
        """Bodies in the middle of the step, their rotations and arms of their centres of mass."""
        g, P = self._machine.groups, self._properties
        frames = g.middle[: 12 * g.n_bodies].reshape(-1, 12)[self._bodies]
        turn = frames[:, :9].reshape(-1, 3, 3)
        arm = np.einsum("nij,nj->ni", turn, P[:, COM : COM + 3])
        middle = np.zeros((len(P), MIDDLE))
        middle[:, :9], middle[:, CENTRE : CENTRE + 3] = frames[:, :9], frames[:, 9:] + arm
        own = P[:, INVERSE : INVERSE + 9].reshape(-1, 3, 3)
        middle[:, RESPONSE : RESPONSE + 9] = (turn @ own @ turn.transpose(0, 2, 1)).reshape(-1, 9)
        middle[:, LIGHT] = 1.0 / P[:, MASS]
        return middle, turn, arm

    def _velocities(self, s: Step) -> Iterator[Any]:
        """Velocities (n, 6) before the step, after it without contacts, and with them."""
        m = self._machine
        before = s.y[m.n_q + self._columns]
        yield before
        yield before + s.x[m.place[self._columns]]
        yield s.new[self._columns]

    @staticmethod
    def _twists(turn: Any, arm: Any, v: Any) -> Any:
        """Angular velocities and velocities of the centres of mass (k, 6 n) in world axes."""
        spin, way = np.einsum("nij,knj->kni", turn, v[..., 3:]), v[..., :3]
        if arm.any():
            way = way + np.cross(spin, arm)
        return np.concatenate([spin, way], axis=2).reshape(len(v), -1)
