"""Scalar coordinates: an inertia of their own, no bodies, no gravity."""

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module", params=[jd.Unrolled(), jd.Looped(), jd.Plain()], ids=str)
def system(request):
    model = jd.Model("drive_train")
    model.add_coordinate("shaft", 0.4)
    arm = model.add_body("arm", jd.solid.rod(1.0, (0.5, 0, 0)))
    model.add_joint("hinge", model.world, arm, jd.Revolute("y"))
    model.add_coordinate("oil", jd.Parameter("oil_inertia", 2.5), unit="m^3")
    model.add_coordinate("motor", 7.0, driven=lambda t: t * t)
    return jd.compile(model, execution=request.param)


def test_names(system):
    assert system.names.q == ("hinge.angle", "shaft.value", "oil.value")
    assert system.names.v == ("hinge.rate", "shaft.rate", "oil.rate")


def test_accelerations(system):
    q, v = np.array((0.3, 8.0, -2.0)), np.array((0.2, 30.0, 4.0))
    vdot = system.forward_dynamics(q, v, {"shaft.value": 3.0, "oil.rate": -5.0})
    np.testing.assert_allclose(vdot[1:], (3.0 / 0.4, -5.0 / 2.5), rtol=1e-14)
    assert vdot[0] == pytest.approx(1.5 * 9.81 / 0.5 * np.cos(0.3), rel=1e-13)


def test_mass_matrix_is_uncoupled(system):
    M = system.mass_matrix(np.array((0.3, 8.0, -2.0)))
    np.testing.assert_allclose(M, np.diag((1 / 12, 0.4, 2.5)), rtol=1e-14)


def test_inertia_as_a_parameter(system):
    q, v = np.zeros(3), np.zeros(3)
    tau = {"oil.value": 1.0}
    vdot = system.forward_dynamics(q, v, tau, parameters={"oil_inertia": 0.5})
    assert vdot[2] == pytest.approx(2.0, rel=1e-14)


def test_energy_holds_driven_coordinates_too(system):
    q, v, t = np.zeros(3), np.array((0.0, 3.0, -2.0)), 1.5
    kinetic, _ = system.energy(q, v, t)
    assert kinetic == pytest.approx(0.5 * (0.4 * 9 + 2.5 * 4 + 7.0 * (2 * t) ** 2), rel=1e-14)


def test_no_momentum_and_no_mass(system):
    q = np.zeros(3)
    np.testing.assert_array_equal(system.momentum(q, np.array((0.0, 3.0, -2.0))), 0.0)
    np.testing.assert_allclose(system.centre_of_mass(q), (0.25, 0, 0), rtol=1e-14)


def test_driven_joint_and_driven_coordinate_leave_nothing():
    model = jd.Model("clock")
    hand = model.add_body("hand", jd.solid.rod(0.1, (0, 0, 0.2)))
    model.add_joint("axle", model.world, hand, jd.Revolute("x"), driven={"angle": lambda t: 3 * t})
    model.add_coordinate("spring", 1.0, driven=0.0)
    system = jd.compile(model)
    q, v = system.state()
    assert q.size == v.size == system.forward_dynamics(q, v, t=0.2).size == 0
    expected = 0.5 * (0.1 * 0.2**2 / 3) * 9.0
    assert system.energy(q, v, 0.2)[0] == pytest.approx(expected, rel=1e-13)


def test_a_differential_by_the_names_of_its_shafts():
    """Twice the cage is the sum of both wheels: M dv/dt + Wᵀ λ = τ, W dv/dt = 0."""
    model = jd.Model("axle", gravity=(0, 0, 0))
    for name, inertia in (("cage", 0.5), ("left", 0.1), ("right", 0.2)):
        model.add_coordinate(name, inertia)
    cage, left, right = map(jd.Coordinate, ("cage", "left", "right"))
    model.add_connection("differential", 2 * cage - left - right, jd.Equal())
    inputs = {"cage": 1.0, "left": -0.2}
    sol = jd.simulate(model, 2.0, start={"left": 0.3, "cage": 0.15}, inputs=inputs)
    W = np.array((2.0, -1.0, -1.0))
    M = np.diag((0.5, 0.1, 0.2, 0.0))
    M[:3, 3], M[3, :3] = -W, W
    x = np.linalg.solve(M, (1.0, -0.2, 0.0, 0.0))
    found = [sol.final[name] for name in ("cage", "left", "right")]
    np.testing.assert_allclose(found, np.array((0.15, 0.3, 0.0)) + 2.0 * x[:3], rtol=1e-9)
    np.testing.assert_allclose(sol["differential.force"], x[3], rtol=1e-9)
    np.testing.assert_array_equal(sol["left"], sol["left.value"])
