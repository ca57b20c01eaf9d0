"""Results as tables for other programs: pandas, CSV, MATLAB."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import FormatError
from jourdain.files import replacing

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

Name = str | tuple[str, str]


def columns_of(solution: Solution, names: Sequence[Name]) -> list[Any]:
    """Names of single numbers, with their unit where one is asked for."""
    columns: list[Any] = []
    for name in names or [c.name for c in solution.channels.values() if c.is_base]:
        own = solution.asked(name).columns
        columns += own if isinstance(name, str) else [(x, name[1]) for x in own]
    return columns


def write_csv(solution: Solution, path: str | os.PathLike[str], names: Sequence[Name]) -> None:
    """Write a table with a line of names and units, ``time [s],main.angle [rad]``."""
    table = solution[columns_of(solution, names)]
    heads = [f"{name} [{table[name].attrs['units']}]" for name in table.data_vars]
    rows = np.column_stack([solution.time, *(table[name].values for name in table.data_vars)])
    lines = [",".join(_quoted(x) for x in ["time [s]", *heads])]
    lines += [",".join(map(repr, row)) for row in rows.tolist()]
    try:
        with replacing(path) as other:
            other.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except (OSError, ValueError, TypeError) as error:
        raise _unwritten(path, error) from error


def write_matlab(solution: Solution, path: str | os.PathLike[str], names: Sequence[Name]) -> None:
    """Write ``time``, a structure for each element, and ``units`` in the same shape."""
    from scipy.io import savemat  # noqa: PLC0415

    chosen = names or [c.name for c in solution.channels.values() if c.is_base]
    table: dict[str, Any] = {"time": solution.time.reshape(-1, 1), "units": {"time": "s"}}
    for name in chosen:
        channel = solution.asked(name)
        found = solution[name]
        numbers = found.values.reshape(len(solution.time), -1)
        _put(table, channel.name, numbers)
        _put(table["units"], channel.name, found.attrs["units"])
    try:
        with replacing(path) as other, other.open("wb") as stream:
            savemat(stream, table, long_field_names=True, do_compression=True)
    except (OSError, ValueError, TypeError) as error:
        raise _unwritten(path, error) from error


def _put(table: dict[str, Any], name: str, value: Any) -> None:
    """Set a field of nested structures: ``main.angle``; where one has the name, behind a dash."""
    *groups, last = (_field(word) for word in name.split("."))
    for word in groups:
        inner = table.setdefault(word, {})
        if not isinstance(inner, dict) or word == "units":
            inner = table.setdefault(f"{word}_", {})
        table = inner
    table[f"{last}_" if last in table or (last == "units" and not groups) else last] = value


def _field(word: str) -> str:
    """Word as MATLAB allows it: letters, digits and underscores, a letter first."""
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", word)
    return (cleaned if cleaned[:1].isalpha() else f"n{cleaned}")[:63]


def _quoted(text: str) -> str:
    """Text of a cell; commas and quotation marks are put between quotation marks."""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\n') else text


def _unwritten(path: Any, error: Exception) -> FormatError:
    why = getattr(error, "strerror", None) or error
    return FormatError(
        f"cannot write the table to {str(path)!r:.200}: {why}. Check that the folder exists and "
        "may be written to."
    )
