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


def test_a_tone_of_fixed_frequency_crosses_an_order():
    """V22: 60 Hz crosses order 2 at 30 rev/s.

    Its order falls by 60·5/30³ = 1/90 for each revolution, so that only about √90 = 9.5 of the 32
    revolutions of a block are in step with order 2: alone it gives at most 0.254 there, and
    1.254 with the order itself, whatever its phase. (The 1.35 of older notes takes blocks of some
    20 revolutions.) Each block agrees with a sum over exact angles.
    """
    signal, speed = run_up(0.7)
    found = jd.order_map(signal, by=speed, revolutions=32)
    for k in range(len(found.times)):
        r = 16.0 * k + np.arange(32 * 64) / 64.0
        time = (-10.0 + np.sqrt(100.0 + 10.0 * r)) / 5.0
        x = np.cos(4 * np.pi * r) + 0.4 * np.cos(7 * np.pi * r + 0.3)
        x += 0.7 * np.cos(2 * np.pi * 60.0 * time)
        for order in (2.0, 3.5):
            exact = abs(2 * np.mean(x * np.exp(-2j * np.pi * order * r)))
            assert found.order(order)[k] == pytest.approx(exact, abs=2e-3)
    largest = found.order(2.0).max()
    assert 1.1 < largest < 1.254
    k = int(np.argmax(np.abs(found.order(2.0) - 1.0)))
    assert found.speeds[k] / (2 * np.pi) == pytest.approx(30.0, abs=2.0)


def test_bad_requests():
    signal, speed = run_up()
    with pytest.raises(jd.ModelError, match="fewer than a block of 1000"):
        jd.order_map(signal, by=speed, revolutions=1000)
    back = Signal(speed.time, speed.values - 100.0, "rate", "rad/s")
    with pytest.raises(jd.ModelError, match="stops or turns back"):
        jd.order_map(signal, by=back)
