"""Solutions as netCDF files, with the model inside as its text."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import FormatError, JourdainError
from jourdain.files import replacing
from jourdain.results.files.contents import (
    CHECKPOINT,
    checked_checkpoint,
    checked_events,
    checked_time,
    contents_of,
)
from jourdain.results.files.stored import Stored, stored_channels
from jourdain.results.solution import Solution
from jourdain.system import compile

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 3
_UNIT = 1e-3  # by which the length of a quaternion may differ from one
_MARK = "jourdain_solution"  # attribute with the number of the format


def save(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write a solution; see `Solution.save`."""
    if not isinstance(path, str | os.PathLike) or "\0" in os.fspath(path):
        raise FormatError(
            f'cannot write to {path!r:.60}: give a path without null characters, such as "run.nc".'
        )
    text, missing = _model_text(solution)
    data = solution[solution.names()] if missing else solution.data.copy()
    events, names = solution.events, list(data.data_vars)
    for name in names:
        data.variables[name].attrs["is_base"] = int(solution.channels[str(name)].is_base)
    if events:
        data["event_time"] = "event", [event.time for event in events]
        data["event_q"] = ("event", "q"), np.array([event.q for event in events])
        data["event_v"] = ("event", "v"), np.array([event.v for event in events])
    checkpoint = solution.checkpoint
    if checkpoint is not None:
        for key, numbers in checkpoint.numbers.items():
            if len(numbers):  # a netCDF-3 file takes a dimension without length for an endless one
                data[CHECKPOINT + key] = f"size_of_{key}", np.asarray(numbers, dtype=float)
    contents = {
        "names": names,
        "columns": solution.columns,
        "statistics": dataclasses.asdict(solution.statistics),
        "parameters": solution.parameters,
        "cut": list(solution.system.description.cut) if text else [],
        "inputs": list(solution.inputs),
        "events": [event.name for event in events],
        "event_kinds": [event.kind for event in events],
        "event_details": [dict(event.details) for event in events],
        "checkpoint": checkpoint and [dict(checkpoint.facts), list(checkpoint.numbers)],
    }
    data.attrs = {
        "model_name": solution.model_name,
        "model_text": text,
        "model_missing": missing,
        "contents": json.dumps(contents),
        _MARK: FORMAT,
    }
    data.attrs["checksum"] = _checksum(data)
    _write(data, Path(path))


def _model_text(solution: Solution) -> tuple[str, str]:
    """Text of the model, or why there is none."""
    from jourdain import io  # noqa: PLC0415

    if not solution.has_model:
        return "", solution.why_without_model
    try:
        return io.dumps(solution.system.source), ""
    except JourdainError as error:
        return "", str(error)


def _write(data: xr.Dataset, path: Path) -> None:
    plain: dict[Any, Any] = {name: {"_FillValue": None} for name in (*data.data_vars, "time")}
    try:
        with replacing(path) as other:
            data.to_netcdf(other, engine="scipy", encoding=plain)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(
            f"cannot write {str(path)!r:.300}: {why}. The solution is still in memory; "
            "save it to a folder that exists and has space."
        ) from error


