"""Short texts of measures and laws, as reports show them."""

from __future__ import annotations

from dataclasses import MISSING, fields
from inspect import isroutine
from numbers import Real
from typing import Any

_MOST_NUMBERS = 6


def phrase(element: Any) -> str:
    """Name and fields of a dataclass: what has no default by its value, the rest if it differs."""
    words = []
    for k, f in enumerate(fields(element)):
        value = getattr(element, f.name)
        default = f.default if f.default_factory is MISSING else f.default_factory()
        if not _same(value, default):
            word = _text(value)
            words.append(word if k == 0 or default is MISSING else f"{f.name}={word}")
    return f"{type(element).__name__}({', '.join(words)})"


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _text(value: Any) -> str:
    if isinstance(value, Real):
        return f"{value:g}"
    if isinstance(value, tuple):
        return _listed(value)
    return str(value.__name__) if isroutine(value) else str(value)


def _listed(values: tuple[Any, ...]) -> str:
    if values and isinstance(values[0], tuple) and isinstance(values[0][0], Real):
        return f"{len(values)}×{len(values[0])} numbers"
    words = [_text(v) for v in values[:_MOST_NUMBERS]]
    return f"({', '.join(words)}{', …' * (len(values) > _MOST_NUMBERS)})"
