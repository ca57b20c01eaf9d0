"""How single values of a file are read: numbers, texts, tables, words of a list."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jourdain.errors import did_you_mean
from jourdain.io.text.arithmetic import ExpressionError, parsed
from jourdain.io.text.section import Value, shown


def number(value: Value) -> Any:
    """Read a number or an expression of parameters."""
    data = value.data
    if isinstance(data, str) and data.startswith("="):
        try:
            return parsed(data[1:], value.parameters)
        except ExpressionError as mistake:
            raise value.is_wrong(f"is {shown(data)}: the expression {mistake}.") from None
    if isinstance(data, str):
        raise value.is_not('a number without quotes, or an expression such as "=2 * length"')
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise value.is_not('a number, or an expression of parameters such as "=2 * length"')
    try:
        plain = float(data)
    except OverflowError:  # an integer beyond the range of floats
        plain = math.inf
    if not math.isfinite(plain):
        raise value.is_wrong(f"is {shown(data)}: give a finite number.")
    return plain


def numbers(value: Value) -> tuple[Any, ...]:
    """Read an array of numbers, or of such arrays."""
    if not isinstance(value.data, list):
        raise value.is_not("numbers in brackets such as [0.0, 0.0, 0.3]")
    return tuple(
        tuple(number(x) for x in item.items()) if isinstance(item.data, list) else number(item)
        for item in value.items()
    )


def text(value: Value) -> str:
    """Read a text."""
    if not isinstance(value.data, str):
        raise value.is_not("a text in quotes")
    return value.data


def truth(value: Value) -> bool:
    """Read true or false."""
    if not isinstance(value.data, bool):
        raise value.is_not("true or false")
    return value.data


def table(value: Value, example: str) -> dict[str, Any]:
    """Check that a value is a table; return its data."""
    if not isinstance(value.data, dict):
        raise value.is_not(f"a table such as {example}")
    return value.data


def chosen(value: Value, known: Mapping[str, Any], what: str) -> Any:
    """Read one of the known words; return what it stands for."""
    word = text(value)
    if word not in known:
        hint = did_you_mean(word[:80], known)
        listed = ", ".join(map(repr, known))
        raise value.is_wrong(f"is {shown(word)}, which is no {what}. Known: {listed}.{hint}")
    return known[word]
