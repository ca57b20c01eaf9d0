"""Results of simulations: labelled, with units; saved and loaded."""

from jourdain.results.citation import cite
from jourdain.results.files.file import load
from jourdain.results.moment import Moment
from jourdain.results.solution import Solution
from jourdain.results.statistics import Checkpoint, Event, Statistics

__all__ = ["Checkpoint", "Event", "Moment", "Solution", "Statistics", "cite", "load"]
