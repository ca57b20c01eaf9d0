"""A time step in machine code, bound to one system: records, addresses, patterns."""

from __future__ import annotations

import copy
from dataclasses import asdict
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.codegen.translator.loop_values import INT_POINTER, POINTER
from jourdain.model.laws import Poisson
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.steps.free_units import add_free_bodies, add_rest
from jourdain.simulation.contact.steps.group_points import GroupPoints
from jourdain.simulation.contact.steps.responses import contact_matrix, responses
from jourdain.simulation.contact.steps.state_update import Stepping, update_of
from jourdain.simulation.contact.steps.step_pattern import (
    inertia_pattern,
    integers,
    listed,
    state_pattern,
    state_room,
    step_pattern,
    take_fields,
)
from jourdain.solvers.nonsmooth.small.dense import dense_room
from jourdain.solvers.timestep import records as at
from jourdain.solvers.timestep.factor import DEPENDENT, WIDE_DEPENDENT, WRITTEN, Factor
from jourdain.solvers.timestep.large.blocks import OF_ROW
from jourdain.solvers.timestep.large.sweeps import DEPTH
from jourdain.solvers.timestep.records import OPEN, SLIDES, Machine, Step
from jourdain.system.checks.wide import has_wide_inertias
from jourdain.system.contact.group_kernels import body_motion
from jourdain.system.contact.step_kernels import StepKernels

MOST_DENSE = 99
"""Rows up to which the contacts of one island are solved with a matrix."""
OF_POINTS = (
    "gaps", "end_gaps", "speeds", "e", "tangential", "friction_start", "friction", "start_gaps",
    "band", "energy", "impulses_of", "mode", "stays", "is_held", "struck", "jams", "active",
    "island_of",
    "island_points", "island_first", "height", "spare", "is_ahead", "since", "noted", "was_noted",
    "is_late", "goes_back", "gives_back", "is_swept", "sleeps", "moving", "rebounds", "is_hit",
    "first_body",
)  # fmt: skip
"""Arrays of the records with a number for each contact point."""
OF_BOTH = ("capacity", "static", "old_capacity", "sliding")
"""Arrays with two numbers for each contact point."""
OF_ROWS = (
    "u", "bias", "end_u", "W_start", "reach_start", "last", "anchor", "hit", "wanted", "impulses",
    "works", "correction", "own", "c", "r", "soft", "D", "used", "slot", "kind", "start", "rows",
    "normal", "pivots", "is_half", "point_of", "base", "trial", "root", "mean", "at_end", "turn",
    "owner", "plain", "is_fixed", "response_of",
)  # fmt: skip
"""Arrays with a number for each row."""


