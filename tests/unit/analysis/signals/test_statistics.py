from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal


def sine(frequency=5.0, amplitude=2.0, n=1000, duration=2.0, phase=0.0):
    time = np.arange(n) * duration / n
    values = amplitude * np.cos(2 * np.pi * frequency * time + phase)
    return Signal(time, values, "x", "m")


def test_sizes():
    signal = sine(n=4001, duration=2.0)
    assert jd.signals.rms(signal) == pytest.approx(np.sqrt(2.0), rel=1e-3)
    moving = jd.signals.moving_rms(signal, duration=0.2)
    np.testing.assert_allclose(moving.values, np.sqrt(2.0), rtol=3e-3)
    inside = jd.signals.envelope(signal).values[200:-200]
    np.testing.assert_allclose(inside, 2.0, rtol=2e-2)
    assert jd.signals.peak(signal) == pytest.approx(2.0)
    assert len(jd.signals.peaks(signal).time) >= 8


def test_bad_requests():
    with pytest.raises(jd.ModelError, match="does not fit"):
        jd.signals.moving_rms(sine(), duration=100.0)
