"""A system has the methods of its parts."""

from __future__ import annotations

import inspect

import pytest

import jourdain as jd
from jourdain.system.delegation import AnsweredBy
from jourdain.system.questions.kinematics import Kinematics


@pytest.fixture
def system():
    model = jd.Model("free")
    model.add_body("ball", jd.Inertia(1.0, moments=(1, 1, 1)))
    return jd.compile(model)


def test_method_of_a_part_is_found_once(system):
    assert "poses" not in vars(system)
    assert system.poses is system.poses
    assert system.poses.__self__ is system.questions[Kinematics]


def test_class_tells_arguments_and_text():
    assert jd.System.poses is Kinematics.poses
    assert list(inspect.signature(jd.System.poses).parameters) == ["self", "q", "t", "parameters"]


def test_system_is_final_and_its_parts_too(system):
    for one in (system, *system.questions.values()):
        assert type(one).__mro__ == (type(one), object)


def test_every_question_is_answered_by_a_part_of_the_system(system):
    asked = [x for x in vars(jd.System).values() if isinstance(x, AnsweredBy)]
    assert asked
    assert all(x._part in system.questions for x in asked)
