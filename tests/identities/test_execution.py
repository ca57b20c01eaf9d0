"""Plain, unrolled and looped evaluation, one system or many at a time, give the same numbers."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_model
from jourdain.testing.strategies import models, seeds

COMPILED = [
    jd.Unrolled(lanes=4),
    jd.Unrolled(lanes=8),
    jd.Looped(lanes=4),
    jd.Looped(lanes=8),
]
ALL_KINDS = (*all_joint_kinds(), *all_user_kinds())
IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"  # straight-line code is long
N_STATES = 11  # whole groups of 4 and of 8 lanes, and a rest of 3


@pytest.fixture(scope="module")
def require_agreement(agree, states_of, rounding_of):
    """Compare poses, twists and accelerations of a model with plain evaluation."""

    def compare(model, seed, executions, n_states=N_STATES):
        plain = jd.compile(model, execution=jd.Plain())
        q, v, vdot, t = states_of(plain, seed, n_states)
        expected = plain.kinematics(q, v, vdot, t)
        tolerance = rounding_of(model)
        for execution in executions:
            system = jd.compile(model, execution=execution)
            assert system.names == plain.names
            batch = system.kinematics(q, v, vdot, t)
            single = system.kinematics(q[0], v[0], vdot[0], float(t[0]))
            for what, found, one, wanted in zip(
                ("poses", "twists", "accelerations"), batch, single, expected, strict=True
            ):
                agree(found, wanted, tolerance, f"{what} of a batch, {execution}")
                agree(one, wanted[0], tolerance, f"{what} of one system, {execution}")

    return compare


@settings(max_examples=6)
@given(model=models(1, 5, n_coordinates=1), seed=seeds())
def test_small_trees(model, seed, require_agreement):
    require_agreement(model, seed, COMPILED)


@settings(max_examples=3)
@given(model=models(1, 4, parameters=True), seed=seeds())
def test_small_trees_with_parameters(model, seed, require_agreement):
    require_agreement(model, seed, [jd.Unrolled(lanes=4), jd.Looped(lanes=8)])


def test_one_tree_with_every_kind(require_agreement):
    model = random_model(60, len(ALL_KINDS), kinds=ALL_KINDS, floating=False)
    assert {joint.kind for joint in model.joints.values()} == set(ALL_KINDS)
    require_agreement(model, 61, [jd.Unrolled(lanes=4), jd.Looped(lanes=4)], n_states=9)


def test_long_chain_of_few_kinds(require_agreement):
    kinds = [jd.Revolute("y"), jd.Spherical(), jd.Prismatic((0.6, 0.0, 0.8))]
    model = random_model(3, 60, kinds=kinds, branching=0.0, floating=False)
    require_agreement(model, 4, [jd.Looped(lanes=8)], n_states=9)


@settings(max_examples=3)
@given(model=models(1, 4), seed=seeds(), lanes=st.sampled_from([1, 2, 4, 8]))
def test_each_quantity_alone(model, seed, lanes, agree, states_of, rounding_of):
    plain = jd.compile(model, execution=jd.Plain())
    q, v, vdot, t = states_of(plain, seed, 5)
    for execution in (jd.Unrolled(lanes=lanes), jd.Looped(lanes=lanes)):
        system = jd.compile(model, execution=execution)
        poses, twists, accelerations = system.kinematics(q, v, vdot, t)
        tolerance = rounding_of(model)
        agree(system.poses(q, t), poses, tolerance, "poses")
        agree(system.twists(q, v, t), twists, tolerance, "twists")
        found = system.spatial_accelerations(q, v, vdot, t)
        agree(found, accelerations, tolerance, "accelerations")
        rates = plain.coordinate_rates(q, v, t)
        agree(system.coordinate_rates(q, v, t), rates, tolerance, "rates")
        name = system.names.bodies[-1]
        agree(system.jacobian(name, q, t), plain.jacobian(name, q, t), tolerance, "Jacobian")


@pytest.mark.slow
@settings(max_examples=3)
@given(model=models(1, 60 if IS_THOROUGH else 20, parameters=True), seed=seeds())
def test_trees_of_all_sizes(model, seed, require_agreement):
    require_agreement(model, seed, [jd.Unrolled(lanes=4), jd.Looped(lanes=8)])


@pytest.mark.slow
@pytest.mark.parametrize("n_bodies", [20, pytest.param(60, marks=pytest.mark.thorough)])
def test_many_bodies_in_every_way(n_bodies, require_agreement):
    model = random_model(2, n_bodies, kinds=ALL_KINDS, floating=False, parameters=True)
    require_agreement(model, 3, COMPILED)


def test_batches_do_not_depend_on_neighbours(states_of):
    model = random_model(7, 6)
    system = jd.compile(model, execution=jd.Looped(lanes=4))
    q, v, _, t = states_of(system, 1, 9)
    alone = np.array([system.twists(*row) for row in zip(q, v, t, strict=True)])
    np.testing.assert_array_equal(
        system.twists(q[::-1], v[::-1], t[::-1])[::-1], system.twists(q, v, t)
    )
    np.testing.assert_allclose(system.twists(q, v, t), alone, rtol=0, atol=1e-13)
