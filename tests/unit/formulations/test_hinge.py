"""Motion of a joint by differentiating its pose."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.joints.motion import traced
from jourdain.formulations.hinge import hinge
from jourdain.model.joints import all_joint_kinds
from jourdain.testing.joints.kinds import all_user_kinds
from jourdain.testing.states import random_coordinates

KINDS = (*all_joint_kinds(), *all_user_kinds())
T = 0.4
STEP = 1e-5  # of central differences: truncation 1e-10, rounding 1e-11 of numbers of size one
NEAR = 1e-8
EXACT = 1e-13


def moved(kind, rng, v=None):
    motion = traced(kind, (), False, False)
    q = random_coordinates(kind, rng, t=T)
    v = rng.normal(size=len(motion.free_columns)) if v is None else v
    return motion, q, v, hinge(motion)(np.zeros(0), q, v, T, np.zeros((3, 0)))


def pose(kind, q, t):
    R, r = kind.pose(q, t)
    return np.array(R, dtype=float), np.array(r, dtype=float)


def rates(kind, q):
    Y = kind.rates(q)
    return np.eye(len(q)) if Y is None else np.array(Y, dtype=float)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_partial_derivatives_are_those_of_the_pose(kind, rng):
    _, q, v, h = moved(kind, rng)
    directions = [(column, 0.0) for column in rates(kind, q).T] + [(np.zeros(len(q)), 1.0)]
    assert len(h.dR) == len(v) + 1
    for k, (dq, dt) in enumerate(directions):
        ahead, behind = (pose(kind, q + s * dq, T + s * dt) for s in (STEP, -STEP))
        np.testing.assert_allclose(h.dR[k], (ahead[0] - behind[0]) / (2 * STEP), atol=NEAR)
        np.testing.assert_allclose(h.dr[k], (ahead[1] - behind[1]) / (2 * STEP), atol=NEAR)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_rates_of_the_partial_derivatives(kind, rng):
    motion, q, v, h = moved(kind, rng)
    dq = rates(kind, q) @ v
    evaluate = hinge(motion)
    along = [evaluate(np.zeros(0), q + s * dq, v, T + s, np.zeros((3, 0))) for s in (STEP, -STEP)]
    for name in ("dR", "dr", "w"):
        difference = getattr(along[0], name) - getattr(along[1], name)
        exact = getattr(h, f"{name}_rate")
        np.testing.assert_allclose(exact, difference / (2 * STEP), atol=NEAR, rtol=1e-7)


@pytest.mark.parametrize("is_reversed", [False, True], ids=["forward", "reversed"])
@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_the_recursion_uses_the_same_motion(kind, is_reversed, rng):
    _, q, v, h = moved(kind, rng)
    h = h.inverse() if is_reversed else h
    other = traced(kind, (), is_reversed, False)
    R, r, S, S_x, c, _, _ = (np.array(x) for x in other.function([], q, v, T, [], [], []))
    np.testing.assert_allclose(h.R, R, atol=EXACT)
    np.testing.assert_allclose(h.r, r[:, 0], atol=EXACT)
    turn = np.kron(np.eye(2), R.T)  # the recursion has components in the outboard frame
    np.testing.assert_allclose(turn @ h.modes, S.reshape(6, len(v)), atol=EXACT)
    np.testing.assert_allclose(turn @ h.excited, S_x[:, 0], atol=EXACT)
    Omega, V = h.velocity
    alpha, a = h.bias
    rate = turn @ np.concatenate([alpha, a - np.cross(Omega, V)])
    np.testing.assert_allclose(rate, c[:, 0], atol=10 * EXACT)


def test_velocity_is_the_sum_of_the_modes(rng):
    _, _, v, h = moved(jd.Skate() * jd.Revolute("y") * jd.Prismatic("z"), rng)
    G = h.modes @ v + h.excited
    np.testing.assert_allclose(np.concatenate(h.velocity), G, atol=EXACT)
    np.testing.assert_allclose(h.bias[0], np.tensordot(h.v, h.w_rate, axes=1), atol=EXACT)


def test_inverse_of_the_inverse_is_the_motion_itself(rng):
    _, _, _, h = moved(all_user_kinds()[-1], rng)
    back = h.inverse().inverse()
    for name in ("R", "r", "dR", "dr", "dR_rate", "dr_rate"):
        np.testing.assert_allclose(getattr(back, name), getattr(h, name), atol=EXACT)


@pytest.mark.parametrize("kind", [jd.Gimbal(), jd.Euler(), jd.Universal("x", "y")], ids=repr)
def test_axial_vectors_obey_sol_2_2_13(kind, rng):
    """∂w_i/∂φ_j = ∂w_j/∂φ_i − w_i × w_j for every parametrisation of rotation."""
    n = len(kind.coordinates)
    q = random_coordinates(kind, rng)
    evaluate = hinge(traced(kind, (), False, False))
    at = [evaluate(np.zeros(0), q, np.eye(n)[j], 0.0, np.zeros((3, 0))) for j in range(n)]
    w = at[0].w[:-1]
    partial = np.array([h.w_rate[:-1] for h in at]).transpose(1, 0, 2)  # of w_i by φ_j
    products = np.cross(w[:, None], w[None])
    np.testing.assert_allclose(partial, partial.transpose(1, 0, 2) - products, atol=EXACT)


def test_driven_coordinates_move_with_their_drives(rng):
    kind = jd.Cylindrical("z")
    motion = traced(kind, (0,), False, False)
    drives = rng.normal(size=(3, 1))
    h = hinge(motion)(np.zeros(0), rng.normal(size=1), rng.normal(size=1), 0.0, drives)
    whole = hinge(traced(kind, (), False, False))
    q = np.append(drives[0], 0.0)
    all_free = whole(np.zeros(0), q, np.zeros(2), 0.0, np.zeros((3, 0)))
    np.testing.assert_allclose(h.excited, all_free.modes[:, 0] * drives[1], atol=EXACT)
    np.testing.assert_allclose(np.concatenate(h.bias), all_free.modes[:, 0] * drives[2], atol=EXACT)


def test_a_hinge_is_made_once():
    motion = traced(jd.Revolute("y"), (), False, False)
    assert hinge(motion) is hinge(motion)
