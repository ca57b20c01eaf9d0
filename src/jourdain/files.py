"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give another name to write to, beside a file that is replaced when all is written.

    The content is on the disk before the name changes, and the change of the name after it: at
    any moment, also after a crash or a loss of power, there is the old file or the new one. A link
    stays a link. The other name has the same ending.

    Parameters
    ----------
    path : str or path
        The file to replace, or to make.

    Raises
    ------
    OSError, ValueError
        From the system, if it cannot be written; an older file stays as it was.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file() and not target.is_dir():
        yield target  # a device, which cannot be replaced
        return
    other = _beside(target)
    try:
        other.touch(exist_ok=False)
        yield other
        with other.open("rb+") as stream:
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, other)
        other.replace(target)
    finally:
        other.unlink(missing_ok=True)
    _keep_name(target.parent)


def _stem(target: Path) -> str:
    """Start of the names of files beside a target."""
    return f".{target.name.removesuffix(target.suffix)[:150]}"


def _beside(target: Path) -> Path:
    return target.with_name(f"{_stem(target)}.{secrets.token_hex(4)}{target.suffix[:50]}")


def _keep_name(folder: Path) -> None:
    """Bring the names of a folder to the disk, where the system has a way to do so."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def require_writable(path: Path) -> None:
    """Check that a file can be made, and take away what a killed process left of it.

    Raises
    ------
    OSError, ValueError
        From the system, if not.
    """
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(f"'{path}' is a folder")
    other = _beside(target)
    other.touch(exist_ok=False)
    other.unlink()
    pattern = re.compile(re.escape(_stem(target)) + r"\.[0-9a-f]{8}" + re.escape(other.suffix))
    for left in target.parent.iterdir():
        if pattern.fullmatch(left.name):
            left.unlink(missing_ok=True)
