"""Flexible bodies: small deformations on large motions. Used as ``jd.flexible.beam(...)``."""

from jourdain.library.flexible.segmented import SegmentedBeam
from jourdain.model.flexible import (
    ALUMINIUM,
    STEEL,
    Disc,
    FlexibleSolid,
    Material,
    Rayleigh,
    Section,
    beam,
    circle,
    disc,
    rectangle,
    ring,
    shaft,
    tube,
)

__all__ = [
    "ALUMINIUM",
    "STEEL",
    "Disc",
    "FlexibleSolid",
    "Material",
    "Rayleigh",
    "Section",
    "SegmentedBeam",
    "beam",
    "circle",
    "disc",
    "rectangle",
    "ring",
    "shaft",
    "tube",
]
