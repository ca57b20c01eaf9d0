"""Check valves with a ball: 5.V32."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=850.0, viscosity=0.02, bulk_modulus=1e9, air=0.0)
RIGHT = np.pi / 4.0
BALL = {"stiffness": 300.0, "preload": 0.05, "damping": 0.5}


@pytest.mark.parametrize(
    ("angle", "areas", "seat"),
    [
        (30.0, (0.691956, 2.146553), 4.9087),
        (45.0, (0.796505, 2.456159), 9.8175),
        (60.0, (0.686977, 2.101740), 14.7262),
    ],
)
def test_areas(angle, areas, seat):
    """5.V32: at lifts of 0.1 and 0.3 mm, and that of the seat circle [mm²]."""
    own = hy.BallSeat(2.5e-3, np.radians(angle))
    found = [1e6 * own.area(x) for x in (1e-4, 3e-4)]
    np.testing.assert_allclose(found, areas, rtol=1e-6)
    assert 1e6 * own.pressure_area == pytest.approx(seat, rel=1e-5)
    assert own.area(-1e-4) == 0.0
    assert own.area(1.0) == own.pressure_area


def valve(pressure, **changes):
    """A valve between two given pressures."""
    model = jd.Model("valve", gravity=(0, 0, 0))
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(FLUID, pressure)), oil.add("T", hy.Tank(FLUID))
    seat = hy.BallSeat(2.5e-3, RIGHT)
    oil.add("valve", hy.BallCheckValve(S, T, seat, lift=3e-4, **BALL | changes))
    return model


@pytest.mark.parametrize(("mass", "method"), [(None, None), (1e-9, jd.Radau5(rtol=1e-8))], ids=str)
def test_a_ball_without_mass_closes(mass, method):
    """5.V32: x = x∞ + (x₀ − x∞) exp(−c t/d), closed after 0.518999 ms; then it stays at zero."""
    model = valve(-0.2e5, mass=mass)
    name = "oil.valve.ball" if mass else "oil.valve.ball.position"
    sol = jd.simulate(model, 1e-3, start={name: 3e-4}, sample=1e-6, method=method)
    t, x = sol.time, sol.values("oil.valve.lift")
    last = (-0.05 - 0.2e5 * np.pi * 2.5e-3**2 / 2.0) / 300.0
    assert last == pytest.approx(-0.821165e-3, rel=1e-6)
    exact = np.maximum(last + (3e-4 - last) * np.exp(-300.0 * t / 0.5), 0.0)
    off = 1e-8 if mass is None else 2.0 * mass / 0.5 * 0.7  # way in the time m/d
    np.testing.assert_allclose(x, exact, atol=off)
    shut = t[np.argmax(x < 1e-9)]
    assert shut == pytest.approx(0.518999e-3, abs=2e-6)
    np.testing.assert_allclose(sol.values("oil.valve.flow")[t > 0.53e-3], 0.0, atol=1e-12)


def test_a_ball_with_mass_opens_to_its_stop():
    """By m x″ + d x′ + c x = A p − F₀ from the closed seat on; the stop holds it at 0.3 mm."""
    m, p = 5e-4, 0.15e5
    sol = jd.simulate(valve(p, mass=m), 5e-3, sample=1e-6, method=jd.EventDriven(jd.Dop853(1e-11)))
    push = p * np.pi * 2.5e-3**2 / 2.0 - 0.05
    delta, w0 = 0.5 / (2 * m), np.sqrt(300.0 / m)
    w = np.sqrt(w0**2 - delta**2 + 0j)
    t = sol.time
    swing = np.exp(-delta * t) * (np.cos(w * t) + delta / w * np.sin(w * t))
    exact = np.minimum((push / 300.0 * (1.0 - swing)).real, 3e-4)
    hit = t[np.argmax(exact >= 3e-4)]
    x = sol.values("oil.valve.lift")
    np.testing.assert_allclose(x, exact, atol=1e-12)
    impact = next(e for e in sol.events if e.name == "oil.valve.stop")
    assert impact.time == pytest.approx(hit, abs=1.1e-6)
    balance = energy_balance(sol)
    assert balance.largest < 1e-8 * balance.exchanged


def test_what_the_ball_displaces_is_not_lost():
    """Two sealed volumes: what leaves one through the seat and with the ball enters the other."""
    model = jd.Model("levelling", gravity=(0, 0, 0))
    oil = model.group("oil")
    A = oil.add("A", hy.Volume(FLUID, 1e-5, start=2e6))
    B = oil.add("B", hy.Volume(FLUID, 2e-5))
    seat = hy.BallSeat(2.5e-3, RIGHT)
    oil.add("valve", hy.BallCheckValve(A, B, seat, lift=3e-4, mass=5e-4, **BALL))
    sol = jd.simulate(model, 0.02, sample=2e-5)
    a, b = (sol.values(f"oil.{n}.pressure") for n in "AB")
    left, come = 1e-5 * (2e6 - a) / 1e9, 2e-5 * b / 1e9
    np.testing.assert_allclose(left, come, atol=1e-9 * come.max())
    moved = sol.values("oil.valve.edge.passed.volume")
    moved = moved + seat.pressure_area * sol.values("oil.valve.lift")
    np.testing.assert_allclose(moved, come, atol=1e-7 * come.max())
    assert sol.values("oil.valve.lift").max() == pytest.approx(3e-4, abs=1e-9)


def test_columns_at_junctions_close_exactly():
    """A pulsating source behind a line: no flow back while the ball sits."""
    model = jd.Model("rectifier", gravity=(0, 0, 0))
    oil = model.group("oil")
    S = oil.add("S", hy.PressureSource(FLUID, lambda t: 2e5 * jd.sin(200.0 * t)))
    T, a = oil.add("T", hy.Tank(FLUID)), oil.add("a", hy.Junction(FLUID))
    oil.add("line", hy.Line(S, a, length=0.3, diameter=5e-3))
    seat = hy.BallSeat(2.5e-3, RIGHT)
    part = hy.BallCheckValve(a, T, seat, lift=3e-4, mass=5e-4, length=5e-3, **BALL)
    oil.add("valve", part)
    sol = jd.simulate(model, 0.06, sample=2e-5)
    flow, x = sol.values("oil.valve.flow"), sol.values("oil.valve.lift")
    assert flow.max() > 1e-5
    assert x.min() > -1e-10
    sits = x < 1e-9
    assert sits.mean() > 0.2
    np.testing.assert_allclose(flow[sits], 0.0, atol=1e-6 * flow.max())
