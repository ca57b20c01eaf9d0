from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal


def test_of_runs():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 1.0, unit="m")
    k = jd.Parameter("k", (2 * np.pi * 4.0) ** 2)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(k))
    sol = jd.simulate(model, 4.0, start={"x": 0.1})
    assert jd.spectrum(sol, "x").peaks(1)[0] == pytest.approx((4.0, 0.1), rel=1e-2)
    apart = jd.signals.difference(sol, sol.at(np.linspace(0, 4, 333)), "x")
    assert np.abs(apart.values).max() < 1e-7
    other = jd.simulate(model, 2.0, start={"x": 0.1}, parameters={"k": 600.0})
    assert np.abs(jd.signals.difference(sol, other, "x").values).max() > 1e-3


def test_bad_signals():
    with pytest.raises(jd.ModelError, match="must rise"):
        Signal([0.0, -1.0], [1.0, 2.0])
    with pytest.raises(jd.ModelError, match="as many times as values"):
        Signal([0.0, 1.0], [1.0])
    with pytest.raises(jd.ModelError, match="not finite"):
        Signal([0.0, 1.0], [1.0, np.nan])
    with pytest.raises(jd.ModelError, match="no time in common"):
        jd.signals.difference(Signal([0.0, 1.0], [0.0, 1.0]), Signal([5.0, 6.0], [0.0, 1.0]))
