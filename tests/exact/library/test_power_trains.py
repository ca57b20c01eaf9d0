"""Planetary sets, clutches, freewheels and shafts against closed forms (4.V15, V16, V18-V22)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt
from jourdain.results.audit import energy_balance


def shafts(inertias):
    model = jd.Model("train", gravity=(0, 0, 0))
    return model, {name: model.add(name, pt.Shaft(J)).angle for name, J in inertias.items()}


def accelerations(model, torques):
    """Accelerations at rest under torques on shafts."""
    for name, torque in torques.items():
        model.add_connection(f"push_{name}", jd.Coordinate(f"{name}.angle"), jd.Force(torque))
    sol = jd.simulate(model, 1e-3)
    return {
        name.partition(".")[0]: float(sol.values(f"{name}.angular_acceleration")[0])
        for name in model.coordinates
        if name.endswith(".angle")
    }


PLANETS = {"planets": 3, "spin": 1e-4, "mass": 0.15, "radius": 0.042}


def planetary():
    model, at = shafts({"sun": 0.002, "ring": 0.005, "carrier": 0.006})
    teeth = {"teeth": (34.0, 78.0)}  # 112 teeth take no three planets: numbers of 4.V15
    model.add("set", pt.PlanetarySet(at["sun"], at["ring"], at["carrier"], **teeth, **PLANETS))
    return model


def test_planetary_set_accelerates():
    """4.V15: 10 N m on the sun."""
    found = accelerations(planetary(), {"sun": 10.0})
    assert found["sun"] == pytest.approx(3715.528, abs=1e-3)
    assert found["ring"] == pytest.approx(-412.410, abs=1e-3)
    assert found["carrier"] == pytest.approx(840.714, abs=1e-3)


def test_planetary_set_equals_its_reduced_equations():
    """4.F27 with all three torques, to 1e-10."""
    torques = {"sun": 3.0, "ring": -7.0, "carrier": 5.0}
    found = accelerations(planetary(), torques)
    s, r, n = 34.0, 78.0, 3
    a1, a2, a3, a4 = s / (r + s), r / (r + s), -s / (r - s), r / (r - s)
    J = 0.006 + n * 0.15 * 0.042**2
    M = np.array(
        [
            [0.002 + a1**2 * J + a3**2 * n * 1e-4, a1 * a2 * J + a3 * a4 * n * 1e-4],
            [a1 * a2 * J + a3 * a4 * n * 1e-4, 0.005 + a2**2 * J + a4**2 * n * 1e-4],
        ]
    )
    right = [3.0 + a1 * 5.0, -7.0 + a2 * 5.0]
    np.testing.assert_allclose([found["sun"], found["ring"]], np.linalg.solve(M, right), rtol=1e-10)


TEETH = {"teeth": (34.0, 28.0, 78.0), "planet_teeth": (22.0, 20.0)}
NAMES = ("large", "small", "ring", "carrier")


def ravigneaux(**more):
    model, at = shafts(dict(zip(NAMES, (0.002, 0.001, 0.005, 0.004), strict=True)))
    model.add("set", pt.Ravigneaux(*(at[n] for n in NAMES), **TEETH, **more))
    return model, at


@pytest.mark.parametrize(
    ("held", "driver", "ratio"),
    [("carrier", "small", 2.785714), ("carrier", "large", -2.294118), ("large", "small", 1.542092)],
)
def test_ravigneaux_ratios(held, driver, ratio):
    """4.V16."""
    model, at = ravigneaux()
    model.add_connection("stop", at[held], jd.Equal())
    model.add_connection("turn", jd.Rate(at[driver]), jd.Equal(10.0))
    sol = jd.simulate(model, 0.1)
    assert 10.0 / sol.final["ring.angle.rate"] == pytest.approx(ratio, abs=1e-6)


def test_ravigneaux_equals_its_reduced_equations():
    """4.F28: mass matrix of (φ_S1, φ_C) to 1e-10."""
    spin, orbit, n = (2e-4, 1e-4), 3e-3, 3
    model, _ = ravigneaux(spin=spin, orbit=orbit, planets=n)
    found = accelerations(model, {"large": 2.0, "small": -3.0, "ring": 5.0, "carrier": 1.0})
    b1, b2, b3, b4 = 34 / 78, 34 / 28, 34 / 22, 34 / 20
    rows = np.array([[1, 0], [-b2, 1 + b2], [-b1, 1 + b1], [0, 1], [-b3, 1 + b3], [b4, 1 - b4]])
    inertias = np.array([0.002, 0.001, 0.005, 0.004 + orbit, n * spin[0], n * spin[1]])
    M = rows.T @ (inertias[:, None] * rows)
    right = rows[:4].T @ [2.0, -3.0, 5.0, 1.0]
    x = np.linalg.solve(M, right)
    np.testing.assert_allclose([found["large"], found["carrier"]], x, rtol=1e-10)


def two(capacity, loads=(0.0, 0.0)):
    """4.V18."""
    model, at = shafts({"one": 0.2, "two": 1.0})
    model.add("clutch", pt.Clutch(at["one"], at["two"], capacity))
    for name, load in zip(("one", "two"), loads, strict=True):
        model.add_connection(f"load_{name}", at[name], jd.Force(load))
    return model


START = {"one.speed": 300.0, "two.speed": 100.0}


def test_clutch_engages():
    sol = jd.simulate(two(150.0), 0.5, start=START)
    (event,) = sol.events
    assert event.kind == "stick"
    assert event.time == pytest.approx(2.0 / 9.0, rel=1e-9)
    assert sol.final["one.angle.rate"] == pytest.approx(400.0 / 3.0, rel=1e-9)
    assert sol.values("clutch.heat")[-1] == pytest.approx(1e4 / 3.0, rel=1e-9)
    assert sol.values("clutch.torque")[-1] == pytest.approx(0.0, abs=1e-9)
    assert sol.values("clutch.torque")[0] == pytest.approx(150.0)


@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_clutch_engages_in_steps(dt):
    sol = jd.simulate(two(150.0), 0.5, start=START, method=jd.MoreauJean(dt), sample=dt)
    slips = sol.time[np.abs(sol.values("clutch.slip")) > 1e-6]
    assert slips[-1] == pytest.approx(2.0 / 9.0, abs=1.5 * dt)
    assert sol.final["two.angle.rate"] == pytest.approx(400.0 / 3.0, rel=1e-9)
    assert sol.values("clutch.heat")[-1] == pytest.approx(1e4 / 3.0, rel=1e-6)


def test_locked_clutch_passes_what_both_sides_need():
    """M_K = (J₁ M₂ − J₂ M₁)/(J₁ + J₂) on a, below the capacity."""
    sol = jd.simulate(two(150.0, (80.0, -30.0)), 1.0)
    assert not [e for e in sol.events if e.kind == "slip"]
    wanted = (1.0 * 80.0 - 0.2 * -30.0) / 1.2
    np.testing.assert_allclose(sol.values("clutch.torque"), wanted, rtol=1e-9)
    np.testing.assert_allclose(sol.values("clutch.slip"), 0.0, atol=1e-9)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-4)], ids=["events", "steps"])
def test_freewheel_only_takes_along(method):
    """4.V19: a sinusoidal torque on one side; the other is never slower, and only pushed."""
    model, at = shafts({"crank": 0.5, "wheel": 2.0})
    model.add("hub", pt.OneWayClutch(at["crank"], at["wheel"]))
    model.add_connection("push", at["crank"], jd.Force(jd.Sine(20.0, 1.0)))
    sol = jd.simulate(model, 5.0, method=method)
    gap, torque = sol.values("hub.slip"), sol.values("hub.torque")
    assert gap.min() >= -1e-10
    assert torque.min() >= 0.0
    assert np.abs(gap * torque).max() < 1e-9 * np.abs(gap).max() * torque.max()
    assert gap.max() > 1.0
    # up to half a period both turn as one: ω = 20 (1 − cos 2πt)/(2π · 2.5)
    half = sol.time <= 0.5
    exact = 20.0 * (1.0 - np.cos(2.0 * np.pi * sol.time[half])) / (5.0 * np.pi)
    tolerance = 1e-8 if method is None else 2e-3
    np.testing.assert_allclose(sol.values("wheel.speed")[half], exact, atol=tolerance)
    assert np.diff(sol.values("wheel.speed")).min() >= -1e-9


def upshift():
    """4.V20: reduced power train, gear 1 by a freewheel, gear 2 by a clutch."""
    model, at = shafts({"turbine": 0.12, "output": 0.05, "wheel": 16.0})
    T, A = at["turbine"], at["output"]
    model.add("first", pt.OneWayClutch(T, 3.571 * A))
    ramp = jd.Table((0.1, 0.4), (0.0, 500.0))
    model.add("second", pt.Clutch(T, 2.2 * A, ramp))
    model.add("shaft", pt.Coupling(A, at["wheel"], 6000.0, damping=30.0))
    model.add_connection("torque", T, jd.Force(300.0))
    model.add_connection("road", at["wheel"], jd.Force(-50.0))
    speed = 500.0 / 3.571
    start = {"turbine.speed": 500.0, "output.speed": speed, "wheel.speed": speed}
    return model, start | {"output.angle": 0.1632496}


def test_upshift_by_events():
    """Release, synchronisation, friction energy and the end, each to 1e-5."""
    model, start = upshift()
    sol = jd.simulate(model, 1.452947, start=start)
    times = {(e.name, e.kind): e.time for e in sol.events}
    release, sync = times["first.catch", "detachment"], times["second.friction", "stick"]
    assert release == pytest.approx(0.269850, abs=1e-5)
    assert sync == pytest.approx(0.452947, abs=1e-5)

    def at(name, t):
        return float(np.interp(t, sol.time, sol.values(name)))

    assert at("turbine.speed", release) == pytest.approx(548.096, rel=1e-5)
    assert at("second.capacity", release) == pytest.approx(283.08, rel=3e-5)
    assert at("second.heat", release) == pytest.approx(4981.5, rel=3e-5)
    assert at("turbine.speed", sync) == pytest.approx(360.566, rel=1e-5)
    assert at("output.speed", sync) == pytest.approx(163.894, rel=1e-5)
    after = int(np.searchsorted(sol.time, sync, side="right")) - 1  # the last sample there
    assert sol.values("second.torque")[after] == pytest.approx(482.78, rel=1e-5)
    assert sol.values("second.heat")[-1] == pytest.approx(14733.5, rel=1e-5)
    assert sol.values("turbine.speed")[-1] == pytest.approx(441.260, rel=1e-5)
    assert sol.values("output.speed")[-1] == pytest.approx(200.573, rel=1e-5)
    assert sol.values("shaft.twist")[-1] == pytest.approx(0.106144, rel=1e-5)
    over = np.abs(sol.values("second.torque")) - sol.values("second.capacity")
    assert over.max() < 1e-9 * 500.0
    balance = energy_balance(sol)
    assert balance.largest < 1e-6 * balance.exchanged


def test_upshift_in_steps():
    """The same in time steps, to 1e-3."""
    model, start = upshift()
    sol = jd.simulate(model, 1.452947, start=start, method=jd.MoreauJean(2e-5), sample=1e-4)
    assert sol.values("turbine.speed")[-1] == pytest.approx(441.260, rel=1e-3)
    assert sol.values("output.speed")[-1] == pytest.approx(200.573, rel=1e-3)
    assert sol.values("shaft.twist")[-1] == pytest.approx(0.106144, rel=1e-3)
    assert sol.values("second.heat")[-1] == pytest.approx(14733.5, rel=1e-3)
    sticks = sol.time[np.abs(sol.values("second.slip")) < 1e-6]
    assert sticks[sticks > 0.3][0] == pytest.approx(0.452947, abs=1.1e-4 + 1e-3 * 0.452947)


def test_frequencies_of_a_chain():
    """4.V21: 2 sin(kπ/2n) √(c/J) of n equal discs."""
    model = jd.Model("shaft")
    model.add("shaft", pt.ElasticShaft(5 * 0.3, stiffness=700.0 / 4, discs=5))
    found = [2 * np.pi * m.frequency / np.sqrt(700.0 / 0.3) for m in jd.eigenmodes(model)]
    exact = 2.0 * np.sin(np.arange(5) * np.pi / 10)
    np.testing.assert_allclose(sorted(found)[-4:], exact[1:], rtol=1e-12)


def test_frequency_of_the_consistent_shaft():
    """4.V22: √12 √(c/J), 10.27 % above that of the continuous shaft."""
    model = jd.Model("shaft")
    model.add("shaft", pt.ConsistentShaft(0.02, stiffness=900.0))
    found = 2 * np.pi * jd.eigenmodes(model)[-1].frequency / np.sqrt(900.0 / 0.02)
    assert found == pytest.approx(np.sqrt(12.0), rel=1e-12)
    assert found / np.pi - 1.0 == pytest.approx(0.1027, abs=1e-4)
