"""Cylinders."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def test_stops_seals_and_chambers_of_a_cylinder():
    """The piston stops at its limit, the pressure then rises to that of the source."""
    model = jd.Model("ram", gravity=(0, 0, 0))
    model.add_coordinate("ram", 5.0, unit="m")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(FLUID, 1e6)), oil.add("T", hy.Tank(FLUID))
    A, B = (oil.add(n, hy.Volume(FLUID, 1e-4)) for n in "AB")
    oil.add("inlet", hy.Orifice(S, A, area=2e-5))
    oil.add("outlet", hy.Orifice(B, T, area=2e-5))
    ram = hy.Cylinder(A, B, jd.Coordinate("ram"), (1e-3, 5e-4), (0.0, 0.1), friction=20.0)
    oil.add("cylinder", ram)
    sol = jd.simulate(model, 2.0)
    assert sol.values("ram")[-1] == pytest.approx(0.1, abs=1e-9)
    assert sol.values("oil.A.pressure")[-1] == pytest.approx(1e6, rel=1e-6)
    assert sol.values("oil.B.pressure")[-1] == pytest.approx(0.0, abs=1.0)
    took = sol.values("oil.inlet.passed.volume")[-1]
    compressed = 2e-4 * 1e6 / 1e9  # of the chamber and the block
    assert took == pytest.approx(1e-4 + compressed, rel=1e-3)
    assert [e for e in sol.events if e.name == "oil.cylinder.stop_high"]


def ram(pressures=(1e6, 2e5), **fields):
    """A piston of 5 kg between two given pressures; 1000 N − 100 N push it out."""
    model = jd.Model("ram", gravity=(0, 0, 0))
    model.add_coordinate("ram", 5.0, unit="m")
    oil = model.group("oil")
    A, B = (oil.add(n, hy.PressureSource(FLUID, p)) for n, p in zip("AB", pressures, strict=True))
    oil.add("cylinder", hy.Cylinder(A, B, jd.Coordinate("ram"), (1e-3, 5e-4), **fields))
    return model


@pytest.mark.parametrize("friction", [0.0, 150.0])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_seals_stops_and_bounce(friction, restitution):
    """Constant acceleration (A p_a − B p_b − F)/m to the stop, impulse m v (1 + e), v → −e v."""
    model = ram(friction=friction, limits=(-0.1, 0.2), restitution=restitution)
    sol = jd.simulate(model, 0.1)
    a = (1e3 - 100.0 - friction) / 5.0
    hit = np.sqrt(2.0 * 0.2 / a)
    t = sol.time[sol.time < hit - 1e-9]
    np.testing.assert_allclose(sol.values("ram")[: len(t)], 0.5 * a * t**2, atol=1e-10)
    impact = next(e for e in sol.events if e.kind == "impact")
    assert impact.name == "oil.cylinder.stop_high"
    assert impact.time == pytest.approx(hit, rel=1e-9)
    impulse = np.ravel(impact.details["impulses"])[0]
    assert impulse == pytest.approx(5.0 * a * hit * (1.0 + restitution), rel=1e-8)
    after = impact.details["v_after"][0]
    assert after == pytest.approx(-restitution * a * hit, rel=1e-8, abs=1e-12)
    piston = {n: sol.values(f"oil.cylinder.{n}") for n in ("stroke", "speed", "force")}
    np.testing.assert_array_equal(piston["stroke"], sol.values("ram"))
    np.testing.assert_array_equal(piston["speed"], sol.values("ram.rate"))
    np.testing.assert_allclose(piston["force"], 900.0, rtol=1e-12)  # seals and stops left out
    power = sol.values("oil.cylinder.power")[: len(t)]
    np.testing.assert_allclose(power, 900.0 * a * t, atol=1e-6)
    if friction:
        np.testing.assert_allclose(
            sol.values("oil.cylinder.loss")[5 : len(t)], friction * a * t[5:], atol=1e-6
        )


def test_seals_hold_up_to_their_friction():
    """Pressure 1e6 t on 1e-3 m² against 150 N: it breaks away at 0.15 s."""
    sol = jd.simulate(ram((lambda t: 1e6 * t, 0.0), friction=150.0), 0.3)
    slip = next(e.time for e in sol.events if e.kind == "slip")
    assert slip == pytest.approx(0.15, abs=1e-7)
    s = np.maximum(sol.time - 0.15, 0.0)
    np.testing.assert_allclose(sol.values("ram"), 1e3 * s**3 / 6.0 / 5.0, atol=1e-9)


def test_leakage_across_a_piston_that_is_held():
    """Two volumes level out: Δp falls as exp(−G E (1/V_a + 1/V_b) t)."""
    model = jd.Model("leak", gravity=(0, 0, 0))
    model.add_coordinate("ram", 5.0, unit="m", driven=lambda t: 0.1 + 0.0 * t)
    oil = model.group("oil")
    A, B = (oil.add(n, hy.Volume(FLUID, 1e-4, start=p)) for n, p in (("A", 5e6), ("B", 1e6)))
    stroke = {"limits": (0.0, 0.4), "leakage": 2e-13}
    oil.add("cylinder", hy.Cylinder(A, B, jd.Coordinate("ram"), (1e-3, 5e-4), **stroke))
    sol = jd.simulate(model, 1.0)
    sizes = 1e-4 + 1e-3 * 0.1, 1e-4 + 5e-4 * 0.3
    rate = 2e-13 * 1e9 * sum(1.0 / v for v in sizes)
    drop = sol.values("oil.A.pressure") - sol.values("oil.B.pressure")
    np.testing.assert_allclose(drop, 4e6 * np.exp(-rate * sol.time), rtol=1e-6)
    np.testing.assert_allclose(sol.values("oil.cylinder.loss"), 2e-13 * drop**2, rtol=1e-9)


def test_between_two_eyes():
    """On a distance: the cylinder turns an arm as the force A p along the line of its eyes does."""
    model = jd.Model("arm", gravity=(0, 0, 0))
    arm = model.add_body("arm", jd.solid.rod(mass=3.0, end=(1.0, 0, 0)))
    model.add_joint("hinge", model.world, arm, jd.Revolute("z"))
    oil = model.group("oil")
    S = oil.add("S", hy.PressureSource(FLUID, 1e6))
    eyes = jd.Distance(model.world.at(0.0, -0.5, 0.0), arm.at(0.6, 0.0, 0.0))
    oil.add("cylinder", hy.Cylinder(S, None, eyes, (1e-3, 0.0)))
    sol = jd.simulate(model, 0.1)
    phi, w = sol.values("hinge.angle"), sol.values("hinge.rate")
    x, y = 0.6 * np.cos(phi), 0.6 * np.sin(phi)
    length = np.hypot(x, y + 0.5)
    np.testing.assert_allclose(0.5 * w**2, 1e3 * (length - length[0]), atol=1e-7)  # J = 1 kg m²
    rate = 0.3 * np.cos(phi) * w / length
    np.testing.assert_allclose(sol.values("oil.cylinder.flow_a"), 1e-3 * rate, atol=1e-11)


def test_seals_that_pressure_presses_on():
    """5.F47: capacity 50 N + 2e-4 m² · p: 1e-3 m² · p breaks away at p = 50/8e-4."""
    model = jd.Model("ram", gravity=(0, 0, 0))
    model.add_coordinate("ram", 5.0, unit="m")
    oil = model.group("oil")
    T, A = oil.add("T", hy.Tank(FLUID)), oil.add("A", hy.Volume(FLUID, 1e-3))
    oil.add("source", hy.FlowSource(T, A, 1e-7))
    rubs = {"friction": lambda at: 50.0 + 2e-4 * at.force("oil.A.node")}
    oil.add("cylinder", hy.Cylinder(A, None, jd.Coordinate("ram"), (1e-3, 0.0), **rubs))
    sol = jd.simulate(model, 1.0)
    slip = next(e.time for e in sol.events if e.kind == "slip")
    p = np.interp(slip, sol.time, sol.values("oil.A.pressure"))
    assert p == pytest.approx(50.0 / 8e-4, rel=1e-6)
    assert slip == pytest.approx(p * 1e-3 / (1e9 * 1e-7), rel=1e-6)


def test_seals_hold_more_while_they_stick():
    """Pressure 1e6 t on 1e-3 m²: 200 N hold to 0.2 s, then 150 N brake."""
    sol = jd.simulate(ram((lambda t: 1e6 * t, 0.0), friction=150.0, static=200.0), 0.3)
    slip = next(e.time for e in sol.events if e.kind == "slip")
    assert slip == pytest.approx(0.2, abs=1e-7)
    s = np.maximum(sol.time - 0.2, 0.0)
    way = (50.0 * s**2 / 2.0 + 1e3 * s**3 / 6.0) / 5.0
    np.testing.assert_allclose(sol.values("ram"), way, atol=1e-9)


@pytest.mark.parametrize("ends", ["ab", "a", "b"])
def test_force_and_flows_with_areas_of_a_run(ends):
    """p_a A_a − p_b B on a distance, where the areas are parameters that the run changes."""
    A, B = jd.Parameter("A", 1e-3, "m^2"), jd.Parameter("B", 5e-4, "m^2")
    model = jd.Model("arm", gravity=(0, 0, 0))
    arm = model.add_body("arm", jd.solid.rod(mass=3.0, end=(1.0, 0, 0)))
    model.add_joint("hinge", model.world, arm, jd.Revolute("z"))
    oil, volumes = model.group("oil"), {}
    for end, p in zip("ab", (1e6, 4e5), strict=True):
        volumes[end] = oil.add(end, hy.Volume(FLUID, 1e-3, start=p)) if end in ends else None
    eyes = jd.Distance(model.world.at(0.0, -0.5, 0.0), arm.at(0.6, 0.0, 0.0))
    oil.add("cylinder", hy.Cylinder(*volumes.values(), eyes, (A, B), limits=(0.1, 1.1)))
    sol = jd.simulate(model, 0.05, parameters={"A": 2e-3, "B": 7e-4})
    piston = {n: sol.values(f"oil.cylinder.{n}") for n in ("stroke", "speed", "force", "power")}
    phi, w = sol.values("hinge.angle"), sol.values("hinge.rate")
    length = np.hypot(0.6 * np.cos(phi), 0.6 * np.sin(phi) + 0.5)
    np.testing.assert_allclose(piston["stroke"], length, rtol=1e-12)
    np.testing.assert_allclose(piston["speed"], 0.3 * np.cos(phi) * w / length, atol=1e-12)
    areas = {"a": 2e-3, "b": -7e-4}
    force = sum(areas[end] * sol.values(f"oil.{end}.pressure") for end in ends)
    np.testing.assert_allclose(piston["force"], force, rtol=1e-12)
    np.testing.assert_allclose(piston["power"], force * piston["speed"], atol=1e-9)
    assert np.abs(piston["speed"]).max() > 0.1
    for end in "ab":
        flow = sol.values(f"oil.cylinder.flow_{end}")
        np.testing.assert_allclose(flow, areas[end] * piston["speed"], atol=1e-15)
