import casadi as ca
import numpy as np
import pytest

from jourdain.model.contours import tangents


@pytest.mark.parametrize("n", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), (0.48, -0.6, 0.64)])
def test_they_make_a_right_handed_triple_with_the_normal(n):
    t_1, t_2 = tangents(n)
    R = np.column_stack([t_1, t_2, n])
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0)
    traced = ca.Function("t", [symbol := ca.SX.sym("n", 3)], list(tangents(symbol)))
    np.testing.assert_allclose(np.column_stack([np.array(x) for x in traced(n)]), R[:, :2])


def test_across_z_they_are_x_and_y():
    np.testing.assert_array_equal(tangents((0, 0, 1)), [(1, 0, 0), (0, 1, 0)])
