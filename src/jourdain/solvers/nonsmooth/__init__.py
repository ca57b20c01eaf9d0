"""Solvers of one-step nonsmooth problems: contact, friction, stops, on arrays."""

from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import (
    Bilateral,
    Block,
    Disc,
    Friction,
    HalfLine,
    Problem,
    Segment,
)
from jourdain.solvers.nonsmooth.residual import block_residuals, natural_map, residual
from jourdain.solvers.nonsmooth.search import Result, solve

__all__ = [
    "Bilateral",
    "Block",
    "Disc",
    "Friction",
    "HalfLine",
    "Layout",
    "Problem",
    "Result",
    "Segment",
    "block_residuals",
    "natural_map",
    "residual",
    "solve",
]
