"""Integrators and their loops in machine code."""

from jourdain.solvers.integrators import (
    Dop853,
    Dopri5,
    Integrator,
    Problem,
    RungeKutta4,
    all_integrators,
)
from jourdain.solvers.status import REMEDY, Status

__all__ = [
    "REMEDY",
    "Dop853",
    "Dopri5",
    "Integrator",
    "Problem",
    "RungeKutta4",
    "Status",
    "all_integrators",
]
