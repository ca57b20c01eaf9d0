"""Locks as elements: what they take, and what they tell."""

from __future__ import annotations

import pytest

import jourdain as jd


def test_a_name_is_an_input():
    law = jd.Locked("gear")
    assert law.when == jd.Signal("input", "gear")
    assert law.inputs == {"gear": "1"}
    assert jd.Locked("gear", {"gear": "bar"}).inputs == {"gear": "bar"}


def test_a_signal_may_be_below_zero():
    class At:
        def coordinate(self, name):
            return {"shaft": 0.25}[name]

    assert jd.Locked(jd.Signal("coordinate", "shaft", 2.0, -1.0)).locks(0.0, 0.0, At()) == -0.5


def test_functions_see_value_and_rate():
    assert jd.Locked(lambda x, v: x + v).locks(1.0, 2.0, None) == 3.0


def test_inputs_are_names_with_units():
    with pytest.raises(jd.ModelError, match="inputs of Locked are 3: give names with units"):
        jd.Locked("gear", 3)
