"""Flexible bodies of nodes in files of arrays (.npz), which hold numbers and no code."""

from __future__ import annotations

import os
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.errors import FormatError, ModelError
from jourdain.files import replacing
from jourdain.model.flexible.nodes.nodal import NodalSolid, from_arrays

_LARGEST = 500_000_000  # [bytes] of all arrays, so that a small file cannot fill the memory


def packed(solid: NodalSolid) -> bytes:
    """Content of a file with the arrays of a body."""
    stream = BytesIO()
    np.savez_compressed(stream, **solid.arrays())
    return stream.getvalue()


def unpacked(content: bytes) -> NodalSolid:
    """Body of the content of a file.

    Raises
    ------
    ModelError
        If it is none, or claims more than a file may hold.
    """
    try:
        arrays = _arrays(content)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, KeyError, MemoryError) as error:
        raise ModelError(f"it holds no flexible body that can be read: {error}.") from error
    return from_arrays(arrays)


def _arrays(content: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(BytesIO(content)) as whole:
        members = whole.infolist()
        if sum(member.file_size for member in members) > _LARGEST:
            raise ValueError(f"its arrays claim more than {_LARGEST // 1_000_000} MB")
        found = {}
        for member in members:
            with whole.open(member) as stream:
                data = BytesIO(stream.read(member.file_size + 1))
            if len(data.getvalue()) != member.file_size:
                raise ValueError(f"{member.filename} is not as long as it says")
            _require_size(data, member.file_size)
            own = np.lib.format.read_array(data, allow_pickle=False)
            if own.dtype.kind not in "fiub":
                raise ValueError(f"{member.filename} holds no numbers")
            found[member.filename.removesuffix(".npy")] = own
    return found


def _require_size(data: BytesIO, size: int) -> None:
    """Check that an array claims no more numbers than its file holds."""
    version = np.lib.format.read_magic(data)
    if version[0] not in (1, 2):
        raise ValueError(f"version {version[0]} of its arrays is not known")
    read = (np.lib.format.read_array_header_1_0, np.lib.format.read_array_header_2_0)
    shape, _, kind = read[version[0] - 1](data)
    if kind.hasobject or int(np.prod([int(n) for n in shape], dtype=object)) * kind.itemsize > size:
        raise ValueError("an array claims more numbers than it holds")
    data.seek(0)


def write_body(solid: NodalSolid, path: str | os.PathLike[str]) -> None:
    """Write a flexible body of nodes to a file, ``.npz``, that `read_body` reads.

    Parameters
    ----------
    solid : NodalSolid
        Of `from_fem` or `from_modes`.
    path : path
        The file. It is replaced if it is there.
    """
    if not isinstance(solid, NodalSolid):
        raise ModelError("write_body is for flexible bodies of from_fem and from_modes.")
    if Path(path).suffix != ".npz":
        raise FormatError(f"'{path}' has to end in .npz.")
    with replacing(path) as beside:
        beside.write_bytes(packed(solid))


def read_body(path: str | os.PathLike[str]) -> NodalSolid:
    """Read a flexible body that `write_body` has written; no finite elements are needed.

    Raises
    ------
    FormatError
        If the file is not there or holds something else.
    """
    file = Path(path)
    try:
        if not file.is_file():
            raise FormatError(f"there is no file '{file}'. Look at the folder and the spelling.")
        if file.stat().st_size > _LARGEST:
            raise FormatError(f"'{file}' is larger than {_LARGEST // 1_000_000} MB.")
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"there is no file {str(file)!r:.300} to read: {error}.") from error
    try:
        return unpacked(content)
    except ModelError as error:
        raise FormatError(f"'{file}': {error}") from error
