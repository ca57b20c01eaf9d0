"""Bearings: rolling, linear by eight coefficients, hydrodynamic; pads and gaps of oil.

They join two frames, the sleeve a and the journal b, whose z-axes are the axis of the bearing.
"""

from jourdain.library.bearings.coefficients import LinearBearing
from jourdain.library.bearings.gaps import GapFilm, HydrostaticPad, sommerfeld_torque
from jourdain.library.bearings.journal import JournalBearing, JournalState
from jourdain.library.bearings.reynolds import FilmForce, finite_film
from jourdain.library.bearings.rolling import RollingBearing

__all__ = [
    "FilmForce",
    "GapFilm",
    "HydrostaticPad",
    "JournalBearing",
    "JournalState",
    "LinearBearing",
    "RollingBearing",
    "finite_film",
    "sommerfeld_torque",
]
