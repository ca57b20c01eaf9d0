"""Cylinders, cams and loads against closed forms (5.F34 to 5.F38)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt


def lift(a):
    return 0.004 * (1.0 - jd.cos(2.0 * a))


def test_cam_that_turns_evenly():
    """T = (m s̈ + c s + F₀ + F(φ)) s'(φ) at constant speed; work against the spring comes back."""
    w, m, c, F = 80.0, 0.2, 3e4, 150.0
    model = jd.Model("cam", gravity=(0, 0, 0))
    cam = model.add_coordinate("cam", 1.0, driven=lambda t: w * t)
    push = lambda a: 100.0 * (1.0 - jd.cos(a))  # noqa: E731
    given = {"mass": m, "stiffness": c, "preload": F, "force": push}
    model.add("valve", pt.CamFollower(cam, lift, **given))
    sol = jd.simulate(model, 0.2, sample=1e-4)
    phi = w * sol.time
    s, slope = 0.004 * (1.0 - np.cos(2.0 * phi)), 0.008 * np.sin(2.0 * phi)
    force = m * 0.016 * np.cos(2.0 * phi) * w**2 + c * s + F + 100.0 * (1.0 - np.cos(phi))
    np.testing.assert_allclose(sol.values("valve.lift"), s, atol=1e-12)
    np.testing.assert_allclose(sol.values("valve.pressed"), force, rtol=1e-6)
    np.testing.assert_allclose(sol.values("valve.torque"), force * slope, atol=1e-6)


def test_free_camshaft_feels_the_inertia_of_its_valves():
    """(J + m s'²) φ̇² is constant without springs."""
    model = jd.Model("cam", gravity=(0, 0, 0))
    cam = model.add("cam", pt.Shaft(1e-4))
    model.add("valve", pt.CamFollower(cam.angle, lift, mass=2.0))
    sol = jd.simulate(model, 0.5, start={"cam.speed": 40.0})
    slope = 0.008 * np.sin(2.0 * sol.values("cam.angle"))
    energy = (1e-4 + 2.0 * slope**2) * sol.values("cam.speed") ** 2
    np.testing.assert_allclose(energy, energy[0], rtol=1e-6)


def test_loads_over_angle_and_speed():
    model = jd.Model("loads", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(2.0))
    table = jd.Table((0.0, np.pi, 2.0 * np.pi), (0.0, 6.0, 0.0))
    model.add("cam", pt.AngleLoad(shaft.angle, table))
    model.add("pump", pt.SpeedLoad(shaft.angle, lambda w: 0.02 * w * w))
    sol = jd.simulate(model, 1.0, start={"shaft.speed": 30.0, "shaft.angle": -1.0})
    wrapped = np.mod(sol.values("shaft.angle"), 2.0 * np.pi)
    wanted = 6.0 - 6.0 * np.abs(wrapped - np.pi) / np.pi
    np.testing.assert_allclose(sol.values("cam.torque"), wanted, atol=1e-9)
    speed = sol.values("shaft.speed")
    np.testing.assert_allclose(sol.values("pump.torque"), 0.02 * speed**2, rtol=1e-12)
    total = wanted + 0.02 * speed**2
    np.testing.assert_allclose(sol.values("shaft.angular_acceleration"), -total / 2.0, atol=1e-9)


SIZES = {"bore": 0.08, "stroke": 0.09, "rod": 0.15}


def test_pistons_against_a_slider_crank_in_space():
    """One piston without gas and a mass on a crank: the same motion as with bodies and joints."""
    flat = jd.Model("flat", gravity=(0, 0, 0))
    crank = flat.add("crank", pt.Shaft(0.01))
    none = lambda angle, opened: 0.0 * opened  # noqa: E731
    flat.add("engine", pt.Cylinders(crank.angle, **SIZES, pressure=none, firing=(0.0,), mass=0.6))
    space = jd.Model("space", gravity=(0, 0, 0))
    body = space.add_body("crank", jd.Inertia(1.0, moments=(0.01,) * 3))
    piston = space.add_body("piston", jd.Inertia(0.6, moments=(1e-3,) * 3))
    space.add_joint("main", space.world, body, jd.Revolute("y"))
    space.add_joint("guide", space.world, piston, jd.Prismatic("x"))
    pin = body.at(0.045, 0, 0)
    space.add_connection("rod", jd.Distance(pin, piston.at(0.195, 0, 0)), jd.Equal(0.15))
    runs = [
        jd.simulate(flat, 0.5, start={"crank.speed": 60.0}, sample=1e-3),
        jd.simulate(space, 0.5, start={"main.rate": 60.0}, sample=1e-3),
    ]
    np.testing.assert_allclose(
        runs[0].values("crank.angle"), runs[1].values("main.angle"), atol=1e-5
    )


def test_four_cylinders():
    """Work of a cycle is mean torque times 4π; order 2 of the crank is the largest."""
    model = jd.Model("engine", gravity=(0, 0, 0))
    crank = model.add_coordinate("crank", 1.0, driven=lambda t: 4.0 * np.pi * t)
    gas = pt.GasCycle(compression=12.0, rise=4e5)
    engine = model.add("engine", pt.Cylinders(crank, **SIZES, pressure=gas, mass=0.5))
    sol = jd.simulate(model, 1.0, sample=1.0 / 2880)
    torque = sol.values("engine.gas_torque")[:-1]
    turns = np.linspace(0.0, 4.0 * np.pi, 7201)
    way = np.array([float(engine.travel(a)) for a in turns]) / 0.09
    pressure = np.array([float(gas(a, x)) for a, x in zip(turns, way, strict=True)])
    area = 0.25 * np.pi * 0.08**2
    work = np.sum(0.5 * (pressure[1:] + pressure[:-1]) * np.diff(way)) * 0.09 * area
    assert torque.mean() == pytest.approx(4.0 * work / (4.0 * np.pi), rel=1e-4)
    lines = np.abs(np.fft.rfft(torque))[1:40] / len(torque)
    assert np.argmax(lines) + 1 == 4  # of two turns: order 2 of one
    step = 1e-5
    slope = [float(engine.slope(a)) for a in (0.7, 2.5)]
    rise = [float(engine.travel(a + step) - engine.travel(a - step)) for a in (0.7, 2.5)]
    np.testing.assert_allclose(slope, np.array(rise) / (2.0 * step), rtol=1e-8)


def test_speed_irregularity_falls_with_inertia():
    def degree(J):
        model = jd.Model("engine", gravity=(0, 0, 0))
        crank = model.add("crank", pt.Shaft(J))
        model.add("engine", pt.Cylinders(crank.angle, **SIZES, pressure=pt.GasCycle()))
        model.add("load", pt.SpeedLoad(crank.angle, lambda w: 3.0 * (w - 110.0)))
        sol = jd.simulate(model, 2.0, start={"crank.speed": 120.0}, sample=5e-4)
        return pt.speed_irregularity(sol, "crank.speed")

    one, two = degree(0.2), degree(0.8)
    assert two < 0.35 * one
    assert 0.01 < one < 0.3
