"""Contacts that rest and stick are solved by one linear system, and only those."""

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Problem, Segment, solve
from jourdain.solvers.nonsmooth.small.held import held

EPS = np.finfo(float).eps


def contact(mu, slide):
    """One contact that presses with 2 and is pulled sideways."""
    G = np.array([[2.0, 0.5, 0.0], [0.5, 3.0, 0.2], [0.0, 0.2, 1.0]])
    r = np.array([2.0, slide, 0.0])
    return Problem(G, -G @ r, [HalfLine(0), Friction(0, (1, 2), mu)]), r


@pytest.mark.parametrize("mu", [0.5, (0.5, 0.1), 7.0])
def test_what_sticks_within_its_friction(mu):
    problem, r = contact(mu, 0.9)
    found = solve(problem, tol=1e-13)
    assert found.method == "held"
    np.testing.assert_allclose(found.r, r, rtol=0, atol=100 * EPS)
    assert found.residual <= 1e-13


@pytest.mark.parametrize("mu", [0.4, (0.4, 9.0), 0.0])
def test_what_slides_is_left_to_others(mu):
    problem, _ = contact(mu, 0.9)
    assert held(problem) is None
    assert solve(problem, tol=1e-12).method != "held"


def test_limits_of_dry_friction_and_contacts_that_pull():
    G, c = np.eye(3), np.array([-1.0, 0.3, 0.4])
    assert held(Problem(G, c, [HalfLine(0), Disc((1, 2), 0.5)])) is not None
    assert held(Problem(G, c, [HalfLine(0), Disc((1, 2), 0.49)])) is None
    assert held(Problem(G, c, [HalfLine(0), Segment(1, -0.3, 0.3), Segment(2, -1, 1)])) is not None
    assert held(Problem(G, c, [HalfLine(0), Segment(1, -0.2, 0.3), Segment(2, -1, 1)])) is None
    assert held(Problem(G, -c, [HalfLine(0), Disc((1, 2), 0.5)])) is None


def test_more_contacts_than_freedoms_share_the_load():
    found = solve(Problem(np.ones((4, 4)), -np.ones(4), [HalfLine(k) for k in range(4)]))
    np.testing.assert_allclose(found.r, 0.25, rtol=100 * EPS)


def test_rows_that_contradict_are_not_solved():
    """Two contacts in line that are to be stopped from different speeds: one of them opens."""
    problem = Problem(np.ones((2, 2)), [-1.0, -0.5], [HalfLine(0), HalfLine(1)])
    _, residual = held(problem)
    assert residual > 0.1
    np.testing.assert_allclose(solve(problem).r, [1.0, 0.0], atol=1e-9)


def test_a_contact_that_could_leave_does_not_jam():
    """Painlevé: its own force would pull it in, 0 and 0.5 are solutions both."""
    problem = Problem([[-2.0]], [1.0], [HalfLine(0)])
    assert held(problem) is None
    assert solve(problem).r.tolist() == [0.0]
