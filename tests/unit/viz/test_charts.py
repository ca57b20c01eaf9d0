from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def oscillator():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 2.0, unit="m")
    spring = jd.Spring(jd.Parameter("k", 500.0, unit="N/m"))
    model.add_connection("spring", jd.Coordinate("x"), spring)
    model.add_connection("damper", jd.Coordinate("x"), jd.Damper(3.0))
    return model


def test_bode():
    response = jd.frequency_response(oscillator(), inputs=["x"], outputs=["x.value"])
    size, phase = jd.plot(response)
    assert size.get_ylabel() == "size [m per unit of input]"
    assert phase.get_xlabel() == "frequency [Hz]"
    assert size.lines[0].get_ydata().max() == pytest.approx(np.abs(response.values).max())
    with pytest.raises(jd.UnknownNameError, match="no output 'y'"):
        jd.plot(response, "y")


def test_campbell_and_modes():
    frequency, ratio = jd.plot(jd.campbell(oscillator(), "k", [200.0, 500.0, 800.0]), title="k")
    assert ratio.get_xlabel() == "k [N/m]"
    assert frequency.get_title() == "k"
    (own,) = jd.plot(jd.eigenmodes(oscillator()))
    assert own.get_ylabel() == "imaginary part [rad/s]"


def test_equilibria():
    found = jd.equilibria(oscillator(), "x", [0.0, 5.0, 10.0])
    (own,) = jd.plot(found)
    assert (own.get_xlabel(), own.get_ylabel()) == ("x [N]", "x.value [m]")
    np.testing.assert_allclose(own.lines[-1].get_ydata(), [0.0, 0.01, 0.02], rtol=1e-9)
    with pytest.raises(jd.UnknownNameError, match="no coordinate 'y'"):
        jd.plot(found, "y")


def test_signals():
    time = np.linspace(0.0, 4.0, 4001)
    signal = Signal(time, np.sin(30.0 * time), "x", "m")
    speed = Signal(time, 20.0 + 5.0 * time, "rate", "rad/s")
    assert jd.plot(signal)[0].get_ylabel() == "x [m]"
    assert jd.plot(jd.spectrum(signal))[0].get_xlabel() == "frequency [Hz]"
    assert jd.plot(jd.spectrum(signal, density=True))[0].get_yscale() == "log"
    orders = jd.order_map(signal, by=speed, revolutions=4)
    assert jd.plot(orders)[0].get_xlabel() == "order of rate"
    assert jd.plot(jd.signals.rainflow(signal))[0].get_xlabel() == "cycles"
