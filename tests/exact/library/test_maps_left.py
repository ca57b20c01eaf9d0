"""What a run cannot have: maps that are left, and pressures that no machine bears."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import DoubtWarning
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt

TORQUE = jd.Map((0.0, 1.0), (0.0, 300.0), ((0.0, 0.0), (100.0, 100.0)), "linear")


def told(model: jd.Model, end: float, **options: Any) -> list[str]:
    """Doubts of a run."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", DoubtWarning)
        jd.simulate(model, end, **options)
    return [str(w.message) for w in found if issubclass(w.category, DoubtWarning)]


def engine(throttle: Any, loss: Any = None) -> jd.Model:
    """An engine that speeds up by 100 rad/s² at full throttle."""
    model = jd.Model("engine", gravity=(0, 0, 0))
    crank = model.add("crank", pt.Shaft(1.0))
    law = {"throttle": throttle, "loss": loss, "lag": 1e-3}
    model.add("engine", pt.Engine(crank.angle, TORQUE, **law))
    return model


def test_an_engine_tells_where_its_speed_left_the_map() -> None:
    """At 300 rad/s after 2 s of 100 rad/s² from 100 rad/s on; it ends with 350 rad/s."""
    start = {"crank.speed": 100.0, "engine.crank.torque": 100.0}
    assert told(engine(1.0), 1.99, start=start) == []
    (text,) = told(engine(1.0), 2.5, start=start, sample=0.02)
    assert "torque of the engine 'engine'" in text
    assert "its speed reaches 350 rad/s at t = 2.5 s" in text
    assert "from t = 2.02 s on" in text
    assert "from 0 to 300 rad/s" in text
    assert "Give it points up to 350 rad/s" in text


def test_an_engine_tells_of_throttle_and_loss() -> None:
    """A throttle over time, and as an input; the table of the loss."""
    loss = jd.Table((0.0, 50.0), (0.0, 1.0))
    throttle, lost = told(engine(lambda t: 2.0 * t, loss), 1.0)
    assert "its throttle reaches 2 at t = 1 s, but the points go from 0 to 1." in throttle
    assert "loss of the engine 'engine'" in lost
    assert "keeps the value at its end" in lost
    (text,) = told(engine(None), 0.1, inputs={"engine.crank.throttle": 1.5})
    assert "its throttle reaches 1.5" in text


def test_an_engine_by_a_controller_tells_of_its_throttle() -> None:
    """A state as the throttle: 10 t leaves the map at 0.1 s."""
    model = engine(jd.Signal("state", "pedal.x"))
    model.add_states("pedal", {"x": "1"}, lambda at: 10.0 + 0.0 * at.t)
    (text,) = told(model, 0.2)
    assert "its throttle reaches 2 at t = 0.2 s" in text


@pytest.mark.parametrize("speed", [-50.0, 50.0])
def test_a_converter_tells_of_a_turbine_that_turns_backward(speed: float) -> None:
    """Its maps begin at ν = 0; beyond the coupling point it keeps the end, as it says."""
    model = jd.Model("converter", gravity=(0, 0, 0))
    pump = model.add_coordinate("pump", 0.1, driven=lambda t: 100.0 * t)
    turbine = model.add_coordinate("turbine", 0.1, driven=lambda t: speed * t)
    torque, ratio = jd.Table((0.0, 1.0), (150.0, 0.0)), jd.Table((0.0, 0.4), (2.0, 1.0))
    model.add("box", pt.TorqueConverter(pump, turbine, torque, ratio, reference=200.0))
    texts = told(model, 0.1)
    assert len(texts) == (2 if speed < 0.0 else 0)
    for word, text in zip(("torque", "ratio"), texts, strict=False):
        assert f"the {word} of the torque converter 'box'" in text
        assert "its ratio of speeds reaches -0.5 at t = 0 s" in text


