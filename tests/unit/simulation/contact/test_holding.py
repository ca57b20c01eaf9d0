"""Contacts that last within a step: modes and laws."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.holding import Holding
from jourdain.simulation.contact.rows import Rows, Touch
from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Segment


class Given:
    """A rough contact in space, a stop, and a brake, without a model."""

    touches = (
        Touch("table", 0, (1, 2), jd.Coulomb(0.5), has_gap=True),
        Touch("stop", 3, (), jd.Unilateral(), has_gap=True),
        Touch("brake", None, (4,), jd.Interval(2.0), has_gap=False),
        Touch("pad", None, (5, 6), jd.Interval(3.0), has_gap=False),
    )

    @staticmethod
    def together(k):
        return [k]


@pytest.fixture
def rows():
    capacity = np.array([[0.5, 0.5], [0.0, 0.0], [2.0, 2.0], [3.0, 3.0]])
    u = np.array([0.0, 3.0, 4.0, 0.0, -1.0, 0.0, 0.0])
    unit = np.eye(7)
    return Rows(np.zeros(4), u, 0.0 * u, capacity, unit, unit, np.full(7, -1.0))


@pytest.fixture
def holding(rows):
    found = Holding({0, 1})
    found.heed(Given, rows.u, 1e-9)
    return found


def test_what_moves_slides(holding):
    assert set(holding.slides) == {0, 2}
    np.testing.assert_allclose(holding.slides[0], [0.6, 0.8])
    words = [holding.word(Given, k) for k in range(4)]
    assert words == ["slip", "contact", "slip", "stick"]
    assert Holding().word(Given, 0) == "open"


def test_forces_of_what_slides_follow_their_normal_force(holding, rows):
    T, r0, blocks = holding.force_laws(Given, rows)
    np.testing.assert_allclose(T[1:3, 0], [-0.3, -0.4])
    np.testing.assert_allclose(r0, [0, 0, 0, 0, 2.0, 0, 0])
    assert blocks == [HalfLine(0), HalfLine(3), Disc((5, 6), 3.0)]


def test_impulses_of_what_slides_on_are_kept(holding, rows):
    known = np.array([2.0, -0.5, -0.9, 1.0, 0.15, 0.0, 0.0])
    T, r0, blocks = holding.impulse_laws(Given, rows, known, 0.1)
    np.testing.assert_allclose((T @ known + r0)[[1, 2]] - T[[1, 2]][:, [1, 2]] @ known[[1, 2]],
                               known[[1, 2]])  # fmt: skip
    assert r0[4] == 0.15
    assert blocks == [HalfLine(0), HalfLine(3), Disc((5, 6), pytest.approx(0.3))]


def test_what_sticks_has_its_law(rows):
    held = Holding({0})
    _, _, blocks = held.force_laws(Given, rows)
    assert blocks == [HalfLine(0), Friction(0, (1, 2), 0.5), Segment(4, -2.0, 2.0), Disc((5, 6), 3)]


def test_directions_turn_and_reverse(holding):
    u = np.array([0.0, 5.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    holding.turn(Given, u)
    np.testing.assert_allclose(holding.slides[0], [1.0, 0.0])
    np.testing.assert_allclose(holding.slides[2], [-1.0])  # along one tangent it cannot turn
    holding.stop_reversed(Given, u)
    assert set(holding.slides) == {0}


def test_contacts_without_force_that_open_are_let_go(holding, rows):
    forces, f = np.zeros(7), np.zeros(7)
    forces[0] = 1.0
    before = holding.copy()
    holding.drop_unloaded(Given, rows, forces, f)
    assert not holding.differs(before)  # it rests beside others
    f[3] = 0.1
    holding.drop_unloaded(Given, rows, forces, f)
    assert holding.closed == {0}
    assert before.closed == {0, 1}
    assert holding.differs(before)
