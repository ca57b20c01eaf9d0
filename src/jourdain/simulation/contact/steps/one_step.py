"""A time step in machine code, bound to one system: records, addresses, patterns."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.model.laws import Poisson
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.state_update import Stepping, Update, update_of
from jourdain.simulation.contact.steps.step_pattern import (
    inertia_pattern,
    integers,
    listed,
    step_pattern,
)
from jourdain.solvers.nonsmooth.small.dense import dense_room
from jourdain.solvers.timestep import records as at
from jourdain.solvers.timestep.factor import WRITTEN, Factor
from jourdain.solvers.timestep.records import OPEN, SLIDES, Machine, Step
from jourdain.system.contact.step_kernels import StepKernels


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
        self.system = system = contacts.system
        p, update = contacts.p, update_of(method)
        rubs = any(x.tangents for x in contacts.touches)
        n_q, n_v = len(system.names.q), len(system.names.v)
        n_c, n_rows = kernels.constraints["rate"].numel(), contacts.n_rows
        self.machine = Machine(
            n_q=n_q, n_v=n_v, n_c=n_c, n_rows=n_rows, n_points=len(contacts.touches),
            n_quaternions=len(quaternions), n_held=len(kernels.terms.multiplier_rows),
            n_parameters=len(kernels.parameter_places),
            feels_forces=kernels.feels_forces or (update.is_alpha and kernels.feels_speed),
            has_static=contacts.has_static, mass_varies=kernels.mass_varies,
            is_constant=kernels.is_constant,
            is_straight=kernels.is_straight and not (update.is_alpha and rubs),
            is_linear=kernels.is_linear and update.is_exact_at_once(kernels),
            has_tangent=bool(kernels.tangent[0]) and update.rate_at > 0.0,
            has_gaps=any(x.has_gap for x in contacts.touches),
            quaternions=integers(quaternions), held_row=integers(kernels.terms.multiplier_rows),
            parameter_place=integers(kernels.parameter_places),
            code=np.zeros(at.FUNCTIONS, dtype=np.int64),
        )  # fmt: skip
        self.u = np.zeros(kernels.n_u + 1)
        self._p = np.array([*p, 0.0])
        self._add_memory(update.is_alpha)
        self._bind_functions()
        self._add_patterns()
        self._add_points(contacts)
        self.machine.complete()
        self.step = self._make_step(update, corrects=getattr(method, "corrects_positions", True))
        self.step.complete()

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
        self._functions: dict[int, Kernel] = {at.MOTION: k.motion, at.TERMS: k.all_terms}
        if m.n_points:
            self._functions[at.RESTITUTION] = k.restitution
        if m.has_tangent:
            self._functions[at.TANGENT] = k.tangents
        if not m.is_linear:
            self._functions[at.FORCES] = k.end_forces if is_alpha else k.forces
        if is_alpha and m.feels_forces:
            self._functions[at.CAPACITIES] = k.capacities
        self._functions |= {at.ROWS: k.rows, at.SHIFT: k.shift}
        if m.n_parameters:
            self._functions[at.PARAMETERS] = k.parameters

    def _bind_functions(self) -> None:
        """Addresses of the functions, and of the memory they write to."""
        m = self.machine
        for place, kernel in self._functions.items():
            buffers = kernel.take_buffers()
            self._kept.append(buffers)
            pointers = buffers.pointers
            for k, (name, _) in enumerate(kernel.inputs):
                pointers[k] = address(self._read[name])
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
            m.code[place : place + 2] = kernel.library.addresses["single"], address(pointers)
            self._kept.append(kernel)
        for name in (
            "zdot", "mass", "force", "P", "rho", "c_rate", "c_bias", "gaps", "bias", "capacity",
            "static", "W", "new_force", "new_mass", "end_gaps", "end_u", "c_error", "end_c_rate",
            "K", "C", "dq", "e", "parameters",
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
        if "inertia" not in patterns:
            patterns["inertia"] = inertia_pattern(self._kernels, m.n_v)
        inertia, more = patterns["inertia"]
        m.inertia = Factor(**{
            name: x.copy() if name in WRITTEN else x for name, x in inertia.items()
        })  # fmt: skip
        for name, value in (fields | more).items():
            setattr(m, name, value)

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

    def contact_matrix(self) -> Any:
        """Rows of contacts of the last step (n_rows, n_v)."""
        m, places = self.machine, self._kernels.contact_rows.places
        W = np.zeros((m.n_rows, m.n_v))
        for (i, j), value in zip(places, m.W, strict=False):
            W[i, j] = value
        return W

    def responses(self) -> tuple[Any, Any]:
        """Velocities (n_rows, n_v) that unit impulses cause, and accelerations without contact.

        At the state of the last evaluation, without tangents; dense, for what is rare.
        """
        m, k = self.machine, self._kernels
        n = m.n_v + m.n_c
        K = np.zeros((n, n))
        for (i, j), value in zip(k.mass.places, m.mass, strict=False):
            K[i, j] = K[j, i] = value
        for (i, j), value in zip(k.constraint_rows.places, m.P, strict=False):
            K[m.n_v + i, j] = K[j, m.n_v + i] = value
        right = np.zeros((n, m.n_rows + 1))
        right[: m.n_v, :-1] = self.contact_matrix().T
        right[: m.n_v, -1] = m.force[: m.n_v]
        right[m.n_v :, -1] = -m.c_bias[: m.n_c]
        used = np.isfinite(right).all(axis=0)  # slack ropes have no direction
        found = np.full((m.n_v, m.n_rows + 1), np.nan)
        solve = np.linalg.solve if not m.n_c else _least
        found[:, used] = solve(K, right[:, used])[: m.n_v]
        return found[:, :-1].T, found[:, -1]

    def _make_step(self, update: Update, *, corrects: bool) -> Step:
        """Work memory."""
        m = self.machine
        n, n_rows, n_points = m.factor.n, m.n_rows, m.n_points
        numbers, integers = dense_room(n_rows)
        sizes = [
            (n + 1, ("z", "x", "z_free")),
            (n_rows + 2, ("last", "anchor", "mean", "at_end", "hit", "wanted", "impulses", "works",
                          "correction", "turn", "own", "c", "r", "soft")),
            (n_points + 2, ("start_gaps", "band", "since", "energy", "impulses_of")),
            (m.n_v + 1, ("new", "mean_force", "delta", "way", "a", "phi", "known", "momentum",
                         "new_phi", "w", "inertia_work")),
            (m.n_c + 1, ("c_impulses", "c_correction", "way_c", "scale_c")),
            (m.n_q + 1, ("q_middle", "q_new")),
        ]  # fmt: skip
        floats = {name: np.zeros(size) for size, names in sizes for name in names}
        floats |= {
            "y": np.zeros(m.n_q + m.n_v + 1), "half": np.zeros(len(m.reach) + 1),
            "G": np.zeros(n_rows * n_rows + 1), "matrix": np.zeros(n_rows * (n_rows + 1) + 1),
            "D": np.zeros(n_rows + 2),
            "limits": np.zeros(3 * n_rows + 3), "numbers": np.zeros(numbers + 1),
            "report": np.zeros(4), "old_capacity": np.zeros(2 * n_points + 1),
            "sliding": np.zeros(2 * n_points + 1),
        }  # fmt: skip
        floats["band"][:] = 1e300
        of_rows = ("used", "slot", "kind", "start", "rows", "normal", "pivots", "is_half")
        of_points = (
            "mode",
            "noted",
            "was_noted",
            "is_late",
            "goes_back",
            "stays",
            "is_held",
            "struck",
            "jams",
            "active",
            "island_of",
            "island_points",
            "island_first",
        )
        whole = {name: np.zeros(n_rows + 3, dtype=np.int64) for name in of_rows}
        whole |= {name: np.zeros(n_points + 3, dtype=np.int64) for name in of_points}
        whole |= {name: np.zeros(n + 2, dtype=np.int64)
                  for name in ("leader", "island_number", "leader_root")}  # fmt: skip
        whole["integers"] = np.zeros(integers + 1, dtype=np.int64)
        whole["point_of"], whole["owner"] = self._point_of, self._owner
        whole["noted"][:n_points] = [SLIDES if x.is_dry else OPEN for x in self._touches]
        return Step(corrects=corrects, **asdict(update), **floats, **whole)


def _least(K: Any, right: Any) -> Any:
    """Smallest solution, where constraints repeat each other."""
    return np.linalg.lstsq(K, right, rcond=1e-12)[0]
