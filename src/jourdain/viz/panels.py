"""Quantities sorted into panels by their units, for plots of all kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.results import Solution
from jourdain.results.channels.channel import Channel, words
from jourdain.spatial.units import is_pair

COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
    "#56b4e9", "#000000", "#882255", "#999933", "#7f7f7f",
)  # fmt: skip
_WORDS = {
    "rad": "angle", "rad/s": "angular velocity", "rad/s^2": "angular acceleration",
    "m": "length", "m/s": "velocity", "m/s^2": "acceleration",
    "N": "force", "N m": "torque", "J": "energy", "W": "power",
}  # fmt: skip
_MOST_POINTS = 3000  # of a curve on a page
_MOST_CURVES = 6


@dataclass(frozen=True)
class Panel:
    """Quantities of one unit.

    Parameters
    ----------
    unit : str
        Their unit.
    channels : list of Channel
        The quantities.
    """

    unit: str
    channels: list[Channel]

    @property
    def curves(self) -> list[tuple[str, str]]:
        """Name of each curve, and what the legend calls it."""
        if len(self.channels) == 1:
            (only,) = self.channels
            return list(zip(only.columns, only.legends, strict=True))
        return [(column, column) for channel in self.channels for column in channel.columns]

    @property
    def label(self) -> str:
        """Text at the vertical axis."""
        if len(self.channels) == 1:
            return with_unit(self.channels[0].name, self.unit)
        for shared in zip(*((c.quantity, c.element) for c in self.channels), strict=True):
            if len(set(shared)) == 1:
                return with_unit(words(shared[0]), self.unit)
        return with_unit(_WORDS.get(self.unit, ""), self.unit)


def with_unit(name: str, unit: str) -> str:
    """Name with its unit in brackets."""
    pretty = unit.replace("^2", "²").replace("^3", "³")
    return f"{name} [{pretty}]".strip() if unit != "1" else name


def coordinates(solution: Solution) -> list[str]:
    """Position coordinates, vectors as a whole."""
    wanted = set(solution.columns["q"])
    return [c.name for c in solution.channels.values() if wanted.intersection(c.columns)]


def by_unit(channels: Sequence[Channel]) -> list[Panel]:
    """Panels in the order in which their units first appear."""
    units: dict[str, list[Channel]] = {}
    for whole in channels:  # components of several units part
        for channel in map(whole.component, whole.labels) if whole.units else (whole,):
            units.setdefault(channel.unit, []).append(channel)
    return [Panel(unit, own) for unit, own in units.items()]


def numbers_in(solution: Solution, name: str, unit: str) -> Any:
    """Numbers of a quantity in a unit."""
    own = solution.channel(name).unit
    return solution.values(name) if own == unit else solution[name, unit].to_numpy()


def wished(solution: Solution, plots: Iterable[Any] | None) -> list[Panel]:
    """Panels of the quantities that a user names; by default some coordinates and the energy.

    Parameters
    ----------
    solution : Solution
        The run.
    plots : iterable of str, of pairs (str, str) or of sequences of them, optional
        Quantities, or pairs of quantity and unit, sorted by unit; those in a sequence of their own
        have panels of their own.
    """
    if plots is None:
        return by_unit([solution.channel(name) for name in _usual(solution)])
    items = list(plots)
    are_single = [isinstance(x, str) or (is_pair(x) and x[1] not in solution) for x in items]
    loose = [solution.asked(x) for x, single in zip(items, are_single, strict=True) if single]
    groups = [x for x, single in zip(items, are_single, strict=True) if not single]
    own = ([solution.asked(name) for name in group] for group in groups)
    return by_unit(loose) + [panel for channels in own for panel in by_unit(channels)]


def _usual(solution: Solution) -> list[str]:
    names: list[str] = []
    n_curves = 0
    for name in coordinates(solution):
        channel = solution.channel(name)
        n_curves += len(channel.columns)
        if channel.unit != "1" and n_curves <= _MOST_CURVES:
            names.append(name)
    energies = [f"energy.{kind}" for kind in ("kinetic", "potential", "total")]
    return names + [name for name in energies if name in solution.channels]


def thinned(time: Any, values: Any, most: int = _MOST_POINTS) -> tuple[Any, Any]:
    """Fewer points of a curve that look alike: first, least, largest and last of each bin."""
    n = len(time)
    if n <= most:
        return time, values
    edges = np.linspace(0, n, most // 4 + 1).astype(int)
    kept = {0, n - 1}
    for begin, end in pairwise(edges):
        part = values[begin:end]
        kept |= {begin, begin + int(part.argmin()), begin + int(part.argmax()), end - 1}
    rows = np.array(sorted(kept))
    return time[rows], values[rows]
