"""A machine in other units of length, mass and time moves as before, but for these units.

A watch, a ship and a relay are no harder than a machine of a metre, a kilogramme and a second.
"""

import numpy as np
import pytest

import jourdain as jd

END = 2.0
METHODS = pytest.mark.parametrize(
    ("method", "error"), [("events", 1e-8), ("steps", 1e-10), ("alpha", 1e-10)]
)
SCALES = [
    (1e-7, 1.0, 1.0), (1e9, 1.0, 1.0), (1.0, 1e-9, 1.0), (1.0, 1e9, 1.0), (1.0, 1.0, 1e-9),
    (1.0, 1.0, 1e-7), (1.0, 1.0, 1e5), (1e-5, 1e-9, 1e-5), (1e6, 1e6, 1e3),
]  # fmt: skip


def machine(length, mass, time):
    """Two masses with a clutch between them, a stop, a spring, a one-way guide, a drive."""
    force = mass * length / time**2
    model = jd.Model("machine", gravity=(0, 0, 0))
    model.add_coordinate("x", mass, unit="m")
    model.add_coordinate("y", 2.0 * mass, unit="m")
    x, y = jd.Coordinate("x"), jd.Coordinate("y")
    model.add_connection("push", x, jd.Force(lambda t: 6.0 * force * jd.sin(4.0 * t / time)))
    spring = jd.Spring(20.0 * force / length) + jd.Damper(0.3 * force * time / length)
    model.add_connection("spring", y, spring)
    model.add_connection("clutch", x - y, jd.Interval(2.5 * force, static=3.0 * force))
    model.add_connection("stop", x, jd.Unilateral(0.05 * length, restitution=0.4))
    back = jd.Formula(speed=lambda at: at.velocity("y") + 0.3 * length / time, unit="m")
    model.add_connection("guide", back, jd.Unilateral())
    speed = length / time
    return model, {"x.value": 0.3 * length, "x.rate": -2.0 * speed, "y.rate": 0.2 * speed}


def run(method, length, mass, time):
    model, start = machine(length, mass, time)
    steps = {"steps": jd.MoreauJean, "alpha": jd.NonsmoothAlpha}
    chosen = jd.EventDriven() if method == "events" else steps[method](1e-3 * time)
    samples = np.linspace(0.0, END * time, 21)
    return jd.simulate(model, END * time, start=start, method=chosen, sample=samples)


@METHODS
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_motion_and_events_do_not_depend_on_units(method, error, scale):
    length, mass, time = scale
    one, other = run(method, 1.0, 1.0, 1.0), run(method, *scale)
    kinds = [(event.kind, event.name) for event in one.events]
    assert {"impact", "stick", "slip", "contact", "detachment"} <= {kind for kind, _ in kinds}
    assert [(event.kind, event.name) for event in other.events] == kinds
    np.testing.assert_allclose(other.q / length, one.q, rtol=0, atol=error)
    np.testing.assert_allclose(other.v * time / length, one.v, rtol=0, atol=10 * error)
    times = np.array([event.time for event in other.events]) / time
    np.testing.assert_allclose(times, [event.time for event in one.events], rtol=0, atol=error)
