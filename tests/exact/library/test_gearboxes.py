"""Engine, converters, vehicle and the five-speed gearbox against closed forms (4.V13-V17, V23)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt
from jourdain.results.audit import energy_balance

RATIOS = {1: 3.571, 2: 2.200, 3: 1.505, 4: 1.000, 5: 0.804, "R": -4.095}  # published
SETS = {"set_1": 2.5840, "set_2": 3.1255, "set_3": 2.5711}  # ring over sun
GEARS = {
    1: {"A", "FW"}, 2: {"A", "E"}, 3: {"A", "D"}, 4: {"A", "B"}, 5: {"B", "D"}, "R": {"C", "F"},
}  # fmt: skip


def five_speed(gears=GEARS):
    """4.V17: three simple sets on five shafts besides the input."""
    s, c = pt.ShiftElement, "center"
    return pt.Transmission(
        shafts={"input": 0.05, "suns": 0.01, c: 0.02, "sun": 0.01, "link": 0.02, "output": 0.05},
        sets={
            "set_1": pt.GearSet("sun", c, "link", teeth=(1.0, SETS["set_1"])),
            "set_2": pt.GearSet("suns", "link", c, teeth=(1.0, SETS["set_2"])),
            "set_3": pt.GearSet("suns", c, "output", teeth=(1.0, SETS["set_3"])),
        },
        elements={
            "A": s("input", "suns"), "B": s("input", c), "C": s("input", "sun"), "D": s("sun"),
            "E": s("link"), "F": s(c), "FW": pt.FreewheelElement(None, c),
        },
        gears=gears,
    )  # fmt: skip


def test_ratios_of_the_gearbox():
    """Six published ratios from three numbers of teeth, to 2e-3; closed forms to 1e-10."""
    found = five_speed().ratios()
    k1, k2, k3 = SETS.values()
    for gear, ratio in RATIOS.items():
        assert found[gear] == pytest.approx(ratio, abs=2e-3)
    assert found[1] == pytest.approx(1 + k3, rel=1e-10)
    assert found[4] == pytest.approx(1.0, rel=1e-10)
    # gear 2: ring of set 2 held, its carrier is the ring of set 3
    center = 1 / (1 + k2)
    assert found[2] == pytest.approx((1 + k3) / (1 + k3 * center), rel=1e-10)
    # gear 3: sun of set 1 held: link = k1/(1 + k1) center in set 2
    center = 1 / (1 + k2 - k2 * k1 / (1 + k1))
    assert found[3] == pytest.approx((1 + k3) / (1 + k3 * center), rel=1e-10)
    # gear 5: center driven, sun of set 1 held: the suns follow from link = k1/(1 + k1) center
    suns = (1 + k2) - k2 * k1 / (1 + k1)
    assert found[5] == pytest.approx((1 + k3) / (suns + k3), rel=1e-10)
    # reverse: sun of set 1 driven, center held: link = 1/(1 + k1), suns = −k2 link
    assert found["R"] == pytest.approx(-(1 + k3) * (1 + k1) / k2, rel=1e-10)


@pytest.mark.parametrize("gear", RATIOS)
def test_the_box_runs_with_its_ratios(gear):
    """Closed clutches, no loads but inertia: speeds of input and output stay in the ratio."""
    box = five_speed()
    closed = GEARS[gear]
    model = jd.Model("box", gravity=(0, 0, 0))
    built = model.add("box", box)
    model.add_connection("push", built.input, jd.Force(50.0))
    load = model.add("load", pt.Shaft(5.0))
    model.add("axle", pt.Gear(built.output, load.angle, 1.0))
    names = [n for n in box.elements if n in closed and n != "FW"]
    inputs = {f"box.{n}.capacity": lambda t: 5000.0 for n in names}
    sol = jd.simulate(model, 0.2, inputs=inputs)
    assert sol.final["box.input.angle.rate"] > 1.0
    ratio = sol.final["box.input.angle.rate"] / sol.final["box.output.angle.rate"]
    assert ratio == pytest.approx(box.ratio(closed), rel=1e-9)
    balance = energy_balance(sol)
    assert balance.largest < 1e-6 * balance.exchanged


@pytest.mark.parametrize(
    ("closed", "text"),
    [
        ({"A", "D", "E", "B"}, "the elements .* fight: .*hold the shaft 'input' at rest"),
        ({"A", "B", "F"}, "the elements B, F fight"),
        ({"A"}, "the elements A leave the shaft 'output' free of 'input'"),
        ({"A", "X"}, "there is no element 'X'"),
    ],
)
def test_tables_that_are_no_gear(closed, text):
    with pytest.raises(ModelError, match=text):
        five_speed({1: closed})


def test_engine_lag():
    """4.V13: M (1 − exp(−t/T)), β = 0.3 leaves 0.7 of it; bilinear map."""
    torque = jd.Map((0.0, 1.0), (0.0, 1000.0), ((0.0, -40.0), (100.0, 300.0)))
    for beta, part in ((0.0, 1.0), (0.3, 0.7)):
        model = jd.Model("engine", gravity=(0, 0, 0))
        crank = model.add_coordinate("crank", 0.2, driven=lambda t: 500.0 * t)
        given = {"throttle": 0.5, "intervention": beta, "lag": 0.15}
        model.add("engine", pt.Engine(crank, torque, **given))
        sol = jd.simulate(model, 1.0)
        wanted = part * 0.25 * (0.0 - 40.0 + 100.0 + 300.0)
        exact = wanted * (1.0 - np.exp(-sol.time / 0.15))
        np.testing.assert_allclose(sol.values("engine.torque"), exact, atol=1e-8 * wanted)


MAPS = (
    jd.Table((0.0, 0.5, 0.85, 1.0), (150.0, 145.0, 100.0, 0.0)),
    jd.Table((0.0, 0.85), (2.0, 1.0)),
)


def converter(pump, turbine, **more):
    model = jd.Model("converter", gravity=(0, 0, 0))
    at = [
        model.add_coordinate(n, 0.1, driven=lambda t, w=w: w * t)
        for n, w in (("pump", pump), ("turbine", turbine))
    ]
    model.add("box", pt.TorqueConverter(*at, *MAPS, reference=200.0, **more))
    return {n: v[-1] for n, v in _values(jd.simulate(model, 0.1), "box").items()}


def _values(sol, part):
    return {n: sol.values(f"{part}.{n}") for n in ("pump_torque", "turbine_torque", "loss")}


def test_converter_by_maps():
    """4.V14 (iii): stall, coupling point, coast, and speeds backward."""
    stall = converter(100.0, 0.0)
    assert stall["pump_torque"] == pytest.approx(150.0 / 4.0)
    assert stall["turbine_torque"] == pytest.approx(2.0 * 150.0 / 4.0)
    coupled = converter(200.0, 170.0)
    assert coupled["turbine_torque"] == pytest.approx(coupled["pump_torque"], rel=1e-12)
    assert coupled["loss"] == pytest.approx(100.0 * 30.0)
    coast = converter(170.0, 200.0)
    assert coast["pump_torque"] == pytest.approx(-100.0)
    assert coast["turbine_torque"] == pytest.approx(-100.0)
    assert coast["loss"] == pytest.approx(100.0 * 30.0)
    assert converter(0.0, 0.0)["pump_torque"] == 0.0
    assert converter(100.0, 100.0)["turbine_torque"] == pytest.approx(0.0, abs=1e-12)


BLADES = pt.Blades((0.11, 0.06, 0.07), (0.0, -2.0, 1.9), (-1.0, 0.8, -0.2), area=0.012)


def test_torques_of_the_oil_balance(rng):
    """4.V14 (i), (ii): torques add up to zero; their power goes into the head, to rounding."""
    for _ in range(20):
        speeds, flow = rng.uniform(-300, 300, 3), rng.uniform(-0.2, 0.2)
        torques = BLADES.torques(speeds, flow, 850.0)
        size = np.abs(torques).sum()
        assert abs(sum(torques)) < 1e-13 * size
        power = np.dot(torques, speeds) + flow * BLADES.head(speeds, flow, 850.0)
        assert abs(power) < 1e-12 * size * 300.0
        assert BLADES.lost(speeds, flow, 850.0) >= 0.0


def stream_tube(lockup=0.0):
    model = jd.Model("converter", gravity=(0, 0, 0))
    names, inertias = ("pump", "turbine", "stator"), (0.1, 0.1, 0.01)
    at = [model.add(n, pt.Shaft(J)).angle for n, J in zip(names, inertias, strict=True)]
    model.add("box", pt.StreamTubeConverter(*at, BLADES, length=0.3, lockup=lockup))
    return model, at


def test_stream_tube_at_stall():
    """Steady: Σ τ ω = Q P_L; the stator stands on its freewheel and takes the rest."""
    model, (pump, turbine, _) = stream_tube()
    model.add_connection("turn", jd.Rate(pump), jd.Equal(200.0))
    model.add_connection("stop", turbine, jd.Equal())
    sol = jd.simulate(model, 2.0, start={"pump.speed": 200.0})
    took, gave = sol.values("box.pump_torque")[-1], sol.values("box.turbine_torque")[-1]
    assert gave > 1.5 * took > 0.0
    held = sol.values("box.freewheel.torque")[-1]
    assert held == pytest.approx(gave - took, rel=1e-6)
    flow = sol.values("box.flow")[-1]
    lost = flow * BLADES.lost((200.0, 0.0, 0.0), flow, 850.0)
    assert took * 200.0 == pytest.approx(lost, rel=1e-6)
    assert sol.values("box.loss")[-1] == pytest.approx(lost, rel=1e-6)
    fine = jd.simulate(model, 0.05, start={"pump.speed": 200.0}, sample=5e-6)
    balance = energy_balance(fine)
    assert balance.largest < 1e-6 * balance.exchanged


def test_locked_stream_tube_comes_to_rest():
    """4.V14 (iv): with the lock-up closed pump and turbine are one, and the flow dies away."""
    model, _ = stream_tube(lockup=1e3)
    start = {"pump.speed": 200.0, "turbine.speed": 200.0, "box.flow": 0.05}
    sol = jd.simulate(model, 20.0, start=start)
    np.testing.assert_allclose(sol.values("pump.speed"), sol.values("turbine.speed"), atol=1e-8)
    flow = sol.values("box.flow")
    assert abs(flow[-1]) < 0.02 * flow[0]


def test_coast_down():
    """4.V23: rolling resistance and drag, the exact stop, and no creep on a slope after it."""
    model = jd.Model("car", gravity=(0, 0, 0))
    wheel = model.add("wheel", pt.Shaft(2.0))
    given = {"mass": 1500.0, "radius": 0.3, "rolling": 0.012, "drag": 0.7}
    model.add("car", pt.Vehicle(wheel.angle, **given))
    m, F, k = 1500.0 + 2.0 / 0.09, 0.012 * 1500.0 * 9.81, 0.5 * 1.2 * 0.7
    stop = m / np.sqrt(k * F) * np.arctan(30.0 * np.sqrt(k / F))
    sol = jd.simulate(model, stop + 20.0, start={"car.speed": 30.0})
    rolls = sol.time < stop
    angle = np.arctan(30.0 * np.sqrt(k / F)) - sol.time[rolls] * np.sqrt(k * F) / m
    exact = np.sqrt(F / k) * np.tan(angle)
    np.testing.assert_allclose(sol.values("car.speed")[rolls], exact, atol=1e-6)
    assert sol.events[-1].time == pytest.approx(stop, rel=1e-7)
    np.testing.assert_array_equal(np.ptp(sol.values("car.position")[sol.time > stop]), 0.0)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3)], ids=["events", "steps"])
def test_no_creep_on_a_slope(method):
    """The brake holds m g sin α r; the tyre is twisted by as much, once it has come to rest."""
    model = jd.Model("car", gravity=(0, 0, 0))
    wheel = model.add("wheel", pt.Shaft(2.0))
    tyre = {"stiffness": 2e4, "damping": 400.0}
    model.add("car", pt.Vehicle(wheel.angle, 1500.0, 0.3, **tyre, slope=0.1, brake=2000.0))
    sol = jd.simulate(model, 10.0, method=method)
    torque = 1500.0 * 9.81 * np.sin(0.1) * 0.3
    assert sol.values("car.torque")[-1] == pytest.approx(torque, rel=1e-3)
    late = sol.time > 8.0
    assert np.ptp(sol.values("wheel.angle")[late]) < 1e-12
    assert abs(sol.values("car.speed")[-1]) < 1e-4
