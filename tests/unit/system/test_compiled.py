from __future__ import annotations

import pickle

import numpy as np
import pytest

import jourdain as jd

# ---- state by names


def test_state_is_the_reference_position_at_rest(crane):
    q, v = jd.compile(crane).state()
    np.testing.assert_array_equal(q, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(v, np.zeros(10))


def test_state_sets_coordinates_by_name(crane):
    system = jd.compile(crane)
    values = {"slew.angle": 0.4, "ship.velocity": (1, 2, 3), "winch.rate": 7, "ship.position": 9}
    q, v = system.state(values)
    assert q[system.index("slew.angle")] == 0.4
    np.testing.assert_array_equal(q[system.index("ship.position")], [9, 9, 9])
    np.testing.assert_array_equal(v[system.index("ship.velocity")], [1, 2, 3])
    assert v[system.index("winch.rate")] == 7
    assert np.count_nonzero(q) == 5
    assert np.count_nonzero(v) == 4


def test_states_are_arrays_of_their_own(crane):
    system = jd.compile(crane)
    q, _ = system.state()
    q[:] = 7.0
    np.testing.assert_array_equal(system.state()[0][:3], np.zeros(3))


# ---- parameters


def mass_of(system, **options):
    """Total mass, seen from the momentum at unit speed."""
    q, v = system.state({"ship.velocity": (1, 0, 0)})
    return system.momentum(q, v, **options)[..., 3]


def test_parameters_by_name(crane, execution):
    system = jd.compile(crane, execution=execution)
    assert mass_of(system) == pytest.approx(8.0)
    assert mass_of(system, parameters={"mass": 4.0}) == pytest.approx(10.0)
    assert mass_of(system, parameters={}) == pytest.approx(8.0)
    assert mass_of(system, parameters={"reach": 9.0}) == pytest.approx(8.0)


def test_parameters_as_an_array(crane, execution):
    system = jd.compile(crane, execution=execution)
    assert mass_of(system, parameters=[4.0, 3.0]) == pytest.approx(10.0)
    assert mass_of(system, parameters=np.array([1, 3])) == pytest.approx(7.0)


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled()], ids=["plain", "unrolled"])
def test_parameters_may_differ_within_a_batch(crane, execution):
    system = jd.compile(crane, execution=execution)
    masses = np.arange(1.0, 10.0)
    wanted = masses + 6.0
    got = mass_of(system, parameters={"mass": masses})
    np.testing.assert_allclose(got, wanted, rtol=1e-14)
    array = np.stack([masses, np.full(9, 3.0)], axis=-1)
    np.testing.assert_allclose(mass_of(system, parameters=array), wanted, rtol=1e-14)
    grid = {"mass": masses[:, np.newaxis], "reach": np.ones(2)}
    got = mass_of(system, parameters=grid)
    np.testing.assert_allclose(got, np.tile(wanted, (2, 1)).T, rtol=1e-14)


def test_parameter_array_fills_in_nominal_values(crane):
    system = jd.compile(crane)
    np.testing.assert_array_equal(system.parameter_array(None), [2.0, 3.0])
    np.testing.assert_array_equal(system.parameter_array({"reach": 1}), [2.0, 1.0])
    array = system.parameter_array({"reach": [1.0, 2.0]})
    np.testing.assert_array_equal(array, [[2.0, 1.0], [2.0, 2.0]])


def test_nominal_values_cannot_be_changed_by_accident(crane):
    values = jd.compile(crane).parameter_array(None)
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 5.0


def test_model_without_parameters_takes_an_empty_mapping(execution):
    system = jd.compile(pendulum(), execution=execution)
    np.testing.assert_array_equal(system.poses([0.3], parameters={}), system.poses([0.3]))


# ---- frames


def pendulum():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    model.add_frame("tip", rod.at(0, 0, -0.5))
    model.add_frame("corner", model.world.at(1, 0, 0))
    return model


