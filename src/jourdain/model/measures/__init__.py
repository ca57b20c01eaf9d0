"""Measures: what is measured between frames. A new one is one file and one entry here."""

from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.distance import Distance
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.gap import Gap
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.sum import Sum

__all__ = ["Coordinate", "Distance", "Formula", "Gap", "Measure", "Sum"]
