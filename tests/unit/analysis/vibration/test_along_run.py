"""Linear equations along runs against differences of runs."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def arm():
    """Two rods with springs, a Maxwell element and a motor: far from rest."""
    model, carrier = jd.Model("arm"), None
    for k in range(2):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
        model.add_joint(f"pin_{k}", carrier or model.world, rod, jd.Revolute("y"))
        carrier = rod.at(0, 0, -0.5)
    model.add_connection("oil", jd.Coordinate("pin_1.angle"), jd.Maxwell(5.0, 1.0))
    return jd.compile(model)


def state(sol):
    return np.concatenate([sol.q[-1], sol.v[-1]])


def test_transition_of_a_swinging_arm():
    system, duration = arm(), 0.8
    method = jd.Dop853(rtol=1e-12, atol=1e-14)
    start = {"pin_0.angle": 1.0, "pin_1.angle": -0.7, "pin_1.rate": 2.0}
    q, v = system.state(start)
    run = jd.simulate(system, duration, start=(q, v), method=method, sample=0.001)
    along = jd.linearize_along(run)
    order = [*(system.names.q.index(n) for n in along.states[: len(q)])]
    order += [len(q) + system.names.v.index(n) for n in along.states[len(q) :]]
    columns, h = [], 1e-4
    for k in order:
        column = 0.0
        for place, weight in ((-2, 1), (-1, -8), (1, 8), (2, -1)):
            y = np.concatenate([q, v])
            y[k] += place * h
            own = y[: len(q)], y[len(q) :]
            end = jd.simulate(system, duration, start=own, method=method, sample=duration)
            column = column + weight * state(end)[order]
        columns.append(column / (12 * h))
    expected = np.array(columns).T
    found = along.transition()
    np.testing.assert_allclose(found[0], np.eye(len(order)))
    np.testing.assert_allclose(found[-1], expected, atol=1e-6 * np.abs(expected).max())


def test_closed_loops_keep_their_coordinates():
    """Four-bar in motion: one freedom, the same independent angle at all times."""
    model = jd.Model("four-bar", gravity=(0, -9.81, 0))
    bodies = {}
    for name, length in (("crank", 0.4), ("coupler", 0.8), ("rocker", 0.7)):
        bodies[name] = model.add_body(name, jd.solid.rod(mass=1.0, end=(length, 0, 0)))
    model.add_joint("A", model.world, bodies["crank"], jd.Revolute("z"))
    model.add_joint("B", bodies["crank"].at(0.4, 0, 0), bodies["coupler"], jd.Revolute("z"))
    model.add_joint("D", model.world.at(0.9, 0, 0), bodies["rocker"], jd.Revolute("z"))
    ends = bodies["coupler"].at(0.8, 0, 0), bodies["rocker"].at(0.7, 0, 0)
    model.add_joint("C", *ends, jd.Revolute("z"))
    near = {"A.angle": 1.8, "B.angle": -1.5, "D.angle": 1.94}
    state = jd.assemble(model, {"A.angle": 1.8}, near=near)
    run = jd.simulate(model, 0.4, start=(state.q, state.v), sample=0.005)
    along = jd.linearize_along(
        run, coordinates=["A.angle"], inputs=["A.angle"], outputs=["D.angle"]
    )
    assert along.states == ("A.angle", "A.rate")
    assert along.A.shape == (len(along.time), 2, 2)
    assert (along.B.shape, along.C.shape) == ((len(along.time), 2, 1), (len(along.time), 1, 2))
    other = jd.assemble(model, {"A.angle": 1.8 + 1e-5}, near=near)
    later = jd.simulate(model, 0.4, start=(other.q, other.v), sample=0.4)
    moved = float(later["A.angle"][-1] - run["A.angle"][-1]) / 1e-5
    assert along.transition()[-1][0, 0] == pytest.approx(moved, rel=1e-3)


def test_bad_requests():
    system = arm()
    run = jd.simulate(system, 0.1, sample=0.05)
    with pytest.raises(jd.ModelError, match="needs a solution"):
        jd.linearize_along(system)
    with pytest.raises(jd.ModelError, match=r"between 0 and 0\.1 s"):
        jd.linearize_along(run, [0.0, 1.0])
