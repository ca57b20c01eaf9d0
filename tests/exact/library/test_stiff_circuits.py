"""Circuits that are stiff: edges of valves that are wide open at small pressure drops."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.valves.orifice import Throttle


def press():
    """The press of the examples while it begins to press, where its ram sticks and slips."""
    model = jd.Model("press", gravity=(0, 0, 0))
    model.add_coordinate("ram", inertia=200.0, unit="m")
    ram = jd.Coordinate("ram")
    model.add_connection("weight", ram, jd.Force(200.0 * 9.81))
    model.add_connection("block", ram, lambda x, v: -4e7 * jd.maximum(x - 0.02, 0.0))
    fluid = hy.standard_oil("HLP 46", temperature=50.0)
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(fluid))
    P, A, B = (oil.add(name, hy.Volume(fluid, 5e-4)) for name in "PAB")
    a = oil.add("a", hy.Volume(fluid, 1e-4))
    oil.add("pump", hy.FlowSource(T, P, 6e-4))
    oil.add("relief", hy.ReliefValve(P, T, cracking=120e5, slope=2e-10))
    lever = {"command": lambda t: 1.0, "overlap": 0.1, "centre": "tandem"}
    oil.add("valve", hy.DirectionalValve(P, A, B, T, area=3e-5, **lever))
    oil.add("hose", hy.Line(A, a, length=2.0, diameter=0.016))
    more = {"limits": (0.0, 0.3), "friction": 300.0}
    oil.add("cylinder", hy.Cylinder(a, B, ram, areas=(5e-3, 3e-3), **more))
    return jd.compile(model)


def test_an_implicit_method_finds_the_same_events_and_few_steps():
    system = press()
    methods = (jd.EventDriven(stiff=None), jd.EventDriven(jd.Radau5()), None)
    exact, implicit, chosen = (
        jd.simulate(system, 1.0, method=method, sample=0.01) for method in methods
    )
    told = [(e.kind, e.name) for e in exact.events]
    assert ("slip", "oil.cylinder.seals") in told
    for sol in (implicit, chosen):
        assert [(e.kind, e.name) for e in sol.events] == told
        times = [[e.time for e in one.events] for one in (sol, exact)]
        np.testing.assert_allclose(*times, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(sol.values("ram"), exact.values("ram"), rtol=0.0, atol=1e-8)
    assert 3 * chosen.statistics.steps < exact.statistics.steps


@pytest.mark.parametrize("area", [0.0, 1e-9, 1e-5])
def test_flow_has_a_finite_slope_by_the_area(area):
    """A closed edge, too, where the flow grows with A^1.5: an implicit method needs it."""
    throttle, A = Throttle(hy.Fluid()), ca.SX.sym("A")
    slope = ca.Function("slope", [A], [ca.gradient(throttle.flow(1e5, A), A)])
    h = 1e-4 * area
    differences = (throttle.flow(1e5, area + h) - throttle.flow(1e5, area)) / h if h else 0.0
    assert float(slope(area)) == pytest.approx(differences, rel=1e-3, abs=1e-9)
