"""Which orders of its meshes a planetary set passes on (4.F51)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial import check


@dataclass(frozen=True)
class Phasing:
    """What meshes at several planets excite together. Made by `phasing`.

    Parameters
    ----------
    orders : tuple of int
        Mesh orders i: multiples of the tooth frequency.
    torque : tuple of float
        Amplitude of the torque over that of one mesh.
    force : tuple of float
        Amplitude of the force across the axis over that of one mesh.
    """

    orders: tuple[int, ...]
    torque: tuple[float, ...]
    force: tuple[float, ...]

    def __str__(self) -> str:
        rows = zip(self.orders, self.torque, self.force, strict=True)
        lines = (f"{i:>5}  {m:>6.3g}  {f:>5.3g}" for i, m, f in rows)
        return "\n".join(("order  torque  force", *lines))


def phasing(teeth: int, planets: int | Sequence[float], orders: Any = 5) -> Phasing:
    """Find which mesh orders of a central wheel with planets add up, and to what (4.F51).

    Meshes that stand by θ_k around the axis are z θ_k/2π teeth apart, so for the order i::

        torque  |Σ exp(j i z θ_k)|,   force  ½ |Σ exp(j (i z + 1) θ_k)| + ½ |Σ exp(j (i z − 1) θ_k)|

    Evenly spaced planets excite torque where i z/n is a whole number, force where (i z ± 1)/n is
    one, and nothing elsewhere.

    Parameters
    ----------
    teeth : int
        Teeth z of the sun or ring.
    planets : int or sequence of float [rad]
        Number of planets n, evenly spaced; or the angles at which they stand.
    orders : int or sequence of int
        The orders, or how many from 1 on.

    Examples
    --------
    >>> from jourdain.library import gears
    >>> print(gears.phasing(85, 3))
    order  torque  force
        1       0    1.5
        2       0    1.5
        3       3      0
        4       0    1.5
        5       0    1.5
    """
    z, places = check_central(teeth, planets)
    wanted = range(1, orders + 1) if isinstance(orders, int) else orders
    found = [(_sum(i * z, places), _swing(i * z, places)) for i in wanted]
    return Phasing(tuple(map(int, wanted)), *(tuple(x) for x in zip(*found, strict=True)))


def check_central(teeth: Any, planets: Any) -> tuple[int, np.ndarray[Any, Any]]:
    """Check the teeth of a central wheel; give the angles of its planets."""
    if isinstance(teeth, bool) or not isinstance(teeth, int) or teeth == 0:
        raise ModelError(f"teeth of phasing is {check.shown(teeth)}: give a whole number.")
    if isinstance(planets, int):
        if planets < 1:
            raise ModelError(f"planets of phasing is {planets}: give 1, 2, 3, …")
        return abs(teeth), 2.0 * np.pi * np.arange(planets) / planets
    return abs(teeth), np.asarray([check.number(x, "an angle of a planet") for x in planets])


def _sum(k: int, places: np.ndarray[Any, Any]) -> float:
    """|Σ exp(j k θ)|, free of rounding where it vanishes."""
    found = float(abs(np.exp(1j * k * places).sum()))
    return 0.0 if found < 1e-12 * abs(k) * len(places) else found


def _swing(k: int, places: np.ndarray[Any, Any]) -> float:
    return 0.5 * (_sum(k + 1, places) + _sum(k - 1, places))
