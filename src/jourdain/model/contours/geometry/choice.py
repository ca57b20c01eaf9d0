"""The best of several candidates, without deciding in Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jourdain import math

Candidate = tuple[Any, ...]


def greatest(candidates: Iterable[Candidate]) -> Candidate:
    """Candidate ``(key, value, ...)`` of the largest key; the first of equals."""
    rest = iter(candidates)
    best = next(rest)
    for candidate in rest:
        is_better = candidate[0] > best[0]
        best = tuple(
            math.where(is_better, new, old) for new, old in zip(candidate, best, strict=True)
        )
    return best


def least(candidates: Iterable[Candidate]) -> Candidate:
    """Candidate ``(key, value, ...)`` of the smallest key; the first of equals."""
    key, *values = greatest((-candidate[0], *candidate[1:]) for candidate in candidates)
    return (-key, *values)
