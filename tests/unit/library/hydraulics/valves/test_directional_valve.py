"""Directional and servo valves."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(air=0.0)


def machine(make, **fields):
    model = jd.Model("valve")
    oil = model.group("oil")
    P, T = oil.add("P", hy.PressureSource(FLUID, 1e7)), oil.add("T", hy.Tank(FLUID))
    A, B = (oil.add(name, hy.Volume(FLUID, 1e-4, start=4e6)) for name in "AB")
    oil.add("valve", make(P, A, B, T, area=1e-5, **fields))
    return model


@pytest.mark.parametrize(("sign", "filled", "emptied"), [(1.0, "A", "B"), (-1.0, "B", "A")])
def test_directions(sign, filled, emptied):
    sol = jd.simulate(machine(hy.DirectionalValve, command=sign), 0.5)
    assert sol.values(f"oil.{filled}.pressure")[-1] == pytest.approx(1e7, rel=1e-6)
    assert sol.values(f"oil.{emptied}.pressure")[-1] == pytest.approx(0.0, abs=10.0)


def test_a_command_within_the_dead_band_moves_nothing():
    sol = jd.simulate(machine(hy.DirectionalValve, command=0.09, overlap=0.1), 0.5)
    assert (sol.values("oil.A.pressure") == 4e6).all()
    assert sol.values("oil.valve.position")[-1] == pytest.approx(0.09, rel=1e-6)


@pytest.mark.parametrize(
    ("centre", "pressures"),
    [
        ("closed", (4e6, 4e6)),
        ("float", (0.0, 0.0)),
        ("open", (5e6, 5e6)),
        ("tandem", (4e6, 4e6)),
        ("regenerative", (1e7, 1e7)),
    ],
)
def test_centres(centre, pressures):
    sol = jd.simulate(machine(hy.DirectionalValve, command=0.0, centre=centre), 0.5)
    found = [sol.values(f"oil.{n}.pressure")[-1] for n in "AB"]
    np.testing.assert_allclose(found, pressures, atol=100.0)
    if centre == "tandem":
        flow = 0.7 * 1e-5 * np.sqrt(2e7 / 860.0)
        assert sol.values("oil.valve.PT.flow")[-1] == pytest.approx(flow, rel=1e-3)


def test_spool_of_a_servo_valve():
    """Response of second order to a step."""
    sol = jd.simulate(machine(hy.ServoValve, command=0.5, frequency=50.0, damping=0.5), 0.05)
    w, D = 2 * np.pi * 50.0, 0.5
    wd, t = w * np.sqrt(1 - D**2), sol.time
    x = 0.5 * (1 - np.exp(-D * w * t) * (np.cos(wd * t) + D * w / wd * np.sin(wd * t)))
    np.testing.assert_allclose(sol.values("oil.valve.position"), x, atol=1e-7)


def test_columns_close_exactly_at_junctions():
    """4.V9: with columns the edges join junctions; in the middle all flows are zero."""
    model = jd.Model("ring")
    oil = model.group("oil")
    P, T = oil.add("P", hy.PressureSource(FLUID, 1e7)), oil.add("T", hy.Tank(FLUID))
    A, B = (oil.add(name, hy.Junction(FLUID)) for name in "AB")
    oil.add("load", hy.Line(A, B, length=1.0, diameter=0.01))
    valve = hy.DirectionalValve(
        P, A, B, T, area=1e-5, command=lambda t: 1.0 - 5.0 * t, overlap=0.1, length=0.02,
        section=1e-4, time=1e-3,
    )  # fmt: skip
    oil.add("valve", valve)
    sol = jd.simulate(model, 0.3, sample=1e-3)
    flow = sol.values("oil.load.flow")
    assert flow.max() > 1e-4
    k = np.argmin(np.abs(sol.values("oil.valve.position")))
    assert abs(flow[k]) < 1e-12
    outside = sol.values("oil.valve.PA.flow") - sol.values("oil.valve.AT.flow") - flow
    np.testing.assert_allclose(outside, 0.0, atol=1e-12)


@pytest.mark.parametrize("overlap", [0.0, 0.15, -0.1])
@pytest.mark.parametrize("make", [hy.DirectionalValve, hy.ServoValve])
def test_flow_over_the_position_of_the_spool(make, overlap):
    """Between given pressures: Q = α A s √(2Δp/ρ), s = (|x| − overlap)/(1 − overlap), 0 to 1."""
    model = jd.Model("swept")
    oil, ideal = model.group("oil"), hy.Fluid(viscosity=0.0, air=0.0)
    levels = {"P": 1e7, "A": 6e6, "B": 3e6, "T": 0.0}
    P, A, B, T = (oil.add(n, hy.PressureSource(ideal, p)) for n, p in levels.items())
    command = lambda t: 1.5 * jd.sin(2.0 * t)  # noqa: E731
    oil.add("valve", make(P, A, B, T, area=1e-5, overlap=overlap, command=command))
    sol = jd.simulate(model, 3.0)
    x = sol.values("oil.valve.position")
    assert x.max() > 0.9 > -0.9 > x.min()
    for edge, sign in (("PA", 1.0), ("BT", 1.0), ("PB", -1.0), ("AT", -1.0)):
        share = np.clip((sign * x - overlap) / (1.0 - overlap), 0.0, 1.0)
        drop = levels[edge[0]] - levels[edge[1]]
        flow = 0.7 * 1e-5 * share * np.sqrt(2.0 * drop / 860.0)
        found = sol.values(f"oil.valve.{edge}.flow")
        np.testing.assert_allclose(found, flow, atol=1e-8 * flow.max())
        if overlap > 0.0:
            assert (found[np.abs(x) < overlap] == 0.0).all()
    to_a = sol.values("oil.valve.PA.flow") - sol.values("oil.valve.AT.flow")
    np.testing.assert_allclose(sol.values("oil.valve.flow_a"), to_a, atol=1e-15)
