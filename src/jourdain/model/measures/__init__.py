"""Measures: what is measured between frames. A new one is one file and one entry in a registry."""

from jourdain.model.measures.angle import Angle
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.distance import Distance
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.gap import Gap
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.on_curve import OnCurve
from jourdain.model.measures.on_surface import OnSurface
from jourdain.model.measures.path_length import PathLength
from jourdain.model.measures.rate import Rate
from jourdain.model.measures.registry import all_measures
from jourdain.model.measures.relative import Relative
from jourdain.model.measures.rolling import DiscHeight, Rolling
from jourdain.model.measures.sum import Sum
from jourdain.model.measures.touch import Touch

__all__ = [
    "Angle",
    "Coordinate",
    "DiscHeight",
    "Distance",
    "Formula",
    "Gap",
    "Measure",
    "OnCurve",
    "OnSurface",
    "PathLength",
    "Rate",
    "Relative",
    "Rolling",
    "Sum",
    "Touch",
    "all_measures",
]
