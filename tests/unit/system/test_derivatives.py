"""Exact derivatives: identities between them, and central differences."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.testing import random_model, random_state

EXECUTIONS = [jd.Plain(), jd.Unrolled(), jd.Looped()]


@pytest.fixture(params=EXECUTIONS, ids=str)
def case(request):
    model = random_model(5, 2, kinds=(jd.Revolute("y"), jd.Spherical()), parameters=True)
    system = jd.compile(model, execution=request.param)
    return system, random_state(system, 1)


def differences(function, x, step=1e-6):
    columns = [
        (function(x + step * unit) - function(x - step * unit)) / (2 * step)
        for unit in np.eye(len(x))
    ]
    return np.array(columns).T.reshape(-1, len(x))


def test_forward_and_inverse_derivatives_belong_together(case):
    """dv/dt(q, v, tau(q, v, dv/dt)) = dv/dt gives ∂FD = −M⁻¹ ∂ID, exactly."""
    system, (q, v, vdot, t) = case
    tau = system.inverse_dynamics(q, v, vdot, t)
    forward = system.forward_dynamics_derivatives(q, v, tau, t)
    inverse = system.inverse_dynamics_derivatives(q, v, vdot, t)
    M = system.mass_matrix(q, t)
    np.testing.assert_allclose(inverse.force, M, atol=1e-12 * np.abs(M).max())
    np.testing.assert_allclose(M @ forward.force, np.eye(len(v)), atol=1e-9)
    for name in ("q", "v", "parameters"):
        left, right = -M @ getattr(forward, name), getattr(inverse, name)
        np.testing.assert_allclose(left, right, atol=1e-9 * max(1.0, np.abs(right).max()))


def test_derivatives_are_those_of_the_functions(case):
    system, (q, v, vdot, t) = case
    p = system.parameter_array(None)
    exact = system.inverse_dynamics_derivatives(q, v, vdot, t)
    found = {
        "q": differences(lambda x: system.inverse_dynamics(x, v, vdot, t), q),
        "v": differences(lambda x: system.inverse_dynamics(q, x, vdot, t), v),
        "parameters": differences(
            lambda x: system.inverse_dynamics(q, v, vdot, t, parameters=x), p
        ),
    }
    for name, expected in found.items():
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(getattr(exact, name), expected, atol=1e-7 * size)


def test_forces_may_be_named():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=3.0, end=(0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    system = jd.compile(model)
    d = system.forward_dynamics_derivatives([0.0], [0.0], {"hinge.angle": 1.0})
    np.testing.assert_allclose(d.force, [[1.0]])  # m l² / 3 = 1 kg m²
    np.testing.assert_allclose(d.q, [[-3.0 * 9.81 * 0.5]], rtol=1e-14)
    assert d.parameters.shape == (1, 0)
