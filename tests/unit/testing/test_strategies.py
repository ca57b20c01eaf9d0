"""Strategies for Hypothesis."""

import builtins

import pytest
from hypothesis import find, given, settings

from jourdain.errors import MissingExtraError
from jourdain.model.joints import Fixed, Revolute, Spherical
from jourdain.testing.strategies import models, seeds, trees


@settings(max_examples=20)
@given(models(2, 5, driven=False, floating=False))
def test_models_have_the_size_asked_for(model):
    assert 2 <= len(model.bodies) <= 5
    assert len(model.joints) == len(model.bodies)


def test_models_shrink_to_few_bodies():
    assert (
        len(find(models(1, 9, kinds=[Fixed()]), lambda model: len(model.bodies) >= 3).bodies) == 3
    )


@settings(max_examples=20)
@given(trees((2, 5), max_kinds=1))
def test_trees_have_the_size_asked_for(model):
    assert len(model.bodies) in {2, 5}
    assert all({joint.parent.body, joint.child.body} - {"world"} for joint in model.joints.values())


def test_trees_shrink_to_what_fails():
    def has_driven_ball(model):
        return any(isinstance(j.kind, Spherical) and j.driven for j in model.joints.values())

    found = find(trees(range(1, 9), [Fixed(), Revolute("z"), Spherical()]), has_driven_ball)
    (joint,) = found.joints.values()
    assert isinstance(joint.kind, Spherical)
    assert not found.parameters
    assert not found.coordinates


def test_numbers_of_a_body_do_not_depend_on_others():
    """So that what is left while shrinking stays as it is."""
    kinds = [Revolute("z")]
    small, large = (
        find(trees((n,), kinds), lambda m: len(m.joints) == len(m.bodies)) for n in (1, 3)
    )
    assert small.bodies["body_1"].inertia == large.bodies["body_1"].inertia
    assert small.joints["joint_1"].parent == large.joints["joint_1"].parent
    assert large.bodies["body_1"].inertia != large.bodies["body_2"].inertia


@given(seeds())
def test_seeds_are_seeds(seed):
    assert 0 <= seed < 2**32


def test_missing_hypothesis_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("hypothesis"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match="pip install hypothesis"):
        models()
