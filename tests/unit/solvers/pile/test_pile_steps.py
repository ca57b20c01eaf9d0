"""Steps of many bodies: the parts of one, against what they must be."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.model import Frame
from jourdain.model.contours import HalfSpace, Sphere, tangents
from jourdain.solvers.collision import ContactFinder
from jourdain.solvers.nonsmooth import Friction, HalfLine, Problem, solve
from jourdain.solvers.pile.islands import sort_by_island
from jourdain.solvers.pile.laws import directions
from jourdain.solvers.pile.matching import place_of, recall, remember
from jourdain.solvers.pile.motion import spun
from jourdain.solvers.pile.pile import Pile
from jourdain.solvers.pile.rows import axes_into
from jourdain.solvers.pile.units import Group, Loose, PairLaw
from jourdain.solvers.pile.vectors import rotation_into, turned_into

RADIUS, H = 0.1, 1e-3


def heap(places, friction=0.3, restitution=0.0, **more):
    """Balls of one kilogram on the ground."""
    n = len(places)
    moment = 0.4 * RADIUS**2
    row = [1.0, 0, 0, 0, *(moment * np.eye(3)).ravel(), *(np.eye(3) / moment).ravel(), 0.06]
    loose = Loose(np.tile(row, (n, 1)), 7 * np.arange(n), 6 * np.arange(n))
    contours = [HalfSpace(Frame("world")), *(Sphere(Frame(f"b{k}"), RADIUS) for k in range(n))]
    frames = np.tile([*np.eye(3).ravel(), 0, 0, 0], (n + 1, 1))
    units, reach = np.arange(-1, n), np.full(n + 1, RADIUS)
    kinds, table, apart = np.zeros(n + 1, int), np.zeros((1, 1), int), np.zeros((0, 2), int)
    laws = (PairLaw(friction, restitution),)
    group = Group(ContactFinder(contours), units, frames, reach, laws, kinds, table, apart)
    q = np.concatenate([[*place, 1.0, 0, 0, 0] for place in places])
    return Pile(loose, [group], (0, 0, -9.81), **more), q, np.zeros(6 * n)


def test_impulses_solve_the_contact_equations():
    """The matrix of all contacts, formed here, and the solver for small problems."""
    places = [(-0.09999, 0, 0.1), (0.09999, 0, 0.1), (0, 0, 0.1 + 0.1999 * np.sqrt(0.75))]
    pile, q, v = heap(places, tolerance=1e-14, iterations=5000)
    v[12:15] = (0.3, 0.5, -1.0)
    pile.step(q, v, 0.0, H, is_corrected=False)
    assert pile.count == 5
    W = np.column_stack([pile.rates(e).ravel() for e in np.eye(18)])
    inverse = np.tile([1 / (0.4 * RADIUS**2)] * 3 + [1.0] * 3, 3)
    blocks = []
    for k in range(5):
        blocks += [HalfLine(3 * k), Friction(3 * k, (3 * k + 1, 3 * k + 2), 0.3)]
    wanted = solve(Problem(W * inverse @ W.T, W @ pile.free, tuple(blocks)), tol=1e-13)
    np.testing.assert_allclose(pile.x - pile.free, inverse * (W.T @ wanted.r), atol=1e-9)
    assert pile.residual < 1e-10


def test_a_step_of_rest_changes_nothing():
    pile, q, v = heap([(0, 0, 0.1 - 1e-9), (1.0, 0, 0.1 - 1e-9)])
    start = q.copy()
    for _ in range(5):
        pile.step(q, v, 0.0, H)
    np.testing.assert_array_equal(q, start)
    assert not v.any()
    assert pile.n_islands == 2


def test_overlap_is_taken_away():
    pile, q, v = heap([(0, 0, 0.1), (0, 0, 0.2999)])
    pile.step(q, v, 0.0, H)
    assert q[9] - q[2] == pytest.approx(0.2, abs=3e-8)
    assert pile.penetration < 1e-7


def test_a_fast_rebound_is_left_to_its_own_step():
    """With restitution a ball is not stopped before it touches."""
    pile, q, v = heap([(0, 0, 0.1 + 0.6e-3)], restitution=1.0)
    v[2] = -1.0
    pile.step(q, v, 0.0, H)
    assert v[2] < -1.0
    pile.step(q, v, 0.0, H)
    assert v[2] == pytest.approx(1.0, abs=2e-2)


def test_islands_hold_what_touches():
    units = np.array([0, 1, -1, 2, 1, 3])  # 0-1, world-2, 1-3
    parent = np.array([0, 0, 2, 0, 4])  # 4 touches nobody
    island, first, order, members, at_member = (np.zeros(8, dtype=np.int64) for _ in range(5))
    count = sort_by_island(3, 5, units, parent, island, first, order, members, at_member)
    assert count == 2
    assert island[:5].tolist() == [0, 0, 1, 0, -1]
    assert order[:3].tolist() == [0, 2, 1]
    assert first[:3].tolist() == [0, 2, 3]
    assert members[:4].tolist() == [0, 1, 3, 2]
    assert at_member[:3].tolist() == [0, 3, 4]


def test_impulses_are_found_again_by_pair_and_feature():
    old = np.array([0, 1, 5, 0, 2, 5, 1, 2, -7])
    new = np.array([1, 2, -7, 0, 1, 6, 0, 2, 5])
    arms = np.tile(np.r_[np.eye(3).ravel(), np.zeros(6)], 3)
    r = np.array([1.0, 0.1, 0.2, 2.0, 3.0, 4.0, 5.0, 0.0, 1.0])
    table, kept, found = np.zeros(8, dtype=np.int64), np.zeros(9), np.zeros(9)
    remember.function(3, old, table, r, arms, 8, kept)
    none = np.full(3, -1)
    recall.function(3, new, old, table, kept, 8, arms, np.full(3, 0.5), none, 1.0, found)
    cut = 2.0 * 0.5 / 5.0  # friction of the middle one is brought into its cone
    np.testing.assert_allclose(found, [5, 0, 1, 0, 0, 0, 2, 3 * cut, 4 * cut])
    assert 0 <= place_of(np.array([3, 4, -9]), 0, 8) < 8


def test_free_rotation_keeps_energy_and_momentum(rng):
    """(CT-15): both are kept to rounding by one step."""
    moments, h = np.array([0.02, 0.03, 0.045]), 0.02
    P = np.concatenate([[1, 0, 0, 0], np.diag(moments).ravel(), np.diag(1 / moments).ravel(), [1]])
    w = np.concatenate([rng.uniform(-5, 5, 3), np.zeros(12)])
    spun(w, P, 0, h)
    q, R = np.array([1.0, 0, 0, 0]), np.zeros(9)
    turned_into(q, 0, 0.5 * (w[:3] + w[3:6]), 0, h, q, 0)
    rotation_into(q, 0, R, 0)
    assert moments @ w[3:6] ** 2 == pytest.approx(moments @ w[:3] ** 2, rel=1e-13)
    np.testing.assert_allclose(R.reshape(3, 3) @ (moments * w[3:6]), moments * w[:3], atol=1e-15)


def test_axes_of_a_contact_are_right_handed(rng):
    for _ in range(20):
        n = rng.normal(size=3)
        x = np.concatenate([n / np.linalg.norm(n), np.zeros(6)])
        axes_into(x, 0)
        np.testing.assert_allclose(x.reshape(3, 3) @ x.reshape(3, 3).T, np.eye(3), atol=1e-15)
        assert np.linalg.det(x.reshape(3, 3)) == pytest.approx(1.0)


def test_elliptic_contacts_have_the_directions_of_single_ones(rng):
    normals = rng.normal(size=(20, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    for n, found in zip(normals, directions(normals), strict=True):
        np.testing.assert_allclose(found, tangents(n), atol=1e-15)
