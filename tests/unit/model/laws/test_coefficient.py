"""Coefficients: numbers, one for each component, matrices."""

import numpy as np
import pytest

from jourdain.model.laws.coefficient import coefficient, column, numbers, scaled
from jourdain.spatial.parameter import Parameter

P = Parameter("p", 2.0)


def test_stored_forms():
    assert coefficient(3, "k") == 3.0
    assert coefficient(2 * P, "k") == 2 * P
    assert coefficient([1, P], "k") == (1.0, P)
    assert coefficient(np.eye(2), "k") == ((1.0, 0.0), (0.0, 1.0))
    assert numbers(np.array((1, 2)), "k") == (1.0, 2.0)
    assert column((1.0, 2.0)).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("factor", "expected"),
    [(2.0, (2, 4)), ((3.0, 5.0), (3, 10)), (((0.0, 1.0), (1.0, 1.0)), (2, 3))],
)
def test_products(factor, expected):
    np.testing.assert_array_equal(scaled(factor, np.array((1.0, 2.0)), "k"), expected)
