"""Circuits with closed solutions: 4.V1, 4.V2, 4.V6, 4.V8, 4.V10, and the limit of stiff oil."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

RHO, LENGTH, BORE = 850.0, 1.0, 0.01
AREA = np.pi * BORE**2 / 4.0


def fluid(**changes):
    return hy.Fluid(
        **{"density": RHO, "viscosity": 0.03, "bulk_modulus": 1e9, "air": 0.0} | changes
    )


def storage(node):
    """Storage of 15 bar, line, cylinder with a spring (4.V1); the node is that of the cylinder."""
    model = jd.Model("storage", gravity=(0, 0, 0))
    model.add_coordinate("piston", 1.0, unit="m")
    piston = jd.Coordinate("piston")
    model.add_connection("spring", piston, jd.Spring(3e4) + jd.Damper(50.0))
    oil = model.group("oil")
    S = oil.add("S", hy.PressureSource(fluid(), 15e5))
    a = oil.add("a", node)
    oil.add("line", hy.Line(S, a, length=LENGTH, diameter=BORE, turbulent=False))
    oil.add("ram", hy.Cylinder(a, None, piston, (1e-3, 0.0)))
    return model


def oscillator(t):
    m, d = 1.0 + RHO * LENGTH * 1e-6 / AREA, 50.0 + 8 * np.pi * 0.03 * LENGTH * (1e-3 / AREA) ** 2
    w0 = np.sqrt(3e4 / m)
    zeta = d / (2.0 * m * w0)
    w = w0 * np.sqrt(1.0 - zeta**2)
    x = 0.05 * (1.0 - np.exp(-zeta * w0 * t) * (np.cos(w * t) + zeta * w0 / w * np.sin(w * t)))
    return m, x


def test_storage_line_piston_without_compressibility():
    """4.V1: exactly a damped oscillator; p(0+) = 1.2688 bar accelerates the piston alone."""
    sol = jd.simulate(storage(hy.Junction(fluid())), 0.5)
    m, x = oscillator(sol.time)
    assert m == pytest.approx(11.8225, abs=1e-4)
    np.testing.assert_allclose(sol.values("piston"), x, atol=1e-7 * 0.08)
    assert sol.values("oil.a.pressure")[0] == pytest.approx(1.2688e5, rel=1e-4)
    inside = sol.values("oil.line.volume") - 1e-3 * sol.values("piston")
    np.testing.assert_allclose(inside, 0.0, atol=1e-9 * 8e-5)
    balance = energy_balance(sol)
    assert balance.supplied > 10.0
    assert balance.largest < 1e-7 * balance.supplied


def test_storage_line_piston_with_compressibility():
    """4.V1: maximum 0.081575 m at 0.0631 s, 1.58e-4 m from the rigid junction at most."""
    time = np.linspace(0.0, 0.5, 5001)
    sol = jd.simulate(storage(hy.Volume(fluid(), 5e-5)), 0.5, sample=time)
    x = sol.values("piston")
    assert x.max() == pytest.approx(0.081575, abs=2e-6)
    assert time[x.argmax()] == pytest.approx(0.0631, abs=1.1e-4)
    assert np.abs(x - oscillator(time)[1]).max() == pytest.approx(1.58e-4, rel=0.01)
    assert sol.values("oil.a.pressure").max() == pytest.approx(23.9e5, rel=0.01)


def test_stiff_oil_tends_to_the_rigid_junction():
    """Both kinds of node agree as the bulk modulus grows: the difference falls as 1/E."""
    time = np.linspace(0.0, 0.1, 201)
    rigid = jd.simulate(storage(hy.Junction(fluid())), 0.1, sample=time).values("piston")
    offs = []
    for modulus in (1e10, 1e11, 1e12):
        node = hy.Volume(fluid(bulk_modulus=modulus), 5e-5)
        soft = jd.simulate(storage(node), 0.1, sample=time).values("piston")
        offs.append(np.abs(soft - rigid).max())
    assert offs[0] < 3e-5
    assert offs[1] < 0.2 * offs[0]
    assert offs[2] < 0.2 * offs[1]


def rectifier(viscosity):
    model = jd.Model("rectifier")
    oil, own = model.group("oil"), fluid(viscosity=viscosity)
    S = oil.add("S", hy.PressureSource(own, lambda t: 1e5 * jd.sin(2 * np.pi * 20 * t)))
    T, a = oil.add("T", hy.Tank(own)), oil.add("a", hy.Junction(own))
    oil.add("line", hy.Line(S, a, length=0.9 * LENGTH, diameter=BORE))
    oil.add("valve", hy.CheckValve(a, T, length=0.1 * LENGTH, section=AREA))
    return model


def test_check_valve_as_rectifier():
    """4.V6: closes at 0.0290455 s; maximum 0.460521 m/s; mean flow 1.21975e-5 m³/s."""
    sol = jd.simulate(rectifier(0.6 / 0.9), 0.05, sample=2.5e-5)
    closing = next(e.time for e in sol.events if e.kind == "contact")
    m, d, w = RHO * LENGTH * AREA, 8 * np.pi * 0.6 * LENGTH, 2 * np.pi * 20
    assert d == pytest.approx(15.0796, rel=1e-5)
    phi, Z = np.arctan2(m * w, d), np.hypot(m * w, d)
    v = AREA * 1e5 / Z * (np.sin(w * sol.time - phi) + np.sin(phi) * np.exp(-sol.time * d / m))
    flow = sol.values("oil.valve.flow")
    is_open = sol.time < closing
    np.testing.assert_allclose(flow[is_open] / AREA, v[is_open], atol=1e-8)
    np.testing.assert_allclose(flow[~is_open], 0.0, atol=1e-15)
    assert closing == pytest.approx(0.0290455, rel=1e-5)
    assert flow.max() / AREA == pytest.approx(0.460521, rel=1e-5)
    assert sol.values("oil.valve.volume")[-1] / 0.05 == pytest.approx(1.21975e-5, rel=1e-5)
    is_shut = sol.time > closing
    blocked = sol.values("oil.valve.pressure_drop")[is_shut]
    np.testing.assert_allclose(blocked, 1e5 * np.sin(w * sol.time[is_shut]), atol=1.0)


def test_check_valve_without_loss_does_not_close_within_a_period():
    """4.V6: v ~ 1 − cos."""
    sol = jd.simulate(rectifier(0.0), 0.0499)
    assert not [e for e in sol.events if e.kind == "contact"]


def test_valve_slam_in_a_branched_network():
    """4.V8: v = (4, 3, 3.125) → (3.42308, 0, 4.27885) m/s, and the impulse of the whole network."""
    model, own = jd.Model("slam"), fluid(viscosity=0.0)
    oil = model.group("oil")
    T, a = oil.add("T", hy.Tank(own)), oil.add("a", hy.Junction(own))
    areas, lengths = (1e-4, 5e-5, 8e-5), (1.0, 2.0, 0.5)
    bores = [np.sqrt(4 * A / np.pi) for A in areas]
    oil.add("one", hy.Line(T, a, length=lengths[0], diameter=bores[0]))
    oil.add("three", hy.Line(a, T, length=lengths[2], diameter=bores[2]))
    closing = hy.Orifice(a, T, lambda at: jd.maximum(0.1 - at.t, 0.0), discharge=1e9,
                         reynolds=0.0, length=lengths[1], section=areas[1])  # fmt: skip
    oil.add("two", closing)
    before = dict(zip(("one", "two", "three"), (4.0, 3.0, 3.125), strict=True))
    start = {
        f"oil.{n}.volume.rate": v * A
        for (n, v), A in zip(before.items(), (1e-4, 5e-5, 8e-5), strict=True)
    }
    sol = jd.simulate(model, 0.2, start=start)
    after = [sol.values(f"oil.{n}.flow")[-1] / A for n, A in zip(before, areas, strict=True)]
    np.testing.assert_allclose(after, (3.42308, 0.0, 4.27885), atol=5e-6)
    impact = next(e for e in sol.events if e.details.get("impulses"))
    impulse = max(abs(x) for x in np.ravel(impact.details["impulses"]))
    assert impulse == pytest.approx(5590.385, rel=1e-6)
    assert sol.values("energy.kinetic")[-1] < sol.values("energy.kinetic")[0]
