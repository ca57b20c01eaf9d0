from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.analysis.vibration.large_modes import large_modes
from jourdain.system.linear.state_graph import Point, StateGraph


def chain(n):
    model = jd.Model("chain")
    carrier = model.world
    for k in range(n):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.1)))
        model.add_joint(f"pin_{k}", carrier, rod, jd.Revolute("y"))
        model.add_connection(f"spring_{k}", jd.Coordinate(f"pin_{k}.angle"), jd.Spring(2.0))
        carrier = rod.at(0, 0, -0.1)
    return model


def test_loops_and_straight_line_code_agree(rng):
    model = chain(4)
    found = []
    q, v = rng.normal(size=4), rng.normal(size=4)
    for execution in (jd.Unrolled(), jd.Looped()):
        system = jd.compile(model, execution=execution)
        graph = StateGraph(system, {"pin_1.angle": 0.5}, ("pin_1.angle",))
        at = Point(q, v, np.array([0.5]), 0.0, np.zeros(0), np.zeros(0))
        found.append(graph.slopes(at))
    for word in ("by_z", "by_v", "by_u"):
        one, other = (getattr(x, word)["vdot"] for x in found)
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-7 * np.abs(one).max())


def test_large_chains_in_loops_have_the_modes_of_the_pencil():
    """Two ways without common code: tangents of the recursion, blocks in absolute steps."""
    system = jd.compile(chain(25))
    found = np.sort(np.abs(jd.linearize(system).eigenvalues))[::2]
    sparse = large_modes(system, np.zeros(25), 0.0, np.zeros(0), 5)
    np.testing.assert_allclose(2 * np.pi * sparse.frequencies, found[:5], rtol=1e-8)
