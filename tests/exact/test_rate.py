"""Laws on rates: freewheel, check valve, held speed, nonholonomic constraints."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError


def shafts(*inertias, **connections):
    model = jd.Model("shafts")
    for name, inertia in zip("abc", inertias, strict=False):
        model.add_coordinate(name, inertia)
    for name, (measure, law) in connections.items():
        model.add_connection(name, measure, law)
    return model


A, B = jd.Coordinate("a"), jd.Coordinate("b")
METHODS = [jd.EventDriven(), jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4)]


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_freewheel_between_two_inertias(method):
    """Shaft b may run ahead; a is driven by t and catches it up at t²/2 = 2."""
    model = shafts(1.0, 3.0, fw=(jd.Rate(B - A), jd.Unilateral()), m=(A, jd.Force(lambda t: t)))
    sol = jd.simulate(model, 3.0, start={"b.rate": 2.0}, method=method)
    rate = 2.0 + (9.0 / 2 - 2.0) / 4.0
    tolerance = 1e-9 if isinstance(method, jd.EventDriven) else 1e-3
    assert sol.final["b.rate"] == pytest.approx(rate, rel=tolerance)
    assert sol.final["a.rate"] == pytest.approx(rate, rel=tolerance)


def test_a_brake_beside_a_freewheel():
    """The freewheel bars the way back while the torque is negative; exact rate 2.5."""
    model = shafts(
        1.0, brake=(A, jd.Interval(0.0)), freewheel=(jd.Rate(A), jd.Unilateral()),
        t=(A, jd.Force(lambda t: 20.0 * t - 10.0)),
    )  # fmt: skip
    assert jd.simulate(model, 1.0).final["a.rate"] == pytest.approx(2.5, rel=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_a_limit_of_the_speed(method):
    """A governor lets no more than 2 rad/s pass: the work of the torque goes into it."""
    model = shafts(1.0, g=(jd.Rate(A), jd.Unilateral(2.0, "below")), m=(A, jd.Force(4.0)))
    sol = jd.simulate(model, 2.0, method=method)
    assert sol.final["a.rate"] == pytest.approx(2.0, rel=1e-9)
    assert sol.final["a.value"] == pytest.approx(0.5 + 3.0, rel=1e-3)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_check_valve(method):
    """Oil oscillates against a spring; the valve keeps what has flowed in at the turning point."""
    model = shafts(1.0, valve=(jd.Rate(A), jd.Unilateral()), oil=(A, jd.Spring(4.0)))
    sol = jd.simulate(model, 3.0, start={"a.rate": 2.0}, method=method)
    assert sol.final["a.value"] == pytest.approx(1.0, rel=1e-6)  # √(m v²/k)
    force = np.ravel(sol["valve.force"].values)[-1]
    assert force == pytest.approx(4.0, rel=1e-6)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_dry_friction_on_a_rate_is_that_of_the_measure(method):
    finals = []
    for measure in (A, jd.Rate(A)):
        model = shafts(1.0, brake=(measure, jd.Interval(3.0)), push=(A, jd.Force(1.0)))
        finals.append(jd.simulate(model, 1.0, start={"a.rate": 4.0}, method=method).final)
    assert finals[0] == finals[1]
    assert finals[0]["a.value"] == pytest.approx(3.0, abs=2e-4)


def test_held_speed():
    """Equal on a rate holds the speed, whatever the place: a geared pair that may be turned."""
    model = shafts(1.0, 2.0, gear=(jd.Rate(A - 3.0 * B), jd.Equal(0.5)), m=(A, jd.Force(11.0)))
    start = {"a": 7.0, "a.rate": 0.5}
    sol = jd.simulate(model, 1.0, start=start)
    # a'' = 3 b'' and 11 = a'' + 2 b''/3 = 11/9 a''
    assert sol.final["a.rate"] == pytest.approx(0.5 + 9.0, rel=1e-8)
    assert sol.final["b.rate"] == pytest.approx(3.0, rel=1e-8)
    assert jd.verify(model).passed


def test_rate_of_a_distance_in_space():
    """A particle on a rope that is paid out at a given rate: r(t) = r₀ + u t exactly."""
    model = jd.Model("rope")
    bob = model.add_body("bob", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("free", model.world, bob, jd.Free())
    model.add_connection("rope", jd.Rate(jd.Distance(bob, model.world)), jd.Equal(0.3))
    start = {"free.position": (1.0, 0.0, 0.0), "free.velocity": (0.3, 1.0, 0.0)}
    sol = jd.simulate(model, 2.0, start=start, method=jd.Dop853(1e-10))
    r = np.linalg.norm(sol["bob.position"].values[-1])
    assert r == pytest.approx(1.6, rel=1e-8)
    spin = np.cross(sol["bob.position"].values[-1], sol["bob.velocity"].values[-1])[2]
    assert spin == pytest.approx(1.0, rel=1e-8)


def test_damper_on_a_rate():
    model = shafts(1.0, d=(jd.Rate(A), jd.Damper(2.0)))
    assert jd.simulate(model, 1.0, start={"a.rate": 1.0}).final["a.rate"] == pytest.approx(
        np.exp(-2.0), rel=1e-7
    )


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (3.0, "Rate is of 3.0: give a measure"),
        (jd.Rate(A), "Rate is of a rate: measures have no second rates"),
        (jd.Touch(A, B), "a contact, which has a gap and a sliding velocity"),
    ],
)
def test_what_has_no_rate(measure, text):
    with pytest.raises(ModelError) as error:
        jd.Rate(measure)
    assert text in str(error.value)


def test_capacities_see_the_rate_of_a_measure():
    """Friction as large as the squared rate of another coordinate; it was taken as zero before."""
    model = jd.Model("m", gravity=(0, 0, 0))
    for name in ("a", "w"):
        model.add_coordinate(name, 1.0)
    spin = 2.0 * jd.Coordinate("w")
    capacity = jd.Interval(lambda x, v, at: at.rate_of(spin) ** 2)
    model.add_connection("brake", jd.Coordinate("a"), capacity)
    sol = jd.simulate(model, 1.0, start={"a.rate": 10.0, "w.rate": 1.0})
    assert sol.final["a.rate"] == pytest.approx(6.0, rel=1e-9)
