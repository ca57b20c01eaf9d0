"""Set-valued laws on any measure, from event to event and in time steps, against closed forms."""

import numpy as np
import pytest

import jourdain as jd

G = 9.81
BOTH = pytest.mark.parametrize("method", [None, jd.MoreauJean(2e-3)], ids=["events", "steps"])


def tolerance(method, exact=1e-9):
    """Steps of 2 ms are good to some millimetres, events to rounding."""
    return exact if method is None else 5e-3


@BOTH
def test_dry_friction_that_grows_along_the_way(method):
    """With x'' = −(F + k x)/m: an arc of a harmonic motion up to the stop, then rest."""
    F, k, speed = 2.0, 8.0, 3.0
    model = jd.Model("wedge")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(lambda x, v: F + k * x))
    sol = jd.simulate(model, 1.5, start={"x.rate": speed}, method=method, sample=0.1)
    w = np.sqrt(k)
    stop = np.arctan2(speed * w, F) / w
    t = np.minimum(sol.time, stop)
    x = F / k * (np.cos(w * t) - 1.0) + speed / w * np.sin(w * t)
    np.testing.assert_allclose(sol.values("x.value"), x, atol=tolerance(method))
    rests = sol.values("x.value")[sol.time > stop + 0.01]
    assert np.ptp(rests) <= 1e-12


@BOTH
def test_dry_friction_by_the_force_of_a_constraint(method):
    """A slider on a rail is pressed on by its weight and a growing load: −μ (m g + c t)."""
    mu, c, speed = 0.3, 4.0, 3.0
    model = jd.Model("slider")
    body = model.add_body("body", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("move", model.world, body, jd.Prismatic("x") * jd.Prismatic("z"))
    model.add_connection("rail", jd.Coordinate("move.position_2"), jd.Equal())
    model.add_connection("load", jd.Coordinate("move.position_2"), jd.Force(lambda t: -c * t))
    friction = jd.Interval(lambda x, v, at: mu * at.multiplier("rail"))
    model.add_connection("dry", jd.Coordinate("move.position_1"), friction)
    start = {"move.velocity_1": speed}
    sol = jd.simulate(model, 1.5, start=start, method=method, sample=0.1)
    a, b = mu * G, mu * c / 4.0  # speed − a t − b t²
    stop = (-a + np.sqrt(a * a + 4.0 * b * speed)) / (2.0 * b)
    t = np.minimum(sol.time, stop)
    x = speed * t - a * t**2 / 2 - b * t**3 / 3
    np.testing.assert_allclose(sol.values("move.position_1"), x, atol=tolerance(method))
    assert np.ptp(sol.values("move.position_1")[sol.time > stop + 0.01]) <= 1e-12


@BOTH
def test_rope_becomes_taut_and_swings(method):
    """A weight falls beside its hook until the rope is taut; its radial velocity is lost."""
    length, aside = 1.0, 0.6
    model = jd.Model("rope")
    weight = model.add_body("weight", jd.solid.ball(mass=1.5, radius=0.02))
    model.add_joint("move", model.world, weight, jd.Prismatic("x") * jd.Prismatic("z"))
    rope = jd.Distance(model.world, weight)
    model.add_connection("rope", rope, jd.Unilateral(length, side="below"))
    start = {"move.position_1": aside}
    sol = jd.simulate(model, 0.7, start=start, method=method, sample=0.05)
    drop = np.sqrt(length**2 - aside**2)
    taut, speed = np.sqrt(2 * drop / G), np.sqrt(2 * G * drop)
    hit = next(event for event in sol.events if event.kind == "impact")
    assert hit.time == pytest.approx(taut, abs=tolerance(method))
    along = speed * aside / length  # tangential part
    after = np.array(hit.details["v_after"])
    np.testing.assert_allclose(after, along * np.array([-drop, -aside]), atol=tolerance(method) * 4)
    if method is None:
        swings = sol.time > taut + 1e-9
        place = np.stack([sol.values(f"move.position_{k}")[swings] for k in (1, 2)])
        np.testing.assert_allclose(np.linalg.norm(place, axis=0), length, atol=1e-12)
        energy = 0.5 * along**2 - G * drop
        v2 = 2.0 * (energy - G * place[1])
        pull = 1.5 * (v2 / length - G * place[1] / length)
        np.testing.assert_allclose(sol.values("rope.normal_force")[swings], pull, rtol=1e-7)


@BOTH
def test_stop_on_a_coordinate(method):
    """A driven slide runs against its stop and is held there."""
    model = jd.Model("stop")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("push", jd.Coordinate("x"), jd.Force(3.0))
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(0.5, side="below"))
    sol = jd.simulate(model, 2.0, method=method, sample=0.1)
    x = np.minimum(0.5, 0.75 * sol.time**2)
    np.testing.assert_allclose(sol.values("x.value"), x, atol=tolerance(method, 1e-12))
    np.testing.assert_allclose(sol.values("stop.normal_force")[-5:], 3.0, rtol=1e-9)


