"""Flexible bodies in loops over tables and in lanes: the same numbers as plain evaluation."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.loop_checks import tree_of

_SECTION = jd.flexible.Section(50.0, 40.0, 30.0, 1e4, 1.0, (1e-3, 5e-4, 5e-4))


def _two_ways(model, way):
    """Trees without springs, so that the recursion itself is compared."""
    whole = jd.compile(model, execution=jd.Plain())
    tree = tree_of(whole.model, ())
    return jd.compile(tree, execution=jd.Plain()), jd.compile(tree, execution=way)


def _agree(found, expected, limit=1e-12):
    size = np.abs(expected).max(initial=1e-300)
    assert np.abs(np.asarray(found) - np.asarray(expected)).max(initial=0.0) < limit * size


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_loops_are_the_plain_recursion(seed):
    rng = np.random.default_rng(seed)
    kinds = [jd.Revolute("z"), jd.Cylindrical("x")]
    model = jd.testing.random_model(rng, 3, kinds=kinds, floating=False, flexible=0.8)
    plain, looped = _two_ways(model, jd.Looped(lanes=1))
    assert plain.is_flexible
    q, v, vdot, t = jd.testing.random_state(plain, rng)
    tau, wrenches = rng.normal(size=len(v)), rng.normal(size=(len(plain.names.bodies), 6))
    frame = plain.model.bodies["body_1"].at(0.0, 0.01, 0.0)
    for question in (
        lambda s: s.multiply_mass_matrix(q, tau, t),
        lambda s: s.mass_matrix(q, t),
        lambda s: s.inverse_dynamics(q, v, vdot, t),
        lambda s: s.inverse_dynamics(q, v, vdot, t, wrenches=wrenches),
        lambda s: s.gravity_forces(q, t),
        lambda s: s.loads(q, v, vdot, t).interaction,
        lambda s: s.loads(q, v, vdot, t).power,
        lambda s: s.kinematics(q, v, vdot, t)[2],
        lambda s: s.momentum(q, v, t),
        lambda s: np.array(s.energy(q, v, t)),
        lambda s: s.centre_of_mass_jacobian(q, t),
        lambda s: s.jacobian(frame, q, t),
    ):
        _agree(question(looped), question(plain))
    M = plain.mass_matrix(q, t)
    for loads in ({}, {"wrenches": wrenches}):
        found, expected = (s.forward_dynamics(q, v, tau, t, **loads) for s in (looped, plain))
        size = np.abs(M) @ np.abs(expected) + np.abs(plain.bias(q, v, t)) + 1.0
        assert np.abs(M @ (found - expected) / size).max(initial=0.0) < 1e-12
    solved = looped.solve_mass_matrix(q, np.stack([tau, vdot]), t)
    _agree(solved @ M, np.stack([tau, vdot]), 1e-11)


@pytest.mark.parametrize("way", [jd.Looped(lanes=2), jd.Unrolled(lanes=4)])
def test_lanes_are_single_states(way):
    rng, kinds = np.random.default_rng(7), [jd.Revolute("z")]
    model = jd.testing.random_model(rng, 2, kinds=kinds, driven=False, floating=False, flexible=1.0)
    plain, batch = _two_ways(model, way)
    states = [jd.testing.random_state(plain, rng) for _ in range(5)]
    q, v, vdot, t = (np.array(x) for x in zip(*states, strict=True))
    together = batch.forward_dynamics(q, v, vdot, t)
    M = batch.mass_matrix(q, t)
    for k in range(5):
        one = plain.forward_dynamics(q[k], v[k], vdot[k], t[k])
        assert np.allclose(M[k], plain.mass_matrix(q[k], t[k]), atol=1e-12 * np.abs(M[k]).max())
        assert np.allclose(M[k] @ (together[k] - one), 0.0, atol=1e-11 * np.abs(M[k] @ one).max())


def _chain(n):
    model = jd.Model("chain", gravity=(0.0, 0.0, -9.81))
    beam = jd.flexible.beam(0.5, _SECTION, modes=2, fields=("y", "z"), functions=4, damping=0.02)
    carrier = model.world
    for k in range(n):
        body = model.add_body(f"link{k}", beam)
        model.add_joint(f"joint{k}", carrier, body, jd.Revolute("y" if k % 2 else "z"))
        carrier = body.at(0.5, 0, 0)
    return model


def test_runs_in_loops():
    """A run with springs and dampers of the bodies, in loops and in straight-line code."""
    start = {"joint0.angle": 0.3, "joint0.rate": 2.0, "link1.elastic.y1": 0.01}
    runs = [
        jd.simulate(jd.compile(_chain(2), execution=way), 0.05, start=start)
        for way in (jd.Unrolled(), jd.Looped())
    ]
    for name in ("joint1.angle", "link0.elastic.y1", "link1.elastic.z1"):
        a, b = (np.asarray(run[name]) for run in runs)
        assert 0.0 < np.abs(a).max()
        assert np.abs(a - b).max() < 1e-9 * np.abs(a).max()


def test_equal_links_share_their_code():
    """Kinds of links do not grow with the number of equal flexible bodies."""
    kinds = []
    for n in (4, 10):
        plain = jd.compile(_chain(n), execution=jd.Looped())
        kinds.append(len({link.structure for link in plain.description.links}))
    assert kinds[0] == kinds[1]
