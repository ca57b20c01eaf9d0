import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.formulations import Augmented
from jourdain.formulations.connections import solve_constrained
from jourdain.model.laws import Damper, Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Formula


def test_repeated_rows_share_their_force():
    """Two equal rows on a unit mass: the force is unique, its halves are those of least norm."""
    W = np.array([[1.0, 0.0], [1.0, 0.0]])
    z, mu = solve_constrained(np.eye(2), W, np.array([3.0, 5.0]), np.zeros(2))
    np.testing.assert_allclose(z, [0.0, 5.0], atol=1e-15)
    np.testing.assert_allclose(mu, [-1.5, -1.5])


def test_masses_may_be_zero_where_rows_hold_them():
    M, W = np.diag([2.0, 0.0]), np.array([[0.0, 4.0]])
    z, mu = solve_constrained(M, W, np.array([6.0, 1.0]), np.array([8.0]))
    np.testing.assert_allclose(z, [3.0, 2.0])
    np.testing.assert_allclose(mu, [-0.25])


def test_rows_that_contradict_each_other():
    W = np.array([[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(
        ModelError, match=r"contradict each other on acceleration level by 0\.5 m/s"
    ):
        solve_constrained(np.eye(2), W, np.zeros(2), np.array([0.0, 1.0]))


def machine():
    """Two arms, a wheel without a body, and connections of every form."""
    model = jd.Model("machine", gravity=(0.5, 0.0, -9.81))
    arm = jd.Inertia(1.0, (0.3, 0, 0), (0.01, 0.04, 0.04))
    one, two = model.add_body("one", arm), model.add_body("two", arm)
    model.add_joint("base", model.world, one, jd.Universal("z", "y"))
    model.add_joint("elbow", one.at(0.6, 0, 0), two, jd.Spherical())
    model.add_coordinate("wheel", 0.3)
    k = jd.Parameter("k", 40.0)
    model.add_connection("rope", Distance(model.world.at(0, 1, 1), two.at(0.6, 0, 0)), Equal(1.4))
    model.add_connection("gear", Coordinate("base.angle_1") - 3.0 * Coordinate("wheel"), Equal())
    model.add_connection("spring", Distance(model.world.at(0, 0, 1), one.at(0.3, 0, 0)), Spring(k))
    model.add_connection("brake", Coordinate("base.angle_2"), Damper(0.7) + Spring(2.0))
    model.add_connection("fan", Coordinate("wheel"), Law(lambda x, v: -0.1 * v * v))
    slide = Formula(speed=lambda at: at.twist(two.at(0.2, 0, 0))[1][0], unit="m")
    model.add_connection("drag", slide, Law(lambda x, v: -0.5 * v))
    return model


def test_connections_of_every_form(rng):
    system = jd.compile(machine())
    found = jd.assemble(system, near={"base.angle_1": 0.4, "base.angle_2": -0.5})
    q, v = system.project(found.q, rng.uniform(-1.0, 1.0, len(system.names.v)))
    tau = rng.normal(size=len(v))
    wanted = Augmented().accelerations(system, q, v, tau, parameters={"k": 55.0})
    got = system.forward_dynamics(q, v, tau, parameters={"k": 55.0})
    np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-11)
    loads, cuts = Augmented().connection_loads(system, q, v, tau, parameters={"k": 55.0})
    wrenches = system.answers("wrenches", q, v, tau, parameters={"k": 55.0}).reshape(-1, 6)
    # Torques along the coordinates of the base count as loads of its joint there, on bodies here.
    np.testing.assert_allclose(wrenches[1], loads[1], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(wrenches[0, 3:], loads[0, 3:], rtol=1e-10, atol=1e-10)
    assert cuts == {}
