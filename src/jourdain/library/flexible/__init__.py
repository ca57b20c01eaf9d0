"""Flexible bodies: small deformations on large motions. Used as ``jd.flexible.beam(...)``."""

from jourdain.library.flexible.segmented import SegmentedBeam
from jourdain.model.flexible import (
    ALUMINIUM,
    STEEL,
    FlexibleSolid,
    Material,
    Section,
    beam,
    circle,
    rectangle,
    tube,
)

__all__ = [
    "ALUMINIUM",
    "STEEL",
    "FlexibleSolid",
    "Material",
    "Section",
    "SegmentedBeam",
    "beam",
    "circle",
    "rectangle",
    "tube",
]
