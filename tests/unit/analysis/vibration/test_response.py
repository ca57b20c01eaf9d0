"""Frequency responses and Campbell diagrams with closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def shaken():
    """V20: mass on a spring and a damper on a table that is driven."""
    model = jd.Model("shaken")
    table = model.add_body("table", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
    mass = model.add_body("mass", jd.solid.box(mass=2.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("table", model.world, table, jd.Prismatic("x"), driven={"position": 0.0})
    model.add_joint("slide", table, mass, jd.Prismatic("x"))
    model.add_connection("spring", jd.Coordinate("slide.position"), jd.Spring(500.0))
    model.add_connection("damper", jd.Coordinate("slide.position"), jd.Damper(3.0))
    return model


def test_base_excitation():
    omega = np.sqrt(250.0) * np.array([0.5, 1.0, np.sqrt(2.0), 3.0])
    response = jd.frequency_response(
        shaken(), omega / (2 * np.pi), inputs=["table.position"], outputs=["slide.position"]
    )
    absolute = 1.0 + response["slide.position"]
    expected = [1.332170807942, 10.588253449512, 1.0, 0.129881772486]
    np.testing.assert_allclose(np.abs(absolute), expected, rtol=1e-11)


def test_collocated_responses_are_symmetric():
    model = jd.Model("masses")
    for k in range(3):
        model.add_coordinate(f"x{k}", 1.0 + k, unit="m")
    for k in range(3):
        model.add_connection(f"s{k}", jd.Coordinate(f"x{k}"), jd.Spring(30.0))
        apart = jd.Coordinate(f"x{k}") - jd.Coordinate(f"x{(k + 1) % 3}")
        model.add_connection(f"d{k}", apart, jd.Damper(0.5 + k))
    names = [f"x{k}" for k in range(3)]
    values = [f"x{k}.value" for k in range(3)]
    response = jd.frequency_response(model, inputs=names, outputs=values)
    np.testing.assert_allclose(response.values, np.swapaxes(response.values, 1, 2), atol=1e-12)
    static = jd.frequency_response(response.lin, [0.0])
    np.testing.assert_allclose(static.values[0], np.eye(3) / 30.0, atol=1e-12)
    ratio = response.transmissibility("x1.value", "x0.value", "x0")
    assert ratio == pytest.approx(response["x1.value", "x0"] / response["x0.value", "x0"])
    assert response.data.sel(input="x1").shape == response.values.shape[:2]


def test_a_peak_lies_at_the_resonance():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(500.0))
    model.add_connection("damper", jd.Coordinate("x"), jd.Damper(3.0))
    response = jd.frequency_response(model, inputs=["x"], outputs=["x.value"])
    ((frequency, size),) = response.peaks("x.value")
    zeta = 3.0 / (2 * np.sqrt(1000.0))
    exact = 1.0 / (500.0 * 2 * zeta * np.sqrt(1 - zeta**2))
    assert size == pytest.approx(exact, rel=1e-4)
    assert frequency == pytest.approx(np.sqrt(250 * (1 - 2 * zeta**2)) / (2 * np.pi), rel=1e-3)


def test_scalar_coordinates_by_their_short_name():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(500.0))
    response = jd.frequency_response(model, [0.0, 1.0], inputs=["x"], outputs=["x"])
    np.testing.assert_array_equal(response["x"], response["x.value"])
    assert response["x", "x"][0].real == pytest.approx(0.002)


def test_bad_requests():
    with pytest.raises(jd.ModelError, match="needs an input"):
        jd.frequency_response(shaken(), [1.0])
    with pytest.raises(jd.ModelError, match="not negative"):
        jd.frequency_response(shaken(), [-1.0], inputs=["slide.position"])
