"""The loads that a reader of a report looks for first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.results import Solution

_MOST = {"N": 6, "N m": 4}  # rows of a unit
_NOISE = 1e-9  # of the largest load: rounding
_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}

HEADS = ("load", "largest", "unit", "at [s]", "along x, y, z")


def rows(solution: Solution) -> list[tuple[str, ...]]:
    """Largest forces and torques of joints, connections and drives: name, size, unit, time."""
    found = sorted(_found(solution), key=lambda own: -own[1])
    made: list[tuple[str, ...]] = []
    largest = max((x[1] for x in found), default=0.0)
    for unit, most in _MOST.items():
        top = [x for x in found if x[2] == unit and x[1] > _NOISE * largest][:most]
        made += [_row(*x) for x in top]
    return made


def _found(solution: Solution) -> Iterator[tuple[str, float, str, float, Any]]:
    """Name, largest size, unit, time of it and components then, of all loads."""
    elements = {*solution.model.joints, *solution.model.connections, *solution.model.contacts}
    for name, channel in solution.channels.items():
        element, _, quantity = name.rpartition(".")
        is_load = quantity in ("force", "torque", "applied_force", "applied_torque")
        if channel.unit not in _MOST or element not in elements or not is_load:
            continue
        values = solution.values(name)
        if values.ndim > 1 + bool(channel.labels) or not values.size:
            continue
        sizes = np.linalg.norm(values, axis=-1) if channel.labels else np.abs(values)
        if not np.isfinite(sizes).all() or not sizes.any():
            continue
        k = int(sizes.argmax())
        yield name, float(sizes[k]), channel.unit, float(solution.time[k]), values[k]


def _row(name: str, size: float, unit: str, time: float, values: Any) -> tuple[str, ...]:
    power = min(max(3 * int(np.floor(np.log10(size) / 3.0)), -9), 9) if size > 0.0 else 0
    power = 0 if 0.1 <= size < 1e3 else power
    parts = np.atleast_1d(values) / 10.0**power
    signed = ", ".join(_short(x, size / 10.0**power) for x in parts)
    return name, _short(size / 10.0**power), f"{_PREFIXES[power]}{unit}", f"{time:.4g}", signed


def _short(x: float, largest: float = 0.0) -> str:
    rounded = 0.0 if abs(x) < 1e-4 * largest else x
    return f"{rounded + 0.0:.4g}".replace("-", "−")
