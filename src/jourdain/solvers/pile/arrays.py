"""Arrays that grow with the number of contacts, and their addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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
