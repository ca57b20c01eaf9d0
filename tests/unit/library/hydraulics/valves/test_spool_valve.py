"""Spool valves with a body."""

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.valves.orifice import Throttle

FLUID = hy.Fluid(air=0.0)


def test_it_sticks_until_the_pressure_breaks_it_away():
    """Pilot pressure 1e6 t on 1e-4 m² against 20 N of preload and 10 N of static friction."""
    model = jd.Model("pilot", gravity=(0, 0, 0))
    oil = model.group("oil")
    X = oil.add("X", hy.PressureSource(FLUID, lambda t: 1e6 * t))
    P, T = oil.add("P", hy.PressureSource(FLUID, 1e6)), oil.add("T", hy.Tank(FLUID))
    edges = {"edge": hy.Edge(P, T, 1e-2, opens=1e-3)}
    valve = hy.SpoolValve(
        0.05, edges, [(X, 1e-4)], (0.0, 3e-3), preload=20.0, friction=5.0, static=10.0
    )
    oil.add("valve", valve)
    sol = jd.simulate(model, 0.4)
    slip = next(e.time for e in sol.events if e.kind == "slip")
    assert slip == pytest.approx(0.3, abs=1e-6)  # (20 + 10)/100
    assert sol.values("oil.valve.spool")[-1] == pytest.approx(3e-3, abs=1e-9)
    assert (sol.values("oil.valve.edge.flow")[sol.time < slip] == 0.0).all()
    assert sol.values("oil.valve.edge.flow")[-1] > 1e-4


def spool(pressure, limits=(0.0, 3e-3), **fields):
    """A spool whose face of 1e-4 m² sees a pilot pressure."""
    model = jd.Model("pilot", gravity=(0, 0, 0))
    oil = model.group("oil")
    X = oil.add("X", hy.PressureSource(FLUID, pressure))
    P, T = oil.add("P", hy.PressureSource(FLUID, 1e6)), oil.add("T", hy.Tank(FLUID))
    edges = {"edge": hy.Edge(P, T, 1e-2, opens=1e-3, area=1.5e-5)}
    oil.add("valve", hy.SpoolValve(0.05, edges, [(X, 1e-4)], limits, **fields))
    return model


def test_way_from_break_away_to_the_stop():
    """After 0.3 s: m x″ = 100 t − 20 − 5, a cubic; it hits the stop with m v."""
    sol = jd.simulate(spool(lambda t: 1e6 * t, preload=20.0, friction=5.0, static=10.0), 0.35)
    way = lambda s: (5.0 * s**2 / 2.0 + 100.0 * s**3 / 6.0) / 0.05  # noqa: E731
    last = brentq(lambda s: way(s) - 3e-3, 0.0, 0.05, xtol=1e-15)
    moving = (sol.time > 0.3) & (sol.time < 0.3 + last)
    found = sol.values("oil.valve.position")[moving]
    np.testing.assert_allclose(found, way(sol.time[moving] - 0.3), atol=1e-10)
    impact = next(e for e in sol.events if e.kind == "impact")
    assert impact.name == "oil.valve.stop_high"
    assert impact.time == pytest.approx(0.3 + last, abs=1e-9)
    speed = (5.0 * last + 50.0 * last**2) / 0.05
    assert np.ravel(impact.details["impulses"])[0] == pytest.approx(0.05 * speed, rel=1e-6)
    area = np.minimum(1e-2 * np.maximum(sol.values("oil.valve.position") - 1e-3, 0.0), 1.5e-5)
    flow = Throttle(FLUID).flow(1e6, area)
    np.testing.assert_allclose(sol.values("oil.valve.edge.flow"), flow, rtol=1e-9, atol=1e-15)


def test_stick_and_slip():
    """A ramp against a spring: it slides for τ = 2/ω (π − atan(u ω/V)), sticks for 2 c u/ramp.

    With u = (F_s − F_k)/c and the speed V = ramp/c; each jump is V τ + 2 u.
    """
    c, sliding, static, ramp = 1e4, 5.0, 8.0, 50.0
    rubs = {"stiffness": c, "friction": sliding, "static": static}
    sol = jd.simulate(spool(lambda t: 1e4 * ramp * t, (-1.0, 1.0), **rubs), 1.0)
    slips = [e.time for e in sol.events if e.kind == "slip"]
    assert len(slips) >= 5
    u, V, w = (static - sliding) / c, ramp / c, np.sqrt(c / 0.05)
    sliding_time = 2.0 / w * (np.pi - np.arctan(u * w / V))
    assert slips[0] == pytest.approx(static / ramp, abs=1e-8)
    np.testing.assert_allclose(np.diff(slips), sliding_time + 2.0 * c * u / ramp, rtol=1e-7)
    x = sol.values("oil.valve.position")
    rests = [x[np.searchsorted(sol.time, t) - 1] for t in slips]
    np.testing.assert_allclose(np.diff(rests), V * sliding_time + 2.0 * u, rtol=1e-6)


def test_faces_displace_oil():
    """A spool between two sealed volumes: one loses what the other gets, p stays balanced."""
    model = jd.Model("shuttle", gravity=(0, 0, 0))
    oil = model.group("oil")
    A, B = (oil.add(n, hy.Volume(FLUID, 1e-5, start=p)) for n, p in (("A", 2e6), ("B", 0.0)))
    shuttle = hy.SpoolValve(0.05, {}, [(A, 1e-4), (B, -1e-4)], (-5e-3, 5e-3), damping=20.0)
    oil.add("shuttle", shuttle)
    sol = jd.simulate(model, 0.1)
    a, b = (sol.values(f"oil.{n}.pressure") for n in "AB")
    x = sol.values("oil.shuttle.position")
    sizes = [1e-5 + 1e-4 * (5e-3 + x), 1e-5 + 1e-4 * (5e-3 - x)]  # with the faces' chambers
    for p, size, start in ((a, sizes[0], 2e6), (b, sizes[1], 0.0)):
        np.testing.assert_allclose(p, start - 1.4e9 * np.log(size / 1.05e-5), atol=5.0)
    assert a[-1] == pytest.approx(b[-1], rel=1e-4)
