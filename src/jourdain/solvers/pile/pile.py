"""Steps of many free bodies in contact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.collision import Candidates
from jourdain.solvers.native import BoundLoop
from jourdain.solvers.pile import phases
from jourdain.solvers.pile.arrays import contact_arrays
from jourdain.solvers.pile.contact import contact_rates
from jourdain.solvers.pile.laws import Laws
from jourdain.solvers.pile.matching import checked_keys
from jourdain.solvers.pile.motion import MIDDLE, PROPERTIES, SIZE
from jourdain.solvers.pile.poisson import Hit, hit_of
from jourdain.solvers.pile.resting.rest import SLOW, Rest
from jourdain.solvers.pile.resting.scene import scene_of
from jourdain.solvers.pile.rows import ARMS
from jourdain.solvers.pile.solution import IS_SLOW, REPORT, assess
from jourdain.solvers.pile.sweeps import DEPTH, SCRATCH
from jourdain.solvers.pile.units import Group, Loose, reaches
from jourdain.solvers.record import Record

TOUCHES = 1e-12
"""Gap [m] that is none."""
CLOSED = 1e-7
"""Gap [m] that is none where positions are corrected: errors of sweeps open contacts that carry."""
_UNSOLVED = 0.1  # part of the largest velocity that is no solution
_INSISTENCE = 10  # times as many sweeps where there is none
_COLUMNS = {
    "pairs": 2, "feature": 1, "gap": 1, "normal": 3, "point_a": 3, "point_b": 3, "law": 1,
}  # fmt: skip


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
    tolerance : float [m/s]
        Error of the velocities of contacts up to which sweeps go on.
    iterations : int
        Most sweeps.
    """

    def __init__(
        self, loose: Loose, groups: Sequence[Group], gravity: Any, *, tolerance: float = 1e-6,
        iterations: int = 200,
    ) -> None:  # fmt: skip
        self.loose, self.groups = loose, tuple(groups)
        self.tolerance, self.iterations = tolerance, iterations
        self._pair_laws = Laws([law for g in groups for law in g.laws])
        self.n_units = n = len(loose)
        columns = 6 * n
        self._properties = np.ascontiguousarray(loose.properties, dtype=float)
        radius = np.ones(columns)
        radius.reshape(-1, 6)[:, :3] = self._properties.reshape(-1, PROPERTIES)[:, [SIZE]]
        self.middle = np.zeros(n * MIDDLE)
        self.old, self.free, self.x, self.shift = (np.zeros(columns) for _ in range(4))
        self.units = np.concatenate([g.units for g in groups]).astype(np.int64)
        self._frames = np.concatenate([g.frames for g in groups])
        self.poses = self._frames.copy()
        self.blocks = np.zeros(1)
        self._reach = reaches(groups, self.units, self._frames, n)
        self._change, self._before, self._without = (np.zeros(columns) for _ in range(3))
        self._weight = float(np.linalg.norm(np.asarray(gravity)))
        self._facts, self._hashes = np.zeros(phases.FACTS), np.ones(1, dtype=np.int64)
        self._bodies = {
            "at_q": np.asarray(loose.at_q, dtype=np.int64), "radius": radius,
            "at_v": np.asarray(loose.at_v, dtype=np.int64), "at_unit": 6 * np.arange(n + 1),
            "gravity": np.asarray(gravity, dtype=float),
            "state": np.zeros(DEPTH + 4, dtype=np.int64),
            **{
                name: np.zeros(self.n_units + 4, dtype=np.int64)
                for name in ("parent", "island", "members", "at_member", "is_hit")
            },
            "islands": np.zeros(REPORT * (self.n_units + 1)),
        }  # fmt: skip
        self._kept = {
            "properties": self._properties, "middle": self.middle, "old": self.old,
            "free": self.free, "x": self.x, "shift": self.shift, "work": np.zeros(SCRATCH),
            "owners": self.units, "frames": self._frames, "poses": self.poses,
            "unit_of": self.units, "reach": self._reach, "facts": self._facts,
            "hashes": self._hashes, "change": self._change, "before": self._before,
            "without": self._without, **self._bodies,
        }  # fmt: skip
        self._at = {name: address(array) for name, array in self._kept.items()}
        self.contacts = contact_arrays()
        self._part, self._step, self.touches = 1.0, 1.0, TOUCHES
        self._rest = Rest(n)
        self.contacts["table"][0] = -1
        self._coefficients = self._pair_laws.coefficients
        self._bind()
        self.n_found = self.count = self.n_islands = self.hits = 0
        self.is_unsolved = False
        self._hit: Hit | None = None
        self.works = np.zeros(0)  # [J] of all contacts in the last step
        self.penetration, self.sweeps, self.residual = 0.0, 0, 0.0

    def _bind(self) -> None:
        """Give the phases the addresses of all arrays, which move when they grow."""
        given = {
            **self._at, **self.contacts.at, "n_loose": len(self.loose), "n_units": self.n_units,
            "n_columns": len(self.x), "n_contours": len(self.units), "tol": self.tolerance,
            "slowest": SLOW, "depth": DEPTH,
        }  # fmt: skip
        (
            self._begin_step, self._sort_contacts, self._place_contacts, self._solve_contacts,
            self._keep_impulses, self._end_step,
        ) = (BoundLoop(x, given) for x in phases.PHASES)  # fmt: skip
        self._take, contour, law = [], 0, 0
        for group in self.groups:
            more = {"contour": contour, "first_law": law, **group.arguments}
            self._take.append(BoundLoop(phases.take_candidates, given | more))
            contour, law = contour + len(group.units), law + len(group.laws)

    def step(
        self, q: Any, v: Any, t: float, h: float, *, theta: float = 0.5, is_corrected: bool = True
    ) -> None:
        """Advance coordinates and velocities, which are changed in place, by h [s]."""
        self._part, self._step = h / self._step, h
        self._begin(q, v, t, h)
        self.touches = CLOSED if is_corrected else TOUCHES
        self._find(self.touches + is_corrected * h * float(self._facts[phases.SPEED]))
        self._take_laws()
        self._collide()
        asked = 2.0 / h if is_corrected else 0.0, 2.0 * h * self._weight
        self._solve(*asked)
        rates = self.rates(self.old) + self.rates(self.x)
        self.works = 0.5 * np.einsum("ij,ij->i", self.impulses, rates)
        self.hits = self._end_step(
            address(q), address(v), h, theta, is_corrected, self.n_found, self.n_islands,
            address(self.blocks), self._hit is not None,
        )  # fmt: skip
        self.penetration = float(self._facts[phases.OVERLAP])
        self.works += self.contacts["paid"][: self.count]

    def _collide(self) -> None:
        """Impacts by Poisson's law, which come before the step."""
        self._hit, laws = None, self._pair_laws
        if self.count and laws.have_poisson:
            self._hit = hit_of(self, laws.are_poisson(self.laws))
        self._bodies["is_hit"][: self.n_islands] = 0
        if self._hit is not None:
            self._change[:] = self._hit.change
            self.contacts["wanted"][: self.count] = self._hit.wanted
            self._bodies["is_hit"][: self.n_islands] = self._hit.islands

    @property
    def algebra(self) -> tuple[int, ...]:
        """Addresses of what contacts are made of."""
        c = self.contacts.at
        return c["sides"], c["arms"], self._at["middle"], address(self.blocks)

    def memory(self) -> dict[str, Any]:
        """What the next step starts from: contacts of the last one, their impulses, what rests."""
        n = 3 * self.count
        return {
            "keys": self.contacts["old_key"][:n].copy(), "kept": self.contacts["kept"][:n].copy(),
            "last_step": self._step, "rest": self._rest.memory(),
        }  # fmt: skip

    def recall(self, record: Record) -> None:
        """Go on from the memory of an earlier run, if its numbers are in their ranges."""
        keys = checked_keys(record, len(self.units))
        kept = record.array("kept", len(keys))
        self.count, self._step = len(keys) // 3, record.number("last_step", 1e-300)
        self._reserve(self.count)
        self.contacts["key"][: len(keys)] = keys
        self._keep_impulses(self.count)
        self.contacts["kept"][: len(kept)] = kept
        self._rest.recall(record)

    def deepest(self, q: Any, v: Any, t: float) -> tuple[float, Any]:
        """Largest overlap [m] at a state, and the contours that overlap."""
        self._begin(q, v, t, 0.0)
        self._look(0.0)
        found = self.found
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
        self._begin_step(address(q), address(v), h)

    def _look(self, margin: float) -> None:
        """Candidates of all groups, with contours and laws numbered through."""
        self.n_found = contour = 0
        for k, group in enumerate(self.groups):
            end = contour + len(group.units)
            count = group.finder.look(self.poses[contour:end], margin)
            self._reserve(self.n_found + count)
            self.n_found = self._take[k](count, self.n_found, *group.finder.found_at)
            contour = end

    def _reserve(self, n: int) -> None:
        """Make room for contacts, and for as many that resist turning."""
        most = 2 * n if self._pair_laws.have_turning else n
        if most > self.contacts.capacity:
            self.contacts.reserve(most)
            self._bind()

    def _candidates(self) -> Iterator[Any]:
        """Columns of the candidates, then their laws."""
        for name, width in _COLUMNS.items():
            own = self.contacts[name][: width * self.n_found]
            yield own if width == 1 else own.reshape(-1, width)

    @property
    def found(self) -> Candidates:
        """Candidates of the step, which are valid until the next one."""
        *columns, _ = self._candidates()
        return Candidates(self.n_found, *columns)

    @property
    def points(self) -> tuple[Any, Any]:
        """Points (n, 3) [m] of the contacts on both sides."""
        found = self.found
        return found.point_a[self.order], found.point_b[self.order]

    def _find(self, near: float) -> None:
        """Contacts, sorted by islands, and from below to above in each."""
        self._look(near)
        self.n_islands = self._sort_contacts(self.n_found, near)
        self.count = int(self.contacts["first"][self.n_islands]) if self.n_islands else 0
        if self._pair_laws.have_turning:
            self.count = self._pair_laws.expand(self.contacts, self.n_islands)
        self._place_contacts(self.count, address(self._coefficients))

    def _take_laws(self) -> None:
        """Coefficients that are no plain numbers, and axes scaled by them."""
        laws = self._pair_laws
        if laws.are_plain:
            return
        laws.turn_axes(self.laws, self.axes)
        rates = self.rates(self.old) if laws.has_functions else None
        out = self.contacts["mu"][: self.count], self.contacts["e"][: self.count]
        scale = laws.fill(self.laws, self.lead, rates, out)
        if laws.are_scaled:
            self.axes[:] *= scale[:, :, None]

    @property
    def lead(self) -> Any:
        """For contacts that resist turning (n,) the one whose normal impulse limits them, or −1."""
        return self.contacts["lead"][: self.count]

    @property
    def laws(self) -> Any:
        """Number of the law of each contact (n,)."""
        return self.contacts["law"][self.order]

    @property
    def order(self) -> Any:
        """Numbers of the candidates that are contacts, in the order of contacts."""
        return self.contacts["order"][: self.count]

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

    def _solve(self, per_gap: float, slow: float) -> None:
        self._sweep(per_gap, slow, self.iterations, is_start=True)
        if self.is_unsolved:
            self._sweep(per_gap, slow, _INSISTENCE * self.iterations, is_start=False)

    def _sweep(self, per_gap: float, slow: float, iterations: int, *, is_start: bool) -> None:
        """Sweep, from impulses of the step before or on from the present ones."""
        asked = self._solve_contacts(
            self.n_islands, address(self.blocks), address(self._coefficients), self._part,
            self.touches, per_gap, slow, iterations, is_start, self._hit is not None,
        )  # fmt: skip
        lost = self._settle() if asked else 0.0
        *_, free, stray, sweeps, worst = self._facts.tolist()
        if self._hit is not None:
            lost = max(lost, self._hit.residual)
        self.sweeps, self.residual = int(sweeps), max(worst, lost)
        limit = _UNSOLVED * free + 1e3 * self.tolerance
        self.is_unsolved = not self.residual <= limit or stray != 0.0

    def _settle(self) -> float:
        """Set to rest what is slow and can be held; return the largest velocity that was taken."""
        at, c, bodies, n = self._at, self.contacts.at, self._bodies, len(self.loose)
        first, begin = self.contacts["first"], bodies["at_member"]
        units = (
            (k, bodies["members"][begin[k] : begin[k + 1]])
            for k in np.flatnonzero(self.islands[:, IS_SLOW]).tolist()
        )
        largest = np.maximum(np.abs(self.x[: 6 * n]), np.abs(self._before[: 6 * n]))
        speeds = (largest * bodies["radius"][: 6 * n]).reshape(-1, 6).max(axis=1, initial=0.0)
        due = self._rest.due(speeds, ((k, x[x < n]) for k, x in units))
        if not due:
            return 0.0
        columns = bodies["radius"], self._before, self._without, self.x
        scene = scene_of(self.contacts, self.count, self.middle, columns, self.tolerance)
        parts = [(np.arange(first[k], first[k + 1]), *more) for k, *more in due]
        asked = np.array([k for k, *_ in due], dtype=np.int64)
        self._rest.settle(scene, parts)
        assess(
            len(asked), address(asked), c["first"], *self.algebra, c["mu"], c["lead"], c["low"],
            c["A"], c["c"], c["r"], at["x"], at["work"], at["islands"],
        )  # fmt: skip
        phases.sum_up(self.n_islands, at["islands"], at["facts"])
        return float(scene.lost[0])

    @property
    def islands(self) -> Any:
        """Sweeps and residual [m/s] of each island, and whether it is slow."""
        return self._bodies["islands"][: REPORT * self.n_islands].reshape(-1, REPORT)
