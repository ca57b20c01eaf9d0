"""Numbers and texts as a file holds them, and what no file can hold."""

from __future__ import annotations

from typing import Any

from jourdain.io.text.arithmetic import ExpressionError, plain, written
from jourdain.spatial.parameter import Expression


class UnwritableError(Exception):
    """Something that a file cannot hold; the text goes on after the name of the element."""


def number_tree(value: Any, what: str) -> Any:
    """Form of a number: itself, or the text of an expression."""
    try:
        return f"={written(value)}" if isinstance(value, Expression) else plain(value)
    except ExpressionError as mistake:
        raise UnwritableError(
            f"{what} {mistake}. Use numbers, parameters and + - * / ** only."
        ) from None


def numbers_tree(values: Any, what: str) -> list[Any]:
    """Form of a tuple of numbers, or of such tuples."""
    return [
        numbers_tree(v, what) if isinstance(v, list | tuple) else number_tree(v, what)
        for v in values
    ]


def text_tree(value: Any, what: str) -> str:
    """Form of a text."""
    if not isinstance(value, str):
        raise UnwritableError(f"{what} is {value!r}, which is no text. Give a text in quotes.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UnwritableError(
            f"{what} is {value!r}, which holds half a character. Give another text."
        ) from None
    return value
