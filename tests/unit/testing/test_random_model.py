"""Random machines: what they contain, and that seeds repeat them."""

import pickle

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_model
from jourdain.testing.random_model import Wave, Waves
from jourdain.topology import build


@pytest.fixture(scope="module")
def crowd():
    return random_model(3, 300, parameters=True, n_coordinates=2)


def test_equal_seeds_give_equal_models():
    assert random_model(5, 9, parameters=True) == random_model(5, 9, parameters=True)
    assert random_model(5, 9) != random_model(6, 9)


def test_a_generator_may_be_given():
    rng = np.random.default_rng(5)
    assert random_model(rng, 9) == random_model(5, 9)
    assert random_model(rng, 9) != random_model(5, 9)


@pytest.mark.parametrize("n_bodies", [1, 2, 17])
def test_models_are_valid_trees(n_bodies):
    model = random_model(n_bodies, n_bodies, parameters=True)
    model.validate()
    topology = build(model)
    assert len(model.bodies) == n_bodies
    assert not topology.cuts


def test_joint_k_joins_body_k_to_a_lower_one(crowd):
    number = {"world": 0} | {name: int(name.split("_")[1]) for name in crowd.bodies}
    for joint in crowd.joints.values():
        lower, upper = sorted((number[joint.parent.body], number[joint.child.body]))
        assert lower < upper == int(joint.name.split("_")[1])


def test_bodies_and_joints_come_in_random_order(crowd):
    for names in (list(crowd.bodies), list(crowd.joints)):
        assert names != sorted(names, key=lambda name: int(name.split("_")[1]))


def test_everything_occurs(crowd):
    tree = build(crowd).tree
    assert any(joint.reversed for joint in tree)
    assert any(not joint.reversed for joint in tree)
    assert any(joint.automatic for joint in tree)
    drives = [drive for joint in crowd.joints.values() for drive in joint.driven.values()]
    assert {type(drive) for drive in drives} == {Wave, Waves}
    assert any(len(joint.driven) == 2 for joint in crowd.joints.values())
    kinds = {type(joint.kind) for joint in crowd.joints.values()}
    assert kinds == {type(kind) for kind in (*all_joint_kinds(), *all_user_kinds())}
    assert len(crowd.coordinates) == 2


def test_parameters_are_everywhere(crowd):
    bodies, joints = crowd.bodies.values(), crowd.joints.values()
    assert any(isinstance(body.inertia.mass, jd.Parameter) for body in bodies)
    assert any(isinstance(joint.parent.position[0], jd.Parameter) for joint in joints)
    assert any(isinstance(getattr(joint.kind, "pitch", 0), jd.Parameter) for joint in joints)
    waves = [drive for joint in joints for drive in joint.driven.values() if type(drive) is Wave]
    assert any(isinstance(wave.offset, jd.Parameter) for wave in waves)
    assert not random_model(3, 60).parameters


def test_what_is_not_wanted_stays_out():
    model = random_model(4, 60, driven=False, floating=False, kinds=[jd.Gimbal()])
    assert len(model.joints) == 60
    assert {joint.kind for joint in model.joints.values()} == {jd.Gimbal()}
    assert not any(joint.driven for joint in model.joints.values())


def test_kinds_are_dealt_like_cards():
    kinds = (*all_joint_kinds(), *all_user_kinds())
    model = random_model(1, len(kinds), kinds=kinds, floating=False)
    assert {joint.kind for joint in model.joints.values()} == set(kinds)


def test_branching_zero_is_a_chain():
    topology = build(random_model(4, 20, branching=0.0, floating=False))
    assert topology.depth("body_20") == 20


def test_models_can_be_pickled():
    model = random_model(8, 12, parameters=True)
    assert pickle.loads(pickle.dumps(model)) == model
