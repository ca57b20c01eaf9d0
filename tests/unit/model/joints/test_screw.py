"""Screw joint."""

from dataclasses import replace

import casadi
import numpy as np

from jourdain.model.joints import Revolute, Screw
from jourdain.spatial.parameter import Parameter


def test_one_turn_advances_by_the_pitch():
    R, r = Screw("y", 0.005).pose([2 * np.pi], 0.0)
    np.testing.assert_allclose(R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(r, (0.0, 0.005, 0.0), rtol=1e-15)


def test_negative_pitch_is_a_left_hand_thread():
    assert Screw("z", -0.01).pose([1.0], 0.0)[1][2] < 0.0


def test_turns_as_a_hinge():
    axis = (0.6, 0.0, 0.8)
    np.testing.assert_array_equal(
        Screw(axis, 0.1).pose([0.4], 0.0)[0], Revolute(axis).pose([0.4], 0.0)[0]
    )


def test_pitch_may_be_a_parameter_and_then_a_symbol():
    kind = Screw("x", Parameter("lead", 0.02, "m"))
    assert kind.pitch == Parameter("lead", 0.02, "m")
    assert kind.canonical()[0] == Screw("z", Parameter("lead", 0.02, "m"))
    pitch = casadi.SX.sym("pitch")
    graph = replace(kind, pitch=pitch).pose([0.7], 0.0)[1]
    evaluated = casadi.Function("r", [pitch], [graph])(0.03).full().ravel()
    np.testing.assert_allclose(evaluated, Screw("x", 0.03).pose([0.7], 0.0)[1], rtol=1e-15)
