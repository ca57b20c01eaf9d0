"""The command ``jourdain examples``: what comes with the package, and copies of it."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

from jourdain.errors import FormatError, unknown_name

_PACKAGE = Path(__file__).parents[1]


def folder() -> Path:
    """Folder of the examples: inside the installed package, or beside its source."""
    inside = _PACKAGE / "examples"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "examples"


def find_examples() -> dict[str, Path]:
    """Files by name: programs first, then model files."""
    found = [*sorted(folder().glob("*.py")), *sorted(folder().glob("*.toml"))]
    return {path.name: path for path in found}


def headline(path: Path) -> str:
    """First sentence of a program, or first comment of a model file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return next((x.lstrip("# ") for x in text.splitlines() if x.startswith("#")), "")


def list_examples() -> str:
    """Table of the examples."""
    found = find_examples()
    width = max(map(len, found), default=0)
    rows = [f"  {name:<{width}}  {headline(path)}" for name, path in found.items()]
    first = next(iter(found), "NAME")
    return "\n".join([*rows, "", f"Write one to this folder: jourdain examples --copy {first}"])


def copy_example(name: str, out: Path) -> Path:
    """Copy an example, named with or without its ending, to a folder; never over a file.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    FormatError
        If there is such a file already, or if it cannot be written.
    """
    found = find_examples()
    matching = [path for key, path in found.items() if name in (key, path.stem)]
    if not matching:
        raise unknown_name("example", name, found, "the package")
    target = out / matching[0].name
    try:
        out.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as stream, matching[0].open("rb") as source:
            shutil.copyfileobj(source, stream)
    except FileExistsError as error:
        raise FormatError(f"there is a file '{target}' already. Give another folder.") from error
    except OSError as error:
        raise FormatError(f"cannot write '{target}': {error.strerror or error}.") from error
    return target
