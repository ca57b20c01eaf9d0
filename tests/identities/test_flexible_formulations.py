"""All formulations agree on random machines with flexible bodies, trees and loops."""

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.loop_checks import tree_of
from jourdain.formulations import Augmented, all_formulations

_SOME = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 6))]


def _machine(seed):
    """Random tree, without the springs of its flexible bodies; and a state of it."""
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(rng, 4, flexible=0.6)
    whole = jd.compile(model, execution=jd.Plain())
    tree = jd.compile(tree_of(whole.model, ()), execution=jd.Plain())
    return whole, tree, jd.testing.random_state(tree, rng), rng


@pytest.mark.parametrize("seed", _SOME)
def test_formulations_agree_on_trees(seed):
    whole, tree, (q, v, vdot, t), rng = _machine(seed)
    tau = rng.uniform(-1.0, 1.0, len(v))
    M, needed = tree.mass_matrix(q, t), tree.inverse_dynamics(q, v, vdot, t)
    expected, loads = tree.forward_dynamics(q, v, tau, t), tree.loads(q, v, vdot, t).interaction
    size = np.abs(M) @ np.abs(expected) + np.abs(tree.bias(q, v, t)) + 1.0
    for formulation in all_formulations()[1:]:
        found = formulation.accelerations(tree, q, v, tau, t)
        assert np.abs(M @ (found - expected) / size).max(initial=0.0) < 1e-9
        other = formulation.mass_matrix(tree, q, t)
        assert np.allclose(other, M, atol=1e-12 * np.abs(M).max(initial=1.0))
        other = formulation.inverse_dynamics(tree, q, v, vdot, t)
        assert np.allclose(other, needed, atol=1e-10 * np.abs(needed).max(initial=1.0))
        other = formulation.loads(tree, q, v, vdot, t)
        assert np.allclose(other, loads, atol=1e-10 * np.abs(loads).max(initial=1.0))
    with_springs = whole.forward_dynamics(q, v, tau, t)
    found = Augmented().accelerations(whole, q, v, tau, t)
    size = size + np.abs(M) @ np.abs(with_springs)
    assert np.abs(M @ (found - with_springs) / size).max(initial=0.0) < 1e-9


_PLAIN = [jd.Revolute("z"), jd.Spherical(), jd.Prismatic("x"), jd.Cylindrical("y")]


@pytest.mark.parametrize("seed", _SOME)
def test_formulations_agree_on_loops(seed):
    rng = np.random.default_rng(seed + 50)
    model, start, t = jd.testing.random_loop_model(
        rng, 4, 1, kinds=_PLAIN, closing=_PLAIN, driven=False, flexible=0.5
    )
    system = jd.compile(model)
    near = {name: start[name] for name in system.names.q}
    q, v = system.project(
        np.array(list(near.values())), rng.uniform(-1.0, 1.0, len(system.names.v)), t
    )
    expected = system.forward_dynamics(q, v, None, t)
    found = Augmented().accelerations(system, q, v, None, t)
    M = system.mass_matrix(q, t)
    size = np.abs(M) @ (np.abs(found) + np.abs(expected)) + 1.0
    assert np.abs(M @ (found - expected) / size).max() < 1e-9


@pytest.mark.parametrize("names", [("y1",), ("y1", "z1")])
def test_driven_elastic_coordinates(names):
    """Coordinates of a body that follow functions of time (F12), in all formulations."""
    section = jd.flexible.Section(20.0, 10.0, 8.0, 50.0, 2.0, (0.02, 0.01, 0.01))
    model = jd.Model("driven", gravity=(0.0, 0.0, -9.81))
    beam = jd.flexible.beam(0.8, section, modes=3, fields=("y", "z"), functions=4)
    arm, box = (
        model.add_body("arm", beam),
        model.add_body("box", jd.solid.box(1.0, (0.2, 0.1, 0.3))),
    )
    model.add_joint("root", model.world, arm, jd.Revolute("y"))
    model.add_joint("tip", arm.at(0.8, 0, 0), box, jd.Revolute("z"))
    tree = tree_of(jd.compile(model).model, ())
    joints = tree.tables()["joint"]
    drives = {name: lambda t: 0.01 * jd.math.sin(3.0 * t) for name in names}
    joints["arm.elastic"] = replace(joints["arm.elastic"], driven=drives)
    system = jd.compile(tree, execution=jd.Plain())
    assert len(system.names.v) == 5 - len(names)
    rng = np.random.default_rng(5)
    q, v = 0.02 * rng.normal(size=(2, len(system.names.q)))
    vdot, t = rng.normal(size=len(v)), 0.7
    needed = system.inverse_dynamics(q, v, vdot, t)
    assert np.allclose(system.forward_dynamics(q, v, needed, t), vdot, atol=1e-10)
    loads = system.loads(q, v, vdot, t)
    for formulation in all_formulations()[1:]:
        found = formulation.inverse_dynamics(system, q, v, vdot, t)
        assert np.allclose(found, needed, atol=1e-11)
        found = formulation.loads(system, q, v, vdot, t)
        assert np.allclose(found, loads.interaction, atol=1e-11)
    step, h = system.coordinate_rates(q, v, t), 1e-5
    energy = [
        np.sum(system.energy(q + s * h * step, v + s * h * vdot, t + s * h)) for s in (1.0, -1.0)
    ]
    power = (energy[0] - energy[1]) / (2.0 * h)  # of forces along v and of the drives
    assert np.sum(loads.power) == pytest.approx(power, rel=1e-7)


def test_verify_knows_flexible_bodies():
    model = jd.testing.random_model(4, 2, kinds=[jd.Revolute("y")], driven=False, flexible=1.0)
    found = jd.verify(model, 2)
    assert found.passed, str(found)
    assert {"power balance", "momentum", "virtual power"} <= {c.name for c in found.checks}


def test_wrong_stiffness_would_be_seen(monkeypatch):
    """The check with springs fails if one formulation has other integrals."""
    from jourdain.formulations import deforming

    whole, tree, (q, v, vdot, t), _ = _machine(0)
    assert whole.is_flexible
    original = deforming.Deformed.twists

    def heavier(self, *arguments):
        M, bias = original(self, *arguments)
        return M, 1.01 * bias

    monkeypatch.setattr(deforming.Deformed, "twists", heavier)
    found = Augmented().inverse_dynamics(tree, q, v, vdot, t)
    assert not np.allclose(found, tree.inverse_dynamics(q, v, vdot, t), rtol=1e-6)
