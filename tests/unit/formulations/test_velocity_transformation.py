"""Projection of absolute coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.formulations import VelocityTransformation

BOTH = [VelocityTransformation("twists"), VelocityTransformation("natural")]


def test_unknown_coordinates_are_refused():
    with pytest.raises(ModelError, match=r"'euler'\. Choose one of 'twists', 'natural'\."):
        VelocityTransformation("euler")


@pytest.mark.parametrize("formulation", BOTH, ids=repr)
def test_double_pendulum_has_its_textbook_matrix(formulation):
    model = jd.Model("double", gravity=(0, -9.81, 0))
    upper = model.add_body("upper", jd.solid.point(1.0, (1.0, 0, 0)))
    lower = model.add_body("lower", jd.solid.point(2.0, (0.8, 0, 0)))
    model.add_joint("first", model.world, upper, jd.Revolute("z"))
    model.add_joint("second", upper.at(1.0, 0, 0), lower, jd.Revolute("z"))
    system = jd.compile(model, execution=jd.Plain())
    q, v = np.array([0.4, -0.7]), np.array([1.1, 0.6])
    c, s = np.cos(q[1]), np.sin(q[1])
    M = [
        [1 + 2 * (1 + 0.64 + 1.6 * c), 2 * (0.64 + 0.8 * c)],
        [2 * (0.64 + 0.8 * c), 2 * 0.64],
    ]
    np.testing.assert_allclose(formulation.mass_matrix(system, q), M, rtol=1e-13)
    k = 2 * 0.8 * s
    gyroscopic = [-k * (2 * v[0] * v[1] + v[1] ** 2), k * v[0] ** 2]
    hang = 2 * 9.81 * 0.8 * np.cos(q.sum())
    weight = [3 * 9.81 * np.cos(q[0]) + hang, hang]
    tau = formulation.inverse_dynamics(system, q, v, np.zeros(2))
    np.testing.assert_allclose(tau, np.add(gyroscopic, weight), rtol=1e-13)
    vdot = formulation.accelerations(system, q, v)
    np.testing.assert_allclose(vdot, np.linalg.solve(M, -tau), rtol=1e-12)


@pytest.mark.parametrize("formulation", BOTH, ids=repr)
def test_wrong_shapes_are_refused(formulation, make_chain):
    system = make_chain(jd.Revolute("x"), jd.Revolute("y"))
    q = v = np.zeros(2)
    with pytest.raises(ModelError, match="tau has the shape"):
        formulation.accelerations(system, q, v, np.zeros(3))
    with pytest.raises(ModelError, match="vdot has the shape"):
        formulation.inverse_dynamics(system, q, v, np.zeros((2, 2)))
    with pytest.raises(ModelError, match="vdot has the shape"):
        formulation.loads(system, q, v, np.zeros(1))
