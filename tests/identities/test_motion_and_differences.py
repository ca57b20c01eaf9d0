"""Twists and accelerations of random trees against differences of poses and of twists."""

from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.testing import random_state
from jourdain.testing.strategies import models, seeds

DIFFERENCES = 1e-8  # central differences err by about 1e-10 of the largest number

executions = st.sampled_from([jd.Plain(), jd.Unrolled(), jd.Looped()])


@settings(max_examples=10)
@given(model=models(1, 7, n_coordinates=1), seed=seeds(), execution=executions)
def test_twists_are_rates_of_poses(model, seed, execution, agree, velocity_of):
    system = jd.compile(model, execution=execution)
    q, v, _, t = random_state(system, seed)
    dq = system.coordinate_rates(q, v, t)
    found = velocity_of(lambda h: system.poses(q + h * dq, t + h))
    agree(found, system.twists(q, v, t), DIFFERENCES)


@settings(max_examples=10)
@given(model=models(1, 7), seed=seeds(), execution=executions)
def test_accelerations_are_rates_of_twists(model, seed, execution, agree, slope_of):
    system = jd.compile(model, execution=execution)
    q, v, vdot, t = random_state(system, seed)
    dq = system.coordinate_rates(q, v, t)
    found = slope_of(lambda h: system.twists(q + h * dq, v + h * vdot, t + h))
    agree(found, system.spatial_accelerations(q, v, vdot, t), DIFFERENCES)


@settings(max_examples=10)
@given(model=models(1, 6), seed=seeds())
def test_accelerations_are_linear_in_the_rates_of_the_velocities(model, seed, agree, rounding_of):
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, seed)
    bias = system.kinematics(q, v, None, t)[2]
    once, twice = (system.spatial_accelerations(q, v, k * vdot, t) - bias for k in (1, 2))
    agree(twice, 2 * once, rounding_of(model))


@settings(max_examples=10)
@given(model=models(1, 6, driven=False, kinds=[jd.Free(), jd.Spherical()]), seed=seeds())
def test_quaternions_keep_their_length(model, seed, agree):
    system = jd.compile(model, execution=jd.Plain())
    q, v, _, t = random_state(system, seed)
    dq = system.coordinate_rates(q, v, t)
    for name in {name.rpartition(".")[0] for name in system.names.q if "orientation" in name}:
        index = system.index(name)
        agree(q[index] @ dq[index], 0.0, 1e-14, name)


@settings(max_examples=10)
@given(model=models(1, 6), seed=seeds(), factor=st.floats(0.5, 2.0))
def test_the_length_of_quaternions_does_not_matter(model, seed, factor, agree, rounding_of):
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = random_state(system, seed)
    longer = q.copy()
    for name in {name.rpartition(".")[0] for name in system.names.q if "orientation" in name}:
        longer[system.index(name)] *= factor
    for found, wanted in zip(
        system.kinematics(longer, v, vdot, t), system.kinematics(q, v, vdot, t), strict=True
    ):
        agree(found, wanted, rounding_of(model))
