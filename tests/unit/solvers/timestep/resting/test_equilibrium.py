"""Systems of blocks against dense ones; impulses that hold, and proofs that none do."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.timestep.resting import elimination
from jourdain.solvers.timestep.resting.elimination import Elimination
from jourdain.solvers.timestep.resting.equilibrium import Equilibrium
from jourdain.solvers.timestep.resting.interior import CompiledEquilibrium
from jourdain.solvers.timestep.resting.sharing import Sharing


@pytest.mark.parametrize(("n", "m"), [(1, 2), (7, 15), (30, 80)])
def test_factors_of_blocks_solve_the_dense_system(rng, n, m):
    pairs = rng.integers(-1, n, (m, 2))
    pairs[pairs[:, 0] == pairs[:, 1], 1] = -1
    S = rng.normal(size=(m, 2, 3, 6))
    S[pairs < 0] = 0.0
    H, M = (np.array([x @ x.T + np.eye(len(x)) for x in rng.normal(size=size)])
            for size in ((m, 3, 3), (n, 6, 6)))  # fmt: skip
    dense = np.zeros((6 * n, 6 * n))
    for i in range(n):
        dense[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = M[i]
    for k in range(m):
        J = np.zeros((3, n, 6))
        for side in range(2):
            if pairs[k, side] >= 0:
                J[:, pairs[k, side]] += S[k, side]
        dense += J.reshape(3, -1).T @ H[k] @ J.reshape(3, -1)
    system, right = Elimination(n, pairs), rng.normal(size=6 * n)
    assert system.factor(M, S, H)
    np.testing.assert_allclose(dense @ system.solve(right), right, atol=1e-9)


def test_a_matrix_that_is_not_positive_has_no_factors():
    system = Elimination(1, np.array([[0, -1]]))
    assert not system.factor(-np.eye(6)[None], np.zeros((1, 2, 3, 6)), np.zeros((1, 3, 3)))


def _box(friction, kind=Equilibrium):
    """A box of 1 kg on four corners, 0.2 m wide, its centre 0.1 m above the floor."""
    S, n = np.zeros((4, 2, 3, 6)), np.eye(3)[[2, 0, 1]]
    for k in range(4):
        arm = np.array([0.1 * (-1) ** k, 0.1 * (-1) ** (k // 2), -0.1])
        S[k, 1, :, :3], S[k, 1, :, 3:] = np.cross(arm, n), n
    S[:, :, 1:] *= friction
    M = np.diag([1 / 150] * 3 + [1.0] * 3)[None]
    pairs = np.tile([-1, 0], (4, 1))
    return kind(M, np.linalg.inv(M), S, pairs, np.array([[0.08] * 3 + [1.0] * 3]))


@pytest.mark.parametrize("kind", [Equilibrium, CompiledEquilibrium])
@pytest.mark.parametrize(
    ("friction", "push", "rests"),
    [
        (0.4, 0.4 - 1e-9, True), (0.4, 0.4 + 1e-9, False),  # slides
        (2.0, 1.0 - 1e-9, True), (2.0, 1.0 + 1e-9, False),  # tips
    ],
)  # fmt: skip
def test_rest_ends_where_a_box_slides_or_tips(friction, push, rests, kind):
    box = _box(friction, kind)
    p = np.array([0, 0, 0, push, 0, -1.0])
    assert box.find(p, np.zeros((4, 3)), 1e-12) is rests
    if rests:
        total = sum(box.z[k] for k in range(4))
        np.testing.assert_allclose(total, [1.0, -push / friction, 0.0], atol=1e-11)
        assert np.all(box.z[:, 0] >= np.hypot(box.z[:, 1], box.z[:, 2]))


def test_impulses_are_adjusted_to_other_loads():
    box = _box(0.4)
    assert box.find(np.array([0, 0, 0, 0.1, 0, -1.0]), np.zeros((4, 3)), 1e-12)
    z = box.adjust(np.array([0, 0, 0, 0.12, 0.01, -1.1]), 1e-12)
    np.testing.assert_allclose(z.sum(axis=0), [1.1, -0.3, -0.025], atol=1e-11)
    assert box.adjust(np.array([0, 0, 0, 0.5, 0.0, -1.0]), 1e-12) is None


def _ball(friction, rolling, drilling):
    """A ball of 1 kg and 0.1 m that lies on the floor, as its three cones."""
    n, S = np.eye(3)[[2, 0, 1]], np.zeros((3, 2, 3, 6))
    S[0, 1, :, :3], S[0, 1, :, 3:] = np.cross([0, 0, -0.1], n), n
    S[0, 1, 1:] *= friction
    S[1, 1, 1:, :3] = rolling * n[1:]
    S[2, 1, 1, :3] = drilling * n[0]
    M = np.diag([0.004] * 3 + [1.0] * 3)[None]
    pairs, radius = np.tile([-1, 0], (3, 1)), np.array([[0.06] * 3 + [1.0] * 3])
    sharing = Sharing(1, np.zeros(1, dtype=int))
    return Equilibrium(M, np.linalg.inv(M), S, pairs, radius, sharing)


@pytest.mark.parametrize("part", [1.0 - 1e-6, 1.0 + 1e-6])
@pytest.mark.parametrize("limit", ["rolling", "drilling", "friction", "all"])
def test_rest_ends_where_a_ball_rolls_drills_or_slides(limit, part):
    """Each limit is reached though the others are nearly used up: they are not added."""
    near = 1.0 - 1e-5
    parts = {name: part if limit in (name, "all") else near
             for name in ("friction", "rolling", "drilling")}  # fmt: skip
    force, turn = 0.3 * parts["friction"], 0.002 * parts["rolling"]
    p = np.array([0, 0.1 * force + turn, 0.001 * parts["drilling"], 0, 0, -1.0])
    p[3] = -force  # friction +force along x turns by −0.1 force about y
    ball = _ball(0.3, 0.002, 0.001)
    assert ball.find(p, np.zeros((3, 3)), 1e-10) is (part < 1.0)
    if part < 1.0:
        np.testing.assert_allclose(ball.z[:, 0], 1.0, rtol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_machine_code_walks_the_same_path(seed):
    """Random bodies and contacts; every second load can be held, as it is made of impulses."""
    rng = np.random.default_rng(seed)
    n, m = 4, 14
    pairs = np.column_stack([rng.integers(-1, n, m), rng.integers(0, n, m)])
    pairs[pairs[:, 0] == pairs[:, 1], 0] = -1
    S = rng.normal(size=(m, 2, 3, 6))
    S[pairs < 0] = 0.0
    M = np.array([np.diag([*rng.uniform(0.1, 1.0, 3), 1.0, 1.0, 1.0]) for _ in range(n)])
    given = M, np.linalg.inv(M), S, pairs, np.ones((n, 6))
    p, inside = np.zeros((n, 6)), rng.uniform(-0.3, 0.3, (m, 3))
    inside[:, 0] += 1.0
    for k, side in zip(*np.nonzero(pairs >= 0), strict=True):
        p[pairs[k, side]] -= inside[k] @ S[k, side]
    p = p.ravel() if seed % 2 else 3.0 * rng.normal(size=6 * n)
    plain, compiled = Equilibrium(*given), CompiledEquilibrium(*given)
    start = np.abs(rng.normal(size=(m, 3)))
    holds = plain.find(p, start, 1e-11)
    assert compiled.find(p, start, 1e-11) is holds is bool(seed % 2)
    np.testing.assert_allclose(compiled.z, plain.z, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(compiled.x, plain.x, rtol=1e-6, atol=1e-7)
    if holds:
        left = p.reshape(n, 6).copy()
        for k, side in zip(*np.nonzero(pairs >= 0), strict=True):
            left[pairs[k, side]] += compiled.z[k] @ S[k, side]
        assert np.abs(left).max() < 1e-10
        more = p * (1.0 + 1e-4)
        np.testing.assert_allclose(
            compiled.adjust(more, 1e-11), plain.adjust(more, 1e-11), rtol=1e-6, atol=1e-7
        )


def test_many_units_are_ordered_by_another_way(rng, monkeypatch):
    """With and without a full table of units the systems have the same solution."""
    n, m = 12, 25
    pairs = rng.integers(-1, n, (m, 2))
    pairs[pairs[:, 0] == pairs[:, 1], 1] = -1
    S = rng.normal(size=(m, 2, 3, 6))
    S[pairs < 0] = 0.0
    H, M = np.tile(np.eye(3), (m, 1, 1)), np.tile(np.eye(6), (n, 1, 1))
    right, found = rng.normal(size=6 * n), []
    for most in (n, 0):
        monkeypatch.setattr(elimination, "_FEW", most)
        system = Elimination(n, pairs)
        assert sorted(system.order) == list(range(n))
        assert system.factor(M, S, H)
        found.append(system.solve(right))
    np.testing.assert_allclose(*found, rtol=1e-10)