@BOTH
def test_one_way_clutch_engages_and_overruns(method):
    """The motor catches up at 1 s, takes the load along, and is left behind when braked at 2 s."""
    model = jd.Model("clutch")
    model.add_coordinate("motor", 2.0)
    model.add_coordinate("load", 3.0)
    torque = jd.Force(lambda t: jd.where(t < 2.0, 5.0, -5.0))
    model.add_connection("torque", jd.Coordinate("motor"), torque)
    ahead = jd.Formula(speed=lambda at: at.velocity("load") - at.velocity("motor"), unit="rad")
    model.add_connection("clutch", ahead, jd.Unilateral())
    sol = jd.simulate(model, 3.0, start={"load.rate": 2.5}, method=method, sample=0.25)
    load = np.where(sol.time < 1.0, 2.5, 2.5 + np.minimum(sol.time - 1.0, 1.0))
    motor = np.where(sol.time < 2.0, np.minimum(2.5 * sol.time, load), 3.5 - 2.5 * (sol.time - 2))
    tol = 1e-6 if method is None else 2e-2  # the torque jumps within a step
    np.testing.assert_allclose(sol.values("load.rate"), load, atol=tol)
    np.testing.assert_allclose(sol.values("motor.rate"), motor, atol=tol)


# -- More contacts than needed ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    """A table on four feet, with a load off its middle."""
    model = jd.Model("table")
    top = model.add_body("top", jd.solid.box(mass=3.0, size=(0.8, 0.6, 0.05)))
    for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        foot = jd.Point(top.at(0.4 * x, 0.3 * y, -0.5))
        model.add_contact(f"foot_{k}", jd.HalfSpace(model.world), foot, jd.Coulomb(0.5))
    place = jd.Formula(lambda at: at.pose(top.at(0.1, 0.05, 0.0))[1][2])
    model.add_connection("load", place, jd.Force(-20.0))
    return jd.compile(model)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(0.02)], ids=["events", "steps"])
def test_table_on_four_feet(table, method):
    """Sum and moments of the forces are unique, the table rests; that the rest is not is told."""
    start = {"top.position": (0.0, 0.0, 0.5)}
    sol = jd.simulate(table, 1.0, start=start, method=method, sample=0.25)
    assert np.abs(sol.q - sol.q[0]).max() <= 1e-12
    forces = np.stack([sol.values(f"foot_{k}.normal_force")[1:] for k in range(4)])
    assert (forces >= 0.0).all()
    np.testing.assert_allclose(forces.sum(axis=0), 3.0 * G + 20.0, rtol=1e-9)
    np.testing.assert_allclose([0.4, 0.4, -0.4, -0.4] @ forces, 20.0 * 0.1, rtol=1e-9)
    np.testing.assert_allclose([0.3, -0.3, 0.3, -0.3] @ forces, 20.0 * 0.05, rtol=1e-9)
    assert sol.statistics.not_unique == ("foot_0", "foot_1", "foot_2", "foot_3")
    assert "forces that are not unique: foot_0, foot_1, foot_2, foot_3" in str(sol)


def test_forces_of_three_feet_are_unique():
    model = jd.Model("stool")
    seat = model.add_body("seat", jd.solid.cylinder(mass=3.0, radius=0.2, length=0.05))
    for k, angle in enumerate((0.0, 2.1, 4.2)):
        foot = jd.Point(seat.at(0.2 * np.cos(angle), 0.2 * np.sin(angle), -0.5))
        model.add_contact(f"foot_{k}", jd.HalfSpace(model.world), foot, jd.Unilateral())
    sol = jd.simulate(model, 0.1, start={"seat.position": (0.0, 0.0, 0.5)}, sample=0.1)
    assert sol.statistics.not_unique == ()
    assert "not unique" not in str(sol)
