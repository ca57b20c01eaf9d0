"""Measures: what is measured between frames. A new one is one file and one entry here."""

from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.distance import Distance
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.sum import Sum
from jourdain.model.measures.touch import Touch

__all__ = ["Coordinate", "Distance", "Formula", "Measure", "Sum", "Touch"]
