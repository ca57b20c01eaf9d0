"""Coordinates without inertia."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import SingularSystemError
from jourdain.formulations import all_formulations
from jourdain.formulations.definiteness import require_definite
from jourdain.formulations.skeleton import Skeleton


@pytest.mark.parametrize("formulation", all_formulations()[1:], ids=repr)
def test_a_point_on_its_axis_has_no_inertia(formulation):
    model = jd.Model("spinner", gravity=(0, 0, -9.81))
    arm = model.add_body("arm", jd.solid.ball(1.0, 0.1))
    tip = model.add_body("tip", jd.solid.point(1.0))
    model.add_joint("shoulder", model.world, arm, jd.Revolute("x"))
    model.add_joint("spin", arm.at(0, 0, 1), tip, jd.Revolute("z"))
    system = jd.compile(model, execution=jd.Plain())
    with pytest.raises(SingularSystemError, match=r"'spin\.rate' of joint 'spin'"):
        formulation.accelerations(system, np.zeros(2), np.zeros(2))
    # loads of a known motion need no inertia
    loads = formulation.loads(system, np.zeros(2), np.zeros(2), np.zeros(2))
    np.testing.assert_allclose(loads[:, 5], [19.62, 9.81])


def test_singular_positions_of_angles_are_found():
    model = jd.Model("gimbal")
    top = model.add_body("top", jd.solid.ball(1.0, 0.1))
    model.add_joint("ball", model.world, top, jd.Gimbal())
    system = jd.compile(model, execution=jd.Plain())
    for formulation in all_formulations()[1:]:
        with pytest.raises(SingularSystemError, match="'ball' is in a singular position"):
            formulation.accelerations(system, [0.0, np.pi / 2, 0.0], np.zeros(3))


def test_a_singular_matrix_of_a_healthy_system_is_named(make_chain):
    skeleton = Skeleton(make_chain(jd.Revolute("x"), jd.Prismatic("z")))
    M = np.array([[1.0, 1.0], [1.0, 1.0]])
    with pytest.raises(SingularSystemError, match=r"(?s)singular at t = 0\.5 s.*drive the coord"):
        require_definite(M, skeleton, np.zeros(2), 0.5)


def test_small_inertias_are_no_singularity(make_chain):
    skeleton = Skeleton(make_chain(jd.Revolute("x"), jd.Prismatic("z")))
    require_definite(np.diag([1e-12, 1e12]), skeleton, np.zeros(2), 0.0)
    require_definite(np.zeros((0, 0)), skeleton, np.zeros(2), 0.0)
