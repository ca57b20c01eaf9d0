"""Steps of many bodies in contact: loose ones, and wider units such as trees beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.collision import Candidates
from jourdain.solvers.pile.arrays import Arrays
from jourdain.solvers.pile.contact import contact_rates
from jourdain.solvers.pile.correction import part_bodies
from jourdain.solvers.pile.finding import found_contacts
from jourdain.solvers.pile.laws import Laws
from jourdain.solvers.pile.matching import recall, remember
from jourdain.solvers.pile.motion import MIDDLE, PROPERTIES, SIZE, place, to_end, to_middle
from jourdain.solvers.pile.phases import Hit, hit_of
from jourdain.solvers.pile.resting.rest import SLOW, Rest
from jourdain.solvers.pile.resting.scene import scene_of
from jourdain.solvers.pile.rows import ARMS, LOOSE, SIDE, TURNED, contact_sides, near_contacts
from jourdain.solvers.pile.solution import (
    IS_SLOW,
    REPORT,
    RESIDUAL,
    SWEEPS,
    WORK,
    assess,
    solve_islands,
)
from jourdain.solvers.pile.sweeps import DEPTH, MATRICES, prepare
from jourdain.solvers.pile.units import Group, Loose, Others, Singles, reaches

TOUCHES = 1e-12
"""Gap [m] that is none."""
CLOSED = 1e-7
"""Gap [m] that is none where positions are corrected: errors of sweeps open contacts that carry."""
RESTS = 1e-8
"""Overlap [m] that is left, so that contacts at rest stay closed."""
_LIFTS = 200  # sweeps of a correction
_ROUNDS = 50  # for forces at the end of a step
_UNSOLVED = 0.1  # part of the largest velocity that is no solution
_INSISTENCE = 10  # times as many sweeps where there is none
_SCRATCH = 64


class Pile:
    """Memory and steps of one simulation.

    Parameters
    ----------
    loose : Loose
        Bodies that hang on the world alone.
    groups : sequence of Group
        Contacts.
    gravity : (3,) [m/s^2]
        Acceleration of free fall.
    others : Others or None
        Wider units.
    tolerance : float [m/s]
        Error of the velocities of contacts up to which sweeps go on.
    iterations : int
        Most sweeps, there and back.
    """

    def __init__(
        self, loose: Loose, groups: Sequence[Group], gravity: Any, others: Others | None = None,
        *, tolerance: float = 1e-6, iterations: int = 100,
    ) -> None:  # fmt: skip
        self.loose, self.groups, self.others = loose, tuple(groups), others
        self.tolerance, self.iterations = tolerance, iterations
        self._pair_laws = Laws([law for g in groups for law in g.laws])
        n, widths = len(loose), list(others.widths) if others is not None else []
        columns = 6 * n + sum(widths)
        starts = np.cumsum([0, *[6] * n, *widths])
        self.n_units = n + len(widths)
        self._properties = np.ascontiguousarray(loose.properties, dtype=float)
        radius = np.ones(columns)
        radius[: 6 * n].reshape(-1, 6)[:, :3] = self._properties.reshape(-1, PROPERTIES)[:, [SIZE]]
        self.middle = np.zeros(n * MIDDLE)
        self.old, self.free, self.x, self.shift = (np.zeros(columns) for _ in range(4))
        ends = [] if others is None else [n, -1]  # between which single contacts act
        self.units = np.concatenate([*(g.units for g in groups), ends]).astype(np.int64)
        self._owners = np.where(self.units < n, self.units, -1)
        still = np.tile(np.eye(4, 3).ravel(), (len(ends), 1))
        self._frames = np.concatenate([*(g.frames for g in groups), still])
        self.poses = self._frames.copy()
        self.blocks = np.zeros(1)
        self._reach = reaches(groups, self._owners, self._frames, n)
        self._weight = float(np.linalg.norm(np.asarray(gravity)))
        self._work = np.zeros(_SCRATCH)
        self._bodies = {
            "at_q": np.asarray(loose.at_q, dtype=np.int64), "radius": radius,
            "at_v": np.asarray(loose.at_v, dtype=np.int64), "at_unit": starts.astype(np.int64),
            "gravity": np.asarray(gravity, dtype=float), "report": np.zeros(2),
            "state": np.zeros(DEPTH + 4, dtype=np.int64),
            **{
                name: np.zeros(self.n_units + 4, dtype=np.int64)
                for name in ("parent", "island", "members", "at_member", "is_hit")
            },
            "islands": np.zeros(REPORT * (self.n_units + 1)),
        }  # fmt: skip
        kept = {
            "properties": self._properties, "middle": self.middle, "old": self.old,
            "free": self.free, "x": self.x, "shift": self.shift, "work": self._work,
            "owners": self._owners, "frames": self._frames, "poses": self.poses,
            "units": self.units, **self._bodies,
        }  # fmt: skip
        self._at = {name: address(array) for name, array in kept.items()}
        self.contacts = Arrays(
            {"arms": ARMS, "A": MATRICES, "c": 1, "r": 3, "mu": 1, "e": 1, "low": 1, "kept": 3,
             "sigma": 1, "ends": 1, "y": 3, "root": 3, "memory": 3 * (3 + 2 * DEPTH) + 2 * DEPTH},
            {"chosen": 1, "units": 2, "first": 1, "order": 1, "sides": 2 * SIDE, "key": 3,
             "old_key": 3, "table": 4, "lead": 1},
        )  # fmt: skip
        self._sizes, self._part, self._step, self.touches = 1, 1.0, 1.0, TOUCHES
        self._rest = Rest(n)
        self.contacts["table"][0] = -1
        self.count = self.n_islands = 0
        self.work, self.penetration, self.sweeps, self.residual = 0.0, 0.0, 0, 0.0
        self._hit: Hit | None = None

    def step(
        self, q: Any, v: Any, t: float, h: float, *, theta: float = 0.5, is_corrected: bool = True
    ) -> None:
        """Advance coordinates and velocities, which are changed in place, by h [s]."""
        self._part, self._step = h / self._step, h
        self._begin(q, v, t, h)
        self.touches = CLOSED if is_corrected else TOUCHES
        near = self.touches + is_corrected * h * self._speed()
        found = self._found(near)
        if self.others is not None:
            near = max(near, float(self.others.singles.gap.max(initial=0.0)))
        self._choose(found, near)
        self.points = found.point_a[self.order], found.point_b[self.order]
        self._take_laws(found)
        is_poisson = self._pair_laws.are_poisson(self._singles, self._laws[self.order])
        self._hit = hit_of(self, found, is_poisson) if is_poisson.any() else None
        asked = 2.0 / h if is_corrected else 0.0, 2.0 * h * self._weight
        self._solve(found, *asked)
        if self.others is not None:
            self._refine(found, asked, t, h, theta)
        self.shift[:] = 0.0
        self.penetration = max(0.0, -float(found.gap.min(initial=0.0)))
        if is_corrected:
            self._correct(found, h)
        self._end(q, v, t, h, theta)
        self._remember()

    def _refine(
        self, found: Candidates, asked: tuple[float, float], t: float, h: float, theta: float
    ) -> None:
        """Repeat with forces at the end of the step, until nothing changes."""
        for _ in range(_ROUNDS):
            if self.others is None or not self.others.refine(self, t, h, theta):
                return
            self._remember()
            self.contacts.swap("key", "old_key")
            self._part = 1.0
            self._solve(found, *asked)

    def deepest(self, q: Any, v: Any, t: float) -> tuple[float, Any]:
        """Largest overlap [m] at a state, and the contours that overlap."""
        self._begin(q, v, t, 0.0)
        found = self._found(0.0)
        k = int(np.argmin(found.gap)) if found.count else 0
        return (-float(found.gap[k]), found.pairs[k].tolist()) if found.count else (0.0, (0, 0))

    def rates(self, x: Any) -> Any:
        """Velocities (n, 3) [m/s] of the rows of the contacts for given velocities of the units."""
        c, out = self.contacts.at, np.zeros((self.count, 3))
        contact_rates(
            self.count, c["sides"], c["arms"], address(self.blocks), address(x), address(out)
        )
        return out

    def _begin(self, q: Any, v: Any, t: float, h: float) -> None:
        at = self._at
        to_middle(
            len(self.loose), at["at_q"], at["at_v"], address(q), address(v),
            at["properties"], at["gravity"], h, at["middle"], at["old"], at["free"], at["work"],
        )  # fmt: skip
        place(len(self.units), at["owners"], at["middle"], at["frames"], at["poses"])
        if self.others is not None:
            self.others.begin(self, q, v, t, h)

    def _speed(self) -> float:
        """Bound of the speeds of all points of contours [m/s] without contact."""
        x = np.abs(self.free[: 6 * len(self.loose)]).reshape(-1, 2, 3).sum(axis=2)
        fastest = float((x[:, 0] * self._reach + x[:, 1]).max(initial=0.0))
        return fastest if self.others is None else max(fastest, self.others.speed)

    def _found(self, margin: float) -> Candidates:
        """Candidates of all groups, with contours numbered through; then single contacts."""
        found, self._laws = found_contacts(self.groups, self._singles, self.poses, margin)
        return found

    @property
    def _singles(self) -> Singles | None:
        return None if self.others is None else self.others.singles

    def _choose(self, found: Candidates, near: float) -> None:
        """Sort the contacts by islands, and from below to above in each."""
        self.contacts.reserve(2 * found.count)
        at, c = self._at, self.contacts.at
        self._rank = np.argsort(-(found.point_a @ self._bodies["gravity"]), kind="stable")
        self.n_islands = near_contacts(
            found.count, address(self._rank), near, address(found.gap), address(found.normal),
            address(found.pairs), self.n_units, at["units"], c["chosen"], at["parent"],
            c["units"], at["island"], c["first"], c["order"], at["members"], at["at_member"],
        )  # fmt: skip
        self.count = m = int(self.contacts["first"][self.n_islands]) if self.n_islands else 0
        self.lead[:] = -1
        if self._pair_laws.turns.any() or (self._singles is not None and self._singles.turns):
            self.count = m = self._pair_laws.expand(
                self._laws, self._singles, self.contacts, self.n_islands
            )
        contact_sides(
            m, c["order"], address(found.pairs), address(found.normal), address(found.point_a),
            address(found.point_b), at["middle"], len(self.loose), at["units"],
            c["arms"], c["sides"],
        )  # fmt: skip
        order, is_led = self.order, self.lead >= 0
        key = self.contacts["key"][: 3 * m].reshape(m, 3)
        key[:, :2], key[:, 2] = found.pairs[order], found.feature[order]
        key[is_led, 2] = -1 - key[is_led, 2]
        sides = self.contacts["sides"][: 2 * SIDE * m].reshape(m, 2, SIDE)
        sides[is_led, :, 0] = np.where(sides[is_led, :, 0] == LOOSE, TURNED, sides[is_led, :, 0])

    def _take_laws(self, found: Candidates) -> None:
        """Coefficients of the contacts, and axes that are scaled by them; blocks of others."""
        laws = self._pair_laws
        laws.turn_axes(self._laws[self.order], self.axes)
        if self.others is not None and (laws.has_functions or not laws.are_scaled):
            self.others.block(self, found)
        rates = self.rates(self.old) if laws.has_functions else None
        out = self.contacts["mu"][: self.count], self.contacts["e"][: self.count]
        scale = laws.fill(self._singles, self._laws[self.order], self.lead, rates, out)
        if laws.are_scaled:
            self.axes[:] *= scale[:, :, None]
            if self.others is not None:
                self.others.block(self, found)

    @property
    def lead(self) -> Any:
        """For contacts that resist turning (n,) the one whose normal impulse limits them, or −1."""
        return self.contacts["lead"][: self.count]

    @property
    def order(self) -> Any:
        """Numbers of the candidates that are contacts, in the order of contacts."""
        return self.contacts["order"][: self.count]

    @property
    def single_numbers(self) -> Any:
        """Which single contact each contact is (n,); −1 for those of groups."""
        return np.maximum(self._laws[self.order] - len(self._pair_laws), -1)

    @property
    def are_dry(self) -> Any:
        """Which contacts (n,) are dry friction of a given limit."""
        dry, singles = np.zeros(self.count, dtype=bool), self._singles
        if singles is not None:
            numbers = self.single_numbers
            dry[numbers >= 0] = singles.is_dry[numbers[numbers >= 0]]
        return dry

    @property
    def impulses(self) -> Any:
        """Impulses (n, 3) [N s] of the contacts along normal and tangents."""
        r = self.contacts["r"][: 3 * self.count].reshape(-1, 3)
        return r if self._hit is None else r + self._hit.impulses

    @property
    def keys(self) -> Any:
        """Contours and feature (n, 3) of the contacts of the last step."""
        return self.contacts["old_key"][: 3 * self.count].reshape(-1, 3)

    @property
    def axes(self) -> Any:
        """Normal and tangents (n, 3, 3) of the contacts."""
        return self.contacts["arms"][: ARMS * self.count].reshape(-1, ARMS)[:, :9].reshape(-1, 3, 3)

    def _solve(self, found: Candidates, per_gap: float, slow: float) -> None:
        c, hit = self.contacts.at, self._hit
        recall(
            self.count, c["key"], c["old_key"], c["table"], c["kept"], self._sizes, c["arms"],
            c["mu"], c["lead"], self._part, c["r"],
        )  # fmt: skip
        self.contacts["r"][: 3 * self.count].reshape(-1, 3)[self.are_dry, 0] = 1.0
        change = 0.0 if hit is None else hit.change
        self._before, self._without = self.old + change, self.free + change
        self.prepare(found, self._before, self._without, per_gap, slow)
        self._bodies["is_hit"][: self.n_islands] = 0 if hit is None else hit.islands
        if hit is not None:
            hit.ask(self.contacts["c"][: self.count])
        self._sweep(self.iterations)
        if self.is_unsolved:
            self._sweep(_INSISTENCE * self.iterations)

    @property
    def algebra(self) -> tuple[int, ...]:
        """Addresses of what contacts are made of."""
        c = self.contacts.at
        return c["sides"], c["arms"], self._at["middle"], address(self.blocks)

    def prepare(
        self, found: Candidates, before: Any, x: Any, per_gap: float = 0.0, slow: float = 0.0
    ) -> None:
        """Matrices of contacts, velocities that are asked for, and velocities x with impulses."""
        at, c = self._at, self.contacts.at
        self.x[:] = x
        prepare(
            self.count, c["order"], *self.algebra, c["mu"], c["lead"], c["e"],
            address(found.gap), address(before), c["r"], at["x"], c["A"], c["c"], at["work"],
            self.touches, per_gap, slow,
        )  # fmt: skip

    @property
    def is_unsolved(self) -> bool:
        """Whether the last step has no solution of its contact equations worth the name."""
        limit = _UNSOLVED * float(np.abs(self.free).max(initial=0.0)) + 1e3 * self.tolerance
        return not self.residual <= limit or not np.isfinite(self.x).all()

    def _sweep(self, iterations: int) -> None:
        """Sweep on from the present impulses."""
        at, c, hit = self._at, self.contacts.at, self._hit
        asked = solve_islands(
            self.n_islands, len(self.loose), c["first"], at["members"], at["at_member"],
            at["at_unit"], *self.algebra, c["mu"], c["lead"], c["low"], c["A"], c["c"], c["r"],
            at["x"], address(self._before), address(self._without), at["radius"], at["work"],
            self.tolerance, SLOW, iterations, at["islands"], at["is_hit"], DEPTH, at["state"],
            c["y"], c["root"], c["memory"],
        )  # fmt: skip
        lost = self._settle() if asked else 0.0
        report = self.islands
        self.work = float(report[:, WORK].sum())
        if hit is not None:
            lost = max(lost, hit.residual)
            self.work = 0.5 * float((self.impulses * self.rates(self.old + self.x)).sum())
        self.sweeps = int(report[:, SWEEPS].max(initial=0.0))
        self.residual = float(report[:, RESIDUAL].max(initial=lost))

    def _settle(self) -> float:
        """Set to rest what is slow and can be held; return the largest velocity that was taken."""
        at, c, bodies = self._at, self.contacts.at, self._bodies
        columns = bodies["radius"], self._before, self._without, self.x
        scene = scene_of(self.contacts, self.count, self.middle, columns, self.tolerance)
        first, begin = self.contacts["first"], bodies["at_member"]
        asked = np.flatnonzero(self.islands[:, IS_SLOW])
        parts = []
        for k in asked:
            units = bodies["members"][begin[k] : begin[k + 1]]
            parts.append((np.arange(first[k], first[k + 1]), units[units < len(self.loose)]))
        self._rest.settle(scene, parts)
        assess(
            len(asked), address(asked), c["first"], *self.algebra, c["mu"], c["lead"], c["low"],
            c["A"], c["c"], c["r"], at["x"], address(self._before), at["work"], at["islands"],
        )  # fmt: skip
        return float(scene.lost[0])

    @property
    def islands(self) -> Any:
        """Sweeps, residual [m/s] and work [J] of each island."""
        return self._bodies["islands"][: REPORT * self.n_islands].reshape(-1, REPORT)

    def _correct(self, found: Candidates, h: float) -> None:
        at, c = self._at, self.contacts.at
        part_bodies(
            self.n_islands, c["first"], c["order"], c["sides"], c["arms"], at["middle"],
            address(self.blocks), c["lead"], c["A"], address(found.gap), at["old"], at["free"],
            at["x"], at["shift"], c["sigma"], h, RESTS, 0.1 * RESTS, _LIFTS, c["ends"],
            at["report"], at["work"],
        )  # fmt: skip
        self.penetration, work = self._bodies["report"].tolist()
        self.work += work

    def _end(self, q: Any, v: Any, t: float, h: float, theta: float) -> None:
        at = self._at
        to_end(
            len(self.loose), at["at_q"], at["at_v"], address(q), address(v),
            at["properties"], h, theta, at["middle"], at["old"], at["x"], at["shift"], at["work"],
        )  # fmt: skip
        if self.others is not None:
            self.others.end(self, q, v, t, h, theta)

    def _remember(self) -> None:
        c = self.contacts.at
        self._sizes = 1 << max(2, (2 * self.count).bit_length())
        self.contacts.reserve(self._sizes // 4)
        c = self.contacts.at
        remember(self.count, c["key"], c["table"], c["r"], c["arms"], self._sizes, c["kept"])
        self.contacts.swap("key", "old_key")
