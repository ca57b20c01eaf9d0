"""Linear combinations of measures."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.model.elements import Frame
from jourdain.model.measures import Coordinate, Distance, Relative, Rolling, Sum
from jourdain.spatial.parameter import Parameter

A, B = Frame("a"), Frame("b")


def test_arithmetic(moment):
    a, b = Coordinate("j.angle", "rad"), Coordinate("s", "m")
    measure = a - 2.0 * b + Distance(A, B)
    x, y = moment.coordinate("j.angle"), moment.coordinate("s")
    expected = x - 2.0 * y + Distance(A, B).value(moment)
    assert measure.value(moment) == pytest.approx(expected, rel=1e-15)
    assert measure.unit == "rad"


def test_factors_on_either_side():
    a, k = Coordinate("a"), Parameter("k", 2.0)
    assert a * 2.0 == 2.0 * a
    assert (-a).terms == ((-1.0, a),)
    assert k * a == a * k == Sum(((k, a),))
    assert np.float64(2.0) * a == 2.0 * a


def test_parts_of_measures():
    a, k = Coordinate("a"), Parameter("k", 4.0)
    assert a / 4.0 == 0.25 * a
    assert a / k == (1.0 / k) * a
    with pytest.raises(ModelError, match="divided by zero"):
        a / 0
    with pytest.raises(ModelError, match=r"write a jd\.Formula"):
        a / a


def test_sums_of_sums_are_flat():
    a, b = Coordinate("a"), Coordinate("b")
    assert (2.0 * (a - b) + a).terms == ((2.0, a), (-2.0, b), (1.0, a))
    assert Sum(((2, a),)) == 2.0 * a


def test_a_speed_makes_the_sum_a_speed(moment):
    rolling, place = Rolling(A, B, 0.1), Relative(A, B, "xy")
    measure = rolling + 2.0 * place
    assert measure.value(moment) is None
    expected = rolling.rate(moment) + 2.0 * moment.rate_of(place)
    np.testing.assert_allclose(measure.rate(moment), expected, rtol=1e-14)


def test_text():
    gear = 20 * Coordinate("pinion.angle") - 60 * Coordinate("wheel.angle")
    assert str(gear) == "20 Coordinate(pinion.angle) - 60 Coordinate(wheel.angle)"
    k = Parameter("k", 2.0)
    assert str(Coordinate("a") + (2 * k) * Coordinate("b")) == (
        "Coordinate(a) + (2 * k) Coordinate(b)"
    )
