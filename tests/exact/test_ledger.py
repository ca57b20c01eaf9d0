"""The ledger that people read: contacts from begin to end, impacts, stick and slip."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.ledger import markers

G, H = 9.81, 1e-3
METHODS = [(jd.EventDriven(), 1e-6), (jd.MoreauJean(H), 3 * H), (jd.NonsmoothAlpha(H), 2 * H)]
ALL = pytest.mark.parametrize(("method", "error"), METHODS, ids=["events", "steps", "alpha"])


@pytest.fixture(scope="module")
def block():
    """A block on a floor that a force presses, pulls along and lifts."""
    model = jd.Model("block", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "z"):
        model.add_coordinate(name, 2.0, unit="m")
    x, z = jd.Coordinate("x"), jd.Coordinate("z")
    model.add_connection("press", z, jd.Force(lambda t: jd.where(t < 1.0, -10.0, 6.0)))
    model.add_connection("pull", x, jd.Force(lambda t: 8.0 * t))
    model.add_connection("floor", jd.Touch(z, x), jd.Coulomb(0.3))
    return jd.compile(model)


@ALL
def test_a_lasting_contact_is_one_entry(block, method, error):
    """It sticks until 8 t = 3 N, slides until it is lifted, and carries 10 N all the time."""
    sol = jd.simulate(block, 1.5, method=method, sample=1e-3)
    (entry,) = sol.ledger
    assert (entry.kind, entry.name, entry.is_unique) == ("contact", "floor", True)
    assert entry.begin == 0.0
    assert entry.end == pytest.approx(1.0, abs=error)
    assert [word for word, _ in entry.phases] == ["stick", "slip"]
    np.testing.assert_allclose([t for _, t in entry.phases], [0.0, 0.375], atol=error)
    assert entry.largest_force == pytest.approx(10.0, rel=1e-9)
    assert entry.impulse == pytest.approx(10.0, abs=20 * error)
    slip = 2.0 / 3.0 * (1.0 - 0.375) ** 3  # ∫ ∫ (8 t − 3) / 2
    assert entry.work == pytest.approx(-3.0 * slip, rel=3 * error, abs=1e-5)
    assert "contact  floor" in str(sol.ledger)


@ALL
def test_impacts_are_impacts(method, error):
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 0.5, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-0.5 * G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.6))
    sol = jd.simulate(model, 1.0, start={"z.value": 0.4}, method=method)
    speed, first = np.sqrt(2 * G * 0.4), sol.ledger[0]
    assert (first.kind, first.name) == ("impact", "floor")
    assert first.begin == first.end == pytest.approx(speed / G, abs=error)
    assert first.impulse == pytest.approx(0.5 * 1.6 * speed, rel=5 * error)
    assert first.work == pytest.approx(-0.25 * (1 - 0.36) * speed**2, rel=10 * error)
    assert all(x.kind == "impact" for x in sol.ledger)


@ALL
def test_a_clutch_sticks_and_slips_in_every_method(method, error):
    model = jd.Model("clutch")
    for name, inertia in (("a", 1.0), ("b", 3.0)):
        model.add_coordinate(name, inertia)
    model.add_connection("clutch", jd.Coordinate("a") - jd.Coordinate("b"), jd.Interval(6.0))
    model.add_connection("load", jd.Coordinate("a"), jd.Force(lambda t: 16.0 * t))
    sol = jd.simulate(model, 1.0, start={"a.rate": 0.4}, method=method, sample=1e-3)
    # slip: 0.4 + 8 t² − 8 t = 0; then it holds 12 t up to 6
    stops = 0.5 - np.sqrt(0.25 - 0.05)
    assert [x.kind for x in sol.ledger] == ["slip", "stick", "slip"]
    begins = [x.begin for x in sol.ledger]
    np.testing.assert_allclose(begins, [0.0, stops, 0.5], atol=2 * error)
    assert sum(x.work for x in sol.ledger) == pytest.approx(
        sol.values("clutch.work")[-1], abs=0.1 * H + 1e-4
    )


@ALL
def test_redundant_forces_are_named(method, error):
    model = jd.Model("table", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-5.0))
    for name in ("left", "right"):
        model.add_connection(name, jd.Coordinate("z"), jd.Unilateral())
    sol = jd.simulate(model, 0.1, method=method, sample=0.01)
    assert sol.statistics.not_unique == ("left", "right")
    assert [x.is_unique for x in sol.ledger] == [False, False]
    assert str(sol.ledger).count("not unique") == 2


def test_impacts_that_follow_closely_share_a_marker():
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 0.5, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-0.5 * G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.5))
    sol = jd.simulate(model, 2.0, start={"z.value": 0.2}, events={"half": lambda t, s: t - 0.5})
    words = [text for text, _ in markers(sol)]
    assert words[0] == "impact of floor"
    assert "half" in words
    assert any("impacts of floor" in text for text in words)
    assert words[-1] == "contact of floor"
    assert len(words) < 12


@pytest.mark.parametrize(
    "method", [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)], ids=str
)
def test_impulses_of_impacts_are_no_forces_of_what_lasts(method):
    """A mass lands without a rebound: the contact carries its weight, from the first sample on."""
    model = jd.Model("lands", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("x"), jd.Force(-10.0))
    model.add_connection("floor", jd.Coordinate("x"), jd.Unilateral())
    sol = jd.simulate(model, 0.1, start={"x": 0.02}, method=method, sample=1e-3)
    hit, contact = sol.ledger
    assert (hit.kind, contact.kind) == ("impact", "contact")
    fall = np.sqrt(2.0 * 0.02 / 10.0)
    assert hit.impulse == pytest.approx(10.0 * fall, rel=0.02)
    assert contact.largest_force == pytest.approx(10.0, rel=1e-9)
    assert contact.impulse == pytest.approx(10.0 * (0.1 - fall), rel=0.05)
    np.testing.assert_allclose(sol.values("floor.normal_force")[-34:], 10.0, rtol=1e-9)


def test_what_breaks_away_is_noted_once():
    """A winch behind a gear and a rope: the brake gives way where 39.62 N m are too much."""
    model = jd.Model("winch", gravity=(0, 0, 0))
    for name, inertia, unit in (("motor", 0.02, "rad"), ("drum", 0.5, "rad"), ("load", 200.0, "m")):
        model.add_coordinate(name, inertia, unit=unit)
    motor, drum, load = (jd.Coordinate(name) for name in ("motor", "drum", "load"))
    model.add_connection("rope", load - 0.2 * drum, jd.Equal())
    model.add_connection("weight", load, jd.Force(-200.0 * G))
    model.add_connection("gear", motor - 20.0 * drum, jd.Equal())
    released = jd.Table((1.0, 1.02), (60.0, 0.0))
    model.add_connection("brake", motor, jd.Interval(lambda x, v, at: released(at.t)))
    model.add_connection("drive", motor, jd.Law(lambda x, v: 0.4 * (-50.0 - v)))
    sol = jd.simulate(model, 1.1)
    assert [event.kind for event in sol.events] == ["stick", "slip"]
    assert sol.events[1].time == pytest.approx(1.0 + 0.02 * (60.0 - 39.62) / 60.0, abs=1e-9)
