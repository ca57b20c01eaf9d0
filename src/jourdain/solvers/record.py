"""Numbers that a run takes over from an earlier one, each with the range it must lie in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import ModelError

LARGEST = 1e300
"""Size of a number that still is a state."""
MOST = 2**53
"""Largest count: integers up to here are exact in files."""


def refused(why: str) -> ModelError:
    """Error of a run that cannot go on."""
    return ModelError(
        f"the run cannot be resumed: {why}. Its checkpoint belongs to another model, or somebody "
        "has changed it. Give the model of that run, or start anew with start=sol.final."
    )


class Record:
    """Contents of a checkpoint, which may come from a file that somebody has changed.

    Every number is asked for with its range; what has another type, size or range is refused.

    Parameters
    ----------
    contents : mapping
        Numbers, lists, arrays and records by name.

    Raises
    ------
    ModelError
        From all methods: with what is wrong.
    """

    def __init__(self, contents: Any) -> None:
        if not isinstance(contents, Mapping):
            raise refused(f"{contents!r:.40} is no record")
        self._contents = contents

    def __contains__(self, name: str) -> bool:
        return name in self._contents

    def _get(self, name: str) -> Any:
        if name not in self._contents:
            raise refused(f"{name!r} is missing")
        return self._contents[name]

    def number(self, name: str, low: float = -LARGEST, high: float = LARGEST) -> float:
        """Number between two others, which may be reached."""
        x = self._get(name)
        is_number = isinstance(x, int | float | np.integer | np.floating)
        if not is_number or isinstance(x, bool) or not low <= x <= high:
            raise refused(f"{name!r} is {x!r:.40}, no number from {low:g} to {high:g}")
        return float(x)

    def count(self, name: str, most: int = MOST) -> int:
        """Whole number from zero on."""
        x = self.number(name, 0, most)
        if x != int(x):
            raise refused(f"{name!r} is {x!r}, no count")
        return int(x)

    def flag(self, name: str) -> bool:
        """True or false, also as 1 or 0."""
        x = self._get(name)
        return bool(x) if isinstance(x, bool) else bool(self.count(name, 1))

    def text(self, name: str) -> str:
        """Text."""
        x = self._get(name)
        if not isinstance(x, str):
            raise refused(f"{name!r} is {x!r:.40}, no text")
        return x

    def texts(self, name: str) -> list[str]:
        """List of texts."""
        x = self._get(name)
        if not isinstance(x, list) or not all(isinstance(text, str) for text in x):
            raise refused(f"{name!r} is {x!r:.40}, no list of texts")
        return x

    def method(self, name: str) -> tuple[str, dict[str, Any]]:
        """Kind and settings of a method."""
        x = self._get(name)
        is_method = isinstance(x, list) and len(x) == 2
        if not is_method or not isinstance(x[0], str) or not isinstance(x[1], dict):
            raise refused(f"{name!r} is {x!r:.40}, no method")
        return x[0], x[1]

    def record(self, name: str) -> Record:
        """Record within."""
        return Record(self._get(name))

    def counts(self, name: str, of: Iterable[str]) -> dict[str, int]:
        """Counts of some names, from the record of another name."""
        own = self.record(name)
        return {each: own.count(each) for each in of}

    def table(self, name: str, width: int) -> list[Any]:
        """List of rows of numbers."""
        rows = self._get(name)
        if not isinstance(rows, list):
            raise refused(f"{name!r} is {rows!r:.40}, no list")
        return [_row(name, row, width) for row in rows]

    def array(
        self, name: str, size: int | None, low: float = -LARGEST, high: float = LARGEST
    ) -> Any:
        """Row of numbers between two others; with a size of None, of any size."""
        return _row(name, self._get(name), size, low, high)

    def whole(self, name: str, size: int | None, low: int, high: int) -> Any:
        """Row of whole numbers between two others."""
        x = self.array(name, size, low, high)
        if np.any(x != np.floor(x)):
            raise refused(f"{name!r} has numbers that are not whole")
        return x.astype(np.int64)

    def choices(self, name: str, n: int) -> list[int]:
        """List of different whole numbers from 0 to n − 1."""
        x: list[int] = self.whole(name, None, 0, n - 1).tolist()
        if len(set(x)) != len(x):
            raise refused(f"{name!r} has a number twice")
        return x


def _row(
    name: str, given: Any, size: int | None, low: float = -LARGEST, high: float = LARGEST
) -> Any:
    """Row of numbers of a size, each in a range, as a new array."""
    try:
        x = np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise refused(f"{name!r} is {given!r:.40}, no row of numbers") from None
    if x.ndim != 1 or (size is not None and len(x) != size):
        raise refused(f"{name!r} has the shape {x.shape}, not ({size},)")
    if not np.all((x >= low) & (x <= high)):  # which NaN fails, too
        raise refused(f"{name!r} has numbers that do not lie between {low:g} and {high:g}")
    return x
