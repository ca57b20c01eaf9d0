"""Constraints of a system: rows, and states that are moved onto them."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture
def system():
    model = jd.Model("pendulum on a rod")
    ball = model.add_body("ball", jd.Inertia(2.0, moments=(1, 1, 1)))
    model.add_joint("plane", model.world, ball, jd.Prismatic("x") * jd.Prismatic("z"))
    model.add_connection("rod", jd.Distance(model.world, ball), jd.Equal(1.0))
    return jd.compile(model)


def test_a_state_is_moved_onto_the_constraints(system):
    """The nearest point of the circle, and the velocity along its tangent."""
    q, v = np.array([0.6006, 0.8008]), np.array([1.0, 0.5])
    assert system.largest_error(q, v) == pytest.approx(0.001)
    q, v = system.project(q, v)
    np.testing.assert_allclose(q, [0.6, 0.8], atol=1e-12)
    np.testing.assert_allclose(v, np.array([0.8, -0.6]) * (0.8 - 0.3), atol=1e-12)
    assert system.largest_error(q, v) < 1e-13


def test_rows_by_name(system):
    assert system.constraint_rows == {"rod": slice(0, 1)}
    assert system.held_positions == {"rod": slice(0, 1)}
    assert system.has_constraints
    assert system.is_corrected


def test_a_tree_has_nothing_to_correct():
    model = jd.Model("free")
    model.add_body("ball", jd.Inertia(1.0, moments=(1, 1, 1)))
    system = jd.compile(model)
    q, v = system.state()
    moved = system.project(q, v)
    assert moved[0] is q
    assert moved[1] is v
    assert not system.has_constraints
