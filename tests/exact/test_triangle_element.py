"""A membrane of three bodies: a measure of three frames, with a matrix as law (Sol V13)."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.checks.snapshot import Snapshot

THICKNESS, YOUNG, POISSON = 0.01, 2e6, 0.3
CORNERS = np.array(((0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.1, 0.3, 0.0)))
L1, L2, L3 = 0.4, 0.3, 0.1


class Triangle(jd.Measure):
    """Stretches of a triangle, in axes that turn with it."""

    a: jd.Frame
    b: jd.Frame
    c: jd.Frame
    size = 3

    def value(self, at):
        a, b, c = (at.pose(frame)[1] for frame in (self.a, self.b, self.c))
        side = jd.norm(b - a)
        along = (b - a) / side
        height = (c - a) - jd.dot(c - a, along) * along
        return side - L1, jd.norm(height) - L2, jd.dot(c - a, along) - L3


def stiffness():
    """Plane stress with uniform strains: exx = ε₁/l₁, eyy = ε₂/l₂, γ = (ε₃ − l₃/l₁ ε₁)/l₂."""
    D = (
        YOUNG
        / (1 - POISSON**2)
        * np.array(((1, POISSON, 0), (POISSON, 1, 0), (0, 0, (1 - POISSON) / 2)))
    )
    B = np.array(((1 / L1, 0, 0), (0, 1 / L2, 0), (-L3 / L1 / L2, 0, 1 / L2)))
    return THICKNESS * L1 * L2 / 2 * B.T @ D @ B, D


@pytest.fixture
def triangle():
    model = jd.Model("membrane", gravity=(0, 0, 0))
    bodies = [model.add_body(name, jd.solid.ball(mass=1.0, radius=0.01)) for name in "abc"]
    for body, corner in zip(bodies, CORNERS, strict=True):
        model.add_joint(f"{body.name}_free", model.world.at(*corner), body, jd.Free())
    measure = Triangle(*bodies)
    model.add_connection("membrane", measure, jd.Spring(stiffness()[0]))
    return model, measure


def placed(corners):
    return Snapshot({name: (np.eye(3), r) for name, r in zip("abc", corners, strict=True)})


def test_uniform_strain_has_the_energy_of_the_plate(triangle):
    """Patch test: energy ½ t A eᵀ D e for any small uniform strain."""
    K, D = stiffness()
    _, measure = triangle
    for e in np.eye(3) * 1e-6:
        G = np.array(((e[0], e[2] / 2, 0), (e[2] / 2, e[1], 0), (0, 0, 0)))
        x = np.array(measure.value(placed(CORNERS @ (np.eye(3) + G).T)))
        expected = 0.5 * THICKNESS * 0.5 * L1 * L2 * e @ D @ e
        assert jd.Spring(K).energy(x, None) == pytest.approx(expected, rel=1e-5)


def test_rigid_motion_is_not_felt(triangle, rng):
    _, measure = triangle
    R = jd.rotation_quaternion(rng.normal(size=4))
    moved = CORNERS @ R.T + rng.normal(size=3)
    np.testing.assert_allclose(measure.value(placed(moved)), np.zeros(3), atol=1e-15)


def test_forces_balance(triangle, rng):
    """Three free bodies and the membrane: no force and no moment from outside."""
    model, _ = triangle
    system = jd.compile(model)
    start = {f"{name}_free.position": 0.02 * rng.normal(size=3) for name in "abc"}
    q, v = system.state(start)
    vdot = system.forward_dynamics(q, v)
    forces = system.spatial_accelerations(q, v, vdot)[:, 3:]  # of masses of 1 kg at rest
    places = system.poses(q)[:, :3, 3]
    assert np.abs(forces).max() > 1.0
    np.testing.assert_allclose(forces.sum(axis=0), np.zeros(3), atol=1e-10)
    np.testing.assert_allclose(np.cross(places, forces).sum(axis=0), np.zeros(3), atol=1e-10)


def test_it_is_a_measure(triangle):
    model, measure = triangle
    jd.testing.check_measure(measure, model)
