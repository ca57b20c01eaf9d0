from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture
def pendulum():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    return model


def test_results_by_differences_are_those_of_functions(pendulum):
    """Tip at −0.5 sin(angle) along x: both ways agree."""
    sine = {"tip": lambda t, s: -0.5 * jd.math.sin(s["hinge.angle"])}
    exact = jd.linearize(pendulum, outputs=sine)
    np.testing.assert_allclose(exact.C, [[-0.5, 0.0]], atol=1e-15)
    other = jd.linearize(pendulum, outputs=["rod.angular_velocity_world"])
    np.testing.assert_allclose(other.C, [[0, 0], [0, 1], [0, 0]], atol=1e-10)
    assert other.outputs[1] == "rod.angular_velocity_world.y"


def test_accelerations_have_a_direct_part(pendulum):
    lin = jd.linearize(pendulum, inputs=["hinge.angle"], outputs=["hinge.angular_acceleration"])
    np.testing.assert_allclose(lin.C, lin.A[1:], atol=1e-12)
    np.testing.assert_allclose(lin.feedthrough, [[12.0]], rtol=1e-12)


def test_spring_force_and_contact_force():
    model = jd.Model("mass on a spring")
    body = model.add_body("body", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("guide", model.world, body, jd.Prismatic("z"))
    model.add_connection("spring", jd.Coordinate("guide.position"), jd.Spring(400.0))
    rest = jd.equilibrium(model)
    lin = jd.linearize(model, rest, outputs=["spring.force", "guide.position"])
    np.testing.assert_allclose(lin.C, [[-400.0, 0.0], [1.0, 0.0]], atol=1e-8)


def test_to_scipy_and_words(pendulum):
    lin = jd.linearize(pendulum, inputs=["hinge.angle"])
    poles = np.linalg.eigvals(lin.to_scipy().A)
    np.testing.assert_allclose(np.sort(poles.imag), [-np.sqrt(29.43), np.sqrt(29.43)])
    assert "hinge.angle [rad], hinge.rate [rad/s]" in str(lin)
    assert repr(lin) == "<linear equations of 'pendulum': 2 states>"
