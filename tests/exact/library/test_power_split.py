"""Hydrostatic drives and the power split against closed forms (4.F64, 4.F65, 4.V34)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt
from jourdain.results.audit import energy_balance

CASES = [  # settings of pump and motors, ratio, share of the oil
    ((0.0, 1.0), 0.0, 1.0), ((0.5, 1.0), 4 / 13, 12 / 13), ((1.0, 1.0), 4 / 7, 6 / 7),
    ((1.0, 0.5), 1.0, 0.75), ((1.0, 0.25), 1.6, 0.6), ((1.0, 0.0), 4.0, 0.0),
]  # fmt: skip


def tractor(settings, **more):
    model = jd.Model("tractor", gravity=(0, 0, 0))
    engine = model.add_coordinate("engine", 1.0, driven=lambda t: 200.0 * t)
    out = model.add("out", pt.Shaft(2.0))
    given = dict(zip(("pump_setting", "motor_setting"), settings, strict=True)) | more
    split = pt.PowerSplit(engine, out.angle, (30, 90), (1e-4, 1e-4), **given)
    return model, model.add("split", split)


@pytest.mark.parametrize(("settings", "ratio", "share"), CASES)
def test_ratio_and_share(settings, ratio, share):
    """4.V34, to 1e-12; the machine runs with it, and its power goes through."""
    model, split = tractor(settings)
    assert split.ratio() == pytest.approx(ratio, abs=1e-12)
    assert split.share() == pytest.approx(share, abs=1e-12)
    model.add_connection("load", jd.Coordinate("out.angle"), jd.Force(-100.0))
    sol = jd.simulate(model, 0.1, start={"out.speed": 200.0 * ratio})
    assert sol.values("out.speed")[-1] == pytest.approx(200.0 * ratio, abs=1e-9)
    ring = sol.values("split.ring_speed")[-1]
    assert 0.75 * ring / 200.0 == pytest.approx(share, abs=1e-10)
    # 100 N m leave at the output: the sun carries its part, the oil the rest
    sun_torque = 100.0 * ratio * 30.0 / 120.0  # of the engine's torque
    pressure = sol.values("split.pressure")[-1]
    if settings[1] > 0.0:
        torque = 2e-4 * settings[1] / (2.0 * np.pi) * pressure
        assert torque + sun_torque == pytest.approx(100.0, rel=1e-9)


def test_output_speeds_up_at_constant_engine_speed():
    """The pump swivels out over a second: a jump of nothing, speeds by the formula throughout."""
    swivel = jd.Ramp(0.0, 1.0, 0.0, 1.0)
    model, split = tractor((swivel, 1.0))
    sol = jd.simulate(model, 1.2, sample=0.01)
    wanted = [200.0 * split.ratio(float(swivel(t)), 1.0) for t in sol.time]
    np.testing.assert_allclose(sol.values("out.speed"), wanted, atol=1e-5)


@pytest.mark.parametrize("leakage", [0.0, 2e-12])
def test_circuit_of_oil_comes_to_the_rigid_ratio(leakage):
    """With volumes: the same ratio but for leakage and compression; charged pipes; audit."""
    oil = pt.Circuit(hy.Fluid(air=0.0, bulk_modulus=1e9), 2e-3, leakage=leakage)
    model, split = tractor((None, None), circuit=oil)
    out = jd.Coordinate("out.angle")
    model.add_connection("load", out, jd.Damper(5.0))
    swivel = {"split.drive.pump_setting.setting": jd.Ramp(0.0, 1.0, 0.0, 0.5)}
    rest = {"split.drive.motor_setting.setting": lambda t: 1.0}
    sol = jd.simulate(model, 8.0, inputs=swivel | rest, sample=0.01)
    flow = 1e-4 * 0.5 / (2.0 * np.pi)  # for each rad/s of the ring
    pressure, speed = sol.values("split.pressure")[-1], sol.values("out.speed")[-1]
    ring = sol.values("split.ring_speed")[-1]
    lost = leakage * pressure
    assert flow * ring - lost == pytest.approx(2e-4 / (2.0 * np.pi) * speed, rel=1e-4)
    if leakage == 0.0:
        assert speed == pytest.approx(200.0 * split.ratio(0.5, 1.0), rel=1e-4)
    assert min(sol.values(f"split.drive.{n}.pressure").min() for n in ("high", "low")) > 1e6
    balance = energy_balance(sol)
    assert balance.largest < 1e-5 * balance.exchanged
