"""Solve one-step problems with known answers."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import (
    Bilateral,
    Disc,
    Friction,
    HalfLine,
    Layout,
    Problem,
    Segment,
    solve,
)

ONE_CONTACT = (HalfLine(0), Friction(0, (1, 2), 0.5))


def test_a_bilateral_row_stands_still():
    G = np.array([[2.0, 1.0], [1.0, 3.0]])
    s = solve(Problem(G, [1.0, -4.0], [Bilateral((0, 1))]))
    np.testing.assert_allclose(s.r, np.linalg.solve(G, [-1.0, 4.0]), rtol=1e-14)
    np.testing.assert_allclose(s.u, 0.0, atol=1e-14)
    assert s.is_converged
    assert s.worst == ()


@pytest.mark.parametrize(("c", "r", "u"), [(-3.0, 1.5, 0.0), (3.0, 0.0, 3.0)])
def test_a_half_line_pushes_or_opens(c, r, u):
    s = solve(Problem([[2.0]], [c], [HalfLine(0)]))
    assert s.r[0] == pytest.approx(r, abs=1e-15)
    assert s.u[0] == pytest.approx(u, abs=1e-15)


@pytest.mark.parametrize(("c", "r", "u"), [(-3.0, 1.0, -1.0), (3.0, -0.5, 2.0), (0.4, -0.2, 0.0)])
def test_a_segment_holds_or_gives_way(c, r, u):
    s = solve(Problem([[2.0]], [c], [Segment(0, -0.5, 1.0)]))
    assert s.r[0] == pytest.approx(r, abs=1e-15)
    assert s.u[0] == pytest.approx(u, abs=1e-15)


def test_a_disc_gives_way_against_the_velocity():
    s = solve(Problem(2.0 * np.eye(2), [-6.0, 8.0], [Disc((0, 1), 1.0)]))
    np.testing.assert_allclose(s.r, [0.6, -0.8], rtol=1e-14)
    np.testing.assert_allclose(s.u, [-4.8, 6.4], rtol=1e-14)


def test_a_contact_opens_sticks_and_slides():
    open_, stick, slide = (
        solve(Problem(np.eye(3), c, ONE_CONTACT))
        for c in ([1.0, 2.0, 0.0], [-1.0, 0.3, -0.4], [-1.0, 3.0, -4.0])
    )
    np.testing.assert_array_equal(open_.r, 0.0)
    np.testing.assert_allclose(stick.r, [1.0, -0.3, 0.4], rtol=1e-14)
    np.testing.assert_allclose(slide.r, [1.0, -0.3, 0.4], rtol=1e-14)
    np.testing.assert_allclose(slide.u, [0.0, 2.7, -3.6], atol=1e-14)


def test_an_ellipse_is_a_disc_in_scaled_rows():
    scale = np.diag([1.0, 0.5, 0.2])
    A = np.array([[3.0, 0.5, 0.2], [0.5, 2.0, 0.3], [0.2, 0.3, 1.0]])
    c = np.array([-1.0, 2.0, 3.0])
    one = solve(Problem(A, c, [HalfLine(0), Friction(0, (1, 2), (0.5, 0.2))]))
    other = solve(Problem(scale @ A @ scale, scale @ c, [HalfLine(0), Friction(0, (1, 2), 1.0)]))
    np.testing.assert_allclose(one.r, scale @ other.r, rtol=1e-13)
    assert one.is_converged


def test_sliding_and_drilling_friction_lean_on_one_normal():
    blocks = [HalfLine(0), Friction(0, (1, 2), 0.5), Friction(0, (3,), 0.01)]
    s = solve(Problem(np.eye(4), [-1.0, 0.3, 0.0, 2.0], blocks))
    np.testing.assert_allclose(s.r, [1.0, -0.3, 0.0, -0.01], atol=1e-14)
    assert s.is_converged


def test_contacts_in_bulk_are_the_same_blocks():
    rng = np.random.default_rng(3)
    J = rng.normal(size=(6, 8))
    mu = np.array([0.3, 0.7])
    blocks = [HalfLine(0), Friction(0, (1, 2), 0.3), HalfLine(3), Friction(3, (4, 5), 0.7)]
    one = solve(Problem(J @ J.T, rng.normal(size=6), blocks))
    other = solve(Problem(J @ J.T, one.u - J @ J.T @ one.r, Layout.contacts(mu)))
    np.testing.assert_allclose(one.r, other.r, atol=1e-9)


@pytest.mark.parametrize("c", [(0.0, -1.0), (1.0, 0.0)])
@pytest.mark.parametrize("method", ["auto", "gauss_seidel", "newton", "interior_point", "lemke"])
def test_laws_that_contradict_are_never_called_solved(c, method):
    """``u_1 = u_0 - 1`` can not be held at zero and above it at once."""
    s = solve(Problem(np.ones((2, 2)), c, [Bilateral((0,)), HalfLine(1)]), method=method)
    assert not s.is_converged
    assert s.worst


def test_redundant_rows_that_contradict_are_named():
    blocks = [HalfLine(0), Bilateral((1, 2))]
    G = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    s = solve(Problem(G, [-1.0, 0.0, 1.0], blocks))
    assert not s.is_converged
    assert s.worst == (1,)
    assert s.r[0] == pytest.approx(1.0)


def test_nothing_to_solve():
    for method in ("auto", "gauss_seidel", "newton", "interior_point", "lemke"):
        s = solve(Problem(np.zeros((0, 0)), np.zeros(0), []), method=method)
        assert s.is_converged
        assert len(s.r) == 0


def test_a_solution_as_start_is_kept():
    problem = Problem(np.eye(3), [-1.0, 3.0, -4.0], ONE_CONTACT)
    first = solve(problem)
    again = solve(problem, first.r)
    assert again.iterations == 0
    np.testing.assert_array_equal(again.r, first.r)


def test_a_start_that_is_not_finite_does_no_harm():
    s = solve(Problem(np.eye(3), [-1.0, 3.0, -4.0], ONE_CONTACT), [np.nan, np.inf, 0.0])
    assert s.is_converged
    np.testing.assert_allclose(s.r, [1.0, -0.3, 0.4], rtol=1e-14)
