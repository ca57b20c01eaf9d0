"""What must hold for every one-step nonsmooth problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.solvers.nonsmooth import (
    Bilateral,
    Disc,
    Friction,
    HalfLine,
    Layout,
    Problem,
    Segment,
    residual,
    solve,
)
from jourdain.solvers.nonsmooth.complementarity import lcp_of
from jourdain.solvers.nonsmooth.lemke import enumerate_lcp
from jourdain.solvers.nonsmooth.residual import weights

seeds = st.integers(0, 2**32 - 1)
METHODS = ["auto", "gauss_seidel", "newton", "interior_point"]
MAY_FAIL = ["gauss_seidel", "interior_point"]
SMOOTH_SETS = (
    Bilateral((0, 1)),
    HalfLine(2),
    Segment(3, -0.2, 0.3),
    Disc((4, 5), 0.4),
    HalfLine(6),
)


def contacts(mu, planar):
    """Blocks of contacts one behind the other."""
    width = 2 if planar else 3
    for k, m in enumerate(mu):
        yield HalfLine(width * k)
        yield Friction(width * k, tuple(range(width * k + 1, width * k + width)), float(m))


def draw(seed, n, rank, blocks):
    """Problem of a mechanical system: ``G = J Jᵀ``, c the velocity of a free motion."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, rank))
    return Problem(J @ J.T, J @ rng.normal(size=rank), blocks)


@pytest.mark.slow
@given(seed=seeds, count=st.integers(1, 3), mu=st.floats(0.0, 1.0))
def test_planar_friction_agrees_with_enumeration(seed, count, mu):
    """Methods end in one of the solutions that trying all states finds.

    Sweeps alone may run in circles where friction is large, a path may end early; both say so.
    """
    blocks = tuple(contacts([mu] * count, planar=True))
    problem = draw(seed, 2 * count, 2 * count + 2, blocks)
    lcp = lcp_of(problem)
    expected = [lcp.T @ z + lcp.t for z in enumerate_lcp(lcp.M, lcp.q, 1e-8)]
    assert expected
    for method in [*METHODS, "lemke"]:
        found = solve(problem, method=method)
        assert found.is_converged or method in MAY_FAIL, method
        if not found.is_converged:
            continue
        scale = 1.0 + np.abs(found.r).max()
        away = min(np.abs(problem.G @ (found.r - r)).max() for r in expected)
        assert away <= 1e-6 * scale, method


@pytest.mark.slow
@given(seed=seeds, count=st.integers(1, 3), rank=st.integers(1, 6), mu=st.floats(0.5, 4.0))
def test_solved_if_and_only_if_there_is_a_solution(seed, count, rank, mu):
    """Any c, redundant contacts and large friction (Painlevé): some have no solution at all."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(2 * count, rank))
    blocks = tuple(contacts([mu] * count, planar=True))
    problem = Problem(J @ J.T, rng.normal(size=2 * count), blocks)
    lcp = lcp_of(problem)
    found = solve(problem)
    assert found.is_converged == bool(enumerate_lcp(lcp.M, lcp.q, 1e-9))
    assert found.is_converged != bool(found.worst)


@pytest.mark.slow
@given(seed=seeds, rank=st.integers(3, 10))
def test_without_friction_velocities_are_unique(seed, rank):
    """A convex problem: all methods give the same u, also where G is singular."""
    problem = draw(seed, 7, rank, SMOOTH_SETS)
    expected = solve(problem, method="interior_point")
    assert expected.is_converged
    for method in ("auto", "newton"):
        found = solve(problem, method=method)
        assert found.is_converged
        np.testing.assert_allclose(found.u, expected.u, atol=1e-7)


@given(seed=seeds, count=st.integers(1, 6), rank=st.integers(3, 18), mu=st.floats(0.0, 1.5))
def test_contacts_take_energy_and_never_give(seed, count, rank, mu):
    """``r·u ≤ 0``: friction against sliding; so energy changes by ``r·u - r·G r / 2 ≤ 0``."""
    problem = draw(seed, 3 * count, rank, Layout.contacts(np.full(count, mu)))
    found = solve(problem)
    assert found.is_converged
    size = np.linalg.norm(found.r) * np.linalg.norm(problem.c)
    work = found.r @ found.u
    assert work <= 1e-9 * size
    assert work - found.r @ problem.G @ found.r / 2 <= 1e-9 * size
    assert residual(problem, found.r) <= 1e-9


@given(seed=seeds, mu=st.floats(0.0, 1.0))
def test_the_same_contact_twice_moves_as_once(seed, mu):
    """Redundant contacts share the load; the motion is that of one."""
    rng = np.random.default_rng(seed)
    J, v = rng.normal(size=(3, 5)), rng.normal(size=5)
    once = solve(Problem(J @ J.T, J @ v, Layout.contacts([mu])))
    JJ = np.vstack([J, J, J])
    thrice = solve(Problem(JJ @ JJ.T, JJ @ v, Layout.contacts([mu] * 3)))
    assert thrice.is_converged
    for k in range(3):
        np.testing.assert_allclose(thrice.u[3 * k : 3 * k + 3], once.u, atol=1e-7)
    together = thrice.r.reshape(3, 3).sum(axis=0)
    np.testing.assert_allclose(together, once.r, atol=1e-6 * (1 + np.abs(once.r).max()))


@given(seed=seeds, a=st.floats(-9.0, 9.0), b=st.floats(-9.0, 9.0))
def test_units_do_not_matter(seed, a, b):
    """``G → 10^a G, c → 10^b c``: impulses by 10^(b - a), velocities by 10^b."""
    one = draw(seed, 9, 14, Layout.contacts([0.2, 0.5, 0.1]))
    other = Problem(10.0**a * one.G, 10.0**b * one.c, one.blocks)
    rng = np.random.default_rng(seed)
    r = rng.normal(size=9)
    assert residual(other, 10.0 ** (b - a) * r, weights(other)) == pytest.approx(
        residual(one, r, weights(one)), rel=1e-9
    )
    found, expected = solve(other), solve(one)
    assert found.is_converged
    assert expected.is_converged
    np.testing.assert_allclose(found.u / 10.0**b, expected.u, atol=1e-6)


@given(seed=seeds)
def test_the_order_of_rows_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    problem = draw(seed, 7, 9, SMOOTH_SETS)
    order = rng.permutation(7)
    place = [int(k) for k in np.argsort(order)]  # old row k is new row place[k]
    blocks = [
        Bilateral((place[0], place[1])), HalfLine(place[2]), Segment(place[3], -0.2, 0.3),
        Disc((place[4], place[5]), 0.4), HalfLine(place[6]),
    ]  # fmt: skip
    found = solve(Problem(problem.G[np.ix_(order, order)], problem.c[order], blocks))
    assert found.is_converged
    np.testing.assert_allclose(found.u[place], solve(problem).u, atol=1e-8)


@given(seed=seeds, mu=st.floats(0.01, 1.0), angle=st.floats(0.0, 6.28))
def test_isotropic_friction_knows_no_direction(seed, mu, angle):
    """Turned tangents give turned impulses."""
    problem = draw(seed, 3, 5, Layout.contacts([mu]))
    c, s = np.cos(angle), np.sin(angle)
    Q = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    turned = solve(Problem(Q @ problem.G @ Q.T, Q @ problem.c, problem.blocks))
    np.testing.assert_allclose(Q.T @ turned.u, solve(problem).u, atol=1e-8)
