"""Lines of a TOML text in which keys stand: the parser of the standard library does not tell."""

from __future__ import annotations

import re
import tomllib

from jourdain.io.text.section import Path

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BLANK_OR_COMMA = re.compile(r"(?:[ \t\n,]|#[^\n]*)*")
_PART = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


def key_lines(text: str) -> dict[Path, int]:
    r"""Line, from 1, of every key, and of every array or table inside an array.

    Parameters
    ----------
    text : str
        Valid TOML with ``\n`` at the ends of lines.

    Returns
    -------
    dict of tuple to int
        By keys and indices from the top; of a table that is written in parts, the first line.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.lines: dict[Path, int] = {}
        self.lengths: dict[Path, int] = {}  # of arrays of tables
        self._line, self._counted = 1, 0

    def document(self) -> None:
        """Read headers and keys to the end."""
        prefix: Path = ()
        while self._skip(_BLANK):
            if self.text[self.place] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)

    def _header(self) -> Path:
        line, brackets = self._line_here(), 2 if self.text.startswith("[[", self.place) else 1
        self.place += brackets
        path: Path = ()
        keys = self._key()
        for depth, key in enumerate(keys, 1):
            path = (*path, key)
            if brackets == 2 and depth == len(keys):
                self.lengths[path] = self.lengths.get(path, 0) + 1
            self.lines.setdefault(path, line)
            if path in self.lengths:
                path = (*path, self.lengths[path] - 1)
                self.lines.setdefault(path, line)
        self.place += brackets
        return path

    def _pair(self, prefix: Path) -> None:
        line, path = self._line_here(), prefix
        for key in self._key():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.place += 1  # the equals sign
        self._skip(_BLANK)
        self._value(path)

    def _key(self) -> list[str]:
        keys = []
        while found := _PART.match(self.text, self.place):
            keys.append(_unquoted(found[1]))
            self.place = found.end()
            if self.text[self.place] != ".":
                break
            self.place += 1
        return keys

    def _value(self, path: Path) -> None:
        opening = self.text[self.place]
        if opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        else:
            self._skip(_STRING if opening in "\"'" else _SCALAR)

    def _array(self, path: Path) -> None:
        self.place += 1
        index = 0
        while self._skip(_BLANK_OR_COMMA) and self.text[self.place] != "]":
            if self.text[self.place] in "[{":
                self.lines[(*path, index)] = self._line_here()
            self._value((*path, index))
            index += 1
        self.place += 1

    def _inline_table(self, path: Path) -> None:
        self.place += 1
        while self._skip(_BLANK_OR_COMMA) and self.text[self.place] != "}":
            self._pair(path)
        self.place += 1

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        """Go to the end of a pattern; tell whether text is left."""
        found = pattern.match(self.text, self.place)
        self.place = found.end() if found else self.place
        return self.place < len(self.text)

    def _line_here(self) -> int:
        self._line += self.text.count("\n", self._counted, self.place)
        self._counted = self.place
        return self._line


def _unquoted(key: str) -> str:
    if key[0] == '"':
        return next(iter(tomllib.loads(f"{key} = 0")))
    return key.strip("'") if key[0] == "'" else key
