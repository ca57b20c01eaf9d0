"""`campbell`: eigenvalues over a parameter or a speed, followed by their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from jourdain.analysis.linear.equilibrium import Equilibrium
from jourdain.analysis.linear.linearize import linearized
from jourdain.analysis.linear.sweep import equilibria
from jourdain.analysis.progress import tells_phases
from jourdain.analysis.vibration.eigenmodes import eigenmodes
from jourdain.errors import ModelError


@dataclass(frozen=True, repr=False)
class Campbell:
    """Eigenvalues over a parameter or a speed. Made by `jd.campbell`.

    Parameters
    ----------
    name, unit : str
        What is varied.
    values : (n,)
        Its values.
    eigenvalues : (n, n_branches) complex [1/s]
        Branches; NaN where one is not there. Of pairs, the one with positive imaginary part.
    states : tuple of Equilibrium
        States about which they are.
    """

    name: str
    unit: str
    values: Any
    eigenvalues: Any
    states: tuple[Equilibrium, ...]

    @property
    def frequencies(self) -> Any:
        """Frequencies Im λ/2π (n, n_branches) [Hz]."""
        return np.abs(self.eigenvalues.imag) / (2.0 * np.pi)

    @property
    def damping_ratios(self) -> Any:
        """Damping ratios (n, n_branches); NaN for free motions."""
        sizes = np.abs(self.eigenvalues)
        return -self.eigenvalues.real / np.where(sizes > 0.0, sizes, np.nan)

    def critical(self, order: float = 1.0) -> list[tuple[float, float]]:
        """Speeds at which a branch meets an order line f = order·speed/2π, and its frequency [Hz].

        Only where a speed in rad/s is varied. Between two values branches are taken as straight.
        """
        if self.unit != "rad/s":
            raise ModelError(
                f"{self.name!r} is varied in {self.unit or 'numbers'}; critical speeds need a "
                "speed in rad/s, speeds={...}."
            )
        line = order * self.values / (2.0 * np.pi)
        found = []
        for branch in self.frequencies.T:
            apart = branch - line
            crosses = (apart[:-1] < 0.0) != (apart[1:] < 0.0)
            for k in np.flatnonzero(crosses & (branch[1:] > 0.0)):
                part = apart[k] / (apart[k] - apart[k + 1])
                speed = self.values[k] + part * (self.values[k + 1] - self.values[k])
                found.append((float(speed), float(order * speed / (2.0 * np.pi))))
        return sorted(found)

    def __repr__(self) -> str:
        return f"<{self.eigenvalues.shape[1]} branches over {self.name!r}>"


@tells_phases
def campbell(
    model: Any,
    name: str,
    values: Iterable[float],
    *,
    near: Mapping[str, Any] | None = None,
    count: int | None = None,
    **options: Any,
) -> Campbell:
    """Eigenvalues over a parameter or a speed, branches followed: Campbell diagram, root locus.

    At each value the equilibrium is found anew, beginning at the one before.

    Parameters
    ----------
    model : Model or System
        The machine.
    name : str
        A parameter, a velocity such as ``"rotor.rate"`` that is constant, or an input.
    values : iterable of float
        Its values, in an order in which they follow each other.
    near : mapping
        Rough positions to begin with.
    count : int
        Number of modes that are followed, lowest first; by default all.
    **options
        Passed on to `equilibrium`: hold, speeds, inputs, parameters, t.

    Returns
    -------
    Campbell
        Eigenvalues by branch; `jd.plot` draws them.
    """
    swept = equilibria(model, name, values, near=near, **options)
    found: list[tuple[Any, Any]] = []
    for rest in swept:
        modes = eigenmodes(linearized(rest.point), count=count)
        found.append((modes.eigenvalues, [mode.vector for mode in modes]))
    return Campbell(name, swept.unit, swept.values, _followed(found), swept.states)


def _followed(found: list[tuple[Any, Any]]) -> Any:
    """Branches: each mode continues the one whose shape and eigenvalue are most alike."""
    n = max((len(values) for values, _ in found), default=0)
    branches = np.full((len(found), n), np.nan, dtype=complex)
    shapes: list[Any] = [None] * n
    last = np.full(n, np.nan, dtype=complex)
    for k, (values, vectors) in enumerate(found):
        places = list(range(len(values)))
        if k:
            cost = np.array([[_unlike(v, x, w, y) for w, y in zip(last, shapes, strict=True)]
                             for v, x in zip(values, vectors, strict=True)])  # fmt: skip
            rows, columns = linear_sum_assignment(cost) if len(values) else ((), ())
            for row, column in zip(rows, columns, strict=True):
                places[row] = int(column)
        for value, vector, place in zip(values, vectors, places, strict=True):
            branches[k, place] = last[place] = value
            shapes[place] = vector
    return branches


def _unlike(value: complex, x: Any, other: complex, y: Any) -> float:
    """How unlike two modes are: by shape, and by size of the eigenvalue."""
    if y is None or len(x) != len(y):
        return 2.0
    alike = abs(np.vdot(x, y)) ** 2 / (np.vdot(x, x).real * np.vdot(y, y).real)
    size = max(abs(value), abs(other), 1e-300)
    return float(1.0 - alike + abs(value - other) / size)
