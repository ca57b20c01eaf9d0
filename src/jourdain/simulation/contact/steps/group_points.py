"""Groups of contacts of a model as a source of contact points of its time steps."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.errors import AssemblyError
from jourdain.model.contact_group import ContactGroup
from jourdain.model.elements import WORLD, with_values
from jourdain.model.joints.free import Free
from jourdain.model.model import Model
from jourdain.results.channels.contact_groups import touched_bodies
from jourdain.simulation.contact.rows import Touch
from jourdain.simulation.contact.steps.group_laws import GroupLaw
from jourdain.simulation.contact.steps.step_pattern import listed
from jourdain.simulation.tolerances import OVERLAP
from jourdain.solvers import Record
from jourdain.solvers.collision import layout
from jourdain.solvers.collision.description import described
from jourdain.solvers.collision.hulls import HULL
from jourdain.solvers.collision.other_pairs import OtherPairs
from jourdain.solvers.collision.tables import Tables
from jourdain.solvers.record import MOST
from jourdain.solvers.timestep.groups import records as at
from jourdain.solvers.timestep.groups.records import Groups
from jourdain.solvers.timestep.records import COUNT, FIRST, LEANS_ON, NORMAL, POINT, Machine

_ROOM = 32  # contacts at first
_OF_PAIR = 256  # contacts of one pair


class GroupPoints:
    """Contours, laws and memory of all groups of a model.

    Parameters
    ----------
    model : Model
        The model.
    values : mapping
        Values of its parameters.
    """

    def __init__(self, model: Model, values: Mapping[str, float]) -> None:
        self.model = model
        self.groups = [with_values(g, values) for g in model.contact_groups.values()]
        self.names = list(model.contact_groups)
        self.contours = [c for g in self.groups for c in g.contours]
        self.bodies = touched_bodies(model)
        self.laws: list[GroupLaw] = []
        self._kept: list[Any] = []
        weight = np.array(with_values(model.gravity, values), dtype=float)
        self.record = Groups(
            n_contours=len(self.contours), n_bodies=len(self.bodies), n_groups=len(self.groups),
            gravity=float(np.linalg.norm(weight)), weight=weight,
        )  # fmt: skip
        self._add_contours()
        self._add_laws()
        self._add_search()
        self.make_room(_ROOM)

    def __bool__(self) -> bool:
        return bool(self.groups)

    @property
    def n_numbers(self) -> int:
        """Numbers of a sample: four of each group, six of each body."""
        return 4 * len(self.groups) + 6 * len(self.bodies)

    def _add_contours(self) -> None:
        g = self.record
        frames = [
            [*np.ravel(c.frame.rotation), *c.frame.position] for c in self.contours
        ]  # fmt: skip
        places = [-1 if c.frame.body == WORLD else self.bodies.index(c.frame.body)
                  for c in self.contours]  # fmt: skip
        own = np.array(frames, dtype=float).reshape(-1, 12)
        reach = np.zeros(len(self.bodies) + 1)
        sizes = np.linalg.norm(own[:, 9:], axis=1) + [_reach(c) for c in self.contours]
        np.maximum.at(reach, places, sizes)
        g.body_of, g.own, g.reach = _whole(places), _numbers(own.ravel()), reach
        g.poses = g.own.copy()  # those of the world stay
        g.end_poses = g.own.copy()

    def _add_laws(self) -> None:
        """Laws of pairs of kinds; kinds of different groups have none."""
        g, joined, kinds, apart, offset = self.record, joined_bodies(self.model), [], [], 0
        table: dict[tuple[int, int], int] = {}
        number: dict[tuple[int, str], int] = {}
        for k, group in enumerate(self.groups):
            for kind in group.kinds:
                kinds.append(number.setdefault((k, kind), len(number)))
            for a, b, law in group.laws:
                i, j = number[k, a], number[k, b]
                table[i, j] = table[j, i] = len(self.laws)
                self.laws.append(GroupLaw(law, k, f"contacts {group.name!r}"))
            pairs = () if group.with_joined else apart_pairs(group, joined)
            apart += [(i + offset) * len(self.contours) + j + offset for i, j in pairs]
            offset += len(group.contours)
        g.n_kinds, g.kind_of = len(number), _whole(kinds)
        laws = np.full((len(number), len(number)), -1, dtype=np.int64)
        for pair, law_number in table.items():
            laws[pair] = law_number
        g.law_table = _whole(laws.ravel().tolist())
        g.apart, g.n_apart = _whole(sorted(apart)), len(apart)
        g.speeds, g.law_now = np.zeros(at.SPEEDS), np.zeros(at.LAW)
        g.laws = _numbers([x for law in self.laws for x in law.numbers])
        g.law_integers = _whole([int(x) for law in self.laws for x in law.integers])
        for k, law in enumerate(self.laws):
            if law.is_function:
                self._bind_law(k, law)

    def _bind_law(self, k: int, law: GroupLaw) -> None:
        g, place = self.record, at.LAW_INTEGERS * k + at.CODE
        kernel = law.kernel()
        if kernel is None:  # it decides by itself, so that Python is asked
            called = law.callback(g.speeds, g.law_now)
            g.law_integers[place] = ctypes.cast(called, ctypes.c_void_p).value
            self._kept.append(called)
            return
        buffers = kernel.take_buffers()
        buffers.pointers[:2] = address(g.speeds), address(g.law_now)
        code = kernel.library.addresses["single"], address(buffers.pointers)
        g.law_integers[place : place + 2] = code
        self._kept.append((kernel, buffers))

    def _add_search(self) -> None:
        g, n, tables = self.record, len(self.contours), Tables()
        kinds, shapes = described(self.contours, tables)
        is_plane = kinds[:, layout.KIND] == layout.HALF_SPACE
        is_other = kinds[:, layout.KIND] == layout.OTHER
        g.shape_kinds, g.shapes = _whole(kinds.ravel().tolist()), _numbers(shapes.ravel())
        g.numbers, g.integers = tables.numbers, tables.integers
        g.order, g.planes = (_whole(np.flatnonzero(x).tolist()) for x in (~is_plane, is_plane))
        g.n_bounded, g.n_planes = int((~is_plane).sum()), int(is_plane.sum())
        self._add_partners(is_plane)
        g.boxes = np.zeros(6 * n + 1)
        size = HULL + 32 + 3 * tables.most_corners + 4 * tables.most_faces
        g.work, g.marks = np.zeros(size), np.zeros(HULL, dtype=np.int64)
        g.heads = np.zeros(n + 2, dtype=np.int64)
        g.state = np.zeros(layout.N_OTHERS + 1, dtype=np.int64)
        g.end_state = g.state.copy()
        g.end_state[layout.CAPACITY] = _OF_PAIR
        g.end_out = np.zeros(layout.CONTACT * _OF_PAIR)
        g.end_ids = np.zeros(layout.ID * _OF_PAIR, dtype=np.int64)
        self._others, first = [], 0
        for group in self.groups:
            own = is_other[first : first + len(group.contours)]
            self._others.append((first, OtherPairs(group.contours, own, 4)))
            first += len(group.contours)
        self._take_pairs(8 * n + 16)

    def _add_partners(self, is_plane: Any) -> None:
        """Contours that have a law with each half-space: in a group of its own they are few."""
        g = self.record
        laws = g.law_table[:-1].reshape(g.n_kinds, g.n_kinds)
        of_kind: list[list[int]] = [[] for _ in range(g.n_kinds)]
        for k in np.flatnonzero(~is_plane).tolist():
            of_kind[g.kind_of[k]].append(k)
        near = {
            kind: [i for other in np.flatnonzero(laws[kind] >= 0) for i in of_kind[other]]
            for kind in set(g.kind_of[g.planes[:-1]].tolist())
        }
        g.partner_start, g.partners = listed([near[g.kind_of[k]] for k in g.planes[:-1]])

    def _take_pairs(self, n: int) -> None:
        g = self.record
        g.state[layout.PAIR_CAPACITY] = n
        g.pairs, g.ordered, g.others = (np.zeros(2 * n, dtype=np.int64) for _ in range(3))

    def make_room(self, room: int) -> None:
        """Memory for so many contacts, and as many near pairs as the last search has met."""
        g = self.record
        if g.state[layout.N_PAIRS] > g.state[layout.PAIR_CAPACITY]:
            self._take_pairs(2 * int(g.state[layout.N_PAIRS]))
        if room <= g.room:
            return
        g.room = g.state[layout.CAPACITY] = room
        g.out, g.ids = np.zeros(layout.CONTACT * room), np.zeros(layout.ID * room, dtype=np.int64)
        g.law_of, g.point_of, g.matches = (np.zeros(room, dtype=np.int64) for _ in range(3))
        g.sides, g.axes, g.moves = (np.zeros(k * (room + 1)) for k in (1, 9, 6))
        for name, size, kind in (
            ("kept", at.KEPT, np.float64), ("kept_integers", at.KEPT_INTEGERS, np.int64),
            ("safe", at.KEPT, np.float64), ("safe_integers", at.KEPT_INTEGERS, np.int64),
        ):  # fmt: skip
            new = np.zeros(size * room + 1, dtype=kind)
            old = getattr(g, name) if g.has(name) else new[:0]
            new[: len(old)] = old
            setattr(g, name, new)

    @property
    def wanted_room(self) -> int:
        """Room that the last search asks for."""
        g = self.record
        return max(int(g.room), 2 * int(g.state[layout.COUNT]))

    def find_others(self) -> bool:
        """Add contacts of pairs that have no loop of their own; tell whether there was room."""
        g = self.record
        count, room = int(g.state[layout.COUNT]), int(g.room)
        pairs = g.others[: 2 * int(g.state[layout.N_OTHERS])].reshape(-1, 2)
        own = [g.ids[: 2 * room].reshape(-1, 2), g.ids[2 * room :], g.out[:room]]
        own += list(g.out[room:].reshape(3, room, 3))
        rows = [[x[:count] for x in own]]
        for (first, others), group in zip(self._others, self.groups, strict=True):
            mine = pairs[(pairs[:, 0] >= first) & (pairs[:, 0] < first + len(group.contours))]
            if len(mine):
                poses = g.poses[12 * first : 12 * (first + len(group.contours))].reshape(-1, 12)
                found = others(poses, mine - first, g.margin)
                rows.append([found[0] + first, *found[1:]])
        joined = [np.concatenate(x) for x in zip(*rows, strict=True)]
        g.state[layout.COUNT] = n = len(joined[0])
        if n > room:
            return False
        order = np.lexsort((joined[0][:, 1], joined[0][:, 0]))
        for to, x in zip(own, joined, strict=True):
            to[:n] = x[order]
        return True

    # -- memory -----------------------------------------------------------------------------------

    def memory(self) -> dict[str, Any]:
        """What the next step depends on."""
        g = self.record
        n = g.n_kept
        whole = g.kept_integers[: at.KEPT_INTEGERS * n].reshape(n, at.KEPT_INTEGERS)
        return {
            "pairs": whole[:, :2].ravel(), "features": whole[:, 2].copy(),
            "contact_modes": whole[:, at.JAM :].ravel(), "kept": g.kept[: at.KEPT * n].copy(),
        }  # fmt: skip

    def checked(self, record: Record) -> dict[str, Any]:
        """The same from the record of an earlier run, if its numbers are in their ranges."""
        n = len(record.whole("features", None, -MOST, MOST))
        found = {
            "pairs": record.whole("pairs", 2 * n, 0, max(len(self.contours) - 1, 0)),
            "features": record.whole("features", n, -MOST, MOST),
            "contact_modes": record.whole("contact_modes", 4 * n, 0, 2),
        }
        return found | {"kept": record.array("kept", at.KEPT * n)}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take back the memory; there is room for it."""
        g, n = self.record, len(memory["features"])
        whole = g.kept_integers[: at.KEPT_INTEGERS * n].reshape(n, at.KEPT_INTEGERS)
        whole[:, :2], whole[:, 2] = memory["pairs"].reshape(n, 2), memory["features"]
        whole[:, at.JAM :] = memory["contact_modes"].reshape(n, 4)
        g.kept[: at.KEPT * n], g.n_kept = memory["kept"], n

    # -- names ------------------------------------------------------------------------------------

    def require_apart(self) -> None:
        """Refuse a start at which bodies overlap.

        Raises
        ------
        AssemblyError
            If two do; the text names them.
        """
        g = self.record
        if not g.n_found:
            return
        k = int(np.argmin(g.out[: g.n_found]))
        if g.out[k] < -OVERLAP:
            a, b = (self.contours[i].frame.body for i in g.ids[2 * k : 2 * k + 2])
            raise AssemblyError(
                f"contacts {self.group_of(k)!r}: bodies {a!r} and {b!r} overlap by "
                f"{-g.out[k]:.3g} m at the start. Move the bodies apart, or give start values at "
                "which they only touch."
            )

    def contact_of(self, point: int) -> int:
        """Found contact to which a contact point belongs."""
        g = self.record
        return int(np.searchsorted(g.point_of[: g.n_found], point, side="right")) - 1

    def rows_of(self, point: int, m: Machine) -> slice:
        """Rows of a found contact: normal, tangents, then rolling and drilling."""
        g, following = self.record, self.contact_of(point) + 1
        last = g.point_of[following] if following < g.n_found else -1
        end = m.points[POINT * last + NORMAL] if last >= 0 else m.n_rows
        return slice(int(m.points[POINT * point + NORMAL]), int(end))

    def group_of(self, contact: int) -> str:
        """Name of the group of a found contact."""
        law = self.laws[int(self.record.law_of[contact])]
        return self.names[int(law.integers[at.GROUP])]

    def pair_of(self, contact: int) -> str:
        """Names of the two bodies of a found contact."""
        ids = self.record.ids[2 * contact : 2 * contact + 2]
        return " - ".join(repr(self.contours[i].frame.body) for i in ids)

    def law_fault(self, machine: Machine) -> str:
        """Which law gives numbers that a law cannot have; empty if none does."""
        g = self.record
        for c in range(g.n_found):
            law, k = self.laws[int(g.law_of[c])], int(g.point_of[c])
            if law.is_function:
                row = int(machine.points[POINT * k + NORMAL])
                slip = float(np.linalg.norm(machine.u[row + 1 : row + 3]))
                speeds = [slip, float(machine.speeds[k]), *self._turning(machine, c)]
                fault = law.fault(law.numbers_at(speeds), speeds)
                if fault:
                    return fault
        return ""

    def _turning(self, machine: Machine, c: int) -> tuple[float, float]:
        """Speeds of roll and spin of a found contact."""
        g = self.record
        k, law = int(g.point_of[c]), self.laws[int(g.law_of[c])]
        first = [int(machine.points[POINT * (k + i) + FIRST]) for i in range(1, 1 + sum(law.turns))]
        rolls, drills = law.turns
        roll = float(np.linalg.norm(machine.u[first[0] : first[0] + 2])) if rolls else 0.0
        return roll, abs(float(machine.u[first[-1]])) if drills else 0.0

    def touches(self, points: Any, first: int) -> list[Touch]:
        """Found contacts as the general solvers see them; ``points`` is the table of the step."""
        g, found = self.record, []
        for k, row in enumerate(points):
            normal = int(row[NORMAL])
            contact = self.contact_of(first + k)
            law = self.laws[int(g.law_of[contact])].law
            tangents = tuple(range(int(row[FIRST]), int(row[FIRST]) + int(row[COUNT])))
            name = self.pair_of(contact)
            if normal >= 0:
                last = g.point_of[contact + 1] if contact + 1 < g.n_found else first + len(points)
                turns = tuple(range(first + k + 1, int(last)))
                found.append(Touch(name, normal, tangents, law, has_gap=True, turns=turns))
            else:
                found.append(
                    Touch(name, None, tangents, law, has_gap=False, lead=int(row[LEANS_ON]))
                )
        return found


def joined_bodies(model: Model) -> frozenset[frozenset[str]]:
    """Pairs of bodies that a joint connects, of which none is the world."""
    ends = (
        frozenset((j.parent.body, j.child.body))
        for j in model.joints.values()
        if type(j.kind) is not Free
    )
    return frozenset(pair for pair in ends if WORLD not in pair)


def apart_pairs(
    group: ContactGroup, joined: frozenset[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Pairs of contours of bodies that a joint connects, the smaller number first."""
    of_body: dict[str, list[int]] = {}
    for k, contour in enumerate(group.contours):
        of_body.setdefault(contour.frame.body, []).append(k)
    for a, b in map(tuple, joined):
        for i in of_body.get(a, ()):
            for j in of_body.get(b, ()):
                yield min(i, j), max(i, j)


def _reach(contour: Any) -> float:
    """How far a contour reaches from the origin of its frame [m]; one metre if it has no end."""
    reach = float(contour.reach)
    return reach if np.isfinite(reach) else 1.0


def _whole(values: Sequence[int]) -> Any:
    return np.array([*values, 0], dtype=np.int64)


def _numbers(values: Any) -> Any:
    return np.array([*values, 0.0], dtype=float)
