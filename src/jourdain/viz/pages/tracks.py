"""Quantities over time that the page knows: live values, and what arrows and places follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from jourdain.results import Solution
from jourdain.results.channels.channel import Channel
from jourdain.viz.pages import packing
from jourdain.viz.pages.keyframes import Keyframes
from jourdain.viz.shapes.framing import Framing

_MOST_NUMBERS = 600_000
_DIGITS = 2e-5  # rounding, in the largest number of a quantity
_LONGEST = 0.35  # arrow, in the size of the machine
_NOISE = 1e-10
_UNITS = {"force": "N", "weight": "N", "torque": "N m"}  # kinds of one unit share their scale
_HIDDEN = ("acceleration", "derivative", "orientation")  # words of quantities that are left out


class Tracks:
    """Quantities of all elements but bodies, whose motion the page has anyway.

    Parameters
    ----------
    solution : Solution
        The run.
    frames : Keyframes
        Moments of the page.
    """

    def __init__(self, solution: Solution, frames: Keyframes) -> None:
        self.solution, self.frames = solution, frames
        self._columns: dict[str, Any] = {}
        self._units: dict[str, str] = {}
        self._largest: dict[str, float] = {}

    def require(self, name: str) -> None:
        """Let the page know a quantity, vectors by components."""
        at = self.frames.solution
        channel = at.channel(name)
        values = np.asarray(at.values(name)).reshape(len(at.time), len(channel.columns))
        for column, numbers in zip(channel.columns, values.T, strict=True):
            self._columns.setdefault(column, numbers)
            self._units[column] = channel.unit

    def add(self, values: Any) -> str:
        """Let the page know a vector (n, 3) that is no quantity of the solution; tell its name."""
        name = f"~{len(self._columns)}"
        for axis, numbers in zip("xyz", np.asarray(values, dtype=float).T, strict=True):
            self._columns[f"{name}.{axis}"] = numbers
            self._units[f"{name}.{axis}"] = ""
        return name

    def of(self, element: str) -> list[dict[str, str]]:
        """Live values of an element: label, name and unit."""
        rows = []
        for channel in self._channels(element):
            self.require(channel.name)
            quantity = channel.name.removeprefix(f"{element}.").replace("_", " ")
            for column, label in zip(channel.columns, channel.labels or ("",), strict=True):
                rows.append(
                    {"label": f"{quantity} {label}".strip(), "name": column, "unit": channel.unit}
                )
        return rows

    def _channels(self, element: str) -> Iterator[Channel]:
        """Quantities of an element; applied forces only where there are some."""
        for name, channel in self._all(element).items():
            quantity = name.removeprefix(f"{element}.")
            if any(word in quantity for word in _HIDDEN):
                continue
            if not quantity.startswith("applied") or np.any(self.solution.values(name)):
                yield channel

    def _all(self, element: str) -> Mapping[str, Channel]:
        """Quantities of the solution; those of an array are taken apart for one of its members."""
        array, _, number = element.rpartition(".")
        if array not in self.solution.model.arrays:
            return self._grouped.get(element, {})
        channels = [c for c in self.solution.channels.values() if c.array == array]
        return {(own := c.member(int(number))).name: own for c in channels}

    @cached_property
    def _grouped(self) -> Mapping[str, Mapping[str, Channel]]:
        """Quantities by the elements, groups and parts whose names they begin with."""
        found: dict[str, dict[str, Channel]] = {}
        for name, channel in self.solution.channels.items():
            for owner in accumulate(name.split(".")[:-1], "{}.{}".format):
                found.setdefault(owner, {})[name] = channel
        return found

    def note_largest(self, kind: str, length: float) -> None:
        """Remember how long an arrow of a kind can be [N, N m]."""
        unit = _UNITS[kind]
        self._largest[unit] = max(self._largest.get(unit, 0.0), length)

    def scale(self, kind: str, scene: Framing) -> float:
        """Metres for a newton (metre): a round number of them in a square of the floor."""
        largest = self._largest.get(_UNITS[kind], 0.0)
        if largest <= 0.0:
            return 1.0
        least = largest * scene.grid / (_LONGEST * scene.machine)
        power = 10.0 ** np.floor(np.log10(least))
        rounded = min(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= 0.999 * least)
        return float(scene.grid / rounded)

    def content(self) -> dict[str, Any] | None:
        """Entry of the page; None without quantities."""
        if not self._columns:
            return None
        every = max(1, int(np.ceil(len(self.frames.times) * len(self._columns) / _MOST_NUMBERS)))
        rows = np.unique(np.append(np.arange(0, len(self.frames.times), every), [-1]))
        rows = np.unique(rows % len(self.frames.times))
        values = np.column_stack(list(self._columns.values()))[rows]
        values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        values = np.where(np.abs(values) < self._noise(values), 0.0, values)
        steps = _DIGITS * np.maximum(np.abs(values).max(axis=0), 1e-12)
        return {
            "names": list(self._columns),
            "times": packing.plain(self.frames.times[rows]),
            "table": packing.table(values, steps),
        }

    def _noise(self, values: Any) -> Any:
        """Rounding errors of each column: far below all other numbers of its unit."""
        units = [self._units[name] for name in self._columns]
        top = dict.fromkeys(units, 0.0)
        for unit, largest in zip(units, np.abs(values).max(axis=0), strict=True):
            top[unit] = max(top[unit], float(largest))
        arm = float(np.ptp(self.frames.positions, axis=(0, 1)).max(initial=0.0))
        top["N m"] = max(top.get("N m", 0.0), arm * top.get("N", 0.0))
        return _NOISE * np.array([top[unit] for unit in units])
