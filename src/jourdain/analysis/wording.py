"""Words of the reports: joint kinds, counts, long lists, tables."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from jourdain.model.joints.joint import Joint
from jourdain.model.joints.product import Product

WIDTH = 100
_FIXED_SPACE = "\u00a0"


def kind_text(kind: Joint) -> str:
    """Joint kind as the user writes it: ``Revolute("y")``, ``Prismatic("x") * Revolute("z")``."""
    if isinstance(kind, Product):
        return " * ".join(map(kind_text, kind.factors))
    given = (getattr(kind, f.name) for f in fields(kind) if f.init)  # type: ignore[arg-type]
    return f"{type(kind).__name__}({', '.join(map(_value, given))})"


def _value(value: Any) -> str:
    if isinstance(value, Joint):
        return kind_text(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))})"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:.4g}"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__)).replace("<lambda>", "function")
    return str(value)


def counted(count: int, one: str, many: str = "") -> str:
    """Write a count with its noun: ``1 loop``, ``2 bodies``, ``no joints``."""
    return f"{count or 'no'} {one if count == 1 else many or one + 's'}"


def some(names: Sequence[str], separator: str, most: int) -> str:
    """Names in a row; the middle of a row of more than ``most`` is left out."""
    if len(names) > most:
        names = [*names[: most // 2], "…", *names[-(most - most // 2) :]]
    return separator.join(names)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with the cells of each column flush left, two spaces in."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return ["  " + "   ".join(row).rstrip() for row in cells]


def wrapped(text: str) -> list[str]:
    """Lines of at most `WIDTH` characters, all but the first two spaces further in.

    A unit in brackets stays with the word before it.
    """
    margin = " " * (2 + len(text) - len(text.lstrip()))
    lines = textwrap.wrap(
        text.replace(" [", _FIXED_SPACE + "["),
        WIDTH,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_FIXED_SPACE, " ") for line in lines]
