"""XML that is read safely, with the line of every element, for messages."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from jourdain.errors import FormatError, did_you_mean

LARGEST = 50_000_000
"""Size [bytes] above which no file is read."""
_DEEPEST = 400  # elements inside of each other


@dataclass(slots=True)
class Node:
    """An element of a file.

    Parameters
    ----------
    tag : str
        Its name.
    attributes : dict of str to str
        What stands in it.
    file : str
        Name of the file.
    line : int
        Line of the file.
    children : list of Node
        Elements inside.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Node] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator[Node]:
        """Elements inside of these names, in order."""
        return (child for child in self.children if child.tag in tags)

    def first(self, tag: str) -> Node | None:
        """First element inside of a name."""
        return next(self.all(tag), None)

    def get(self, key: str, default: str = "") -> str:
        """Text of an attribute."""
        return self.attributes.get(key, default)

    def needs(self, key: str) -> str:
        """Text of an attribute that must be there."""
        if not self.attributes.get(key, "").strip():
            raise self.wrong(f"lacks the attribute {key!r}")
        return self.attributes[key]

    def numbers(self, key: str, count: int, default: Any = None) -> tuple[float, ...]:
        """Read an attribute of so many numbers; the default where it is absent."""
        text = self.attributes.get(key)
        if text is None:
            return tuple(default) if default is not None else self._missing(key)
        found = self.row(key)
        if len(found) != count:
            raise self.wrong(f"has {key}={text[:60]!r}: give {count} numbers")
        return found

    def row(self, key: str) -> tuple[float, ...]:
        """Read an attribute of any number of numbers."""
        text = self.attributes.get(key, "")
        try:
            found = tuple(map(float, text.split()))
        except ValueError:
            found = (math.nan,)
        if not all(map(math.isfinite, found)):
            raise self.wrong(f"has {key}={text[:60]!r}: give finite numbers, separated by blanks")
        return found

    def number(self, key: str, default: float | None = None) -> float:
        """Read an attribute of one number."""
        return self.numbers(key, 1, None if default is None else (default,))[0]

    def wrong(self, text: str) -> FormatError:
        """Build the error that says what is wrong in this element."""
        name = self.attributes.get("name") or self.attributes.get("link")
        what = f"<{self.tag}{f' name={name[:80]!r}' if name else ''}>"
        return FormatError(f"{self.file!r}, line {self.line}: {what} {text}.")

    def _missing(self, key: str) -> tuple[float, ...]:
        raise self.wrong(f"lacks the attribute {key!r}")


def read_xml(path: str | os.PathLike[str], root: str) -> Node:
    """Read a file whose outermost element has a name.

    Raises
    ------
    FormatError
        If it is not there, no XML, or something else.
    """
    file = Path(path)
    try:
        if file.exists() and not file.is_file():
            raise FormatError(f"{str(file)!r} is no file. Give the path of one.")
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise FormatError(f"cannot read {str(file)!r:.300}: {why}.{_neighbour(file)}") from error
    if len(content) > LARGEST:
        raise FormatError(f"{str(file)!r} is larger than {LARGEST // 1_000_000} MB.")
    return parse(content, str(file), root)


def parse(content: bytes | str, name: str, root: str) -> Node:
    """Elements of a text; neither entities nor other files are ever read."""
    outer = Node("", {}, name, 0)
    open_nodes = [outer]
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_nodes) > _DEEPEST:
            raise FormatError(f"{name!r} has elements more than {_DEEPEST} deep.")
        node = Node(tag, attributes, name, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def entity(*_: Any) -> None:
        raise FormatError(f"{name!r} declares entities, which are not read. Write them out.")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_nodes.pop()
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise FormatError(
            f"{name!r}, line {error.lineno}: this is no valid XML: {expat.ErrorString(error.code)}."
            + (" A .xacro file is made into a .urdf by xacro first." if "xacro" in name else "")
        ) from None
    top = outer.children[0]
    if top.tag != root:
        raise FormatError(
            f"{name!r} begins with <{top.tag[:80]}>, but <{root}> was expected."
            + {
                "mujoco": " For MJCF files: jd.read_mjcf(path).",
                "robot": " For URDF files: jd.read_urdf(path).",
                "sdf": " SDF is not read; most of its tools write URDF, too.",
            }.get(top.tag, "")
        )
    return top


def _neighbour(file: Path) -> str:
    try:
        return did_you_mean(file.name, [p.name for p in file.parent.glob(f"*{file.suffix}")])
    except (OSError, ValueError):
        return ""
