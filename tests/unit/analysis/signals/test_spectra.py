from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal


def sine(frequency=5.0, amplitude=2.0, n=1000, duration=2.0, phase=0.0):
    time = np.arange(n) * duration / n
    values = amplitude * np.cos(2 * np.pi * frequency * time + phase)
    return Signal(time, values, "x", "m")


def test_amplitude_of_a_sine():
    for window in ("hann", "none"):
        found = jd.spectrum(sine(phase=0.4), window=window)
        k = int(np.argmax(found.values))
        assert found.frequencies[k] == pytest.approx(5.0)
        assert found.values[k] == pytest.approx(2.0, rel=1e-12)
        assert found.unit == "m"
    assert jd.spectrum(sine(phase=0.4), window="none").phases[k] == pytest.approx(0.4)
    assert found.peaks(1)[0] == pytest.approx((5.0, 2.0))


def test_scalloping_of_the_window():
    """A sine between two lines is 1.4236 dB too small with Hann's window."""
    found = jd.spectrum(sine(frequency=5.25), mean=True)
    loss = 20 * np.log10(found.values.max() / 2.0)
    assert loss == pytest.approx(-1.4236, abs=2e-3)


def test_parseval(rng):
    values = rng.normal(size=512)
    signal = Signal(np.arange(512) * 0.01, values - values.mean(), "x", "m")
    found = jd.spectrum(signal, window="none", density=True)
    total = np.sum(found.values) * (found.frequencies[1] - found.frequencies[0])
    assert total == pytest.approx(np.mean(signal.values**2), rel=1e-12)


def test_bad_requests():
    with pytest.raises(jd.ModelError, match="is no solution"):
        jd.spectrum([1.0, 2.0])
    with pytest.raises(jd.ModelError, match="window is 'flat'"):
        jd.spectrum(sine(), window="flat")