def test_frames_by_name_body_or_place():
    model = pendulum()
    system, rod = jd.compile(model), model.body("rod")
    tip = np.array([[0], [1], [0], [-0.5], [0], [0]])  # about y, the tip moves along −x
    origin = np.array([[0], [1], [0], [0], [0], [0]])
    for frame in ("tip", model.frame("tip"), rod.at(0, 0, -0.5)):
        np.testing.assert_allclose(system.jacobian(frame, [0.0]), tip, atol=1e-15)
    for frame in ("rod", rod, rod.at()):
        np.testing.assert_allclose(system.jacobian(frame, [0.0]), origin, atol=1e-15)
    for frame in ("world", model.world, model.world.at(1, 2, 3), "corner"):
        np.testing.assert_array_equal(system.jacobian(frame, [0.0]), np.zeros((6, 1)))
        np.testing.assert_array_equal(system.jacobian_rate(frame, [0.0], [1.0]), np.zeros(6))


def test_frame_placed_by_a_parameter(crane, execution):
    system = jd.compile(crane, execution=execution)
    q, _ = system.state()
    column = system.index("slew.rate")
    for reach in (3.0, 5.0):
        J = system.jacobian("tip", q, parameters={"reach": reach})
        np.testing.assert_allclose(J[:, column], [0, 0, 1, 0, reach, 0], atol=1e-14)


@pytest.mark.parametrize("lead", [(), (4,), (2, 3)])
def test_frames_in_batches(lead, execution):
    system = jd.compile(pendulum(), execution=execution)
    q, v = np.full((*lead, 1), 0.3), np.full((*lead, 1), 2.0)
    assert system.jacobian("tip", q).shape == (*lead, 6, 1)
    assert system.jacobian("world", q).shape == (*lead, 6, 1)
    assert system.jacobian_rate("tip", q, v).shape == (*lead, 6)
    assert system.jacobian_rate("world", q, v).shape == (*lead, 6)


# ---- copies


def test_pickled_system_is_the_same(crane, execution):
    system = jd.compile(crane, execution=execution)
    twin = pickle.loads(pickle.dumps(system))
    assert twin.names == system.names
    assert twin.execution == execution
    assert twin.model == system.model
    rng = np.random.default_rng(5)
    q, v = rng.normal(size=(4, 11)), rng.normal(size=(4, 10))
    np.testing.assert_array_equal(twin.twists(q, v), system.twists(q, v))


def test_later_changes_of_the_model_do_not_reach_the_system(crane, execution):
    system = jd.compile(crane, execution=execution)
    names, (q, _) = system.names, system.state()
    before = system.poses(q)
    crane.add_body("lamp", jd.Inertia(mass=9.0, moments=(1, 1, 1)))
    crane.add_joint("pole", "hook", "lamp", jd.Revolute("x"))
    crane.add_coordinate("pump", 1.0)
    assert system.names == names
    assert "lamp" not in system.model.bodies
    np.testing.assert_array_equal(system.poses(q), before)
    assert mass_of(system) == pytest.approx(8.0)  # a kernel made after the change
    assert jd.compile(crane).names.bodies == ("ship", "boom", "hook", "lamp")


def test_text_tells_model_way_and_names(crane):
    text = str(jd.compile(crane, execution=jd.Looped()))
    assert text.startswith("system 'crane' (looped)\n")
    assert "slew.angle [rad]" in text


# ---- the smallest systems


def test_scalar_coordinates_only(execution):
    model = jd.Model("drive_train")
    model.add_coordinate("motor", 2.0)
    model.add_coordinate("flow", jd.Parameter("inertance", 4.0), unit="m^3")
    system = jd.compile(model, execution=execution)
    q, v = np.array([0.1, 0.2]), np.array([1.0, 2.0])
    assert system.names.bodies == ()
    assert system.poses(q).shape == (0, 4, 4)
    assert system.twists(np.zeros((5, 2)), v).shape == (5, 0, 6)
    np.testing.assert_array_equal(system.coordinate_rates(q, v), v)
    np.testing.assert_allclose(system.mass_matrix(q), np.diag([2.0, 4.0]), atol=1e-15)
    np.testing.assert_allclose(system.forward_dynamics(q, v, [4.0, 6.0]), [2.0, 1.5], rtol=1e-15)
    np.testing.assert_allclose(system.solve_mass_matrix(q, v), [0.5, 0.5], rtol=1e-15)
    np.testing.assert_allclose(system.energy(q, v), (9.0, 0.0))
    np.testing.assert_array_equal(system.momentum(q, v), np.zeros(6))


