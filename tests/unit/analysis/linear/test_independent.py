from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.linear.independent import Steps, velocity_of_step


def ball():
    model = jd.Model("ball")
    body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("tip", model.world, body, jd.Spherical())
    return jd.compile(model, execution=jd.Plain())


def test_a_quaternion_has_three_steps():
    steps = Steps(ball())
    assert steps.names == ("tip.rotation.x", "tip.rotation.y", "tip.rotation.z")
    assert steps.units == ("rad",) * 3
    assert velocity_of_step(steps) == {0: 0, 1: 1, 2: 2}


def test_steps_are_rates_of_the_orientation(rng):
    system = ball()
    steps = Steps(system)
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    omega = rng.normal(size=3)
    qdot = system.coordinate_rates(q, omega)
    np.testing.assert_allclose(steps.inverse(q) @ qdot, omega, atol=1e-14)
    np.testing.assert_allclose(steps.matrix(q) @ omega, qdot, atol=1e-14)
    assert np.linalg.norm(steps.moved(q, 0.1 * omega)) == pytest.approx(1.0, abs=1e-15)


def test_chosen_coordinates_are_independent():
    model = jd.Model("gears")
    for name in "abc":
        model.add_coordinate(name, 1.0)
    gear = jd.Coordinate("a") - 2.0 * jd.Coordinate("b") + jd.Coordinate("c")
    model.add_connection("planet", gear, jd.Equal(0.0))
    for names in (("a", "b"), ("b", "c"), ("a", "c")):
        lin = jd.linearize(model, coordinates=names)
        assert {n.removesuffix(".value") for n in lin.states[:2]} == set(names)
