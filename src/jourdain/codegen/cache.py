"""Compiled code on disk, found by content.

Entries are object files under a hash of their source and of the machine. Writing is atomic, so
several processes can share the folder; every entry carries a checksum of its name and content, and
a damaged or swapped one is removed and built again. The folder is kept below a size by deleting
what was unused longest.

Machine code is run without a question, so it must come from the user alone: a folder or an entry
that belongs to somebody else, or that others may write to, is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import warnings
from pathlib import Path
from typing import BinaryIO

from jourdain.errors import JourdainWarning

_LIMIT = 512 * 2**20  # bytes
_PART = 64  # of the limit that may be written between two looks at the whole folder, which are slow
_MARK = b"jourdain-object-2\n"
_DIGEST = 32
_UNUSABLE = (OSError, RuntimeError, ValueError)  # also of a user without a home, or a NUL in a name
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_told: set[str] = set()  # folders of which it was said that they are not used
_left: dict[Path, int] = {}  # bytes that may be written to a folder until the next look


def folder() -> Path:
    """Folder of the cache: ``JOURDAIN_CACHE``, or the user's cache folder."""
    given = os.environ.get("JOURDAIN_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "jourdain"


def key(*parts: str) -> str:
    """Hash of the texts that determine an object file."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read(name: str) -> bytes | None:
    """Entry, or None when there is none that is whole and the user's own."""
    try:
        place = folder()
        if not _is_own(place):
            return None
        path = place / f"{name}.o"
        with _opened(path) as file:
            fault = _fault(os.fstat(file.fileno()))
            data = b"" if fault else file.read()
    except _UNUSABLE:
        return None
    head = len(_MARK) + _DIGEST
    content = data[head:]
    if data[:head] != _MARK + _digest(name, content):
        if fault:
            _tell(place, f"its entry {path.name} {fault}")
        remove(name)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now: the last to be trimmed
    return content


def write(name: str, content: bytes) -> None:
    """Store an entry; a folder that cannot be written is no error, only slower next time."""
    try:
        place = folder()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(place):
            return
        handle, temporary = tempfile.mkstemp(dir=place, suffix=".part")
    except _UNUSABLE:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MARK + _digest(name, content) + content)
        Path(temporary).replace(place / f"{name}.o")
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        return
    _keep_small(place, name, len(content))


def _keep_small(place: Path, name: str, written: int) -> None:
    """Look at the whole folder after many bytes, and for some names: most processes write few."""
    part = _LIMIT // _PART
    _left[place] = _left.get(place, part) - written
    if _left[place] < 0 or hashlib.sha256(name.encode()).digest()[0] == 0:
        _left[place] = min(part, _LIMIT - trim(_LIMIT, _LIMIT - part))


def remove(name: str) -> None:
    """Take an entry away; one that is not there or stays is no error."""
    with contextlib.suppress(*_UNUSABLE):
        (folder() / f"{name}.o").unlink()


def _digest(name: str, content: bytes) -> bytes:
    """Checksum of an entry."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _opened(path: Path) -> BinaryIO:
    """File, not what a link of that name leads to."""
    return os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb")


def _is_own(place: Path) -> bool:
    """Whether a folder is the user's alone; if not, it is said once."""
    status = place.stat()
    fault = _fault(status) if stat.S_ISDIR(status.st_mode) else ""
    if fault:
        _tell(place, f"it {fault}")
    return not fault


def _fault(status: os.stat_result) -> str:
    """Why a file or a folder is not trusted, or nothing."""
    if not hasattr(os, "geteuid"):  # rights are kept otherwise on this system
        return ""
    if status.st_uid != os.geteuid():
        return f"belongs to user {status.st_uid}, not to you ({os.geteuid()})"
    if status.st_mode & _OTHERS_WRITE:
        return f"can be written by others (mode {stat.S_IMODE(status.st_mode):03o})"
    return ""


def _tell(place: Path, fault: str) -> None:
    if str(place) in _told:
        return
    _told.add(str(place))
    warnings.warn(
        f"compiled code in '{place}' is not used: {fault}, so that it could be somebody else's "
        f"program. Everything works, but is compiled anew. Next: chmod -R go-w '{place}', remove "
        "it, or name a folder of your own in the environment variable JOURDAIN_CACHE.",
        JourdainWarning,
        stacklevel=2,
    )


def trim(limit: int, target: int | None = None) -> int:
    """Delete what was unused longest if the folder holds more than ``limit`` bytes.

    Then it holds at most ``target`` bytes, by default the limit. Files that a stopped process left
    unfinished count too. Returns what it holds.
    """
    entries = []
    with os.scandir(folder()) as found:
        for entry in found:
            if entry.name.endswith((".o", ".part")):
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    entries.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    most = limit if total <= limit or target is None else target
    for _, size, path in sorted(entries):
        if total <= most:
            break
        with contextlib.suppress(OSError):
            Path(path).unlink()
        total -= size
    return total
