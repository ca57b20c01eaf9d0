import numpy as np

from jourdain.model.contours.pairs.segments import crossing

X, Y, Z = np.eye(3)


def test_closest_points_of_two_lines():
    valid, p = crossing((0 * X, X, 1.0), (0.5 * X + 0.2 * Y + 0.3 * Z, Y, 1.0), Z)
    assert valid
    np.testing.assert_allclose([p.gap, *p.normal], (0.3, 0, 0, 1))
    np.testing.assert_allclose([p.point_a, p.point_b], [(0.5, 0, 0), (0.5, 0, 0.3)], atol=1e-15)


def test_the_normal_points_to_the_given_side():
    below = (-0.3 * Z, Y, 1.0)
    assert crossing((0 * X, X, 1.0), below, Z)[1].gap == -0.3
    assert crossing((0 * X, X, 1.0), below, None)[1].gap == 0.3


def test_segments_that_miss_each_other_and_parallel_ones_do_not_cross():
    assert not crossing((0 * X, X, 1.0), (1.1 * X + Z, Y, 1.0), Z)[0]
    assert not crossing((0 * X, X, 1.0), (1.1 * Y + Z, Y, 1.0), Z)[0]
    assert not crossing((0 * X, X, 1.0), (Z, X, 1.0), Z)[0]
