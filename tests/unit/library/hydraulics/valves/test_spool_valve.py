"""Spool valves with a body."""

import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(air=0.0)


def test_it_sticks_until_the_pressure_breaks_it_away():
    """Pilot pressure 1e6 t on 1e-4 m² against 20 N of preload and 10 N of static friction."""
    model = jd.Model("pilot", gravity=(0, 0, 0))
    oil = model.group("oil")
    X = oil.add("X", hy.PressureSource(FLUID, lambda t: 1e6 * t))
    P, T = oil.add("P", hy.PressureSource(FLUID, 1e6)), oil.add("T", hy.Tank(FLUID))
    edges = {"edge": hy.Edge(P, T, 1e-2, opens=1e-3)}
    valve = hy.SpoolValve(
        0.05, edges, [(X, 1e-4)], (0.0, 3e-3), preload=20.0, friction=5.0, static=10.0
    )
    oil.add("valve", valve)
    sol = jd.simulate(model, 0.4)
    slip = next(e.time for e in sol.events if e.kind == "slip")
    assert slip == pytest.approx(0.3, abs=1e-6)  # (20 + 10)/100
    assert sol.values("oil.valve.spool")[-1] == pytest.approx(3e-3, abs=1e-9)
    assert (sol.values("oil.valve.edge.flow")[sol.time < slip] == 0.0).all()
    assert sol.values("oil.valve.edge.flow")[-1] > 1e-4
