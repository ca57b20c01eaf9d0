"""Capacities that are told by name go to a file and come back."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError


def clutch(capacity, **more):
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0)
    spring = jd.Maxwell(4.0, time=1e9, unit="rad")
    model.add_connection("spring", jd.Coordinate("b"), spring)
    model.add_connection("push", jd.Coordinate("b"), jd.Force(0.0))
    model.add_connection("c", jd.Coordinate("a"), jd.Interval(capacity, **more))
    return model


SIGNALS = [
    jd.Signal("coordinate", "b", 2.0),
    jd.Signal("velocity", "b", 0.0, 3.0),
    jd.Signal("force", "spring", 0.5),
    jd.Signal("state", "spring.creep_1", 1.0, 2.5),
    jd.Map((0.0, 10.0), (0.0, 10.0), ((2.0, 2.0), (2.0, 2.0)), "linear"),
]


@pytest.mark.parametrize("capacity", SIGNALS, ids=str)
def test_round_trip(capacity, tmp_path):
    model = clutch(capacity)
    jd.write_model(model, tmp_path / "m.toml")
    back = jd.read_model(tmp_path / "m.toml")
    assert back == model
    start = {"a.rate": 2.0, "b": 1.0}
    finals = [
        jd.simulate(m, 0.3, start=start, method=jd.EventDriven()).final for m in (model, back)
    ]
    assert finals[0] == finals[1]


def test_an_input_as_a_capacity():
    law = jd.Interval(jd.Signal("input", "pressure", 0.5), inputs={"pressure": "Pa"})
    model = jd.Model("brake")
    model.add_coordinate("a", 1.0)
    model.add_connection("c", jd.Coordinate("a"), law)
    sol = jd.simulate(model, 3.0, start={"a.rate": 2.0}, inputs={"c.pressure": 4.0})
    assert sol.events[-1].time == pytest.approx(1.0, rel=1e-9)


def test_the_force_of_a_spring_brakes():
    """The spring holds 4 · 1 as b rests: capacity 2, from 2 rad/s to rest in 1 s."""
    model = jd.Model("brake")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0, driven=lambda t: 1.0 + 0.0 * t)
    model.add_connection("spring", jd.Coordinate("b"), jd.Spring(4.0))
    model.add_connection("c", jd.Coordinate("a"), jd.Interval(jd.Signal("force", "spring", 0.5)))
    sol = jd.simulate(model, 2.0, start={"a.rate": 2.0}, method=jd.EventDriven())
    assert sol.events[-1].time == pytest.approx(1.0, rel=1e-9)


def test_a_signal_below_zero_is_none():
    model = jd.Model("brake")
    model.add_coordinate("a", 1.0)
    model.add_connection(
        "c", jd.Coordinate("a"), jd.Interval(jd.Signal("coordinate", "a", 0.0, -5.0))
    )
    assert jd.simulate(model, 1.0, start={"a.rate": 2.0}).final["a.rate"] == 2.0


def test_a_lag_of_a_signal():
    model = jd.Model("lag")
    model.add_coordinate("a", 1.0)
    model.add_lag("y", jd.Signal("coordinate", "a", 3.0), time=0.1)
    final = jd.simulate(model, 3.0, start={"a": 2.0}).final
    assert final["y.value"] == pytest.approx(6.0, rel=1e-7)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (("states", "p"), "Signal has kind='states'. Use one of"),
        (("state", 3), "name of Signal is 3: give a text"),
    ],
)
def test_what_is_no_signal(given, text):
    with pytest.raises(ModelError) as error:
        jd.Signal(*given)
    assert text in str(error.value)
