"""Quantities that a part adds to the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def _first(first: Any, *_: Any) -> Any:
    return first


@dataclass(frozen=True)
class Result:
    """A quantity of a part, computed from others when it is asked for.

    Parameters
    ----------
    unit : str
        Unit of its numbers.
    text : str
        What it is, in words.
    names : tuple of str
        Full names of the quantities that it is computed from.
    function : function of arrays
        Its numbers from theirs; by default those of the first, under another name. So named, a
        coordinate or state may be given at the start, too.
    numbers : tuple of float
        Further arguments of the function, after the quantities; parameters have the values of the
        run.
    """

    unit: str
    text: str
    names: tuple[str, ...]
    function: Callable[..., Any] = _first
    numbers: tuple[Any, ...] = ()

    @property
    def is_renamed(self) -> bool:
        """Whether it is another name of one quantity."""
        return self.function is _first and len(self.names) == 1
