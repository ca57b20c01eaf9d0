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


def shaken(area, volume):
    """A source that swings, a wide orifice, a chamber, a jet: the chamber follows at once."""
    fluid, model = hy.Fluid(), jd.Model("shaken")
    oil = model.group("oil")
    swing = lambda t: 50e5 + 10e5 * jd.sin(20.0 * t)  # noqa: E731
    S, A = oil.add("S", hy.PressureSource(fluid, swing)), oil.add("A", hy.Volume(fluid, volume))
    oil.add("wide", hy.Orifice(S, A, area=area))
    oil.add("jet", hy.Orifice(A, oil.add("T", hy.Tank(fluid)), area=1e-7))
    return jd.compile(model)


@pytest.mark.parametrize("make", [jd.MoreauJean, jd.NonsmoothAlpha])
@pytest.mark.parametrize("sizes", [(1e-5, 1e-5), (1e-4, 1e-6)])
def test_chambers_beside_open_valves_come_to_rest_within_a_step(make, sizes):
    """Their pressures relax in 0.1 µs and less; explicit steps of 0.1 ms would swing by 60 bar."""
    system, time = shaken(*sizes), np.linspace(0.0, 0.1, 51)
    exact = jd.simulate(system, 0.1, sample=time).values("oil.A.pressure")
    for dt in (1e-4, 1e-3):
        sol = jd.simulate(system, 0.1, sample=time, method=make(dt))
        off = np.abs(sol.values("oil.A.pressure") - exact)[1:]
        assert off.max() < 1e-5 * exact.max()
        assert sol.statistics.rejected == 0


@pytest.mark.parametrize("sizes", [(10, 1e-5, 1e-5), (20, 2e-6, 1e-6)])
def test_chambers_in_a_row(sizes):
    """Pressures of a whole row hang together: off by half their size where each settles alone."""
    n, area, volume = sizes
    fluid, model = hy.Fluid(), jd.Model("row")
    oil = model.group("oil")
    last = oil.add("S", hy.PressureSource(fluid, lambda t: 50e5 + 30e5 * jd.sin(60.0 * t)))
    for k in range(n):
        before, last = last, oil.add(f"v{k}", hy.Volume(fluid, volume, start=50e5))
        oil.add(f"o{k}", hy.Orifice(before, last, area=area))
    oil.add("out", hy.Orifice(last, oil.add("T", hy.Tank(fluid)), area=1e-6))
    system, name, time = jd.compile(model), f"oil.v{n - 1}.pressure", np.linspace(0.0, 0.1, 51)
    exact = jd.simulate(system, 0.1, sample=time, method=jd.Radau5(1e-8)).values(name)
    steps = jd.simulate(system, 0.1, sample=time, method=jd.MoreauJean(1e-4)).values(name)
    np.testing.assert_allclose(steps, exact, rtol=0.0, atol=1e-4 * exact.max())


def test_steps_are_of_order_two_in_pressures():
    """A chamber that is filled slowly, and a command that jumps between two steps."""
    model, fluid = jd.Model("filled"), hy.Fluid(air=0.01)
    oil = model.group("oil")
    S, A = oil.add("S", hy.PressureSource(fluid, 50e5)), oil.add("A", hy.Volume(fluid, 1e-3))
    area = lambda at: jd.where(at.t < 0.05, 1e-6, 2e-6)  # noqa: E731
    oil.add("jet", hy.Orifice(S, A, area=area))
    system, time = jd.compile(model), np.linspace(0.0, 0.1, 21)
    exact = jd.simulate(system, 0.1, sample=time, method=jd.Dop853(1e-12)).values("oil.A.pressure")
    offs = [
        np.abs(jd.simulate(system, 0.1, sample=time, method=jd.MoreauJean(dt))
               .values("oil.A.pressure") - exact).max()
        for dt in (5e-3, 1.25e-3)
    ]  # fmt: skip
    assert offs[0] < 1e-2 * exact.max()
    assert offs[1] < 0.1 * offs[0]


@pytest.mark.parametrize("area", [0.0, 1e-9, 1e-5])
def test_flow_has_a_finite_slope_by_the_area(area):
    """A closed edge, too, where the flow grows with A^1.5: an implicit method needs it."""
    throttle, A = Throttle(hy.Fluid()), ca.SX.sym("A")
    slope = ca.Function("slope", [A], [ca.gradient(throttle.flow(1e5, A), A)])
    h = 1e-4 * area
    differences = (throttle.flow(1e5, area + h) - throttle.flow(1e5, area)) / h if h else 0.0
    assert float(slope(area)) == pytest.approx(differences, rel=1e-3, abs=1e-9)
