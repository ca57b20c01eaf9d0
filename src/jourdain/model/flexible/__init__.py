"""Flexible bodies: small deformations on large motions. Used as ``jd.flexible.beam(...)``."""

from jourdain.model.flexible.beam import beam
from jourdain.model.flexible.section import (
    ALUMINIUM,
    STEEL,
    Material,
    Section,
    circle,
    rectangle,
    tube,
)
from jourdain.model.flexible.solid import FlexibleSolid

__all__ = [
    "ALUMINIUM",
    "STEEL",
    "FlexibleSolid",
    "Material",
    "Section",
    "beam",
    "circle",
    "rectangle",
    "tube",
]
