"""All joints as constraints."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.formulations import Augmented
from jourdain.formulations.descriptor import Descriptor, solve_saddle
from jourdain.formulations.skeleton import Skeleton


def test_pendulum():
    model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", jd.solid.point(2.0, (0.5, 0, 0)))
    model.add_joint("pin", model.world, bob, jd.Revolute("y"))
    system = jd.compile(model, execution=jd.Plain())
    angle, rate, torque = 0.4, 3.0, 1.5
    expected = (torque + 2.0 * 9.81 * 0.5 * np.cos(angle)) / (2.0 * 0.25)
    vdot = Augmented().accelerations(system, [angle], [rate], {"pin.angle": torque})
    np.testing.assert_allclose(vdot, [expected], rtol=1e-13)
    loads = Augmented().loads(system, [0.0], [rate], [0.0])
    np.testing.assert_allclose(loads, [[0, -9.81, 0, -2.0 * 0.5 * 9, 0, 19.62]], atol=1e-13)


def test_massless_bodies_between_joints():
    """M of the free bodies is singular, the whole matrix is not."""
    model = jd.Model("cross", gravity=(0, 0, -9.81))
    cross = model.add_body("cross", jd.Inertia(0.0, (0, 0, 0), (0, 0, 0)))
    bob = model.add_body("bob", jd.solid.ball(2.0, 0.1, at=(0, 0, -0.5)))
    model.add_joint("first", model.world, cross, jd.Revolute("x"))
    model.add_joint("second", cross, bob, jd.Revolute("y"))
    system = jd.compile(model, execution=jd.Plain())
    whole = jd.Model("universal", gravity=(0, 0, -9.81))
    same = whole.add_body("bob", jd.solid.ball(2.0, 0.1, at=(0, 0, -0.5)))
    whole.add_joint("joint", whole.world, same, jd.Universal("x", "y"))
    q, v = np.array([0.3, -0.5]), np.array([1.0, 2.0])
    vdot = Augmented().accelerations(system, q, v)
    expected = jd.compile(whole, execution=jd.Plain()).forward_dynamics(q, v)
    np.testing.assert_allclose(vdot, expected, rtol=1e-12)


def test_scalar_coordinates_answer_for_themselves():
    model = jd.Model("shafts")
    model.add_coordinate("rotor", 4.0)
    model.add_coordinate("line", 0.5, unit="m^3")
    system = jd.compile(model, execution=jd.Plain())
    vdot = Augmented().accelerations(system, [0.0, 0.0], [1.0, 1.0], [2.0, 3.0])
    np.testing.assert_allclose(vdot, [0.5, 6.0])
    tau = Augmented().inverse_dynamics(system, [0.0, 0.0], [1.0, 1.0], vdot)
    np.testing.assert_allclose(tau, [2.0, 3.0])
    assert Augmented().loads(system, [0.0, 0.0], [1.0, 1.0], vdot).shape == (0, 6)


def test_multipliers_of_the_locked_motions_are_the_loads(moving, rng):
    """Interaction = ψ (τ − J dv/dt) + ψ̄ μ (AG-4, AG-7): that of the fully driven system (AG-5)."""
    system, q, v, _, t = moving
    tau = rng.normal(size=len(v))
    vdot = Augmented().accelerations(system, q, v, tau, t)
    skeleton = Skeleton(system)
    d = Descriptor(skeleton, skeleton.move(q, v, t), v, np.zeros((4, 6)))
    f = d.f + d.rotor_forces + d.A.T @ (d.psi @ tau)
    _, mu = solve_saddle(d.M + d.rotor_masses, d.W, f, d.psi_c.T @ d.relative_bias)
    tau = tau - skeleton.armatures * vdot
    interaction = (d.psi @ tau + d.psi_c @ mu).reshape(-1, 6)[skeleton.rows]
    loads = Augmented().loads(system, q, v, vdot, t)
    np.testing.assert_allclose(loads, interaction, atol=1e-11 * np.abs(interaction).max())
