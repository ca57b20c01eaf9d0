"""Contacts that last: which are closed, stick or slide, and their laws within one step.

Forces and impulses of the rows are r = T x + r₀, where x obeys the laws of the blocks and a sliding
contact takes its friction along with its normal force (CT-1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jourdain.simulation.contact.events.modes import resistance, sticking_block, with_friction
from jourdain.simulation.contact.rows import Contacts, Rows, Touch
from jourdain.solvers.nonsmooth import Disc, HalfLine, Segment
from jourdain.solvers.record import Record, refused

_UNIT = 1.0 + 1e-9  # length of a direction


@dataclass
class Holding:
    """Contacts that last.

    Parameters
    ----------
    closed : set of int
        Touchings whose gap is held.
    slides : dict of int to array
        Directions of those, and of places of dry friction, that slide; the others stick.
    """

    closed: set[int] = field(default_factory=set)
    slides: dict[int, Any] = field(default_factory=dict)

    def copy(self) -> Holding:
        """The same, to be changed."""
        return Holding(set(self.closed), dict(self.slides))

    def memory(self) -> dict[str, Any]:
        """The same as lists, which JSON can hold; a direction has two numbers."""
        slides = sorted([int(k), *way.tolist(), 0.0][:3] for k, way in self.slides.items())
        return {"closed": sorted(map(int, self.closed)), "slides": slides}

    @staticmethod
    def of(memory: Mapping[str, Any], contacts: Contacts) -> Holding:
        """Contacts that last, from `memory`."""
        slides = {
            int(k): np.array(way[: len(contacts.touches[int(k)].tangents)])
            for k, *way in memory["slides"]
        }
        return Holding(set(memory["closed"]), slides)

    @staticmethod
    def checked(record: Record, contacts: Contacts) -> dict[str, Any]:
        """`memory` of an earlier run, with contacts and directions that there are."""
        touches, closed = contacts.touches, record.choices("closed", len(contacts.touches))
        slides = record.table("slides", 3)
        with_tangents = {float(k) for k, x in enumerate(touches) if x.tangents}
        if any(touches[k].normal is None for k in closed):
            raise refused("'closed' has friction without a contact")
        if any(k not in with_tangents or np.hypot(*way) > _UNIT for k, *way in slides):
            raise refused("'slides' has something that cannot slide")
        return {"closed": closed, "slides": slides}

    def rubbing(self, contacts: Contacts) -> list[tuple[int, Touch]]:
        """Touchings whose friction acts."""
        return with_friction(contacts, self.closed)

    def acting(self, contacts: Contacts) -> set[int]:
        """Touchings that are closed, and what turns there."""
        return {j for k in self.closed for j in contacts.together(k)}

    def word(self, contacts: Contacts, k: int) -> str:
        """Mode of one touching in a word."""
        x = contacts.touches[k]
        if k not in self.acting(contacts) and not x.is_dry:
            return "open"
        if not x.tangents:
            return "contact"
        return "slip" if k in self.slides else "stick"

    def heed(self, contacts: Contacts, u: Any, slow: float) -> None:
        """Take what slides at the velocities of the rows, and in which direction."""
        rubbing = self.rubbing(contacts)
        self.slides = {
            k: u[list(x.tangents)] / np.linalg.norm(u[list(x.tangents)])
            for k, x in rubbing
            if np.linalg.norm(u[list(x.tangents)]) > slow
        }

    def drop_unloaded(self, contacts: Contacts, rows: Rows, forces: Any, f: Any) -> None:
        """Let contacts go that carry no force and open with the accelerations f.

        What carries no force and stays closed is one of more contacts than there are freedoms.
        """
        scale = float(np.abs(rows.acceleration).max(initial=0.0)) + 1e-300
        opens = rows.W @ f + rows.bias
        for k in list(self.closed):
            n = contacts.touches[k].normal
            if forces[n] * rows.G[n, n] <= 1e-12 * scale and opens[n] > 1e-9 * scale:
                self.closed.discard(k)
                for j in contacts.together(k):
                    self.slides.pop(j, None)

    def start_sliding(self, contacts: Contacts, rows: Rows, f: Any) -> None:
        """Let slide what the accelerations f move off, though it has no velocity yet."""
        scale = float(np.abs(rows.acceleration).max(initial=0.0)) + 1e-300
        rates = rows.W @ f + rows.bias
        for k, x in self.rubbing(contacts):
            way = rates[list(x.tangents)]
            size = float(np.linalg.norm(way))
            if k not in self.slides and size > 1e-9 * scale:
                self.slides[k] = way / size

    def differs(self, other: Holding) -> bool:
        """Whether something else is closed or slides."""
        return self.closed != other.closed or set(self.slides) != set(other.slides)

    def turn(self, contacts: Contacts, u: Any) -> None:
        """Take the directions of sliding at new velocities, where they have not reversed."""
        for k, way in self.slides.items():
            slip = u[list(contacts.touches[k].tangents)]
            if len(way) == 2 and slip @ way > 0.0:  # along one tangent there is nothing to turn
                self.slides[k] = slip / np.linalg.norm(slip)

    def stop_reversed(self, contacts: Contacts, u: Any) -> None:
        """Let those stick, if they can, whose sliding has passed zero."""
        for k, way in list(self.slides.items()):
            if u[list(contacts.touches[k].tangents)] @ way <= 0.0:
                del self.slides[k]

    def force_laws(self, contacts: Contacts, rows: Rows) -> tuple[Any, Any, list[Any]]:
        """T, r₀ and blocks of forces."""
        T, r0, blocks = self._normals(contacts, rows)
        for k, x in self.rubbing(contacts):
            tangents = list(x.tangents)
            if k not in self.slides:
                blocks.append(sticking_block(x, rows.capacity[k]))
            elif x.is_dry:
                r0[tangents] = -resistance(rows.capacity[k], self.slides[k])
            else:
                T[tangents, x.leans_on] = -resistance(rows.capacity[k], self.slides[k])
        return T, r0, blocks

    def impulse_laws(
        self, contacts: Contacts, rows: Rows, known: Any, h: float
    ) -> tuple[Any, Any, list[Any]]:
        """T, r₀ and blocks of the impulses of a step whose forces have given ``known``.

        What slides on keeps the impulse of its friction; what sticks may need another one.
        """
        T, r0, blocks = self._normals(contacts, rows)
        for k, x in self.rubbing(contacts):
            tangents = list(x.tangents)
            if k not in self.slides:
                blocks.append(_scaled(sticking_block(x, rows.capacity[k]), h if x.is_dry else 1.0))
                continue
            r0[tangents] = known[tangents]
            if x.is_rough:
                friction = resistance(rows.capacity[k], self.slides[k])
                T[tangents, x.leans_on] = -friction
                r0[tangents] += friction * known[x.leans_on]
        return T, r0, blocks

    def _normals(self, contacts: Contacts, rows: Rows) -> tuple[Any, Any, list[Any]]:
        n = len(rows.u)
        normals = [contacts.touches[k].normal for k in sorted(self.closed)]
        return np.eye(n), np.zeros(n), [HalfLine(row) for row in normals if row is not None]


def _scaled(block: Any, h: float) -> Any:
    """Block of dry friction with its limits over a time."""
    if isinstance(block, Segment):
        return Segment(block.row, h * block.lower, h * block.upper)
    return Disc(block.rows, h * block.radius) if isinstance(block, Disc) else block
