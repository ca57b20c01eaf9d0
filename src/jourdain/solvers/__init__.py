"""Integrators and their loops in machine code."""

from jourdain.solvers.advice import advice, smaller_steps
from jourdain.solvers.closure import Closure, Partition, Projection
from jourdain.solvers.ode.integrators import (
    Cvode,
    Dop853,
    Dopri5,
    Gauss4,
    GeneralizedAlpha,
    Ida,
    Integrator,
    Method,
    Radau5,
    RungeKutta4,
    SemiImplicitEuler,
    Tsit5,
    all_integrators,
)
from jourdain.solvers.ode.problem import Problem
from jourdain.solvers.record import Record
from jourdain.solvers.run import Run
from jourdain.solvers.status import REMEDY, Status

__all__ = [
    "REMEDY",
    "Closure",
    "Cvode",
    "Dop853",
    "Dopri5",
    "Gauss4",
    "GeneralizedAlpha",
    "Ida",
    "Integrator",
    "Method",
    "Partition",
    "Problem",
    "Projection",
    "Radau5",
    "Record",
    "Run",
    "RungeKutta4",
    "SemiImplicitEuler",
    "Status",
    "Tsit5",
    "advice",
    "all_integrators",
    "smaller_steps",
]
