"""Energies, momenta, power and forces by name, on machines whose numbers are known."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.questions import inertia
from jourdain.testing import random_model, random_state

G = 9.81


@pytest.fixture
def hoist(execution):
    """Cart that is driven along x, a winch that hangs a load below it, and a flywheel."""
    model = jd.Model("hoist", gravity=(0, 0, -G))
    cart = model.add_body("cart", jd.solid.box(mass=5.0, size=(1, 1, 1)))
    load = model.add_body("load", jd.solid.ball(mass=2.0, radius=0.1))
    wheel = model.add_body("wheel", jd.Inertia(1.0, (0, 0, 0), (0.3, 0.4, 0.5)))
    ride = {"position": lambda t: 0.5 * t**2}
    model.add_joint("rail", model.world, cart, jd.Prismatic("x"), driven=ride)
    model.add_joint("winch", cart, load, jd.Prismatic("z"))
    model.add_joint("axle", model.world.at(0, 3, 0), wheel, jd.Revolute("y"))
    model.add_coordinate("rotor", inertia=0.2)
    return jd.compile(model, execution=execution)


@pytest.fixture
def state(hoist):
    values = {"winch.position": -1.5, "winch.velocity": 0.7, "axle.rate": 4.0, "rotor.rate": 3.0}
    return hoist.state(values)


def test_energies(hoist, state):
    kinetic, potential = hoist.energy(*state, 2.0)
    speeds = 5.0 * 2.0**2 + 2.0 * (2.0**2 + 0.7**2) + 0.4 * 4.0**2 + 0.2 * 3.0**2
    assert kinetic == pytest.approx(0.5 * speeds, rel=1e-14)
    assert potential == pytest.approx(-2.0 * G * 1.5, rel=1e-14)


def test_momentum_about_the_origin(hoist, state):
    """Cart at x = 2 m, load 1.5 m below it; the wheel only turns; the rotor has none."""
    linear = np.array([7.0 * 2.0, 0.0, 2.0 * 0.7])
    turning = np.array([0.0, -1.5 * 2.0 * 2.0 - 2.0 * 2.0 * 0.7 + 0.4 * 4.0, 0.0])
    found = hoist.momentum(*state, 2.0)
    np.testing.assert_allclose(found, np.concatenate([turning, linear]), atol=1e-13)


def test_centre_of_mass(hoist, state):
    q, v = state
    found = hoist.centre_of_mass(q, 2.0)
    np.testing.assert_allclose(found, np.array([14.0, 3.0, -3.0]) / 8.0, atol=1e-14)
    J = hoist.centre_of_mass_jacobian(q, 2.0)
    assert J.shape == (3, 3)
    np.testing.assert_allclose(8.0 * J @ v, [0.0, 0.0, 2.0 * 0.7], atol=1e-14)


def test_power_of_a_winch_a_motor_and_the_drive(hoist, state):
    """The drive pulls cart and load with 1 m/s² at 2 m/s; winch and motor have force times rate."""
    tau = {"winch.position": 25.0, "axle.angle": -0.6, "rotor.value": 0.5}
    power = hoist.power(*state, tau, 2.0)
    assert power == pytest.approx(25.0 * 0.7 - 0.6 * 4.0 + 0.5 * 3.0 + 7.0 * 2.0, rel=1e-13)


def test_power_is_the_rate_of_the_energy(execution):
    """With drives, external loads and forces, against a difference along the motion."""
    system = jd.compile(random_model(11, 4, driven=True), execution=execution)
    q, v, _, t = random_state(system, 3)
    rng = np.random.default_rng(4)
    tau, wrenches = rng.normal(size=len(v)), rng.normal(size=(4, 6))
    vdot = system.forward_dynamics(q, v, tau, t, wrenches=wrenches)
    qdot, h = system.coordinate_rates(q, v, t), 1e-5

    def energy(step):
        return sum(system.energy(q + step * qdot, v + step * vdot, t + step))

    rate = (energy(h) - energy(-h)) / (2 * h)
    power = system.power(q, v, tau, t, wrenches=wrenches)
    assert power == pytest.approx(rate, abs=1e-7 * max(1.0, abs(sum(system.energy(q, v, t)))))


def test_power_of_a_batch(hoist, state):
    q, v = state
    many = np.stack([v, 2 * v, -v])
    found = hoist.power(q, many, np.ones(len(v)), 2.0)
    assert found.shape == (3,)
    assert found[1] == pytest.approx(hoist.power(q, 2 * v, np.ones(len(v)), 2.0), rel=1e-13)


def test_forces_by_name_and_as_an_array(hoist, state):
    tau = np.zeros(3)
    tau[hoist.force_index("winch.position")] = 25.0
    named = hoist.forward_dynamics(*state, {"winch.position": 25.0}, 2.0)
    np.testing.assert_array_equal(hoist.forward_dynamics(*state, tau, 2.0), named)
    assert named[hoist.index("winch.velocity")] == pytest.approx(25.0 / 2.0 - G, rel=1e-14)
    np.testing.assert_array_equal(hoist.forces({"winch.position": 25.0}), tau)


def test_mass_matrix_of_batches(hoist, state):
    q, v = state
    wanted = np.zeros((3, 3))
    rows = [hoist.index(name) for name in ("winch.velocity", "axle.rate", "rotor.rate")]
    wanted[rows, rows] = 2.0, 0.4, 0.2
    np.testing.assert_allclose(hoist.mass_matrix(q), wanted, atol=1e-14)
    found = hoist.mass_matrix(np.stack([q, q + 1.0]), np.array([0.0, 2.0]))
    np.testing.assert_allclose(found, np.stack([wanted, wanted]), atol=1e-14)
    x = np.arange(12.0).reshape(2, 2, 3)
    np.testing.assert_allclose(hoist.solve_mass_matrix(q, x) @ wanted, x, atol=1e-13)


def test_large_accelerations_are_no_reason_to_search(monkeypatch):
    """The search for missing inertia takes a millisecond per link, so it waits for 1e12."""
    model = jd.Model("needle")
    needle = model.add_body("needle", jd.Inertia(1e-3, moments=(1e-8, 1e-8, 1e-8)))
    model.add_joint("axle", model.world, needle, jd.Revolute("z"))
    system, nominal = jd.compile(model, execution=jd.Plain()), {}
    system.forward_dynamics([0.0], [0.0])
    monkeypatch.setattr(inertia, "require_inertia", None)
    push = [0.0], [0.0], [1.0]
    assert system.forward_dynamics(*push, parameters=nominal) == pytest.approx(1e8)
    assert system.forward_dynamics([0.0], [0.0], [1e5]) == pytest.approx(1e13)  # none can lack it
    with pytest.raises(TypeError):
        system.forward_dynamics([0.0], [0.0], [1e5], parameters=nominal)


def test_mass_matrix_of_a_long_chain():
    """Products of vectors of joints agree with products of the matrix with unit vectors."""
    model = random_model(5, 40, kinds=(jd.Revolute("x"), jd.Prismatic("y")), floating=False)
    system = jd.compile(model, execution=jd.Looped(lanes=2))
    q = np.random.default_rng(6).normal(size=len(system.names.q))
    M = system.mass_matrix(q)
    columns = [system.multiply_mass_matrix(q, e) for e in np.eye(len(M))]
    np.testing.assert_allclose(M, np.array(columns).T, atol=1e-12 * np.abs(M).max())
