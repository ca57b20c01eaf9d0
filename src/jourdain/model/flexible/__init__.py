"""Flexible bodies: small deformations on large motions. Used as ``jd.flexible.beam(...)``."""

from jourdain.model.flexible.beam import beam, shaft
from jourdain.model.flexible.damping import Rayleigh
from jourdain.model.flexible.disc import Disc, disc
from jourdain.model.flexible.ring import ring
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
    "Disc",
    "FlexibleSolid",
    "Material",
    "Rayleigh",
    "Section",
    "beam",
    "circle",
    "disc",
    "rectangle",
    "ring",
    "shaft",
    "tube",
]
