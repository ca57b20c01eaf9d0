from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal


def run_up(shift=0.0):
    """V22: 10 to 50 rev/s in 8 s; orders 2 and 3.5, and 60 Hz."""
    time = np.linspace(0.0, 8.0, 80001)
    turns = 10.0 * time + 2.5 * time**2
    x = np.cos(4 * np.pi * turns) + 0.4 * np.cos(7 * np.pi * turns + 0.3)
    x += shift * np.cos(2 * np.pi * 60.0 * time)
    return Signal(time, x, "x", "m"), Signal(time, 2 * np.pi * (10.0 + 5.0 * time), "rate", "rad/s")


def test_orders_stay_sharp_in_a_run_up():
    signal, speed = run_up()
    found = jd.order_map(signal, by=speed, revolutions=32)
    np.testing.assert_allclose(found.order(2.0), 1.0, atol=1e-3)
    np.testing.assert_allclose(found.order(3.5), 0.4, atol=1e-3)
    assert found.order(5.0).max() < 1e-3
    assert np.all(np.diff(found.speeds) > 0)
    signal, speed = run_up(0.7)
    crossed = jd.order_map(signal, by=speed, revolutions=32)
    assert crossed.order(2.0).max() > 1.1
    k = int(np.argmax(np.abs(crossed.order(2.0) - 1.0)))
    assert crossed.speeds[k] / (2 * np.pi) == pytest.approx(30.0, abs=2.0)


def test_bad_requests():
    signal, speed = run_up()
    with pytest.raises(jd.ModelError, match="fewer than a block of 1000"):
        jd.order_map(signal, by=speed, revolutions=1000)
    back = Signal(speed.time, speed.values - 100.0, "rate", "rad/s")
    with pytest.raises(jd.ModelError, match="stops or turns back"):
        jd.order_map(signal, by=back)
