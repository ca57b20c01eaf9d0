"""Formulations of the equations of motion: interchangeable, checked against each other."""

from jourdain.formulations.augmented import Augmented
from jourdain.formulations.formulation import Formulation
from jourdain.formulations.recursive import Recursive
from jourdain.formulations.velocity_transformation import VelocityTransformation

__all__ = ["Augmented", "Formulation", "Recursive", "VelocityTransformation", "all_formulations"]


def all_formulations() -> tuple[Formulation, ...]:
    """Every formulation; a new one adds one line."""
    return (
        Recursive(),
        VelocityTransformation("twists"),
        VelocityTransformation("natural"),
        Augmented(),
    )
