"""Contacts of many contours at given poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.model.contours import Contour
from jourdain.solvers.collision import layout as at
from jourdain.solvers.collision.description import described
from jourdain.solvers.collision.hulls import HULL
from jourdain.solvers.collision.other_pairs import OtherPairs
from jourdain.solvers.collision.search import search
from jourdain.solvers.collision.tables import Tables
from jourdain.solvers.native import BoundLoop

_AXIS_CALLS = 64  # calls after which the axis of the sweep is chosen anew


@dataclass(frozen=True, slots=True)
class Candidates:
    """Contacts within a margin, in the axes of the world; valid until the next search.

    They are in rising order of the pairs, in each of which the smaller number is the first.

    Parameters
    ----------
    count : int
        Number of contacts n.
    pairs : (n, 2) of int
        Numbers of the contours.
    feature : (n,) of int
        Which corners, edges and faces of the two touch: the same number from step to step.
    gap : (n,) [m]
        Gaps; negative for overlap.
    normal : (n, 3) [1]
        Unit vectors from the first to the second.
    point_a, point_b : (n, 3) [m]
        Points of the two: ``point_b - point_a = gap normal``.
    """

    count: int
    pairs: Any
    feature: Any
    gap: Any
    normal: Any
    point_a: Any
    point_b: Any

    @property
    def a(self) -> Any:
        """Numbers of the first contours (n,)."""
        return self.pairs[:, 0]

    @property
    def b(self) -> Any:
        """Numbers of the second contours (n,)."""
        return self.pairs[:, 1]


class ContactFinder:
    """Finds where contours of different bodies are close.

    Parameters
    ----------
    contours : sequence of Contour
        Outlines; parameters have their nominal values. Two on one body, or two on the world, are
        never paired.
    lanes : int
        Pairs at a time, for pairs that have formulas but no loop of their own.

    Raises
    ------
    ModelError
        If two contours of different bodies can come close for which there is no formula.
    MissingExtraError
        If only the library coal can tell the contacts of two contours, and it is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from jourdain.model import Frame
    >>> from jourdain.model.contours import Box, HalfSpace
    >>> from jourdain.solvers.collision import ContactFinder
    >>> finder = ContactFinder([HalfSpace(Frame("world")), Box(Frame("die"), (1, 1, 1))])
    >>> poses = np.tile([1.0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], (2, 1))
    >>> poses[1, 11] = 0.5
    >>> finder.find(poses, margin=1e-3).point_b[:, :2].tolist()
    [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]]
    """

    def __init__(self, contours: Sequence[Contour], lanes: int = 4) -> None:
        self.contours, self.lanes = tuple(contours), lanes
        n = len(self.contours)
        tables = Tables()
        self.kinds, self.shapes = described(self.contours, tables)
        self.numbers, self.integers = tables.numbers, tables.integers
        is_plane = self.kinds[:, at.KIND] == at.HALF_SPACE
        self.order, self.planes = (
            np.flatnonzero(x).astype(np.int64) for x in (~is_plane, is_plane)
        )
        self.poses, self.boxes = np.zeros((n, at.POSE)), np.zeros((n, 6))
        self.work = np.zeros(HULL + 32 + 3 * tables.most_corners + 4 * tables.most_faces)
        self.marks, self.heads = np.zeros(HULL, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
        self.state = np.zeros(at.N_OTHERS + 1, dtype=np.int64)
        is_other = self.kinds[:, at.KIND] == at.OTHER
        self._others = OtherPairs(self.contours, is_other, lanes)
        self._axis, self._calls = 0, 0
        self._make_room(8 * n + 64, 8 * n + 64)

    def _make_room(self, pairs: int, contacts: int) -> None:
        """Arrays for so many pairs and contacts, and the arguments of the loop."""
        self.state[at.PAIR_CAPACITY], self.state[at.CAPACITY] = pairs, contacts
        self.pairs, self.ordered, self.others = (
            np.zeros((pairs, 2), dtype=np.int64) for _ in range(3)
        )
        self.out, self.ids = np.zeros(at.CONTACT * contacts), np.zeros(at.ID * contacts, np.int64)
        columns = self.out[contacts:].reshape(3, contacts, 3)
        self._own_rows = (
            self.ids[: 2 * contacts].reshape(-1, 2), self.ids[2 * contacts :], self.out, *columns,
        )  # fmt: skip
        self._take(self._own_rows)
        arrays = {
            "poses": self.poses, "boxes": self.boxes, "kinds": self.kinds, "shapes": self.shapes,
            "P": self.numbers, "T": self.integers, "order": self.order, "planes": self.planes,
            "pairs": self.pairs, "ordered": self.ordered, "w": self.work, "m": self.marks,
            "heads": self.heads, "others": self.others, "out": self.out, "ids": self.ids,
            "state": self.state,
        }  # fmt: skip
        sizes = {
            "n": len(self.contours),
            "n_bounded": len(self.order),
            "n_planes": len(self.planes),
        }
        self._search = BoundLoop(search, {k: address(x) for k, x in arrays.items()} | sizes)

    def find(self, poses: Any, margin: float) -> Candidates:
        """Contacts with gaps up to a margin.

        Parameters
        ----------
        poses : (n, 12)
            Frame of each contour: rotation row by row, position [m].
        margin : float [m]
            Largest gap.
        """
        count = self.look(poses, margin)
        return Candidates(count, *(rows[:count] for rows in self._rows))

    def look(self, poses: Any, margin: float) -> int:
        """Number of contacts with gaps up to a margin; their columns are at ``found_at``."""
        self.poses[:] = poses
        if self._calls % _AXIS_CALLS == 0 and len(self.order):
            self._axis = int(np.argmax(self.poses[self.order, 9:].var(axis=0)))
        self._calls += 1
        while True:
            has_room = self._search(margin, self._axis)
            state = self.state.tolist()
            if has_room and state[at.COUNT] <= state[at.CAPACITY]:
                break
            pairs, contacts = state[at.PAIR_CAPACITY], state[at.CAPACITY]
            self._make_room(max(2 * state[at.N_PAIRS], pairs), max(2 * state[at.COUNT], contacts))
        if state[at.N_OTHERS]:
            self._take(self._with_others(state[at.COUNT], state[at.N_OTHERS], margin))
            return len(self._rows[0])
        if self._rows is not self._own_rows:
            self._take(self._own_rows)
        return int(state[at.COUNT])

    def _take(self, rows: tuple[Any, ...]) -> None:
        """Columns of contacts, and their addresses."""
        self._rows, self.found_at = rows, [*map(address, rows)]

    def _with_others(self, count: int, n_others: int, margin: float) -> tuple[Any, ...]:
        """Contacts together with those of pairs that have no loop."""
        own = [rows[:count] for rows in self._own_rows]
        added = self._others(self.poses, self.others[:n_others], margin)
        pairs, *rest = (np.concatenate(both) for both in zip(own, added, strict=True))
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return pairs[order], *(x[order] for x in rest)
