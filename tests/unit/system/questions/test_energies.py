"""Energy, momentum and centre of mass of a system."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import SingularSystemError


@pytest.fixture
def balls():
    model = jd.Model("balls", gravity=(0, 0, -10.0))
    model.add_body("light", jd.Inertia(1.0, moments=(1, 1, 1)))
    model.add_body("heavy", jd.Inertia(3.0, moments=(1, 1, 1)))
    return jd.compile(model)


@pytest.fixture
def state(balls):
    places = {"light.position": (4, 0, 2), "heavy.position": (0, 0, 1)}
    return balls.state(places | {"light.velocity": (2, 0, 0), "heavy.velocity": (0, 1, 0)})


def test_energy(balls, state):
    kinetic, potential = balls.energy(*state)
    assert kinetic == pytest.approx(0.5 * 1 * 4 + 0.5 * 3 * 1)
    assert potential == pytest.approx(10.0 * (1 * 2 + 3 * 1))
    each = balls.energies(*state)
    np.testing.assert_allclose(each, [[2.0, 20.0], [1.5, 30.0]])
    few = balls.energy_of_few(*(x[np.newaxis] for x in state), np.zeros(1), np.zeros(0))
    np.testing.assert_allclose(few, [[3.5], [50.0]])


def test_momentum_about_the_origin(balls, state):
    angular = np.cross((4, 0, 2), (2, 0, 0)) + np.cross((0, 0, 1), (0, 3, 0))
    np.testing.assert_allclose(balls.momentum(*state), [*angular, 2, 3, 0], atol=1e-14)


def test_centre_of_mass_moves_with_its_jacobian(balls, state):
    q, v = state
    np.testing.assert_allclose(balls.centre_of_mass(q), [1, 0, 1.25])
    J = balls.centre_of_mass_jacobian(q)
    np.testing.assert_allclose(J @ v, [0.5, 0.75, 0], atol=1e-14)
    assert np.ndim(balls.centre_of_mass(np.stack([q, q]))) == 2


def test_no_mass_no_centre():
    model = jd.Model("shaft alone")
    model.add_coordinate("shaft", inertia=1.0, unit="rad")
    with pytest.raises(SingularSystemError, match="has no mass, so it has no centre of mass"):
        jd.compile(model).centre_of_mass([0.0])
