"""Listing of a group, a part or an element: what a solution has of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jourdain.model.names import is_inside, joined
from jourdain.model.texts import notebook
from jourdain.results.channels.catalogue import inside

if TYPE_CHECKING:
    from jourdain.results.channels.channel import Channel
    from jourdain.results.solution import Solution

_ROWS = 40  # of a table


class Listing(Mapping[str, Any]):
    """What a solution has of a group, a part or an element. Made by ``sol["box"]``.

    Names go on from there, ``sol["box"]["clutch.force"]``; those of smaller groups and elements
    give listings again, ``sol["box"]["clutch"]``. It prints as a table.

    Parameters
    ----------
    solution : Solution
        The run.
    name : str
        Full name of the group, part or element.
    """

    def __init__(self, solution: Solution, name: str) -> None:
        self._solution, self.name = solution, name

    def names(self) -> list[str]:
        """Names of its quantities, without its own name before them."""
        return inside(self._solution.channels, self.name)

    def __getitem__(self, name: str | int) -> Any:
        """Quantity of a name, or listing; numbers count the parts of an array."""
        return self._solution[joined(self.name, str(name))]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, name: object) -> bool:
        full = joined(self.name, str(name))
        return full in self._solution or is_listed(self._solution.channels, full)

    def __str__(self) -> str:
        rows = self._rows()
        width = max(len(name) for name, *_ in rows)
        lines = [f"  {name:<{width}}  {unit:8}  {text}".rstrip() for name, unit, text in rows]
        return "\n".join([self._title, *lines])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Table, in a notebook."""
        return notebook.card(self._title, [notebook.grid(self._rows(), ("name", "unit", ""))])

    @property
    def _title(self) -> str:
        n = len(self)
        count = f"{n} {'quantity' if n == 1 else 'quantities'}"
        return f"{self.name!r} of the solution of {self._solution.model_name!r}: {count}"

    def _rows(self) -> list[tuple[str, str, str]]:
        """Quantities, those of an element together; of many, elements and groups with counts."""
        inner: dict[str, list[str]] = {}
        for name in self.names():
            inner.setdefault(name.partition(".")[0], []).append(name)
        rows = []
        for word, names in inner.items():
            if len(self) > _ROWS and len(names) > 1:
                rows.append((word, "", f"{len(names)} quantities"))
            else:
                rows += [self._row(name) for name in names]
        more = [("…", "", f"{len(rows) - _ROWS} more, in names()")] if len(rows) > _ROWS else []
        return rows[:_ROWS] + more

    def _row(self, name: str) -> tuple[str, str, str]:
        channel: Channel = self._solution.channels[joined(self.name, name)]
        members = f"{channel.n_elements} elements" if channel.n_elements else ""
        words = " ".join(filter(None, (members, "/".join(channel.labels))))
        return name, f"[{channel.unit}]", words


def is_listed(channels: Mapping[str, Channel], name: str) -> bool:
    """Tell whether a name is that of a group or element, and not of a quantity."""
    is_scalar = f"{name}.value" in channels and channels[f"{name}.value"].is_base
    return name not in channels and not is_scalar and any(is_inside(x, name) for x in channels)
