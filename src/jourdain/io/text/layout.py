"""TOML text of a tree of tables, laid out for people: short tables in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jourdain.io.text.values import UnwritableError

WIDTH = 100
DEEPEST = 30

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def blocks(tree: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the text of a table in blocks: first its own keys, then a block for each sub-table.

    Parameters
    ----------
    tree : mapping
        Texts, numbers, lists and mappings by key.
    path : tuple of str
        Keys that lead to the table; empty for the top.
    """
    keys = list(tree)
    lines = [f"{key_text(k)} = {_value(v, len(k) + 3, 0, 0)}" for k, v in tree.items()]
    own = _count_of_lines(list(tree.values()), lines)
    header = [f"[{'.'.join(map(key_text, path))}]"] if path and (own or not keys) else []
    if header or own:
        yield "\n".join([*header, *lines[:own]])
    for key in keys[own:]:
        yield from blocks(tree[key], (*path, key))


def key_text(key: str) -> str:
    """Key as it stands in a file: in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else string_text(key)


def string_text(value: str) -> str:
    """Text in quotes, with everything escaped that a reader could not see."""
    return '"' + "".join(_character(c) for c in value) + '"'


def _character(c: str) -> str:
    if c in _ESCAPES:
        return _ESCAPES[c]
    if c.isprintable():
        return c
    return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"


def _count_of_lines(values: list[Any], lines: list[str]) -> int:
    """Number of keys before the first long table that only tables follow: order is kept."""
    count = first = len(values)
    while first and isinstance(values[first - 1], Mapping):
        first -= 1
        count = first if len(lines[first]) > WIDTH or "\n" in lines[first] else count
    return count


def _value(value: Any, column: int, indent: int, depth: int) -> str:
    if depth > DEEPEST:
        raise UnwritableError(f"it is nested more than {DEEPEST} deep. Make it simpler.")
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, Mapping):
        pairs = (
            f"{key_text(k)} = {_value(v, column + len(k) + 5, indent, depth + 1)}"
            for k, v in value.items()
        )
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return _array([_value(v, indent + 4, indent + 4, depth + 1) for v in value], column, indent)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _array(words: list[str], column: int, indent: int) -> str:
    line = f"[{', '.join(words)}]"
    if column + len(line) <= WIDTH and "\n" not in line:
        return line
    margin = " " * (indent + 4)
    nested = any(word[0] in "[{" for word in words)
    rows, row = [], margin
    for word in words:
        if row != margin and (nested or len(row) + len(word) + 1 > WIDTH):
            rows.append(row.rstrip())
            row = margin
        row += f"{word}, "
    return "\n".join(["[", *rows, row.rstrip(), " " * indent + "]"])