def test_fixed_joints_only(execution):
    model = jd.Model("statue")
    foot = model.add_body("foot", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    head = model.add_body("head", jd.Inertia(mass=3.0, moments=(1, 1, 1)))
    model.add_joint("ground", model.world.at(1, 2, 3), foot, jd.Fixed())
    model.add_joint("neck", foot.at(0, 0, 2), head, jd.Fixed())
    system = jd.compile(model, execution=execution)
    none = np.zeros(0)
    assert (system.names.q, system.names.v) == ((), ())
    np.testing.assert_array_equal(system.poses([])[:, :3, 3], [[1, 2, 3], [1, 2, 5]])
    np.testing.assert_array_equal(system.twists(none, none), np.zeros((2, 6)))
    assert system.poses(np.zeros((4, 0))).shape == (4, 2, 4, 4)
    assert system.poses(none, np.zeros((3, 2))).shape == (3, 2, 2, 4, 4)
    assert system.jacobian("head", none).shape == (6, 0)
    assert system.mass_matrix(none).shape == (0, 0)
    assert system.forward_dynamics(none, none).shape == (0,)
    assert system.inverse_dynamics(none, none, none).shape == (0,)
    assert system.solve_mass_matrix(none, none).shape == (0,)
    assert system.solve_mass_matrix(none, np.zeros((3, 0))).shape == (3, 0)
    assert system.coordinate_rates(none, none).shape == (0,)
    np.testing.assert_allclose(system.centre_of_mass(none), [1, 2, 4.5], rtol=1e-15)


def test_everything_driven(execution):
    """Drives of different degree: rates that vanish must not shift the others."""
    model = jd.Model("clockwork")
    names = ("hour", "minute", "weight")
    for name in names:
        model.add_body(name, jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    model.add_joint("a", "world", "hour", jd.Revolute("z"), driven={"angle": lambda t: 2.0 * t})
    model.add_joint("b", "world", "minute", jd.Revolute("z"), driven={"angle": 0.5})
    drop = {"position": lambda t: 3.0 * t**2}
    model.add_joint("c", "world", "weight", jd.Prismatic("z"), driven=drop)
    model.add_coordinate("spring", 2.0, driven=lambda t: t**3)
    system = jd.compile(model, execution=execution)
    none, t = np.zeros(0), np.array([0.0, 0.5, 1.0, 2.0, 3.0])
    assert (system.names.q, system.names.v) == ((), ())
    poses, twists, accelerations = system.kinematics(none, none, None, t)
    np.testing.assert_allclose(poses[:, 0, 0, 0], np.cos(2 * t), atol=1e-15)
    np.testing.assert_allclose(poses[:, 1, 0, 0], np.cos(0.5), rtol=1e-15)
    np.testing.assert_allclose(poses[:, 2, 2, 3], 3 * t**2, rtol=1e-15)
    np.testing.assert_allclose(twists[:, :, 2], np.tile([2.0, 0.0, 0.0], (5, 1)), atol=1e-15)
    np.testing.assert_allclose(twists[:, 2, 5], 6 * t, rtol=1e-15)
    wanted = np.zeros((5, 3, 6))
    wanted[:, 2, 5] = 6.0
    np.testing.assert_allclose(accelerations, wanted, atol=1e-14)
    kinetic, _ = system.energy(none, none, t)
    np.testing.assert_allclose(kinetic, 0.5 * (4 + 36 * t**2 + 2 * 9 * t**4), rtol=1e-14)
