"""The command ``jourdain examples``: what comes with the package, and copies of it."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

from jourdain.errors import FormatError, MissingExtraError, unknown_name

_PACKAGE = Path(__file__).parents[1]
_EXTRAS = {"matplotlib": "plot", "trimesh": "mesh", "coal": "collision", "meshio": "fem"}
_FIRST_MODEL = Path(__file__).with_name("first_model.toml")


def folder() -> Path:
    """Folder of the examples: inside the installed package, or beside its source."""
    inside = _PACKAGE / "examples"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "examples"


def find_examples() -> dict[str, Path]:
    """Files by name: programs first, then models and robots."""
    found = [
        path for ending in ("py", "toml", "urdf") for path in sorted(folder().glob(f"*.{ending}"))
    ]
    return {path.name: path for path in found}


def headline(path: Path) -> str:
    """First sentence of a program, or first comment of a model file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    comments = (x for x in text.splitlines() if x.startswith(("#", "<!--")))
    return next((x.strip("#<!-> ") for x in comments), "")


def list_examples() -> str:
    """Table of the examples."""
    found = find_examples()
    width = max(map(len, found), default=0)
    rows = [f"  {name:<{width}}  {headline(path)}" for name, path in found.items()]
    first = next(iter(found), "NAME")
    ways = [f"Run one: jourdain examples --run {first}"]
    ways += [f"Write one to this folder: jourdain examples --copy {first}"]
    return "\n".join([*rows, "", *ways])


def find_example(name: str) -> Path:
    """File of an example, named with or without its ending; a program if there are two.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    found = find_examples()
    matching = [path for key, path in found.items() if name in (key, path.stem)]
    if not matching:
        raise unknown_name("example", name, found, "the package")
    return matching[0]


def run_example(name: str) -> None:
    """Run a program of the examples here: what it writes comes into the present folder.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    FormatError
        If it is a model file.
    MissingExtraError
        If it needs a package that is not installed.
    """
    path = find_example(name)
    if path.suffix != ".py":
        raise FormatError(
            f"{path.name!r} is a model file, no program. Next: jourdain examples --copy "
            f"{path.name}, then jourdain run {path.name}."
        )
    try:
        runpy.run_path(str(path), run_name="__main__")
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise MissingExtraError(
            f"{path.name!r} needs {error.name}, which is not installed. Next: "
            f"pip install 'jourdain[{extra}]'"
        ) from error


def copy_example(name: str, out: Path) -> Path:
    """Copy an example, named with or without its ending, to a folder; never over a file.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    FormatError
        If there is such a file already, or if it cannot be written.
    """
    path = find_example(name)
    target = out / path.name
    _write(target, path.read_bytes())
    return target


def write_first_model(target: Path) -> None:
    """Write the commented model that a new one begins with; never over a file.

    Raises
    ------
    FormatError
        If its name does not end with .toml, if it is there, or if it cannot be written.
    """
    if target.suffix != ".toml":
        raise FormatError(f"'{target}' does not end with .toml, as model files do.")
    text = _FIRST_MODEL.read_text(encoding="utf-8").replace("model.toml", target.name)
    _write(target, text.replace("model.nc", f"{target.stem}.nc").encode())


def _write(target: Path, data: bytes) -> None:
    """Write a new file; never over another one."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as stream:
            stream.write(data)
    except FileExistsError as error:
        raise FormatError(
            f"there is a file '{target}' already. Give another name or folder."
        ) from error
    except OSError as error:
        raise FormatError(f"cannot write '{target}': {error.strerror or error}.") from error
