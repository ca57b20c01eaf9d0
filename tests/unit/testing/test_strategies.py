"""Strategies for Hypothesis."""

import builtins

import pytest
from hypothesis import find, given, settings

from jourdain.errors import MissingExtraError
from jourdain.model.joints import Fixed
from jourdain.testing.strategies import models, seeds


@settings(max_examples=20)
@given(models(2, 5, driven=False, floating=False))
def test_models_have_the_size_asked_for(model):
    assert 2 <= len(model.bodies) <= 5
    assert len(model.joints) == len(model.bodies)


def test_models_shrink_to_few_bodies():
    assert (
        len(find(models(1, 9, kinds=[Fixed()]), lambda model: len(model.bodies) >= 3).bodies) == 3
    )


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
