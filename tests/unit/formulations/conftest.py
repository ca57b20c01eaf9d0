"""Machines that the tests of formulations share."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.bodies import Bodies
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_state


def chain(*kinds):
    """Heavy bodies in a chain from world, joints at odd places."""
    model = jd.Model("chain", gravity=(1.0, -2.0, -9.0))
    inboard = model.world
    for k, kind in enumerate(kinds, 1):
        turn = jd.rotation_x(0.3 * k) @ jd.rotation_y(0.5 - k)
        inertia = jd.Inertia(0.5 + k, (0.1, 0.02 * k, -0.05), (0.3, 0.4 + 0.1 * k, 0.5))
        body = model.add_body(f"body_{k}", inertia)
        ends = inboard.at(0.1 * k, 0.2, -0.3), body.at(-0.1, 0.3 / k, 0.1, rotation=turn)
        model.add_joint(f"joint_{k}", *ends, kind)
        inboard = body
    return model


def system_of(model):
    return jd.compile(model, execution=jd.Plain())


@pytest.fixture
def driven_rotor_energy():
    """Kinetic energy of armatures along driven velocities: what bodies do not have at v = 0."""

    def energy(system, q, t):
        v = np.zeros(len(system.names.v))
        poses, twists, _ = system.kinematics(q, v, v, t)
        of_bodies = Bodies(system.model).energy(poses, twists)[0]
        return system.energy(q, v, t)[0] - np.sum(of_bodies)

    return energy


@pytest.fixture(params=[2, 5, 11], ids=lambda seed: f"seed {seed}")
def moving(request):
    """Random system with drives, branches and reversed joints, at a random state."""
    system = system_of(random_model(request.param, 4, n_coordinates=1))
    return system, *random_state(system, request.param)


@pytest.fixture
def make_chain():
    return lambda *kinds: system_of(chain(*kinds))