def test_loads_and_vehicles_tell_of_their_tables() -> None:
    """A generator, and rolling resistance over the speed."""
    model = jd.Model("loads", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(1.0))
    model.add("generator", pt.SpeedLoad(shaft.angle, jd.Table((0.0, 20.0), (0.0, 0.1))))
    rolling = jd.Table((0.0, 10.0), (0.01, 0.02))
    model.add("car", pt.Vehicle(shaft.angle, 100.0, 0.5, rolling=rolling))
    model.add_connection("push", shaft.angle, jd.Force(500.0))
    generator, car = told(model, 2.0)
    assert "torque of the load 'generator'" in generator
    assert "rolling resistance of 'car'" in car
    assert "m/s" in car


def test_repeating_maps_and_functions_are_left_in_peace() -> None:
    """A table that repeats has no end, and of a function nobody knows one."""
    model = jd.Model("loads", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(1.0))
    wave = jd.Table(np.linspace(0.0, 1.0, 5), (0.0, 1.0, 0.0, -1.0, 0.0), outside="repeat")
    model.add("a", pt.SpeedLoad(shaft.angle, wave))
    model.add("b", pt.SpeedLoad(shaft.angle, lambda w: 0.01 * w))
    assert told(model, 0.2, start={"shaft.speed": 50.0}) == []


TURN = np.linspace(0.0, 2.0 * np.pi, 21)
HALF = np.linspace(0.0, np.pi, 11)


def turning(part: Any) -> list[str]:
    """Doubts of two turns of a camshaft that a part is joined to."""
    model = jd.Model("turning", gravity=(0, 0, 0))
    cam = model.add_coordinate("cam", 1.0, driven=lambda t: 4.0 * np.pi * t)
    model.add("it", part(jd.Coordinate(cam)))
    return told(model, 1.0, sample=0.01)


def test_loads_over_the_angle_tell_where_no_turn_is_whole() -> None:
    """A cosine over half a turn keeps −1 for the rest; one over a turn, and a pulse, are whole."""
    (text,) = turning(lambda cam: pt.AngleLoad(cam, jd.Table(HALF, np.cos(HALF))))
    assert "torque of the load 'it' was asked for outside of its map from t = 0.26 s on" in text
    assert "points go from 0 to 3.14159 rad" in text
    assert "let it end flat if that is meant" in text
    whole = jd.Table(TURN, np.cos(TURN)), jd.Table((0.0, 0.5, 1.0), (0.0, 9.0, 0.0))
    for torque in (*whole, jd.Table(HALF, np.cos(2.0 * HALF), outside="repeat")):
        assert turning(lambda cam, torque=torque: pt.AngleLoad(cam, torque)) == []


def test_cams_and_cylinders_tell_where_no_turn_is_whole() -> None:
    """Forces of an injection pump over 1 rad of a cam at half the speed; gas over two turns."""
    lift = jd.Table(TURN, 0.01 * np.sin(TURN) ** 2, "cubic", outside="repeat")
    injected = jd.Table((0.0, 1.0), (0.0, 500.0))
    (text,) = turning(lambda cam: pt.CamFollower(0.5 * cam, lift, 0.1, force=injected))
    assert "force of the cam follower 'it'" in text
    assert "from t = 0.16 s on" in text
    opened = np.linspace(0.0, 1.0, 3)
    gas = jd.Map(TURN, opened, 1e5 + np.add.outer(1e4 * np.cos(TURN), opened))
    (text,) = turning(lambda cam: pt.Cylinders(cam, 0.08, 0.09, 0.15, gas, (0.0,)))
    assert "pressure of the cylinders 'it'" in text
    assert "from t = 0.51 s on: its angle reaches" in text
    cycle = jd.Map(2.0 * TURN, opened, gas.z)
    assert turning(lambda cam: pt.Cylinders(cam, 0.08, 0.09, 0.15, cycle)) == []


CHARACTERISTIC = (-0.1, 0.1), (-10.0, 10.0)


