"""Contacts whose forces the laws leave open: more rows are held than the machine can tell apart.

Forces λ with G λ = 0 change no motion. Where such λ exist, forces of the contacts that take part in
them are not unique; the motion is, and so is every sum of forces that moves something. Friction in
a direction in which nothing can move, such as across the plane of a planar machine, is none of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.tolerances import NO_RESPONSE, TAKES_PART

MOST_ROWS = 60
"""Rows that are looked at together; more cost more than it is worth."""


class Redundancy:
    """Names of contacts whose forces have not been unique at some time.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    """

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts
        self._seen: set[tuple[int, ...]] = set()
        self._found: set[int] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """The contacts, in the order of the model."""
        return tuple(x.name for k, x in enumerate(self._contacts.touches) if k in self._found)

    def recall(self, names: Iterable[str]) -> None:
        """Take over contacts of an earlier run."""
        self._found |= {k for k, x in enumerate(self._contacts.touches) if x.name in set(names)}

    def look(self, rows: Rows, held: Iterable[int]) -> None:
        """Look at rows that are held together, once for each set of them."""
        used = tuple(sorted(held))
        if used in self._seen or not 1 < len(used) <= MOST_ROWS:
            return
        self._seen.add(used)
        owners, T = self._movable(rows, used)
        if not owners:
            return
        G = T.T @ rows.G[np.ix_(used, used)] @ T
        values, vectors = np.linalg.eigh(G)
        open_parts = (
            np.abs(vectors[:, values < NO_RESPONSE * len(used)]).max(axis=1, initial=0.0)
            > TAKES_PART
        )
        self._found |= {k for k, is_open in zip(owners, open_parts, strict=True) if is_open}

    def _movable(self, rows: Rows, used: tuple[int, ...]) -> tuple[list[int], Any]:
        """Directions of unit response within the rows of one law, and whose they are."""
        place = {row: k for k, row in enumerate(used)}
        largest = max(float(rows.G[row, row]) for row in used)
        owners, columns = [], []
        for k, x in enumerate(self._contacts.touches):
            for own in ((x.normal,), x.tangents):
                held = [row for row in own if row in place]
                values, vectors = np.linalg.eigh(rows.G[np.ix_(held, held)])
                for value, vector in zip(values, vectors.T, strict=True):
                    if value > NO_RESPONSE * largest:
                        column = np.zeros(len(used))
                        column[[place[row] for row in held]] = vector / np.sqrt(value)
                        columns.append(column)
                        owners.append(k)
        return owners, np.array(columns).T
