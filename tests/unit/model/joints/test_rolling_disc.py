"""Rolling disc."""

from dataclasses import replace

import casadi
import numpy as np

from jourdain import math
from jourdain.model.joints import RollingDisc
from jourdain.spatial.parameter import Parameter

RADIUS = 0.3


def test_disc_touches_the_plane_at_the_contact_point(rng):
    q = rng.uniform(-1.2, 1.2, 5)
    R, centre = RollingDisc(RADIUS).pose(q, 0.0)
    angles = np.linspace(0.0, 2 * np.pi, 721)
    rim = (
        centre
        + RADIUS * np.outer(np.cos(angles), R[:, 0])
        + RADIUS * np.outer(np.sin(angles), R[:, 2])
    )
    assert rim[:, 2].min() > -1e-15
    contact = np.array((q[0], q[1], 0.0))
    assert np.linalg.norm(contact - centre) - RADIUS < 1e-15
    assert abs((contact - centre) @ R[:, 1]) < 1e-15
    assert np.linalg.norm(rim - contact, axis=1).min() < RADIUS * np.pi / 720 + 1e-15


def test_material_point_at_the_contact_is_at_rest(rng, twist):
    kind = RollingDisc(RADIUS)
    for v in (*np.eye(3), *rng.normal(size=(5, 3))):
        q = rng.uniform(-1.2, 1.2, 5)
        R, centre = kind.pose(q, 0.0)
        angular, linear = twist(kind, q, v)
        arm = np.array((q[0], q[1], 0.0)) - centre
        np.testing.assert_allclose(linear + np.cross(R @ angular, arm), np.zeros(3), atol=1e-10)


def test_angular_velocity_of_the_three_rates(rng, twist):
    q, v = rng.uniform(-1.2, 1.2, 5), rng.normal(size=3)
    R, _ = RollingDisc(RADIUS).pose(q, 0.0)
    heading = np.array((np.cos(q[2]), np.sin(q[2]), 0.0))
    expected = v[0] * np.array((0.0, 0.0, 1.0)) + v[1] * heading + v[2] * R[:, 1]
    np.testing.assert_allclose(R @ twist(RollingDisc(RADIUS), q, v)[0], expected, atol=1e-10)


def test_positive_spin_rolls_forward():
    dq = RollingDisc(RADIUS).rates([0.0, 0.0, np.pi / 2, 0.1, 0.0]) @ np.array((0.0, 0.0, 2.0))
    np.testing.assert_allclose(dq, (0.0, 2.0 * RADIUS, 0.0, 0.0, 2.0), atol=1e-15)


def test_positive_lean_is_to_the_right_of_the_heading():
    _, centre = RollingDisc(RADIUS).pose([0.0, 0.0, 0.0, 0.2, 0.0], 0.0)
    np.testing.assert_allclose(
        centre, RADIUS * np.array((0.0, -np.sin(0.2), np.cos(0.2))), atol=1e-16
    )


def test_radius_may_be_a_parameter_and_then_a_symbol():
    kind = RollingDisc(Parameter("radius", 0.4, "m"))
    assert kind.radius == Parameter("radius", 0.4, "m")
    radius = casadi.SX.sym("radius")
    q = [0.1, 0.2, 0.3, 0.4, 0.5]
    traced = replace(kind, radius=radius)
    graph = math.columns(traced.pose(q, 0.0)[1], traced.rates(q).T)
    evaluated = casadi.Function("f", [radius], [graph])(RADIUS).full()
    plain = RollingDisc(RADIUS)
    np.testing.assert_allclose(evaluated[:, 0], plain.pose(q, 0.0)[1], rtol=1e-15)
    np.testing.assert_allclose(evaluated[:, 1:], plain.rates(q).T, rtol=1e-15)