def test_springs_and_dampers_tell_of_their_tables() -> None:
    """A pull of 100 x up to 0.1 on 1 kg at 1.5 m/s: left at asin(1/1.5)/10 = 0.073 s."""
    model = jd.Model("spring", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("x", 1.0, unit="m"))
    law = jd.Spring(jd.Table(*CHARACTERISTIC), free=0.2) + jd.Damper(
        jd.Table((-3, 3), (-1e-9, 1e-9))
    )
    model.add_connections("springs", [x, x], law)
    (text,) = told(model, 0.1, start={"x": 0.2, "x.rate": 1.5 * np.sqrt(2.0)})
    assert "pull of the spring 'springs.0' was asked for outside of its map" in text
    assert "its elongation reaches 0.1" in text
    assert "from -0.1 to 0.1 m" in text
    model.add_connection("damper", x, jd.Damper(jd.Table((-1.0, 1.0), (-1e-9, 1e-9))))
    *_, text = told(model, 0.1, start={"x": 0.2, "x.rate": 1.5})
    assert "resistance of the damper 'damper'" in text
    assert "its speed reaches 1.5 m/s at t = 0 s" in text


@pytest.mark.parametrize("table", [
    jd.Table(*CHARACTERISTIC, outside="extrapolate"),
    jd.Table((-0.1, -0.09, 0.09, 0.1), (-9.0, -9.0, 9.0, 9.0)),
    jd.Table((0.0, 0.1, 0.2), (0.0, 5.0, 0.0)),
])  # fmt: skip
def test_ends_of_tables_that_tell_what_they_mean(table: jd.Table) -> None:
    """What goes on as told, is flat at its ends, or has no force there, is left in peace."""
    model = jd.Model("spring", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("x", 1.0, unit="m"))
    model.add_connection("spring", x, jd.Spring(table))
    for speed in (-5.0, 5.0):
        assert told(model, 0.1, start={"x.rate": speed}) == []


def test_roads_and_plates_tell_of_their_tables() -> None:
    """A slope over 10 m; a coefficient of friction over 20 rad/s of slip."""
    model = jd.Model("car", gravity=(0, 0, 0))
    wheel = model.add("wheel", pt.Shaft(1.0))
    model.add("car", pt.Vehicle(wheel.angle, 100.0, 0.5, slope=jd.Table((0, 10), (0, -0.05))))
    friction = jd.Table((0.0, 20.0), (0.1, 0.08))
    model.add("brake", pt.Brake(wheel.angle, pt.Plates(0.01, 0.1, 2, friction, pressure=1e4)))
    road, plates = told(model, 1.0, start={"car.speed": 15.0})
    assert "slope of 'car'" in road
    assert "friction of the plates of 'brake'" in plates


@pytest.mark.parametrize("is_guarded", [False, True])
def test_a_held_motor_needs_relief_valves(is_guarded: bool) -> None:
    """The pump gives V Ω/2π, which leaks or goes through the valve: 400 bar and that over slope."""
    model = jd.Model("drive", gravity=(0, 0, 0))
    a = model.add_coordinate("a", 0.1, driven=lambda t: 100.0 * t)
    b = model.add_coordinate("b", 0.1, driven=lambda t: 0.0 * t)
    circuit = pt.Circuit(hy.Fluid(), 1e-3)
    drive = model.add("drive", pt.HydrostaticDrive(a, b, (1e-4, 2e-4), circuit=circuit))
    if is_guarded:
        for name, ends in (("r", (drive.high, drive.low)), ("s", (drive.low, drive.high))):
            model.add(name, hy.ReliefValve(*ends, cracking=4e7, slope=1e-9))
        sol = jd.simulate(model, 1.0)
        expected = 4e7 + 100.0 * 1e-4 / (2.0 * np.pi) / 1e-9
        assert sol.values("drive.pressure")[-1] == pytest.approx(expected, rel=1e-5)
    texts = told(model, 1.0)
    assert len(texts) == (not is_guarded)
    assert all("Add them at its ports, as hy.ReliefValve" in text for text in texts)
