"""Records of a run."""

import dataclasses

import numpy as np
import pytest

from jourdain.results import Event, Statistics


def test_records_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Statistics().steps = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        Event("hit", 0.3, np.zeros(1), np.zeros(1)).time = 0.4


def test_a_run_of_unknown_origin_counts_as_complete():
    unknown = Statistics()
    assert unknown.is_complete
    assert unknown.steps == 0
    assert np.isnan(unknown.t_end_wanted)


def test_an_event_is_shown_in_a_line():
    """Its state would fill a page for machines with many bodies."""
    hit = Event("floor", 0.25, np.zeros(70), np.zeros(60), "impact", {"energy": -0.5})
    assert repr(hit) == "<impact 'floor' at 0.25 s, -0.5 J>"
    assert str([Event("top", 1.5, np.zeros(1), np.zeros(1))]) == "[<event 'top' at 1.5 s>]"
