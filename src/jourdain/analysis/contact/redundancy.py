"""Contacts whose forces the laws leave open: more rows are held than the machine can tell apart.

Forces λ with G λ = 0 change no motion. Where such λ exist, forces of the contacts that take part in
them are not unique; the motion is, and so is every sum of forces that moves something.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jourdain.analysis.contact.rows import Contacts, Rows

_MOST = 60  # rows that are looked at; more cost more than it is worth
_NONE = 1e-10  # eigenvalue that is none, of a matrix with unit diagonal
_PART = 1e-6  # component of a unit vector that takes part


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

    def look(self, rows: Rows, held: Iterable[int]) -> None:
        """Look at rows that are held together, once for each set of them."""
        used = tuple(sorted(held))
        if used in self._seen or not 1 < len(used) <= _MOST:
            return
        self._seen.add(used)
        G = rows.G[np.ix_(used, used)]
        size = np.sqrt(np.maximum(np.diag(G), 1e-300))
        values, vectors = np.linalg.eigh(G / np.outer(size, size))
        open_parts = np.abs(vectors[:, values < _NONE * len(used)]).max(axis=1, initial=0.0) > _PART
        loose = {row for row, is_open in zip(used, open_parts, strict=True) if is_open}
        for k, x in enumerate(self._contacts.touches):
            if loose & {x.normal, *x.tangents}:
                self._found.add(k)
