"""The 4-way valve as a ring of rigid columns between rigid nodes: 4.V9."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=850.0, viscosity=0.02, air=0.0)
NODES, EDGES = "PATB", ("PA", "BT", "PB", "AT")


def ring(tank):
    """Pump, bypass, valve and load; all four nodes are junctions, or T is a tank."""
    model = jd.Model("ring", gravity=(0, 0, 0))
    oil = model.group("oil")
    P, A, T, B = (oil.add(n, tank if n == "T" else hy.Junction(FLUID)) for n in NODES)
    model.add_coordinate("shaft", 0.5)
    shaft = jd.Coordinate("shaft")
    model.add_connection("motor", shaft, jd.Damper(0.5) + jd.Force(20.0))
    oil.add("pump", hy.Pump(T, P, shaft, displacement=2e-5))
    oil.add("bypass", hy.Line(P, T, length=0.5, diameter=0.004))
    oil.add("load", hy.Line(A, B, length=1.0, diameter=0.01))
    column = {"length": 0.02, "section": 1e-4, "time": 1e-3}
    command = lambda t: 1.0 - 10.0 * t  # noqa: E731
    valve = hy.DirectionalValve(P, A, B, T, 1e-5, command=command, overlap=0.1, **column)
    oil.add("valve", valve)
    return model


@pytest.fixture(scope="module")
def runs():
    time = np.linspace(0.0, 0.2, 201)
    return [jd.simulate(ring(t), 0.2, sample=time) for t in (hy.Junction(FLUID), hy.Tank(FLUID))]


def at_samples(sol, name):
    """Values at the samples, after jumps."""
    every = np.unique(sol.time)
    last = np.searchsorted(sol.time, np.linspace(0.0, 0.2, 201), side="right") - 1
    assert len(every) >= 201
    return sol.values(name)[last]


def test_the_pressures_that_are_not_unique_are_named():
    """4.V9: rank 3 of four rows: a common pressure is free."""
    text = " ".join(str(jd.structure(ring(hy.Junction(FLUID)))).split())
    named = ", ".join(f"oil.{n}.node" for n in NODES)
    assert "redundant rows: 1 of 4" in text
    assert f"loads that are not unique: force of {named}" in text
    assert "not unique" not in str(jd.structure(ring(hy.Tank(FLUID))))


def test_motion_and_differences_of_pressure_are_those_with_a_tank(runs):
    for name in ("shaft.rate", "oil.load.flow", *(f"oil.valve.{e}.flow" for e in EDGES)):
        free, fixed = (at_samples(sol, name) for sol in runs)
        np.testing.assert_allclose(free, fixed, atol=1e-6 * np.abs(fixed).max() + 1e-15)
    position = at_samples(runs[0], "oil.valve.position")
    is_open = np.abs(position) > 0.15  # in the middle A and B are cut off from P and T
    for n in "PAB":
        free = at_samples(runs[0], f"oil.{n}.pressure") - at_samples(runs[0], "oil.T.pressure")
        fixed = at_samples(runs[1], f"oil.{n}.pressure")
        np.testing.assert_allclose(free[is_open], fixed[is_open], atol=1e-4 * np.abs(fixed).max())


def test_flows_of_the_ring(runs):
    """Inflows add up to zero; in the middle all edges are closed exactly; both directions work."""
    for sol in runs:
        flow = {e: sol.values(f"oil.valve.{e}.flow") for e in EDGES}
        largest = np.abs(sol.values("oil.pump.flow")).max()
        from_nodes = {
            "A": flow["PA"] - flow["AT"] - sol.values("oil.load.flow"),
            "B": flow["PB"] - flow["BT"] + sol.values("oil.load.flow"),
            "P": sol.values("oil.pump.flow")
            - sol.values("oil.bypass.flow")
            - flow["PA"]
            - flow["PB"],
        }
        for total in from_nodes.values():
            np.testing.assert_allclose(total, 0.0, atol=1e-9 * largest)
        inside = np.abs(sol.values("oil.valve.position")) < 0.099
        assert inside.sum() > 10
        for edge in EDGES:
            np.testing.assert_allclose(flow[edge][inside], 0.0, atol=1e-18)
        load = sol.values("oil.load.flow")
        assert load.max() > 1e-6
        assert load.min() < -1e-5
        balance = energy_balance(sol)
        assert balance.largest < 1e-6 * balance.exchanged
