"""Projections are the nearest points; Jacobians are their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import prox

N = 400
STEP = 1e-6


def in_cone(rng, mu):
    normal = rng.exponential(size=N)
    direction = rng.normal(size=(N, 2))
    direction *= (mu * normal * rng.uniform(size=N) / np.linalg.norm(direction, axis=1))[:, None]
    return np.column_stack([normal, direction])


def in_disc(rng, radius):
    angle, part = rng.uniform(0.0, 2 * np.pi, N), rng.uniform(size=N)
    return (radius * part)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def cases(rng):
    """Projection, derivative, points to project, points of the set."""
    radius, mu = rng.exponential(size=N), rng.uniform(0.05, 2.0, N)
    axes = rng.exponential(size=(N, 2)) + 0.01
    low = rng.normal(size=(N, 1))
    z2, z3 = 2.0 * rng.normal(size=(N, 2)), rng.normal(size=(N, 3))
    inside = low + rng.uniform(size=(N, 1))
    return {
        "half_line": (prox.half_line, None, low, rng.exponential(size=(N, 1))),
        "interval": (
            lambda z: prox.interval(z, low, low + 1.0),
            lambda z: prox.interval_jacobian(z, low, low + 1.0)[..., None],
            z2[:, :1], inside,
        ),
        "disc": (
            lambda z: prox.disc(z, radius), lambda z: prox.disc_jacobian(z, radius)[0],
            z2, in_disc(rng, radius),
        ),
        "cone": (
            lambda z: prox.cone(z, mu), lambda z: prox.cone_jacobian(z, mu), z3, in_cone(rng, mu),
        ),
        "ellipse": (
            lambda z: prox.ellipse(z, axes), lambda z: prox.ellipse_jacobian(z, axes),
            z2, axes * in_disc(rng, np.ones(N)),
        ),
    }  # fmt: skip


NAMES = ["half_line", "interval", "disc", "cone", "ellipse"]


@pytest.mark.parametrize("name", NAMES)
def test_the_way_to_the_nearest_point_is_normal_to_the_set(name, rng):
    """Nearest point of a convex set: ``(z - p)·(x - p) ≤ 0`` for all x of the set."""
    project, _, z, x = cases(rng)[name]
    p = project(z)
    assert (np.sum((z - p) * (x - p), axis=-1) <= 1e-12).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_nearest_point_lies_in_the_set(name, rng):
    """A point of the set is its own projection; so is a projected point."""
    project, _, z, x = cases(rng)[name]
    np.testing.assert_allclose(project(x), x, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(project(project(z)), project(z), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", NAMES[1:])
def test_jacobians_are_derivatives(name, rng):
    project, jacobian, z, _ = cases(rng)[name]
    J = jacobian(z)
    for k in range(z.shape[1]):
        d = np.zeros(z.shape[1])
        d[k] = STEP
        both = jacobian(z + d), jacobian(z - d)
        smooth = np.all(np.abs(both[0] - both[1]) < 1e-3, axis=(1, 2))  # no kink in between
        assert smooth.mean() > 0.95
        slope = (project(z + d) - project(z - d)) / (2 * STEP)
        np.testing.assert_allclose(J[smooth, :, k], slope[smooth], atol=1e-6)


def test_the_disc_grows_with_its_radius(rng):
    z, radius = 2.0 * rng.normal(size=(N, 2)), rng.exponential(size=N) + 0.1
    slope = (prox.disc(z, radius + STEP) - prox.disc(z, radius - STEP)) / (2 * STEP)
    clear = np.abs(np.linalg.norm(z, axis=1) - radius) > 1e-5
    np.testing.assert_allclose(prox.disc_jacobian(z, radius)[1][clear], slope[clear], atol=1e-8)


def test_circles_are_ellipses_and_axes_may_vanish(rng):
    z = rng.normal(size=(N, 2))
    np.testing.assert_allclose(prox.ellipse(z, np.array([0.7, 0.7])), prox.disc(z, 0.7), atol=1e-14)
    flat = prox.ellipse(z, np.array([0.7, 0.0]))
    np.testing.assert_allclose(flat[:, 0], prox.interval(z[:, 0], -0.7, 0.7), rtol=1e-13)
    np.testing.assert_array_equal(flat[:, 1], 0.0)
    np.testing.assert_array_equal(prox.ellipse(z, np.zeros(2)), 0.0)
    np.testing.assert_array_equal(prox.disc(z, 0.0), 0.0)


def test_a_cone_without_friction_is_a_half_line(rng):
    z = rng.normal(size=(N, 3))
    p = prox.cone(z, 0.0)
    np.testing.assert_array_equal(p[:, 0], np.maximum(z[:, 0], 0.0))
    np.testing.assert_array_equal(p[:, 1:], 0.0)


def test_the_cone_without_friction_is_a_half_line():
    z = np.array([[-1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0]])
    expected = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    np.testing.assert_allclose(prox.cone(z, 0.0), expected, atol=1e-15)
