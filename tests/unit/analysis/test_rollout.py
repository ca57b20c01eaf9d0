"""Rollouts do in machine code what a loop in Python does."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Spring
from jourdain.model.measures import Coordinate


@pytest.fixture(scope="module")
def system():
    model = jd.Model("arm")
    first = model.add_body("first", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    second = model.add_body("second", jd.Inertia(1.0, (0, 0, -0.2), (0.1, 0.12, 0.05)))
    model.add_joint("hinge", model.world, first, jd.Revolute("y"))
    model.add_joint("ball", first.at(0, 0, -0.5), second, jd.Spherical())
    return jd.compile(model)


def steps(system, q, v, forces, dt):
    for tau in forces:
        v = v + dt * system.forward_dynamics(q, v, tau)
        q = q + dt * system.coordinate_rates(q, v)
    return q, v


@pytest.mark.parametrize("count", [1, 4, 7])
def test_held_forces(system, count):
    rng = np.random.default_rng(1)
    q, v = system.state()
    many_q, many_v = np.tile(q, (count, 1)), v + rng.normal(size=(count, len(v)))
    tau = rng.normal(size=len(v))
    found = jd.rollout(system, many_q, many_v, steps=20, dt=1e-3, tau=tau)
    for k in range(count):
        expected = steps(system, many_q[k], many_v[k], [tau] * 20, 1e-3)
        np.testing.assert_allclose(found[0][k], expected[0], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found[1][k], expected[1], rtol=1e-12, atol=1e-13)


def test_forces_for_every_step_and_threads(system):
    rng = np.random.default_rng(2)
    q, v = system.state()
    many = np.tile(q, (9, 1))
    tau = rng.normal(size=(9, 15, len(v)))
    one = jd.rollout(system, many, v, steps=15, dt=1e-3, tau=tau)
    two = jd.rollout(system, many, v, steps=15, dt=1e-3, tau=tau, threads=2)
    expected = steps(system, q, v, tau[4], 1e-3)
    np.testing.assert_allclose(one[1][4], expected[1], rtol=1e-12, atol=1e-13)
    # lanes and remainder may round differently, threads cut the batch elsewhere
    np.testing.assert_allclose(two[1], one[1], rtol=1e-12, atol=1e-13)


def test_wrong_number_of_rows(system):
    q, v = system.state()
    with pytest.raises(jd.ModelError, match="tau has 3 rows of forces for 5 steps"):
        jd.rollout(system, np.tile(q, (2, 1)), v, steps=5, dt=1e-3, tau=np.zeros((2, 3, len(v))))


def test_connections_are_not_left_out_in_silence():
    model = jd.Model("sprung")
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    model.add_joint("rail", model.world, body, jd.Prismatic("x"))
    model.add_connection("spring", Coordinate("rail.position"), Spring(5.0))
    sprung = jd.compile(model)
    with pytest.raises(jd.ModelError, match="'sprung' has connections or closed loops, which roll"):
        jd.rollout(sprung, *sprung.state(), steps=5, dt=1e-3)
