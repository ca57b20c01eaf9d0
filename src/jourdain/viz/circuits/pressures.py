"""Pressures of a run as colours of a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import UnknownNameError
from jourdain.results import Solution
from jourdain.viz.circuits.netlist import Netlist

STOPS = ("#2c5fb8", "#2f9db8", "#57a957", "#dd9a0a", "#cf3a2e")
"""Colours from the lowest to the highest pressure."""
_MOST = 500  # moments of a page
_ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True)
class Pressures:
    """Pressures of the nodes of a circuit over time.

    Parameters
    ----------
    time : (n,) [s]
        Moments.
    bar : dict of str to (n,) [bar]
        Pressures of nodes by name.
    flows : dict of str to (n,) [l/min]
        Flows of parts by name.
    limits : (float, float) [bar]
        Pressures of the first and the last colour.
    """

    time: Any
    bar: dict[str, Any]
    flows: dict[str, Any]
    limits: tuple[float, float]

    def colours(self, k: int) -> dict[str, str]:
        """Colours of all nodes at a moment."""
        return {node: colour(values[k], self.limits) for node, values in self.bar.items()}

    def nearest(self, t: float | None) -> int:
        """Number of the moment nearest to a time; the last without one."""
        return len(self.time) - 1 if t is None else int(np.argmin(np.abs(self.time - t)))


def pressures(circuit: Netlist, run: Solution) -> Pressures:
    """Pressures and flows of a run, thinned out where there are many samples."""
    rows = np.unique(np.linspace(0, len(run.time) - 1, min(_MOST, len(run.time))).astype(int))
    bar = {node: run.values(f"{node}.pressure")[rows] / 1e5 for node in circuit.places}
    flows = {}
    for part in circuit.symbols:
        try:
            flows[part] = run.values(f"{part}.flow")[rows] * 6e4
        except UnknownNameError:
            continue
    low = min(0.0, *(float(np.nanmin(values)) for values in bar.values()))
    high = max(float(np.nanmax(values)) for values in bar.values())
    return Pressures(run.time[rows], bar, flows, (0.0 - _above(-0.98 * low), _above(high) or 1.0))


def colour(bar: float, limits: tuple[float, float]) -> str:
    """Colour of a pressure [bar] between limits."""
    low, high = limits
    place = (len(STOPS) - 1) * float(np.clip((bar - low) / (high - low), 0.0, 1.0))
    k = min(int(place), len(STOPS) - 2)
    first, second = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in STOPS[k : k + 2])
    mixed = np.round(first + (place - k) * (second - first)).astype(int)
    return "#" + "".join(f"{x:02x}" for x in mixed)


def _above(x: float) -> float:
    """Round number that is not below x."""
    if not x > 0.0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(x))
    return float(next(r * power for r in _ROUND if r * power >= x * (1.0 - 1e-9)))
