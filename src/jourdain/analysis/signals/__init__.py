"""Results of runs as engineers read them: spectra, orders, envelopes, load cycles."""

from jourdain.analysis.signals.cycles import Rainflow, level_crossings, rainflow
from jourdain.analysis.signals.hammering import (
    Gamma,
    LoadSpectrum,
    Pulses,
    load_spectrum,
    pulses,
)
from jourdain.analysis.signals.orders import OrderMap, order_map
from jourdain.analysis.signals.signal import Signal, difference
from jourdain.analysis.signals.spectra import Spectrum, spectrum
from jourdain.analysis.signals.statistics import envelope, moving_rms, peak, peaks, rms

__all__ = [
    "Gamma",
    "LoadSpectrum",
    "OrderMap",
    "Pulses",
    "Rainflow",
    "Signal",
    "Spectrum",
    "difference",
    "envelope",
    "level_crossings",
    "load_spectrum",
    "moving_rms",
    "order_map",
    "peak",
    "peaks",
    "pulses",
    "rainflow",
    "rms",
    "spectrum",
]
