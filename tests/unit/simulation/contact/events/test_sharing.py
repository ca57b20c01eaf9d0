"""Forces shared out among rows that rest where more rest than the machine can tell apart."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.events.modes import FORCE, RESTS, STICKS, UNSEEN, WAY, decide
from jourdain.simulation.contact.events.sharing import share
from jourdain.simulation.contact.rows import Rows, Touch


class Given:
    """Elements on one inertia of 1 kg: friction of capacities, freewheels."""

    def __init__(self, capacities, freewheels=0):
        brakes = [
            Touch(f"b{k}", None, (k,), jd.Interval(a), has_gap=False)
            for k, a in enumerate(capacities)
        ]
        n = len(brakes)
        free = [
            Touch(f"f{k}", n + k, (), jd.Unilateral(), has_gap=False) for k in range(freewheels)
        ]
        self.touches = brakes + free

    def together(self, k):
        return [k]


def shared(load, capacities, freewheels=0):
    contacts = Given(capacities, freewheels)
    n = len(contacts.touches)
    W, limits = np.ones((n, 1)), np.zeros((n, 2))
    limits[: len(capacities)] = np.array(capacities)[:, None]
    none = np.zeros(n)
    rows = Rows(none, none, none, limits, W, W, np.array([float(load)]))
    free = range(len(capacities), n)
    found = decide(contacts, rows, free, 0.0)
    share(contacts, rows, found)
    return found, rows


def test_rows_that_can_be_told_apart_are_left_alone():
    found, _ = shared(1.0, [2.0])
    assert found.modes.numbers[0, STICKS] == 1.0
    assert found.modes.numbers[0, WAY] == 0.0


@pytest.mark.parametrize("load", [0.0, 1.0, -3.0, 4.9, 5.0])
def test_one_of_parallel_brakes_is_held_and_far_from_its_limit(load):
    """Of 2, 3 and 0 N the largest is held; what it cannot carry is given to the others."""
    found, _ = shared(load, [2.0, 3.0, 0.0])
    numbers = found.modes.numbers
    np.testing.assert_array_equal(numbers[:, STICKS], [0.0, 1.0, 0.0])
    assert all(found.modes.sticks(k) for k in range(3))
    assert np.abs(numbers[:, WAY]).max() <= 1.0
    given = -numbers[:, WAY] * [2.0, 3.0, 0.0]
    np.testing.assert_allclose(given.sum(), -load, atol=1e-9)
    assert abs(given[1]) <= max(0.0, abs(load) - 2.0) + 1e-9


def test_brakes_that_cannot_hold_slide_together():
    found, _ = shared(5.1, [2.0, 3.0, 0.0])
    assert not found.modes.sticking
    np.testing.assert_array_equal(found.modes.numbers[:, WAY], 1.0)


def test_a_freewheel_that_holds_lets_a_brake_rest():
    found, _ = shared(-7.0, [2.0], freewheels=1)
    numbers = found.modes.numbers
    assert found.modes.word(0) == "stick"
    assert found.modes.is_closed(1)
    assert numbers[1, FORCE] >= 5.0 - 1e-9
    np.testing.assert_allclose(numbers[1, FORCE] - 2.0 * numbers[0, WAY], 7.0, atol=1e-9)
    assert (numbers[:, RESTS].sum() + (numbers[:, 5] >= UNSEEN).sum()) == 1