def load(path: str | os.PathLike[str]) -> Solution:
    """Read a solution that `Solution.save` has written.

    Nothing in a file is ever executed.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Solution
        The same as was saved; without a model if the model contained Python functions.

    Raises
    ------
    FormatError
        If there is no such file, or if it is damaged or of another origin.
    """
    file = Path(path)
    data = _read(file)
    version = data.attrs.get(_MARK)
    if version is None:
        raise FormatError(
            f"'{file}' is a netCDF file, but not one of sol.save(). "
            "Open it with xarray.open_dataset(path)."
        )
    if version != FORMAT:
        advice = "Update jourdain, or save the solution again with the version at hand."
        if version in range(FORMAT):
            advice = (
                "It is older: repeat the simulation, or read it with the version that wrote it."
            )
        have = f"'{file}' has format {version}, this version of jourdain reads format {FORMAT}."
        raise FormatError(f"{have} {advice}")
    if data.attrs.get("checksum") != _checksum(data):
        raise _damaged(file, "its checksum does not match")
    try:
        return _solution(data)
    except JourdainError as error:
        raise FormatError(f"the model in '{file}' cannot be used: {error}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise _damaged(file, str(error)) from error


def _damaged(file: Path, why: str) -> FormatError:
    return FormatError(
        f"'{file}' is damaged or incomplete: {why}. Copy it again from where it was written, or "
        "repeat the simulation."
    )


def _read(file: Path) -> xr.Dataset:
    import xarray as xr  # noqa: PLC0415

    try:
        content = file.read_bytes()  # not mapped: a broken file would stay open
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError):
            raise FormatError(f"'{file}' cannot be read: {error.strerror}.") from error
        raise FormatError(
            f"there is no file {str(file)!r:.300}. Look at the folder and the spelling."
        ) from error
    if content[:3] != b"CDF":
        raise FormatError(
            f"'{file}' is no file of sol.save(): it does not start as a netCDF-3 file does. "
            "jd.load reads solutions; a model is read with jd.read_model."
        )
    try:
        with xr.open_dataset(BytesIO(content), engine="scipy", decode_times=False) as opened:
            return opened.load()
    except Exception as error:  # whatever a broken header makes of the reader
        raise _damaged(file, str(error)) from error


def _checksum(data: xr.Dataset) -> str:
    """Hash of all numbers and texts."""
    digest = hashlib.sha256()
    for name in sorted(str(n) for n in data.variables):
        values = data.variables[name].values
        content = values.astype("<f8") if values.dtype.kind == "f" else values.astype("U")
        digest.update(f"{name} {values.shape}".encode())
        digest.update(content.tobytes() if values.dtype.kind == "f" else "".join(content).encode())
    holders: list[Any] = [data.variables[name] for name in sorted(map(str, data.data_vars))]
    for holder in (data, *holders):
        texts = {str(k): str(x) for k, x in holder.attrs.items() if k != "checksum"}
        digest.update(json.dumps(texts, sort_keys=True).encode())
    return digest.hexdigest()


def _solution(data: xr.Dataset) -> Solution:
    from jourdain import io  # noqa: PLC0415

    contents, time = contents_of(data), checked_time(data)
    columns = contents["columns"]
    channels = stored_channels(data, contents["names"])
    system, stored = None, None
    if data.attrs["model_text"]:
        system = compile(io.loads(data.attrs["model_text"]), cut=contents["cut"])
    else:
        words = (str(data.attrs[key]) for key in ("model_name", "model_missing"))
        stored = Stored(channels, columns, *words)
    arrays = {key: _gather(channels, names, len(time)) for key, names in columns.items()}
    made = Solution(
        system,
        time,
        **arrays,
        events=checked_events(data, contents),
        statistics=contents["statistics"],
        inputs=dict.fromkeys(contents["inputs"]),
        parameters=contents["parameters"],
        stored=stored,
        checkpoint=checked_checkpoint(data, contents["checkpoint"]),
    )
    if any(made.columns.get(key, ()) != names for key, names in columns.items()):
        raise ValueError("its columns are not those of its model")
    if system is not None:
        system.parameter_array(contents["parameters"])
        for k in system.names.quaternions:
            lengths = np.linalg.norm(made.q[:, k : k + 4], axis=1)
            if not np.all(np.abs(lengths - 1.0) < _UNIT):
                raise ValueError("its orientations are none: quaternions have unit length")
    return made


def _gather(channels: Any, names: tuple[str, ...], n: int) -> Any:
    """Columns of the given names, from channels that hold groups of them."""
    columns: dict[str, Any] = {}
    for channel in channels.values():
        if channel.is_base:
            values = channel.compute().reshape(n, len(channel.columns))
            columns |= dict(zip(channel.columns, values.T, strict=True))
    return np.column_stack([columns[name] for name in names]) if names else np.zeros((n, 0))