class OneStep:
    """Memory of the steps of one run.

    Parameters
    ----------
    contacts : Contacts
        Contact points and laws.
    kernels : StepKernels
        Compiled functions.
    quaternions : list of int
        Places of quaternions.
    method : MoreauJean or NonsmoothAlpha
        Settings.
    """

    def __init__(
        self, contacts: Contacts, kernels: StepKernels, quaternions: list[int], method: Stepping
    ) -> None:
        self._kernels, self._kept = kernels, []  # type: ignore[var-annotated]
        self.groups = groups = GroupPoints(contacts.system.model, contacts.values)
        self._bodies = body_motion(kernels, groups.bodies) if groups else None
        self.system = system = contacts.system
        update, rubs = update_of(method), any(x.tangents for x in contacts.touches)
        n_q, n_v, n_rows = len(system.names.q), len(system.names.v), contacts.n_rows
        n_c = kernels.constraints["rate"].numel()
        self.machine = Machine(
            n_q=n_q, n_v=n_v, n_c=n_c, n_rows=n_rows, n_points=len(contacts.touches),
            fixed_rows=n_rows, fixed_points=len(contacts.touches), has_groups=bool(groups),
            n_quaternions=len(quaternions), n_held=len(kernels.terms.multiplier_rows),
            n_parameters=len(kernels.parameter_places),
            feels_forces=kernels.feels_forces or (update.is_alpha and kernels.feels_speed),
            has_static=contacts.has_static or any(x.law.has_static for x in groups.laws),
            mass_varies=kernels.mass_varies, is_wide=has_wide_inertias(system.description),
            is_constant=kernels.is_constant,
            is_straight=kernels.is_straight and not groups and not (update.is_alpha and rubs),
            is_linear=kernels.is_linear and update.is_exact_at_once(kernels),
            has_tangent=bool(kernels.tangent.places) and update.rate_at > 0.0,
            has_gaps=bool(groups) or any(x.has_gap for x in contacts.touches),
            quaternions=integers(quaternions), held_row=integers(kernels.terms.multiplier_rows),
            parameter_place=integers(kernels.parameter_places),
            code=np.zeros(at.FUNCTIONS, dtype=np.int64),
        )  # fmt: skip
        self.u = np.zeros(kernels.n_u + 1)
        self._p = np.array([*contacts.p, 0.0])
        take_fields(self.machine, state_pattern(kernels))
        self._add_memory(update.is_alpha)
        self._bind_functions()
        self._add_patterns()
        self._add_points(contacts)
        self._add_groups()
        add_free_bodies(self.machine, contacts, kernels, is_alpha=update.is_alpha)
        self.step = self._make_step(method)
        self._take_settings(method)
        self.make_room(groups.record.room)
        self.resting = add_rest(self.machine, self.step, groups, contacts, kernels)
        self.step.band[:] = 1e300
        self.machine.complete()
        self.step.complete()
        self._new = self.machine.content(), self.step.content()

    def start_again(self, method: Stepping) -> None:
        """Be as new, for another run, whose method has the same state update."""
        has_moved = [
            x.go_back(y) for x, y in zip((self.machine, self.step), self._new, strict=True)
        ]
        if any(has_moved):
            self._take_addresses()
        self._take_settings(method)

    def _take_settings(self, method: Stepping) -> None:
        """Settings of a method besides its state update."""
        s = self.step
        s.corrects = getattr(method, "corrects_positions", True)
        s.tolerance = getattr(method, "tolerance", 1e-6)
        s.most_sweeps = getattr(method, "iterations", 200)

    @property
    def n_forces(self) -> int:
        """Numbers of a sample: forces of the rows that are always there, then of the groups."""
        return self.machine.fixed_rows + self.groups.n_numbers

    @property
    def state_memory(self) -> list[Any]:
        """Where functions of the state read q, v, u, t and p."""
        return [self._read[name] for name in ("q", "v", "u", "t", "p")]

    def _add_memory(self, is_alpha: bool) -> None:
        """Numbers that functions read."""
        m, k = self.machine, self._kernels
        m.q, m.v, m.t = np.zeros(m.n_q + 1), np.zeros(m.n_v + 1), np.zeros(1)
        m.asked = np.zeros(m.n_held + 3 * m.n_points + 1)
        m.speeds = np.zeros(m.n_points + 1)
        self._read = {
            "q": m.q, "v": m.v, "u": self.u, "t": m.t, "p": self._p, "asked": m.asked,
            "speeds": m.speeds,
        }  # fmt: skip
        self._written: dict[str, Any] = {}
        self._slots: list[tuple[Any, int, str]] = []  # where functions have addresses of arrays
        self._functions: dict[int, Kernel] = {at.MOTION: k.motion, at.TERMS: k.all_terms}
        if m.n_points:
            self._functions[at.RESTITUTION] = k.restitution
        if m.has_tangent:
            self._functions[at.TANGENT] = k.tangents
        if m.n_implicit:
            self._functions[at.STATES] = k.by_state
        if not m.is_linear:
            self._functions[at.FORCES] = k.end_forces if is_alpha else k.forces
        if is_alpha and m.feels_forces:
            self._functions[at.CAPACITIES] = k.capacities
        self._functions |= {at.ROWS: k.rows, at.SHIFT: k.shift}
        if m.n_parameters:
            self._functions[at.PARAMETERS] = k.parameters
        if self._bodies is not None:
            self._functions |= {at.BODIES: self._bodies.motion, at.COLUMNS: self._bodies.jacobians}

    def _bind_functions(self) -> None:
        """Addresses of the functions, and of the memory they write to."""
        m = self.machine
        for place, kernel in self._functions.items():
            buffers = kernel.take_buffers()
            self._kept.append(buffers)
            pointers = buffers.pointers
            for k, (name, _) in enumerate(kernel.inputs):
                pointers[k] = address(self._read[name])
                if name == "speeds":
                    self._slots.append((pointers, k, name))
            for k, (name, shape) in enumerate(kernel.outputs):
                if (
                    name in ("capacity", "static")
                    and place == at.FORCES
                    and not self._kernels.feels_forces
                ):
                    continue
                if name not in self._written:
                    self._written[name] = np.zeros(int(np.prod(shape)) + 1)
                pointers[len(kernel.inputs) + k] = address(self._written[name])
                self._slots.append((pointers, len(kernel.inputs) + k, name))
            m.code[place : place + 2] = kernel.library.addresses["single"], address(pointers)
            self._kept.append(kernel)
        for name in (
            "zdot", "mass", "force", "P", "rho", "c_rate", "c_bias", "gaps", "bias", "capacity",
            "static", "W", "new_force", "new_mass", "end_gaps", "end_u", "c_error", "end_c_rate",
            "K", "C", "dq", "e", "parameters", "by_state",
        ):  # fmt: skip
            setattr(m, name, self._written.get(name, np.zeros(1)))
        m.u = self._written["rates"]

    def _add_patterns(self) -> None:
        """Matrix of the step and where the entries of its terms lie."""
        m, patterns = self.machine, self._kernels.patterns
        key = bool(m.has_tangent)
        if key not in patterns:
            patterns[key] = step_pattern(self._kernels, m.n_v, m.n_c, m.n_rows, with_tangent=key)
        factor, fields = patterns[key]
        m.factor = Factor(**{
            name: x.copy() if name in WRITTEN else x for name, x in factor.items()
        })  # fmt: skip
        m.factor.dependent = WIDE_DEPENDENT if m.is_wide else DEPENDENT
        if "inertia" not in patterns:
            patterns["inertia"] = inertia_pattern(self._kernels, m.n_v)
        inertia, more = patterns["inertia"]
        m.inertia = Factor(**{
            name: x.copy() if name in WRITTEN else x for name, x in inertia.items()
        })  # fmt: skip
        take_fields(m, fields | more)

    def _add_points(self, contacts: Contacts) -> None:
        """Table of the contact points, and friction that leans on their normal rows."""
        m, table, frictions = self.machine, [], []
        connections = contacts.connections
        for k, x in enumerate(contacts.touches):
            row = -1 if x.normal is None else x.normal
            leans_on = -1 if x.leans_on is None else x.leans_on
            first = x.tangents[0] if x.tangents else 0
            poisson = isinstance(x.impact, Poisson)
            connection = connections.index(contacts.owners[k])
            table += [
                row,
                first,
                len(x.tangents),
                x.has_gap,
                leans_on,
                x.is_dry,
                poisson,
                connection,
            ]
            own = [j for j in (k, *x.turns) if contacts.touches[j].tangents]
            frictions.append(own if x.normal is not None else [])
        m.points = integers([int(x) for x in table])
        m.tangential = np.array([*(x.given_back for x in contacts.touches), 0.0])
        m.friction_start, m.friction = listed(frictions)
        point_of = np.zeros(m.n_rows + 1, dtype=np.int64)
        for k, x in enumerate(contacts.touches):
            if x.normal is not None:
                point_of[x.normal] = k
        owner = np.zeros(m.n_rows + 1, dtype=np.int64)
        for k, x in enumerate(contacts.touches):
            lead = k if x.leans_on is None else int(point_of[x.leans_on])
            owner[[*x.tangents, *([] if x.normal is None else [x.normal])]] = lead
        self._point_of, self._owner, self._touches = point_of, owner, contacts.touches

    def _add_groups(self) -> None:
        """Bodies with contours, and what their coordinates fill in the order of elimination."""
        m, g = self.machine, self.groups.record
        columns = [] if self._bodies is None else self._bodies.columns
        g.column_start, g.columns = listed(columns)
        n_bodies = len(columns)
        for name, size in (("frames", 12), ("twists", 6), ("J", 0)):
            setattr(g, name, self._written.get(name, np.zeros(size * n_bodies + 1)))
        g.middle = np.zeros(12 * n_bodies + 1)
        n = m.factor.n
        g.parent = integers([
            int(m.factor.column_row[m.factor.column_start[k]])
            if m.factor.column_start[k] < m.factor.column_start[k + 1] else -1
            for k in range(n)
        ])  # fmt: skip
        g.is_marked, g.listed = np.full(n + 1, -1), np.zeros(n + 1, dtype=np.int64)
        g.row_values = np.zeros(6 * n + 32)
        reach = sorted(_reached(g.parent, m.place[own]) for own in columns)
        wide = sorted(map(len, columns))
        turns = [sum(law.turns) for law in self.groups.laws]
        self._of_contact = {
            "points": 1 + max(turns, default=0),
            "rows": 3 + max((2 * a + b for a, b in (x.turns for x in self.groups.laws)), default=0),
            "columns": sum(wide[-2:]), "reach": sum(reach[-2:]),
        }  # fmt: skip
        m.groups = g

    def make_room(self, n: int) -> None:
        """Memory for so many contacts of groups."""
        m, s, own = self.machine, self.step, self._of_contact
        n = n if self.groups else 0
        self.groups.make_room(n)
        points, rows = m.fixed_points + own["points"] * n, m.fixed_rows + own["rows"] * n
        entries = int(m.W_start[m.fixed_rows]) + own["rows"] * own["columns"] * n
        reach = int(m.reach_start[m.fixed_rows]) + own["rows"] * own["reach"] * n
        sizes = (points, OF_POINTS), (2 * points, OF_BOTH), (rows, OF_ROWS)
        wanted = [(name, size) for size, names in sizes for name in names]
        wanted += [("W", entries), ("W_column", entries), ("reach", reach), ("half", reach)]
        wanted += [("points", at.POINT * points), ("limits", 3 * rows)]
        for name, size in wanted:
            for record in (m, s):
                if name in record.kinds():
                    _extend(record, name, size + 4)
        _extend(s, "blocks", OF_ROW * rows + 1)
        _extend(s, "memory", (3 + 2 * DEPTH) * (rows + DEPTH) + 1)
        dense = min(rows, max(m.fixed_rows, MOST_DENSE))
        s.most_dense = dense
        numbers, whole = dense_room(dense)
        for name, size in (
            ("G", dense**2), ("matrix", dense * (dense + 1)), ("numbers", numbers),
            ("integers", whole),
        ):  # fmt: skip
            _extend(s, name, size + 1)
        self._take_addresses()

    def _take_addresses(self) -> None:
        """Give functions the addresses of arrays that have moved."""
        names = {"rates": "u"}
        for pointers, k, name in self._slots:
            own = names.get(name, name)
            if own in OF_POINTS + OF_BOTH + OF_ROWS + ("W",):
                pointers[k] = address(getattr(self.machine, own))

    def all_contacts(self, fixed: Contacts) -> Contacts:
        """Contacts of the step under way: those that are always there, and those of groups."""
        if not self.groups:
            return fixed
        m, every = self.machine, copy.copy(fixed)
        points = m.points[: at.POINT * m.n_points].reshape(-1, at.POINT)[m.fixed_points :]
        every.touches = fixed.touches + self.groups.touches(points, m.fixed_points)
        return every

    def all_rows(self) -> Rows:
        """Rows of the step under way, at its middle; dense, for what is rare."""
        m = self.machine
        n, n_rows, (B, vdot) = m.n_points, m.n_rows, responses(m)
        capacity = m.capacity[: 2 * n].reshape(n, 2).copy()
        gaps, u, bias = m.gaps[:n].copy(), m.u[:n_rows].copy(), m.bias[:n_rows].copy()
        return Rows(gaps, u, bias, capacity, contact_matrix(m), B, vdot)

    def _make_step(self, method: Stepping) -> Step:
        """Work memory; what belongs to contacts gets its room later."""
        m = self.machine
        n = m.factor.n
        sizes = [
            (n + 2, ("z", "x", "z_free", "leader", "island_number", "leader_root")),
            (m.n_v + 1, ("new", "mean_force", "delta", "way", "a", "phi", "known", "momentum",
                         "new_phi", "w", "aside", "inertia_work")),
            (m.n_c + 1, ("c_impulses", "c_correction", "way_c", "scale_c")),
            (m.n_q + 1, ("q_middle", "q_new")), (m.n_q + m.n_v + 1, ("y",)), (4, ("report",)),
            (32, ("scratch",)), (DEPTH + 8, ("history",)),
            (m.fixed_rows + len(self.groups.groups) + 1, ("sums",)),
        ]  # fmt: skip
        of = {name: size for size, names in sizes for name in names} | state_room(m)
        arrays = {
            name: np.zeros(of.get(name, 1), dtype=np.float64 if kind == POINTER else np.int64)
            for name, kind in Step.kinds().items() if kind in (POINTER, INT_POINTER)
        }  # fmt: skip
        arrays |= {"point_of": self._point_of, "owner": self._owner}
        arrays["noted"] = integers([SLIDES if x.is_dry else OPEN for x in self._touches])
        return Step(**asdict(update_of(method)), **arrays)


def _extend(record: Any, name: str, size: int) -> None:
    """Make an array of a record longer; what is there is kept."""
    old = getattr(record, name)
    if len(old) < size:
        new = np.zeros(size, dtype=old.dtype)
        new[: len(old)] = old
        setattr(record, name, new)


def _reached(parent: Any, places: Any) -> int:
    """Number of columns that a right side with some places fills."""
    found: set[int] = set()
    for place in places:
        k = int(place)
        while k >= 0 and k not in found:
            found.add(k)
            k = int(parent[k])
    return len(found)
