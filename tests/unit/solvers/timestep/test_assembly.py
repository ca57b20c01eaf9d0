"""Matrix of a step: masses and tangents, against the exact step of a linear machine."""

import numpy as np
import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.results import DONE


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_linear_machine_needs_one_round(theta):
    """v⁺ = v + h (−k q_θ − c v_θ)/m with q_θ = q + hθ v_θ, solved at once, however stiff."""
    k, c, m, h = 1e8, 1e3, 2.0, 1e-2
    model = jd.Model("spring", gravity=(0, 0, 0))
    model.add_coordinate("x", m, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(k) + jd.Damper(c))
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(0.0))
    steps = SingleSteps(model, h, theta=theta)
    steps.start([0.01], [0.3])
    assert steps.take() == DONE
    assert steps.step.rounds == 0
    part = h * theta
    matrix = m + part * c + part**2 * k
    delta = -h * (c * 0.3 + k * (0.01 + part * 0.3)) / matrix
    assert steps.v[0] == pytest.approx(0.3 + delta, rel=1e-12)


def test_a_free_body_keeps_its_energy_without_rounds():
    """The mean of two rates keeps squares, at any step; the spin of free flight is known."""
    model = jd.Model("body", gravity=(0, 0, 0))
    body = model.add_body("body", jd.solid.box(mass=1.0, size=(0.1, 0.2, 0.3)))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Point(body), jd.Unilateral())
    for h in (2e-2, 1e-2):
        steps = SingleSteps(model, h)
        q = [0.0] * 7
        q[2], q[3] = 9.0, 1.0
        steps.start(q, [0.0, 0.0, 0.0, 1.0, 5.0, 2.0])
        inertia = np.array([0.2**2 + 0.3**2, 0.1**2 + 0.3**2, 0.1**2 + 0.2**2]) / 12.0
        energy = 0.5 * inertia @ steps.v[3:] ** 2
        for _ in range(round(1.0 / h)):
            assert steps.take() == DONE
        assert 0.5 * inertia @ steps.v[3:] ** 2 == pytest.approx(energy, rel=1e-12)
        assert steps.step.rounds == 1
