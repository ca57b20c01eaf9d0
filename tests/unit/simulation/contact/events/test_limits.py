"""Limits of forces: slacks of indicators, and samples that laws do not allow."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import IntegrationError
from jourdain.simulation.contact.events import event_driven
from jourdain.simulation.contact.events.limits import have_jumped, loads_of_rows, unlawful
from jourdain.simulation.contact.events.modes import CLOSED, STICKS, Modes
from jourdain.simulation.contact.rows import Touch


class Given:
    touches = (
        Touch("floor", 0, (1, 2), jd.Coulomb(0.5), has_gap=True),
        Touch("brake", None, (3,), jd.Interval(2.0), has_gap=False),
    )


def found(normal, friction, brake, slip=0.0, feeling=(), static=1.0, load=0.0):
    forces = np.array([[normal, *friction, 0.0, brake, 0.0]])
    rates, capacity = np.array([[0.0, 0.0, 0.0, slip]]), np.array([[0.5, 0.5, 2.0, 2.0]])
    given = forces, rates, capacity, static * capacity
    more = {"fastest": np.ones(4), "loads": lambda: np.full((1, 4), load), "feeling": feeling}
    return unlawful(Given, np.array([0.7]), *given, **more)


def test_forces_in_their_sets_are_lawful():
    assert found(10.0, (3.0, 4.0), -2.0) is None
    assert found(10.0, (3.0, 4.0), -2.0, slip=1.0) is None
    assert found(0.0, (0.0, 0.0), 0.0) is None


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ((-1.0, (0.0, 0.0), 0.0), "floor"),  # pulls
        ((10.0, (3.1, 4.0), 0.0), "floor"),  # beyond the cone
        ((10.0, (0.0, 0.0), 2.1), "brake"),  # beyond its capacity
        ((10.0, (0.0, 0.0), 2.0, 1.0), "brake"),  # along its sliding
    ],
)
def test_forces_beyond_their_sets_are_named(given, name):
    text = found(*given)
    assert f"contact '{name}'" in text
    assert "t = 0.7 s" in text


def test_limits_that_depend_on_other_forces_are_left_out():
    assert found(10.0, (0.0, 0.0), 2.1, feeling=["brake"]) is None


def test_forces_that_are_rounding_of_loads_are_none():
    """Friction of 7e-16 N that holds what nothing loads, where 2 N act on something else."""
    assert found(-7e-16, (0.0, 0.0), 0.0) is not None
    assert found(-7e-16, (0.0, 0.0), 0.0, load=2.0) is None
    assert found(-1e-9, (0.0, 0.0), 0.0, load=2.0) is not None


def test_loads_keep_rows_from_accelerating():
    W, B = np.array([[1.0, -1.0]]), np.array([[0.5, -0.25]])  # masses of 2 kg and 4 kg
    load = loads_of_rows(np.array([[3.0]]), W, B, np.array([[5.0, 2.0]]))
    np.testing.assert_allclose(load, [[(5.0 - 2.0 + 3.0) / 0.75]])


def test_static_friction_counts_at_rest_only():
    assert found(10.0, (0.0, 0.0), -2.9, static=1.5) is None
    assert found(10.0, (0.0, 0.0), -3.1, static=1.5) is not None
    assert found(10.0, (0.0, 0.0), -2.9, slip=1.0, static=1.5) is not None


def test_limits_that_have_jumped():
    modes = Modes.open(1)
    modes.numbers[0, [CLOSED, STICKS]] = 1.0
    assert not have_jumped(modes.numbers, np.array([3.0, -1e-12]), np.array([3.0, 1.0, 0.0]))
    assert have_jumped(modes.numbers, np.array([3.0, -1e-3]), np.array([3.0, 1.0, 0.0]))


@pytest.mark.without_contact_check("its modes are made wrong")
def test_a_run_whose_modes_are_wrong_is_an_error(monkeypatch):
    """A brake of 1 N that were to stick against 3 N."""
    model = jd.Model("brake", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("push", jd.Coordinate("x"), jd.Force(3.0))
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(1.0))
    right = event_driven.decide_after

    def wrong(*given):
        found = right(*given)
        found.modes.numbers[0, :4] = (0.0, 1.0, 0.0, 0.0)
        return found

    monkeypatch.setattr(event_driven, "decide_after", wrong)
    with pytest.raises(IntegrationError, match=r"contact 'brake'.* its law does not allow"):
        jd.simulate(model, 0.1, method=jd.EventDriven())
