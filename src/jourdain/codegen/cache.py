"""Compiled code on disk, found by content.

Entries are object files under a hash of their source and of the machine. Writing is atomic, so
several processes can share the folder; every entry carries a checksum, and a damaged one is
removed and built again. The folder is kept below a size by deleting what was unused longest.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

_LIMIT = 512 * 2**20  # bytes
_MARK = b"jourdain-object-1\n"
_DIGEST = 32
_UNUSABLE = (OSError, RuntimeError)  # the latter from a user without a home


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
    """Entry, or None when there is none that is whole."""
    try:
        path = folder() / f"{name}.o"
        data = path.read_bytes()
    except _UNUSABLE:
        return None
    head = len(_MARK) + _DIGEST
    content = data[head:]
    if data[: len(_MARK)] != _MARK or hashlib.sha256(content).digest() != data[len(_MARK) : head]:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now: the last to be trimmed
    return content


def write(name: str, content: bytes) -> None:
    """Store an entry; a folder that cannot be written is no error, only slower next time."""
    try:
        place = folder()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place, suffix=".part")
    except _UNUSABLE:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MARK + hashlib.sha256(content).digest() + content)
        Path(temporary).replace(place / f"{name}.o")
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        return
    trim(_LIMIT)


def trim(limit: int) -> None:
    """Delete what was unused longest until the folder holds at most ``limit`` bytes.

    Files that a stopped process left unfinished count too.
    """
    entries = []
    with os.scandir(folder()) as found:
        for entry in found:
            if entry.name.endswith((".o", ".part")):
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    entries.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit:
            return
        with contextlib.suppress(OSError):
            Path(path).unlink()
        total -= size
