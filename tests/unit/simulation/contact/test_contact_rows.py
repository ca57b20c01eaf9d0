"""Rows of contacts: numbering, response, restitutions."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.contact.contact_points import MODE
from jourdain.simulation.contact.events.modes import Modes, decide
from jourdain.simulation.contact.rows import Contacts
from jourdain.system.contact.kernels import ContactKernels

G = 9.81


@pytest.fixture(scope="module")
def contacts():
    """A point on a table with a spring, a stop at x = 1, and a brake."""
    model = jd.Model("point", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 2.0, unit="m")
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-2.0 * G))
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(10.0))
    table = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    law = jd.Coulomb(lambda v: 0.5 - 0.1 * v, restitution=jd.Parameter("bounce", 0.3))
    model.add_connection("table", table, law)
    stop = jd.Unilateral(1.0, side="below", restitution=lambda v: 0.8 / (1.0 + v))
    model.add_connection("stop", jd.Coordinate("x"), stop)
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(4.0))
    system = jd.compile(model)
    return Contacts(system, ContactKernels(system, {}, {}, {}), np.array([0.3]))


def rows_at(contacts, q, v):
    return contacts.rows(np.array(q, float), np.array(v, float), np.zeros(3 * MODE), 0.0)


def test_numbers_of_rows(contacts):
    table, stop, brake = contacts.touches
    assert (table.normal, table.tangents) == (0, (1,))
    assert (stop.normal, stop.tangents) == (2, ())
    assert (brake.normal, brake.tangents) == (None, (3,))
    assert contacts.n_rows == 4
    assert [x.is_rough for x in contacts.touches] == [True, False, False]
    assert [x.is_dry for x in contacts.touches] == [False, False, True]
    assert [x.has_gap for x in contacts.touches] == [True, True, False]


def test_values_of_rows(contacts):
    rows = rows_at(contacts, (0.4, 0.1), (0.5, -2.0))
    np.testing.assert_allclose(rows.gaps, [0.1, 0.6, 0.0], atol=1e-15)
    np.testing.assert_allclose(rows.u, [-2.0, 0.5, -0.5, 0.5])
    np.testing.assert_allclose(rows.capacity, [[0.45, 0.45], [0.0, 0.0], [4.0, 4.0]])
    np.testing.assert_allclose(rows.W, [[0, 1], [1, 0], [-1, 0], [1, 0]])
    np.testing.assert_allclose(rows.G, 0.5 * rows.W @ rows.W.T)
    np.testing.assert_allclose(rows.acceleration, [-G, -2.0, 2.0, -2.0])


def test_restitutions_at_the_speed_of_approach(contacts):
    rows = rows_at(contacts, (1.0, 0.0), (3.0, -2.0))
    np.testing.assert_allclose(contacts.restitutions(rows), [0.3, 0.2, 0.0])
    leaving = rows_at(contacts, (1.0, 0.0), (-3.0, 2.0))
    np.testing.assert_allclose(contacts.restitutions(leaving), [0.3, 0.8, 0.0])


# -- Modes -----------------------------------------------------------------------------------------


def words(contacts, x, v, touching, **options):
    modes = decide(contacts, rows_at(contacts, (x, 0.0), (v, 0.0)), touching, 0.0, **options).modes
    return [modes.word(k) for k in range(3)]


def test_all_open_at_first():
    assert [Modes.open(2).word(k) for k in range(2)] == ["open", "open"]
    assert Modes.open(2).closed == []


def test_friction_of_table_and_brake_hold_together(contacts):
    """The spring pulls with 10 x against μ m g = 9.81 and 4 N: it holds up to x = 1.381."""
    assert words(contacts, 1.0, 0.0, [0]) == ["stick", "open", "stick"]
    assert words(contacts, 1.38, 0.0, [0]) == ["stick", "open", "stick"]
    assert words(contacts, 1.39, 0.0, [0]) == ["slip", "open", "open"]
    assert words(contacts, 0.5, 0.0, []) == ["open", "open", "open"]
    assert words(contacts, 0.3, 0.0, []) == ["open", "open", "stick"]


def test_what_slides_slides_on(contacts):
    modes = decide(contacts, rows_at(contacts, (0.1, 0.0), (-0.2, 0.0)), [0], 0.0).modes
    assert [modes.word(k) for k in range(3)] == ["slip", "open", "open"]
    np.testing.assert_allclose(modes.numbers[[0, 2], 2], -1.0)


def test_friction_acts_along_a_given_direction_of_sliding(contacts):
    """2 kg at x = −0.5: 5 N of the spring, against 9.81 N of the table and 4 N of the brake."""
    rows = rows_at(contacts, (-0.5, 0.0), (0.0, 0.0))
    found = decide(contacts, rows, [0], 0.0, {0: np.array([1.0]), 2: np.array([1.0])})
    assert [found.modes.word(k) for k in range(3)] == ["slip", "open", "open"]
    np.testing.assert_allclose(found.accelerations[1], (5.0 - G - 4.0) / 2.0)


def test_a_stop_that_is_pulled_away_opens(contacts):
    assert words(contacts, 1.39, 0.0, [0, 1]) == ["slip", "open", "open"]


def test_a_stop_without_force_stays_closed_while_friction_holds(contacts):
    assert words(contacts, 1.0, 0.0, [0, 1]) == ["stick", "slip", "stick"]
