"""Connections that repeat: every law in loops, in straight-line code and interpreted is the same.

A law that is added to `all_laws` is tested here by that; see also `test_tangents_of_members`.
"""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import all_laws
from jourdain.system.state import state_kernel, tangent_kernel

N = 7  # bodies; more than a kind needs to be a loop


def forest(law, size, rng):
    """Bodies on joints of their own, joined in a ring by one law; places differ."""
    model = jd.Model("forest")
    bodies = []
    for k in range(N):
        body = model.add_body(f"body_{k}", jd.solid.rod(mass=rng.uniform(1, 2), end=(0.3, 0.1, 0)))
        joint = jd.Planar("z") if k % 2 else jd.Revolute((0.6, 0.0, 0.8))
        model.add_joint(f"joint_{k}", model.world.at(*rng.normal(size=3)), body, joint)
        bodies.append(body)
    for k in range(N):
        a, b = bodies[k], bodies[(k + 1) % N]
        ends = a.at(*rng.normal(size=3)), b.at(*rng.normal(size=3))
        measure = jd.Distance(*ends) if size == 1 else jd.Relative(*ends, _COMPONENTS[size])
        model.add_connection(f"c_{k}", measure, law)
    return model


_COMPONENTS = {3: "x y rz", 6: "pose"}


def rates(system, kernel, along=()):
    rng = np.random.default_rng(5)
    q, v = system.state()
    q, v = q + 0.1 * rng.normal(size=q.shape), rng.normal(size=v.shape)
    more = [rng.normal(size=len(x)) for x in along and (q, v)]
    return kernel(system, {}, {}).run(q, v, np.zeros(0), 0.3, system.parameter_array(None), *more)


@pytest.mark.parametrize(("law", "size"), all_laws(), ids=lambda x: str(x)[:40])
def test_loops_straight_line_code_and_graph_agree(law, size, monkeypatch):
    model = forest(law, size, np.random.default_rng(2))
    ways = [(10**9, jd.Unrolled()), (0, jd.Unrolled()), (0, jd.Looped())]
    found = []
    for least, way in ways:
        monkeypatch.setattr("jourdain.codegen.unrolled.ROLLED_FROM", least)
        system = jd.compile(model, execution=way)
        own = *rates(system, state_kernel), *rates(system, tangent_kernel, along=True)
        found.append(own)
    expected = found[0]
    for own in found[1:]:
        for a, b in zip(own, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12 * np.abs(b).max(initial=1.0))
