"""What stands in a file and where: values that know their place, and mistakes that name it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from jourdain.spatial.parameter import Parameter

Path = tuple[str | int, ...]
Found = list[tuple[Path, str]]

ELEMENTS = ("body", "joint", "coordinate", "connection", "states", "contacts", "frame")
GROUP = "group"
PART = "part"
MOST_MISTAKES = 50
_LONGEST_TEXT = 600


class ContentError(Exception):
    """What is wrong in a file: places and sentences."""

    def __init__(self, found: Found) -> None:
        super().__init__(found)
        self.found = found


@dataclass
class Notebook:
    """ContentError noted on the way, so that all of a file are told at once."""

    found: Found = field(default_factory=list)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note the mistakes of a block and go on after it, unless there are too many."""
        try:
            yield
        except ContentError as error:
            self.found += error.found
            if len(self.found) >= MOST_MISTAKES:
                self.close()

    def close(self) -> None:
        """Raise what has been noted, if anything."""
        if self.found:
            raise ContentError(self.found)


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the files lie that a model file names.

    Parameters
    ----------
    path : Path
        The folder of the model file.
    is_open : bool
        Whether files elsewhere may be read, too.
    """

    path: FilePath
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a file.

    Parameters
    ----------
    data : object
        What TOML says there.
    path : tuple of str or int
        Keys and indices that lead to it.
    parameters : mapping of str to Parameter
        Parameters of the file, for expressions.
    folder : Folder or None
        Folder of the file, where other files are looked for.
    """

    data: Any
    path: Path = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    folder: Folder | None = None

    def at(self, key: str | int) -> Value:
        """Value below a key or an index."""
        return Value(self.data[key], (*self.path, key), self.parameters, self.folder)

    def items(self) -> list[Value]:
        """Values of an array."""
        return [self.at(k) for k in range(len(self.data))]

    def is_wrong(self, text: str) -> ContentError:
        """Build the mistake whose sentence goes on after the name of the value."""
        return ContentError([(self.path, _shortened(f"{label(self.path)} {text}"))])

    def says(self, text: str) -> ContentError:
        """Build the mistake with a sentence of its own."""
        name = label(self.path)
        is_named = not name or text.startswith(name)
        return ContentError([(self.path, _shortened(text if is_named else f"{name}: {text}"))])

    def is_not(self, wanted: str) -> ContentError:
        """Build the mistake of a value of the wrong type."""
        return self.is_wrong(f"is {shown(self.data)}: give {wanted}.")


def label(path: Path) -> str:
    """Name of a place in the words of the user: ``mass of body 'crank'``."""
    groups: list[str] = []
    while len(path) > 3 and path[0] == GROUP and path[2] in (*ELEMENTS, GROUP):
        groups, path = [*groups, str(path[1])], path[2:]
    if not path:
        return ""
    if len(path) > 1 and path[0] in (*ELEMENTS, "parameters", GROUP):
        word = "parameter" if path[0] == "parameters" else str(path[0])
        name = ".".join((*groups, str(path[1])))
        element, rest = f"{word} {quoted(name)}", path[2:]
    else:
        element, rest = "", path
    keys = "".join(f"[{k}]" if isinstance(k, int) else f".{_cut(k, 80)}" for k in rest)
    keys = keys.removeprefix(".")
    return f"{keys} of {element}" if keys and element else keys or element


def shown(data: Any) -> str:
    """Text of a value as it stands in a file, shortened."""
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, int) and abs(data) > 10**300:  # too long to be printed
        return "an integer beyond 1e300"
    if isinstance(data, list):
        words = ["[…]" if isinstance(item, list) else shown(item) for item in data[:4]]
        return f"[{', '.join(words)}{', …' * (len(data) > 4)}]"
    if isinstance(data, int | float | str):
        return quoted(data)
    return "a table" if isinstance(data, dict) else f"the date or time {data}"


def quoted(name: Any) -> str:
    """Name in quotes, shortened."""
    return _cut(repr(name), 90)


def _shortened(sentence: str) -> str:
    return _cut(sentence, _LONGEST_TEXT)


def _cut(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
