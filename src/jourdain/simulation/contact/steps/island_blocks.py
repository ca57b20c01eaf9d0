"""Sets of the laws of an island, for the general solvers."""

from __future__ import annotations

from typing import Any

from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Segment
from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, SEGMENT


def island_blocks(s: Any, used: Any) -> list[Any]:
    """Sets of an island's laws, by the rows of the contacts."""
    blocks: list[Any] = []
    for b in range(s.groups):
        a, end, kind = s.start[b], s.start[b + 1], s.kind[b]
        rows = [int(used[i]) for i in s.rows[a:end]]
        lower, upper = float(s.limits[3 * b]), float(s.limits[3 * b + 1])
        if kind == HALF_LINE:
            blocks.append(HalfLine(rows[0]))
        elif kind == SEGMENT:
            blocks.append(Segment(rows[0], lower, upper))
        elif kind == DISC:
            blocks.append(Disc((rows[0], rows[1]), upper))
        elif kind == CONTACT:
            blocks.append(HalfLine(rows[0]))
            blocks.append(_friction(rows[0], rows[1:], s.D[a + 1 : end]))
        else:
            mu = [upper] if len(rows) == 1 else s.D[a:end]
            blocks.append(_friction(int(used[s.normal[b]]), rows, mu))
    return blocks


def _friction(normal: int, rows: list[int], mu: Any) -> Friction:
    both = [float(x) for x in mu]
    alike = len(both) == 1 or both[0] == both[1]
    return Friction(normal, tuple(rows), both[0] if alike else (both[0], both[1]))
