"""Contacts and dry friction at the ends of their range: none, far away, very slow, very rough."""

import numpy as np
import pytest

import jourdain as jd

G = 9.81
METHODS = {"events": None, "steps": jd.MoreauJean(1e-2), "alpha": jd.NonsmoothAlpha(1e-2)}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@pytest.fixture(scope="module")
def pushed():
    """1 kg that is pushed with 2 N against a brake."""
    model = jd.Model("pushed", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("push", jd.Coordinate("x"), jd.Force(2.0))
    grip = jd.Interval(lambda x, v, at: at.input("grip"), {"grip": "N"})
    model.add_connection("brake", jd.Coordinate("x"), grip)
    return jd.compile(model)


@every_method
def test_a_brake_without_capacity_holds_nothing(pushed, method):
    sol = jd.simulate(pushed, 1.0, method=method, sample=0.5)
    assert sol.final["x.value"] == pytest.approx(1.0, abs=1e-13)


@every_method
def test_a_brake_that_a_controller_opens_lets_go(pushed, method):
    """It holds with 3 N for half a second; then 2 N move 1 kg for the other half."""

    def grip(t, s):
        return 3.0 if t < 0.49 else 0.0

    inputs = {"brake.grip": jd.Sampled(grip, 0.1)}
    sol = jd.simulate(pushed, 1.0, method=method, sample=0.5, inputs=inputs)
    assert sol.final["x.value"] == pytest.approx(0.25, abs=1e-13)


def ball(mu, e=0.0, radius=0.1, mass=1.0, along=0.0):
    model = jd.Model("ball", gravity=(along, 0.0, -G))
    body = model.add_body("ball", jd.solid.ball(mass=mass, radius=radius))
    law = jd.Coulomb(mu, restitution=e)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, radius), law)
    return model


@every_method
@pytest.mark.parametrize(("mu", "share"), [(0.0, 1.0), (1e12, 5 / 7)], ids=["smooth", "rough"])
def test_balls_without_friction_slide_and_with_much_of_it_roll(mu, share, method):
    model = ball(mu, along=5.0)
    start = {"ball.position": (0.0, 0.0, 0.1)}
    sol = jd.simulate(model, 0.2, start=start, method=method, sample=0.2)
    assert sol.values("ball.position")[-1, 0] == pytest.approx(0.1 * share, abs=1e-13)


def test_a_rebound_that_rounding_hides_is_rest():
    """100 m from the origin a flight of 1e-14 m cannot be seen: the ball must not fall through."""
    model = ball(0.3, 0.5, radius=100.0, mass=1e9)
    start = {"ball.position": (0.0, 0.0, 500.0), "ball.velocity": (8.0, 0.0, 0.0)}
    fall = np.sqrt(2 * 400.0 / G)
    sol = jd.simulate(model, 5.0 * fall, start=start, sample=fall)
    assert sol.values("ball.position")[-1, 2] == pytest.approx(100.0, abs=1e-9)
    assert sol.events[-1].kind == "stick"
    assert sol.events[-1].time == pytest.approx(3.0 * fall, rel=1e-6)  # 1 + 2 e / (1 − e)


def test_slow_impacts_without_other_forces_are_in_the_ledger_of_steps():
    """Units may be such that all numbers are small: an impact is told by its step alone."""
    model = jd.Model("slow", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(restitution=0.5))
    start = {"x.value": 1e-3, "x.rate": -1e-3}
    sol = jd.simulate(model, 2.0, start=start, method=jd.MoreauJean(1e-2), sample=1.0)
    (hit,) = sol.events
    assert (hit.kind, hit.name) == ("impact", "stop")
    assert hit.time == pytest.approx(1.0, abs=0.011)
    assert hit.details["energy"] == pytest.approx(-0.75 * 0.5e-6, rel=1e-12)


@pytest.mark.parametrize("capacity", [1e-15, 1e-9, 1e-3])
def test_a_weak_brake_holds_nothing_either(capacity):
    """What the solver leaves of its forces must not be taken for a reserve of friction."""
    model = jd.Model("pushed")
    model.add_coordinate("x", 2.0)
    model.add_connection("push", jd.Coordinate("x"), jd.Force(26.0))
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(capacity))
    sol = jd.simulate(model, 1.0, sample=1.0)
    assert sol.final["x.value"] == pytest.approx(0.25 * (26.0 - capacity), rel=1e-12)


def test_dry_friction_passes_dead_points():
    """A yoke on a crank, x = r sin φ: at its ends it turns, and the crank runs on.

    Friction takes F r |sin φ|' of the energy: F r ∫ |cos φ| dφ.
    """
    model = jd.Model("yoke", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("crank", 1.0)
    yoke = jd.Formula(lambda at: 0.1 * jd.sin(at.coordinate("crank")))
    model.add_connection("guide", yoke, jd.Interval(0.5))
    sol = jd.simulate(model, 5.0, start={"crank.rate": 2.0}, sample=5.0)
    angle = sol.final["crank.value"]
    turns = int(angle / np.pi + 0.5)  # dead points that were passed
    way = 2.0 * turns + (-1) ** turns * np.sin(angle)
    assert 0.5 * sol.final["crank.rate"] ** 2 == pytest.approx(2.0 - 0.05 * way, rel=1e-8)
    dead = [event for event in sol.events if event.time > 0.0]
    assert [event.kind for event in dead] == ["slip"] * turns
    np.testing.assert_allclose([e.q[0] for e in dead], np.pi * (np.arange(turns) + 0.5), atol=1e-8)
