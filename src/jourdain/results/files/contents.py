"""Contents of a file of results, checked before anything is made of them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.results.statistics import Checkpoint, Event, Overlap, Statistics

if TYPE_CHECKING:
    import xarray as xr

CHECKPOINT = "checkpoint_"
"""Start of the names of the variables of a checkpoint."""
_LARGEST = 1e300  # size of a number
_DEEPEST = 4  # lists in lists of the details of an event


def contents_of(data: xr.Dataset) -> dict[str, Any]:
    """Names and settings of a run, each of the kind it must be of.

    Raises
    ------
    ValueError
        With what is wrong.
    """
    try:
        given = json.loads(_text(data.attrs["contents"], "contents"))
    except RecursionError:
        raise ValueError("its contents are lists in lists without end") from None
    columns = _record(given["columns"], "columns")
    n = len(_texts(given["events"], "events"))
    return {
        "names": _texts(given["names"], "names"),
        "columns": {str(key): tuple(_texts(x, "columns")) for key, x in columns.items()},
        "statistics": _statistics(given["statistics"]),
        "parameters": _numbers(given["parameters"], "parameters"),
        "cut": _texts(given.get("cut", []), "cut"),
        "inputs": _texts(given["inputs"], "inputs"),
        "events": given["events"],
        "event_kinds": _texts(given.get("event_kinds", ["event"] * n), "event_kinds"),
        "event_details": [_details(x) for x in given.get("event_details", [{}] * n)],
        "checkpoint": given.get("checkpoint"),
    }


def checked_time(data: xr.Dataset) -> Any:
    """Times [s] of the samples."""
    time = data.variables["time"]
    if time.dims != ("time",) or time.values.dtype.kind not in "fi":
        raise ValueError("its times are no row of numbers")
    if not np.isfinite(time.values).all():
        raise ValueError("its times are not all finite")
    return time.values.astype(float)


def checked_variable(name: str, data: xr.Dataset) -> Any:
    """Numbers of a quantity: one row for each time."""
    variable = data.variables[name]
    most = 3 if is_array(variable) else 2
    if variable.dims[:1] != ("time",) or variable.ndim > most or variable.dtype.kind not in "fi":
        raise ValueError(f"{name!r} has no number, or no row of numbers, for each time")
    for word in ("units", "long_name"):
        _text(variable.attrs[word], word)
    _text(variable.attrs.get("axes", ""), "axes")
    if variable.ndim == most and data.variables[variable.dims[-1]].ndim != 1:
        raise ValueError(f"the components of {name!r} have no names")
    return variable.values.astype(float)


def is_array(variable: Any) -> bool:
    """Tell whether a variable has a column for each member of an array."""
    return variable.ndim > 1 and bool(_text(variable.attrs.get("array", ""), "array"))


def checked_checkpoint(data: xr.Dataset, given: Any) -> Checkpoint | None:
    """Memory of the run; its numbers are checked where it is resumed."""
    if given is None:
        return None
    facts, keys = given
    numbers = {}
    for key in _texts(keys, "checkpoint"):
        variable = data.variables.get(CHECKPOINT + key)
        if variable is not None and (variable.ndim != 1 or variable.dtype.kind not in "fi"):
            raise ValueError(f"{key!r} of its checkpoint is no row of numbers")
        numbers[key] = np.zeros(0) if variable is None else variable.values.astype(float)
    return Checkpoint(_record(facts, "checkpoint"), numbers)


def checked_events(data: xr.Dataset, contents: Mapping[str, Any]) -> list[Event]:
    """Moments that were found."""
    names = contents["events"]
    if not names:
        return []
    keys = ("event_time", "event_q", "event_v")
    times, q, v = (data[key].values.astype(float) for key in keys)
    if times.shape != (len(names),) or not np.isfinite(times).all():
        raise ValueError("the times of its events are not all finite")
    widths = (len(contents["columns"][key]) for key in ("q", "v"))
    if any(x.shape != (len(names), n) for x, n in zip((q, v), widths, strict=True)):
        raise ValueError("the states at its events have another size")
    more = contents["event_kinds"], contents["event_details"]
    return [Event(*row) for row in zip(names, times.tolist(), q, v, *more, strict=True)]


def _statistics(given: Any) -> Statistics:
    return Statistics(**_fields(Statistics, given, "statistics"))


def _fields(kind: type, given: Any, what: str) -> dict[str, Any]:
    """Fields of a dataclass, each of which is what its annotation says."""
    fields = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    made: dict[str, Any] = {}
    for name, x in _record(given, what).items():
        may_be_none = "None" in fields[name]
        made[name] = None if x is None and may_be_none else _CHECKS[fields[name]](x, name)
    return made


def _overlap(given: Any, what: str) -> Overlap:
    return Overlap(**_fields(Overlap, given, what))


def _details(given: Any) -> dict[str, Any]:
    found = _record(given, "event_details")
    numbers = ("energy", "drive_work", "residual", "response", "count")
    for word in set(numbers) & set(found):
        _number(found[word], word)
    return {str(key): _tuples(value, 0) for key, value in found.items()}


def _tuples(x: Any, depth: int) -> Any:
    """Lists of JSON as the tuples they were."""
    if isinstance(x, list) and depth < _DEEPEST:
        return tuple(_tuples(value, depth + 1) for value in x)
    return x if isinstance(x, str) else _number(x, "event_details")


def _record(x: Any, what: str) -> dict[str, Any]:
    if not isinstance(x, dict):
        raise ValueError(f"{what!r} is no table")
    return x


def _text(x: Any, what: str) -> str:
    if not isinstance(x, str):
        raise ValueError(f"{what!r} is no text")
    return x


def _texts(x: Any, what: str) -> list[str]:
    if not isinstance(x, list):
        raise ValueError(f"{what!r} is no list")
    return [_text(each, what) for each in x]


def _number(x: Any, what: str) -> Any:
    """Number, which may be NaN or infinite: a run that failed tells so."""
    if not isinstance(x, int | float) or isinstance(x, bool):
        raise ValueError(f"{what!r} is {x!r:.40}, no number")
    if isinstance(x, int) and abs(x) > _LARGEST:
        raise ValueError(f"{what!r} is too large")
    return x


def _count(x: Any, what: str) -> int:
    if isinstance(x, bool) or not isinstance(x, int) or not 0 <= x <= 2**62:
        raise ValueError(f"{what!r} is {x!r:.40}, no count")
    return x


def _flag(x: Any, what: str) -> bool:
    if not isinstance(x, bool):
        raise ValueError(f"{what!r} is {x!r:.40}, neither true nor false")
    return x


def _numbers(x: Any, what: str) -> dict[str, float]:
    return {name: float(_number(each, what)) for name, each in _record(x, what).items()}


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "str": _text, "int": _count, "int | None": _count, "float": _number, "float | None": _number,
    "bool": _flag, "tuple[str, ...]": _texts,
    "Overlap | None": _overlap,
}  # fmt: skip
