"""Models as TOML files: the native format.

A file is data: nothing in it is ever executed. It is read as a whole or not at all, and written
under another name first, so that a failure leaves an older file as it was.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path as FilePath
from typing import Any

from jourdain.errors import FormatError, did_you_mean
from jourdain.files import replacing
from jourdain.io.reading import model_of
from jourdain.io.text.lines import key_lines
from jourdain.io.text.nesting import nesting_problem
from jourdain.io.text.section import MOST_MISTAKES, ContentError, Folder, Found, Path
from jourdain.io.writing import dumps
from jourdain.model.model import Model

LARGEST = 50_000_000
"""Size [bytes] above which no file is read."""


def read(path: str | os.PathLike[str], *, allow_outside: bool = False) -> Model:
    """Read a model from a file; also ``jd.read_model``.

    Parameters
    ----------
    path : str or path
        A TOML file, as `write` makes it.
    allow_outside : bool
        Whether meshes that the file names may lie elsewhere than in its folder and below. Say so
        only for files you trust: others could read what is not theirs.

    Returns
    -------
    Model
        Checked as `Model.validate` does.

    Raises
    ------
    FormatError
        If the file cannot be read, or does not describe a valid model: every mistake is named
        with its line.
    """
    file = FilePath(path)
    name = str(file)
    try:
        if file.exists() and not file.is_file():
            raise FormatError(f"{name!r} is no file. Give the path of a model file.")
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"cannot read {name!r}: {_reason(error)}.{_neighbour(file)}") from error
    if len(content) > LARGEST:
        raise _too_large(name)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{name!r}, line {line}: this is no UTF-8 text. Save the file as UTF-8; "
            "if it is no model file, give the path of one."
        ) from None
    return _model(text, name, Folder(file.parent, allow_outside))


def write(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file; also ``jd.write_model``.

    Parameters
    ----------
    model : Model
        Any model of built-in elements.
    path : str or path
        The file, by custom with the ending ``.toml``; an older one is replaced.

    Raises
    ------
    FormatError
        If the model holds Python code, or if the file cannot be written. An older file of this
        name stays as it was.
    """
    content = dumps(model).encode("utf-8")
    file = FilePath(path)
    try:
        with replacing(file) as other:
            other.write_bytes(content)
    except (OSError, ValueError) as error:
        raise FormatError(
            f"cannot write model {model.name!r} to {str(file)!r}: {_reason(error)}. "
            "Check that the folder exists and may be written to."
        ) from error


def loads(text: str, name: str = "<text>", folder: str | os.PathLike[str] | None = None) -> Model:
    """Make a model from text in the form of a file.

    Parameters
    ----------
    text : str
        TOML.
    name : str
        What to call the text in messages.
    folder : str or path, optional
        Where files of meshes are looked for, and below.

    Raises
    ------
    FormatError
        If the text does not describe a valid model: every mistake is named with its line.

    Examples
    --------
    >>> from jourdain import io
    >>> model = io.loads('''
    ... format = "jourdain-1"
    ... name = "pendulum"
    ... body.bob = { solid = "ball", mass = 1.0, radius = 0.1 }
    ... joint.hinge = { parent = "world", child = "bob", kind = "Revolute", axis = "y" }
    ... ''')
    >>> list(model.joints)
    ['hinge']
    """
    return _model(text, name, None if folder is None else Folder(FilePath(folder)))


def _model(text: str, name: str, folder: Folder | None) -> Model:
    if len(text) > LARGEST:
        raise _too_large(name)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    tree = _parsed(text, name)
    try:
        return model_of(tree, folder)
    except ContentError as error:
        raise FormatError(_report(text, name, error.found)) from None


def _parsed(text: str, name: str) -> dict[str, Any]:
    problem = nesting_problem(text)
    if problem:
        raise FormatError(f"{name!r}, {problem}")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        words = str(error)
    found = re.fullmatch(r"(.*) \(at (line \d+, column \d+|end of document)\)", words, re.DOTALL)
    reason, place = (found[1], f", {found[2]}") if found else (words, "")
    raise FormatError(
        f"{name!r}{place}: this is no valid TOML: {reason}. Texts stand in quotes, numbers have "
        "digits before and after the point, every key stands once."
    )


def _report(text: str, name: str, found: Found) -> str:
    lines = key_lines(text)
    placed = sorted(((_line(path, lines), said) for path, said in found), key=lambda pair: pair[0])
    at_least = "at least " if len(placed) >= MOST_MISTAKES else ""
    count = f"{at_least}{len(placed)} mistake{'s' * (len(placed) > 1)}"
    rows = [
        f"\n  {k}. {f'line {line}: ' if line else ''}" + said.replace("\n", "\n     ")
        for k, (line, said) in enumerate(placed, 1)
    ]
    return f"{name!r} has {count}:{''.join(rows)}"


def _line(path: Path, lines: dict[Path, int]) -> int:
    """Line of a place, or of what it belongs to; zero for the whole file."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def _too_large(name: str) -> FormatError:
    return FormatError(
        f"{name!r} is larger than {LARGEST // 1_000_000} MB, the limit for model files. "
        "Is it a model file?"
    )


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _neighbour(file: FilePath) -> str:
    """Suggest a file of the same folder with a similar name."""
    try:
        return did_you_mean(file.name, [p.name for p in file.parent.glob("*.toml")])
    except (OSError, ValueError):
        return ""
