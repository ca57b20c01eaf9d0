"""Reynolds' equation of a bearing of finite length, by finite differences (5.F21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial import check


@dataclass(frozen=True)
class FilmForce:
    """Steady film of a bearing. Made by `finite_film`.

    Parameters
    ----------
    load : float [N]
        Load that it carries.
    attitude : float [rad]
        Angle from the load to the displacement of the journal, in the sense of rotation.
    pressure : (n, m) [Pa]
        Pressure over the angle from the widest gap on, and from the middle to the end.
    """

    load: float
    attitude: float
    pressure: Any

    @property
    def highest(self) -> float:
        """Highest pressure [Pa]."""
        return float(self.pressure.max())


def finite_film(
    sizes: tuple[float, float, float, float],
    eccentricity: float,
    speed: float,
    points: tuple[int, int] = (160, 24),
) -> FilmForce:
    """Solve Reynolds' equation for a steady journal in a bearing of finite length (BG-1).

    The pressure is that of the full film where it is above zero. Results of two grids are
    extrapolated.

    Parameters
    ----------
    sizes : (float, float, float, float)
        Radius, length, radial clearance [m] and viscosity [Pa s]: `JournalBearing.sizes`.
    eccentricity : float
        Over the clearance, ε.
    speed : float [rad/s]
        Speed of the journal.
    points : (int, int)
        Points around, and from the middle to the end, of the finer grid.

    Examples
    --------
    >>> from jourdain.library import bearings
    >>> film = bearings.finite_film((0.018, 0.02, 20e-6, 0.02), 0.5, 100 * 3.14159265)
    >>> 1280 < film.load < 1290
    True
    """
    radius, length, gap, viscosity = (
        check.number(x, "a size of the film", positive=True) for x in sizes
    )
    if not 0.0 < eccentricity < 1.0:
        raise ModelError(f"eccentricity is {eccentricity:g}: give a part of the gap, 0 to 1.")
    n, m = points
    forces, pressure = [], np.zeros((1, 1))
    for fine in (0.5, 1.0):
        shape = (max(8, int(fine * n)), max(4, int(fine * m)))
        pressure = _pressure(eccentricity, 0.5 * length / radius, shape)
        forces.append(_force(pressure, 0.5 * length / radius))
    radial, side = (4.0 * forces[1] - forces[0]) / 3.0
    scale = 6.0 * viscosity * speed * (radius / gap) ** 2
    load = scale * radius**2 * float(np.hypot(radial, side))
    return FilmForce(load, float(np.arctan2(side, radial)), scale * np.maximum(pressure, 0.0))


def _pressure(eps: float, half: float, shape: tuple[int, int]) -> Any:
    """Solution of (H³ P_θ)_θ + H³ P_zz = H_θ, H = 1 + ε cos θ; P = 0 at the end z = ``half``."""
    from scipy.sparse import coo_matrix  # noqa: PLC0415
    from scipy.sparse.linalg import spsolve  # noqa: PLC0415

    n, m = shape
    around, along = 2.0 * np.pi / n, half / m
    theta = around * np.arange(n)
    cube = (1.0 + eps * np.cos(theta)) ** 3
    border = (1.0 + eps * np.cos(theta + 0.5 * around)) ** 3  # between i and i + 1
    i, j = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")  # j = 0 is the middle
    k, ahead, behind = i * m + j, (i + 1) % n * m + j, (i - 1) % n * m + j
    east, west = border[i] / around**2, border[i - 1] / around**2
    up = cube[i] / along**2
    entries = [
        (k, k, -(east + west + 2.0 * up)),
        (k, ahead, east),
        (k, behind, west),
        (k, np.where(j == 0, k + 1, k - 1), up),
    ]
    inner = j < m - 1
    entries.append((k[inner], np.where(j == 0, k + 1, k + 1)[inner], up[inner]))
    rows, columns, values = (
        np.concatenate([np.ravel(part[c]) for part in entries]) for c in range(3)
    )
    matrix = coo_matrix((values, (rows, columns)), shape=(n * m, n * m)).tocsr()
    right = -eps * np.sin(theta[i])
    return spsolve(matrix, right.ravel()).reshape(n, m)


def _force(pressure: Any, half: float) -> Any:
    """Force of the positive pressure toward the widest gap, and across it."""
    n, m = pressure.shape
    weight = np.full(m, half / m)
    weight[0] *= 0.5  # the end has no pressure
    line = 2.0 * np.maximum(pressure, 0.0) @ weight
    theta = 2.0 * np.pi * np.arange(n) / n
    around = 2.0 * np.pi / n
    return np.array([-np.sum(line * np.cos(theta)), np.sum(line * np.sin(theta))]) * around
