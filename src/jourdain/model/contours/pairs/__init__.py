"""Formulas of closest points, one for each pair of contours."""

from jourdain.model.contours.pairs import (
    ball,
    boxes,
    capsules,
    curves,
    half_space,
    polygons,
    surfaces,
)
from jourdain.model.contours.pairs.pair import ContactPoint, Pair, add_pair, all_pairs, find_pair
from jourdain.model.contours.pairs.tangents import tangents

__all__ = [
    "ContactPoint",
    "Pair",
    "add_pair",
    "all_pairs",
    "ball",
    "boxes",
    "capsules",
    "curves",
    "find_pair",
    "half_space",
    "polygons",
    "surfaces",
    "tangents",
]
