"""Locks at an instant: which hold from now on."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.events.locks import lock_states, switched
from jourdain.simulation.contact.events.modes import STICKS, Modes
from jourdain.simulation.contact.rows import Rows, Touch

HERE = (np.zeros(1), np.zeros(1), np.zeros(0), 0.0), np.zeros(2)  # state and sizes


def one_lock(when, *, holds):
    """Contacts with a brake and a lock, and modes in which the lock holds or not."""
    touches = [
        Touch("brake", None, (0,), jd.Interval(1.0), False),
        Touch("dog", None, (1,), jd.Locked("gear"), False),
    ]
    modes = Modes.open(2)
    modes.numbers[1, STICKS] = float(holds)
    values = np.array([1.0, 1.0, 1.0, when if holds else -when])
    kernels = SimpleNamespace(indicators=lambda *_: (values,))
    return SimpleNamespace(touches=touches, kernels=kernels, p=None), modes


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("when", [-0.5, 0.0, 0.5])
def test_a_lock_holds_while_its_number_is_above_zero(when, holds):
    contacts, modes = one_lock(when, holds=holds)
    assert lock_states(contacts, modes, *HERE, ()) == {1: when > 0.0}


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("rounding", [-1e-17, 1e-17])
def test_what_has_fired_is_on_its_way(rounding, holds):
    contacts, modes = one_lock(rounding, holds=holds)
    assert lock_states(contacts, modes, *HERE, [3]) == {1: not holds}


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("rounding", [-1e-17, 1e-17])
def test_what_is_rounding_stays_as_it_is(rounding, holds):
    """A condition that is a coordinate of about one, and next to zero."""
    contacts, modes = one_lock(rounding, holds=holds)
    indicators = contacts.kernels.indicators
    contacts.kernels.indicators = lambda q, *_: (indicators()[0] + [0.0, 0.0, 0.0, q[0]],)
    state, _ = HERE
    assert lock_states(contacts, modes, state, np.ones(2), ()) == {1: holds}


def test_capacities_are_switched_for_locks_alone():
    none = np.zeros((2, 1))
    rows = Rows(np.zeros(2), np.zeros(2), np.zeros(2), np.ones((2, 2)), none, none, np.zeros(1))
    found = switched(rows, {1: False})
    assert found.capacity.tolist() == found.static.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert (switched(rows, {1: True}).capacity[1] >= 1e30).all()
    assert switched(rows, {}) is rows
