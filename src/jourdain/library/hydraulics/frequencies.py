"""Hydraulic frequencies: is the compressibility of a volume needed? (4.F3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg as la

from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import PORT
from jourdain.library.hydraulics.nodes.volume import Compressible
from jourdain.model.model import Model
from jourdain.results.solution import Solution
from jourdain.spatial import check
from jourdain.system import System, compile

_FAR = 10.0  # times the band: what lies above it counts as rigid


@dataclass(frozen=True)
class HydraulicFrequencies:
    """Frequencies of the volumes of a circuit.

    Parameters
    ----------
    hertz : dict of str to float [Hz]
        Frequency of each volume by the name of its node.
    band : float [Hz], optional
        Highest frequency of interest.
    """

    hertz: dict[str, float] = field(default_factory=dict)
    band: float | None = None

    @property
    def rigid(self) -> list[str]:
        """Volumes that oscillate so far above the band that a `Junction` can stand for them."""
        if self.band is None:
            return []
        return [name for name, f in self.hertz.items() if f > _FAR * self.band]

    def __getitem__(self, name: str) -> float:
        """Frequency of a volume [Hz]."""
        return self.hertz[name]

    def __str__(self) -> str:
        """One line for each volume, with advice where a band was given."""
        width = max(map(len, self.hertz), default=0)
        advice = {name: "  far above the band: take a Junction" for name in self.rigid}
        lines = (f"{n:<{width}}  {f:10.4g} Hz{advice.get(n, '')}" for n, f in self.hertz.items())
        return "\n".join(lines) or "no volumes"


def hydraulic_frequencies(
    model: Model | System, *, start: Mapping[str, Any] | None = None, band: float | None = None
) -> HydraulicFrequencies:
    """Frequency with which each volume oscillates against the inertia that ends there (4.F3).

        ω² = (E/V) J M⁻¹ Jᵀ

    with the flow J v out of the volume and the masses M of columns, pistons and what moves with
    them; constraints hold, the other volumes are as soft as can be.

    Parameters
    ----------
    model : Model or System
        The machine.
    start : mapping of str to float
        Where it is, as for `jourdain.simulate`.
    band : float [Hz], optional
        Highest frequency of interest; volumes far above are told.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model = jd.Model("ram", gravity=(0, 0, 0))
    >>> fluid = hy.Fluid(density=850.0, bulk_modulus=1e9, air=0.0)
    >>> ram = model.add_coordinate("ram", 1.0, unit="m")
    >>> oil = model.group("oil")
    >>> S, A = oil.add("S", hy.PressureSource(fluid, 15e5)), oil.add("A", hy.Volume(fluid, 5e-5))
    >>> line = oil.add("line", hy.Line(S, A, length=1.0, diameter=0.01))
    >>> cylinder = oil.add("cylinder", hy.Cylinder(A, None, jd.Coordinate(ram), (1e-3, 0.0)))
    >>> print(hy.hydraulic_frequencies(model, band=20.0))
    oil.A       743.9 Hz  far above the band: take a Junction
    """
    if not isinstance(model, Model | System):
        raise ModelError(f"hydraulic_frequencies got {check.shown(model)}: give a model.")
    if band is not None:
        band = float(check.number(band, "band", positive=True, unit="Hz"))
    system = compile(model) if isinstance(model, Model) else model
    names = [
        name.removesuffix(f".{PORT}")
        for name, c in system.model.connections.items()
        if isinstance(c.law, Compressible)
    ]
    q, v = system.state(start or {})
    n = len(v)
    moving = np.vstack([np.zeros(n), np.eye(n)])
    still = np.repeat(q[None, :], n + 1, axis=0)
    rates = system.coordinate_rates(still, moving)
    run = Solution(system, np.arange(n + 1.0), still, moving, 0.0 * moving)
    free = _free(system, q, n)
    M = np.asarray(system.mass_matrix(q))
    found = {}
    for name in names:
        pressure = rates[:, system.names.q.index(f"{name}.{PORT}.pressure")]
        softness = pressure[1:] - pressure[0]
        outflow = run.values(f"{name}.{PORT}.rate")
        J = outflow[1:] - outflow[0]
        found[name] = float(np.sqrt(max(0.0, -softness @ _response(M, free, J))) / (2.0 * np.pi))
    return HydraulicFrequencies(found, band)


def _free(system: System, q: Any, n: int) -> Any:
    """Velocities that the constraints allow (n, …)."""
    if not system.has_constraints:
        return np.eye(n)
    H = np.asarray(system.answers("jacobian", q, np.zeros(n))).reshape(-1, n)
    return la.null_space(H)


def _response(M: Any, free: Any, J: Any) -> Any:
    """Accelerations that a unit pressure causes."""
    if not free.size:
        return 0.0 * J
    return free @ np.linalg.solve(free.T @ M @ free, free.T @ J)
