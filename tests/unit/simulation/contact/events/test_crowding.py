"""Events that crowd at one instant."""

import pytest

from jourdain.errors import IntegrationError
from jourdain.simulation.contact.events.crowding import Crowding


def test_events_that_are_apart_do_not_count_together():
    crowding = Crowding(within=1e-6, most=3)
    for k in range(100):
        crowding.add(1e-5 * k, 1.0, ["stop"])
    assert crowding.count == 1


def test_too_many_at_one_instant_are_refused_by_name():
    crowding = Crowding(within=1e-6, most=3)
    for k in range(3):
        crowding.add(0.5 + 1e-9 * k, 1.0, ["stop"] if k else ["brake"])
    with pytest.raises(
        IntegrationError, match=r"contacts 'stop', 'brake' change 4 times from t = "
    ):
        crowding.add(0.5 + 1e-8, 1.0, ["stop"])
