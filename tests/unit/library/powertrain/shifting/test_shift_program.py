"""Capacities over a sequence of gears."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

GEARS = {1: {"A", "FW"}, 2: {"A", "E"}, 3: {"A", "D"}}
TORQUES = {"A": 900.0, "D": 400.0, "E": 600.0}


def test_elements_come_and_go():
    found = pt.shift_program(GEARS, [(0.0, 1), (2.0, 2), (4.0, 3)], TORQUES, ramp=0.4)
    assert set(found) == set(TORQUES)
    t = np.array([0.0, 1.9, 2.2, 2.5, 4.0, 4.1, 4.2, 4.3, 9.0])
    np.testing.assert_allclose(found["A"](t), 900.0)
    np.testing.assert_allclose(found["E"](t), [0, 0, 300, 600, 600, 600, 300, 0, 0], atol=1e-9)
    np.testing.assert_allclose(found["D"](t), [0, 0, 0, 0, 0, 100, 200, 300, 400], atol=1e-9)


@pytest.mark.parametrize(
    ("sequence", "text"),
    [
        ([(0.0, 1), (1.0, 7)], r"the gears \['7'\], which the table does not have"),
        ([], "is empty"),
        ([(0.0, 1), (1.0, 2), (1.2, 3)], "within 0.4 s"),
    ],
)
def test_sequences_that_are_none(sequence, text):
    with pytest.raises(ModelError, match=text):
        pt.shift_program(GEARS, sequence, TORQUES)
