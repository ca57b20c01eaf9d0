"""Contact forces of a step of the search for rest: which rows hold, slide or part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.simulation.contact.events.modes import sticking_block
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.solvers.nonsmooth import HalfLine

_ROUNDING = 1e-9  # part by which friction may exceed its limit
_INSIDE = 1.0 - 1e-7  # part of its limit below which friction holds


@dataclass(frozen=True)
class ContactForces:
    """Laws of all contacts for displacements in the place of velocities (LI-5).

    Parameters
    ----------
    contacts : Contacts
        The contacts of the machine.
    """

    contacts: Contacts

    def exact(self, G: Any, c: Any, forces: Any, rows: Rows) -> Any:
        """Forces with which what is held is so exactly, where G is not symmetric.

        Friction that would need more than its limit stays there: it slides.
        """
        held = self.held(forces, rows)
        for _ in range(len(c)):
            if not held:
                break
            own = np.ix_(held, held)
            others = np.where(np.isin(np.arange(len(c)), held), 0.0, forces)
            forces = others.copy()
            forces[held] = np.linalg.lstsq(G[own], -(c + G @ others)[held], rcond=1e-10)[0]
            forces, beyond = self._limited(forces, held, rows)
            if not beyond:
                break
            held = [k for k in held if k not in beyond]
        return forces

    def _limited(self, forces: Any, held: list[int], rows: Rows) -> tuple[Any, list[int]]:
        """Forces inside their sets, and the rows that were beyond."""
        forces, beyond = forces.copy(), list[int]()
        for x in self.contacts.touches:
            if x.normal is not None and forces[x.normal] < 0.0:
                forces[x.normal] = 0.0
                beyond.append(x.normal)
        for k, x in enumerate(self.contacts.touches):
            own = list(x.tangents)
            if not own or own[0] not in held:
                continue
            normal = 1.0 if x.is_dry else forces[x.leans_on]
            limit = rows.static[k, : len(own)] * normal
            if limit.min() <= 0.0:
                forces[own] = 0.0
                beyond += own
                continue
            use = float(np.linalg.norm(forces[own] / limit))
            if use > 1.0 + _ROUNDING:
                forces[own] = forces[own] / use
                beyond += own
        return forces, [k for k in beyond if k in held]

    def held(self, forces: Any, rows: Rows) -> list[int]:
        """Rows of contacts that carry, and of friction that is not at its limit."""
        found: list[int] = []
        for k, x in enumerate(self.contacts.touches):
            if x.normal is not None and forces[x.normal] > 0.0:
                found.append(x.normal)
            own = list(x.tangents)
            if not own:
                continue
            normal = 1.0 if x.is_dry else forces[x.leans_on]
            limit = np.maximum(rows.static[k, : len(own)] * normal, 1e-300)
            if normal > 0.0 and np.linalg.norm(forces[own] / limit) < _INSIDE:
                found += own
        return found

    def laws(self, rows: Rows) -> tuple[list[Any], Any]:
        """Laws of all rows as blocks, and the gaps that are left."""
        contacts = self.contacts
        offset, blocks = np.zeros(contacts.n_rows), []
        for k, x in enumerate(contacts.touches):
            if x.normal is not None:
                offset[x.normal] = rows.gaps[k] if x.has_gap else 0.0
                blocks.append(HalfLine(x.normal))
        for k, x in enumerate(contacts.touches):
            if x.tangents:
                blocks.append(sticking_block(x, rows.static[k]))
        return blocks, offset

    def rows_of(self, touch: Any) -> Any:
        """Forces of the rows from those of the contact points."""
        contacts = self.contacts
        found = np.zeros(contacts.n_rows)
        if touch is None:
            return found
        for k, x in enumerate(contacts.touches):
            if x.normal is not None:
                found[x.normal] = touch[3 * k]
            found[list(x.tangents)] = touch[3 * k + 1 : 3 * k + 1 + len(x.tangents)]
        return found

    def touch_of(self, forces: Any) -> Any:
        """Forces of the contact points, normal and both tangents, from those of the rows."""
        contacts = self.contacts
        touch = np.zeros(3 * len(contacts.touches))
        for k, x in enumerate(contacts.touches):
            if x.normal is not None:
                touch[3 * k] = forces[x.normal]
            touch[3 * k + 1 : 3 * k + 1 + len(x.tangents)] = forces[list(x.tangents)]
        return touch
