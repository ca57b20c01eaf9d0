"""Solutions as netCDF files, with the model inside as its text."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import FormatError
from jourdain.results.solution import Solution
from jourdain.results.statistics import Event, Statistics
from jourdain.results.stored import Stored, stored_channels

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 1
_MARK = "jourdain_solution"  # attribute with the number of the format
_TEXTS = ("model_name", "model_text", "model_missing", "q_names", "v_names", "statistics", "parameters")


def save(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write a solution; see `Solution.save`."""
    text, missing = _model_text(solution)
    data = solution[solution.names()] if missing else solution.data.copy()
    for name, variable in data.data_vars.items():
        variable.attrs["is_base"] = int(solution.channels[str(name)].is_base)
    events = solution.events
    if events:
        data["event_time"] = "event", [event.time for event in events]
        data["event_q"] = ("event", "q"), np.array([event.q for event in events])
        data["event_v"] = ("event", "v"), np.array([event.v for event in events])
    q_names, v_names = solution.coordinate_names
    data.attrs = {
        "model_name": solution.model_name,
        "model_text": text,
        "model_missing": missing,
        "q_names": json.dumps(q_names),
        "v_names": json.dumps(v_names),
        "statistics": json.dumps(dataclasses.asdict(solution.statistics)),
        "parameters": json.dumps(solution.parameters),
        "event_names": json.dumps([event.name for event in events]),
        _MARK: FORMAT,
    }
    data.attrs["checksum"] = _checksum(data)
    _replace(data, Path(path))
