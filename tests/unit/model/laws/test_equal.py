"""The bilateral law."""

import numpy as np

from jourdain.model.laws import Equal


def test_values():
    assert Equal().at(1.0) == 0.0
    assert Equal(0.3).at(1.0) == 0.3
    assert Equal(np.array((1, 2))).at(0.0) == (1.0, 2.0)
    assert Equal(lambda t: 2 * t).at(3.0) == 6.0


def test_texts():
    assert str(Equal()) == "Equal()"
    assert str(Equal(0.3)) == "Equal(0.3)"
    assert str(Equal((1.0, 2.0))) == "Equal((1, 2))"
