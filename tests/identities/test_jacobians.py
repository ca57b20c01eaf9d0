"""Jacobians of frames on random trees: against twists, differences and each other."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_model, random_state
from jourdain.testing.joints.kinds import Crank, Rocker, Tilt
from jourdain.testing.strategies import models, seeds

DIFFERENCES = 1e-8  # central differences err by about 1e-10 of the largest number
TIMELESS = (*all_joint_kinds(), Rocker(0.2), Crank(0.4), Tilt())

executions = st.sampled_from([jd.Plain(), jd.Unrolled(), jd.Looped()])
places = st.tuples(*[st.floats(-0.5, 0.5)] * 3)


def twist_at(system, frame, q, v, t):
    """Twist of a frame from that of its body: v + ω × arm."""
    body = system.names.bodies.index(frame.body)
    arm = system.poses(q, t)[body, :3, :3] @ frame.position
    w, velocity = np.split(system.twists(q, v, t)[body], 2)
    return np.concatenate((w, velocity + np.cross(w, arm)))


def test_timeless_kinds_leave_out_only_what_moves_with_time():
    left_out = {type(kind).__name__ for kind in set(all_user_kinds()) - set(TIMELESS)}
    assert left_out == {"Turntable", "Cam", "Product"}


@settings(max_examples=8)
@given(
    model=models(1, 6, kinds=TIMELESS, driven=False, n_coordinates=1),
    seed=seeds(),
    place=places,
    execution=executions,
)
def test_jacobian_times_velocities_is_the_twist(model, seed, place, execution, agree, rounding_of):
    system = jd.compile(model, execution=execution)
    frame = list(model.bodies.values())[seed % len(model.bodies)].at(*place)
    q, v, _, t = random_state(system, seed)
    expected = twist_at(system, frame, q, v, t)
    agree(system.jacobian(frame, q, t) @ v, expected, rounding_of(model))


@settings(max_examples=8)
@given(model=models(1, 6), seed=seeds(), place=places, execution=executions)
def test_jacobian_gives_changes_of_the_twist(model, seed, place, execution, agree, rounding_of):
    system = jd.compile(model, execution=execution)
    frame = list(model.bodies.values())[seed % len(model.bodies)].at(*place)
    q, v, other, t = random_state(system, seed)
    change = twist_at(system, frame, q, v, t) - twist_at(system, frame, q, other, t)
    agree(system.jacobian(frame, q, t) @ (v - other), change, rounding_of(model))


@settings(max_examples=6)
@given(model=models(1, 5), seed=seeds(), place=places, execution=executions)
def test_columns_against_differences_of_poses(model, seed, place, execution, agree, velocity_of):
    system = jd.compile(model, execution=execution)
    frame = list(model.bodies.values())[seed % len(model.bodies)].at(*place)
    body = system.names.bodies.index(frame.body)
    q, v, _, t = random_state(system, seed)
    at_rest = system.coordinate_rates(q, np.zeros_like(v), t)
    offset = np.eye(4)
    offset[:3, 3] = frame.position
    jacobian = system.jacobian(frame, q, t)
    for k, unit in enumerate(np.eye(len(v))):
        dq = system.coordinate_rates(q, unit, t) - at_rest
        column = velocity_of(lambda h, dq=dq: system.poses(q + h * dq, t)[body] @ offset)
        agree(jacobian[:, k], column, DIFFERENCES, system.names.v[k])


@settings(max_examples=8)
@given(model=models(1, 6), seed=seeds(), place=places, execution=executions)
def test_rate_against_differences_of_the_twist(model, seed, place, execution, agree, slope_of):
    system = jd.compile(model, execution=execution)
    frame = list(model.bodies.values())[seed % len(model.bodies)].at(*place)
    q, v, _, t = random_state(system, seed)
    dq = system.coordinate_rates(q, v, t)
    slope = slope_of(lambda h: twist_at(system, frame, q + h * dq, v, t + h))
    agree(system.jacobian_rate(frame, q, v, t), slope, DIFFERENCES)


@settings(max_examples=8)
@given(model=models(1, 5, kinds=TIMELESS, driven=False), seed=seeds(), place=places)
def test_rate_against_differences_of_the_jacobian(model, seed, place, agree, slope_of):
    system = jd.compile(model, execution=jd.Plain())
    frame = list(model.bodies.values())[seed % len(model.bodies)].at(*place)
    q, v, _, t = random_state(system, seed)
    dq = system.coordinate_rates(q, v, t)
    slope = slope_of(lambda h: system.jacobian(frame, q + h * dq, t) @ v)
    agree(system.jacobian_rate(frame, q, v, t), slope, DIFFERENCES)


def test_frames_by_body_by_name_and_by_place_agree():
    model = random_model(5, 6, kinds=[jd.Planar(), jd.Gimbal()], driven=False)
    model.add_frame("tip", model.body("body_3").at(0.1, 0.2, 0.3))
    system = jd.compile(model)
    q, v, _, t = random_state(system, 1)
    by_body, by_name = (system.jacobian(x, q, t) for x in (model.body("body_3"), "body_3"))
    np.testing.assert_array_equal(by_body, by_name)
    by_frame, by_place = (system.jacobian(x, q, t) for x in ("tip", model.frame("tip")))
    np.testing.assert_array_equal(by_frame, by_place)
    assert not np.array_equal(by_frame, by_body)
    rates = [system.jacobian_rate(x, q, v, t) for x in ("tip", model.frame("tip"))]
    np.testing.assert_array_equal(*rates)


def test_the_world_does_not_move():
    model = random_model(5, 4)
    system = jd.compile(model)
    q, v, _, t = random_state(system, 1)
    assert not system.jacobian(model.world.at(1, 2, 3), q, t).any()
    assert not system.jacobian_rate(model.world, q, v, t).any()


def test_jacobians_of_batches(agree, states_of, rounding_of):
    model = random_model(9, 7)
    system = jd.compile(model)
    q, v, _, t = states_of(system, 2, 6)
    frame = model.body("body_7").at(0.1, 0.0, -0.2)
    found = system.jacobian(frame, q.reshape(2, 3, -1), t.reshape(2, 3))
    rates = system.jacobian_rate(frame, q.reshape(2, 3, -1), v.reshape(2, 3, -1), t.reshape(2, 3))
    for k in range(6):
        i = divmod(k, 3)
        agree(found[i], system.jacobian(frame, q[k], t[k]), rounding_of(model))
        agree(rates[i], system.jacobian_rate(frame, q[k], v[k], t[k]), rounding_of(model))


def test_frames_at_parameters_move_with_them(agree):
    length = jd.Parameter("length", 0.5, "m")
    model = jd.Model("arm")
    arm = model.add_body("arm", jd.Inertia(1.0))
    model.add_joint("hinge", model.world, arm.at(-length, 0, 0), jd.Revolute("z"))
    tip = model.add_frame("tip", arm.at(length, 0, 0))
    for execution in (jd.Plain(), jd.Unrolled(), jd.Looped()):
        system = jd.compile(model, execution=execution)
        for value in (0.5, 2.0):
            given_value = {"length": value}
            J = system.jacobian(tip, [0.0], parameters=given_value)
            agree(J[:, 0], (0, 0, 1, 0, 2 * value, 0), 1e-15)
            rate = system.jacobian_rate("tip", [0.0], [3.0], parameters=given_value)
            agree(rate, (0, 0, 0, -9 * 2 * value, 0, 0), 1e-14)
