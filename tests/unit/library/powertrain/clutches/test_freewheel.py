"""Freewheels to the housing and in both directions, dog clutches."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt


@pytest.mark.parametrize(
    ("make", "torque", "speed"),
    [
        (lambda x: pt.OneWayClutch(None, x), 2.0, 2.0),
        (lambda x: pt.OneWayClutch(None, x), -2.0, 0.0),
        (lambda x: pt.OneWayClutch(x, None), 2.0, 0.0),
        (lambda x: pt.OneWayClutch(x, None), -2.0, -2.0),
        (lambda x: pt.OneWayClutch(None, x, "backward"), 2.0, 0.0),
        (lambda x: pt.OneWayClutch(x, None, "backward"), -2.0, 0.0),
    ],
)
def test_to_the_housing(make, torque, speed):
    model = jd.Model("m", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(1.0))
    part = make(shaft.angle)
    model.add("catch", part)
    model.add_connection("push", shaft.angle, jd.Force(torque))
    sol = jd.simulate(model, 1.0)
    assert sol.final["shaft.angle.rate"] == pytest.approx(speed, abs=1e-9)
    on_shaft = sol.values("catch.torque")[-1] * (1.0 if part.a is None else -1.0)
    assert on_shaft == pytest.approx(-torque if speed == 0.0 else 0.0, abs=1e-9)


def test_parking_lock_by_an_input():
    model = jd.Model("m", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(1.0))
    model.add("park", pt.DogClutch(shaft.angle, None))
    model.add_connection("push", shaft.angle, jd.Force(2.0))
    closed = {"park.closed": lambda t: jd.where(t < 0.5, 0.0, 1.0)}
    sol = jd.simulate(model, 1.0, inputs=closed)
    assert sol.final["shaft.angle.rate"] == pytest.approx(0.0, abs=1e-12)
    assert sol.values("park.torque")[-1] == pytest.approx(2.0, rel=1e-9)


def test_direction_is_a_word():
    with pytest.raises(ModelError, match="direction of OneWayClutch is 'up'"):
        pt.OneWayClutch(jd.Coordinate("a"), None, "up")
