"""A change of the unit of a coordinate changes nothing but its numbers, over ten orders.

A coordinate x in m³ with x' = s x has the inertia M / s², forces F / s, limits s x: a flow of
1e-5 m³/s is not at rest, and a volume of 1e-6 m³ is not closed.
"""

import numpy as np
import pytest

import jourdain as jd

END = 2.0
TIMES = np.linspace(0.0, END, 21)
SCALES = [1e-7, 1e-5, 1e-2, 1e3]
METHODS = pytest.mark.parametrize(
    ("method", "error"),
    [(jd.EventDriven(), 1e-8), (jd.MoreauJean(1e-3), 1e-11), (jd.NonsmoothAlpha(1e-3), 1e-11)],
    ids=["events", "steps", "alpha"],
)


def hydraulics(s):
    """Two columns of fluid with a clutch between them, a stop and a check valve."""
    model = jd.Model("columns", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0 / s**2, unit="m^3")
    model.add_coordinate("y", 2.0 / s**2, unit="m^3")
    x, y = jd.Coordinate("x"), jd.Coordinate("y")
    model.add_connection("push", x, jd.Force(lambda t: 6.0 * jd.sin(4.0 * t) / s))
    model.add_connection("spring", y, jd.Spring(20.0 / s**2) + jd.Damper(0.3 / s**2))
    model.add_connection("clutch", x - y, jd.Interval(2.5 / s, static=3.0 / s))
    model.add_connection("stop", x, jd.Unilateral(0.05 * s, restitution=0.4))
    back = jd.Formula(speed=lambda at: at.velocity("y") + 0.3 * s, unit="m^3")
    model.add_connection("valve", back, jd.Unilateral())
    return model, {"x.value": 0.3 * s, "x.rate": -2.0 * s, "y.rate": 0.2 * s}


def run(s, method):
    model, start = hydraulics(s)
    return jd.simulate(model, END, start=start, method=method, sample=TIMES)


def told(sol):
    return [(event.kind, event.name) for event in sol.events]


@METHODS
@pytest.mark.parametrize("s", [1e-7, 1.0, 1e3])
def test_only_forces_of_what_sticks_are_redundant_in_any_unit(method, error, s):
    model = jd.Model("parallel", gravity=(0, 0, 0))
    model.add_coordinate("x", 1.0 / s**2, unit="m^3")
    for name in ("one", "two"):
        model.add_connection(name, jd.Coordinate("x"), jd.Interval(1.0 / s))
    slides = jd.simulate(model, 0.1, start={"x.rate": 1.0 * s}, method=method)
    assert slides.statistics.not_unique == ()
    model.add_connection("load", jd.Coordinate("x"), jd.Force(1.5 / s))
    sticks = jd.simulate(model, 0.1, method=method)
    assert sticks.statistics.not_unique == ("one", "two")


@METHODS
def test_motion_forces_and_events_do_not_depend_on_units(method, error):
    one = run(1.0, method)
    kinds = {kind for kind, _ in told(one)}
    assert {"impact", "stick", "slip", "contact", "detachment"} <= kinds
    force, work = one.values("clutch.friction_force"), one.values("clutch.work")
    for s in SCALES:
        other = run(s, method)
        np.testing.assert_allclose(other.q / s, one.q, rtol=0, atol=error)
        np.testing.assert_allclose(other.v / s, one.v, rtol=0, atol=10 * error)
        np.testing.assert_allclose(
            other.values("clutch.friction_force") * s, force, rtol=0, atol=100 * error
        )
        np.testing.assert_allclose(other.values("clutch.work"), work, rtol=0, atol=10 * error)
        assert told(other) == told(one)
        np.testing.assert_allclose(
            [event.time for event in other.events], [event.time for event in one.events],
            rtol=0, atol=error,
        )  # fmt: skip
