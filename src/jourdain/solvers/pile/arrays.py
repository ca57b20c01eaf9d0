"""Arrays that grow with the number of contacts, and their addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.solvers.pile.rows import ARMS, SIDE
from jourdain.solvers.pile.sweeps import DEPTH, MATRICES

_FIRST = 64


class Arrays:
    """Named arrays with room for a number of contacts; each is asked for by name.

    The addresses, ``at.name``, stay valid until the next `reserve`.

    Parameters
    ----------
    numbers, integers : mapping of str to int
        Entries for each contact, of doubles and of integers.
    """

    def __init__(self, numbers: Mapping[str, int], integers: Mapping[str, int]) -> None:
        self._sizes: dict[str, tuple[int, Any]] = {k: (n, np.float64) for k, n in numbers.items()}
        self._sizes |= {k: (n, np.int64) for k, n in integers.items()}
        self._arrays: dict[str, Any] = {}
        self.at: dict[str, int] = {}
        self.capacity = 0
        self.reserve(_FIRST)

    def reserve(self, n: int) -> None:
        """Make room for n contacts; what is there is kept."""
        if n <= self.capacity:
            return
        self.capacity = max(n, 2 * self.capacity)
        for name, (size, kind) in self._sizes.items():
            new = np.zeros(size * self.capacity + 2, dtype=kind)
            old = self._arrays.get(name)
            if old is not None:
                new[: len(old)] = old
            self._arrays[name] = new
            self.at[name] = new.ctypes.data

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]


def contact_arrays() -> Arrays:
    """What is known of candidates and contacts of a step."""
    return Arrays(
        {"arms": ARMS, "A": MATRICES, "c": 1, "r": 3, "mu": 1, "e": 1, "low": 1, "wanted": 1,
         "kept": 3, "sigma": 1, "ends": 1, "paid": 1, "y": 3, "root": 3,
         "memory": 3 * (3 + 2 * DEPTH) + 2 * DEPTH, "gap": 1, "normal": 3, "point_a": 3,
         "point_b": 3, "height": 1},
        {"chosen": 1, "units": 2, "first": 1, "order": 1, "sides": 2 * SIDE, "key": 3,
         "old_key": 3, "table": 4, "pairs": 2, "feature": 1, "law": 1, "rank": 1, "spare": 1,
         "lead": 1},
    )  # fmt: skip
