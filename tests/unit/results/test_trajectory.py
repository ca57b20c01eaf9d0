"""Batches behind the channels."""

import numpy as np

import jourdain as jd
from jourdain.results.trajectory import Trajectory


def trajectory(sol):
    return Trajectory(
        sol.system, sol.time, sol.q, sol.v, sol.vdot, sol.tau, sol.extra, sol.parameters
    )


def test_everything_is_computed_once(mixture):
    run = trajectory(mixture)
    for name in ("motion", "loads", "energy", "momentum", "centre_of_mass", "drives", "rates"):
        assert getattr(run, name) is getattr(run, name), name


def test_parameters_reach_the_batches(mixture):
    run = trajectory(mixture)
    assert run.values == {"length": 0.6}
    own = mixture.system.energy(mixture.q, mixture.v, mixture.time, parameters={"length": 0.6})
    other = mixture.system.energy(mixture.q, mixture.v, mixture.time)
    np.testing.assert_array_equal(run.energy, own)
    assert np.abs(run.energy[1] - other[1]).max() > 0.1


def test_the_world_rests(mixture):
    pose, twist, acceleration = trajectory(mixture).at_body(-1)
    np.testing.assert_array_equal(pose[3], np.eye(4))
    assert not np.any(twist)
    assert not np.any(acceleration)


def test_no_samples_give_empty_batches():
    model = jd.Model("empty")
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"))
    nothing = np.zeros((0, 1))
    run = Trajectory(
        jd.compile(model), np.zeros(0), nothing, nothing, nothing, nothing, np.zeros((0, 0)), {}
    )
    assert run.motion[0].shape == (0, 1, 4, 4)
    assert run.energy[0].shape == (0,)
