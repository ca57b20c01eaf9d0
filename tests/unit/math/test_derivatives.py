import casadi as ca
import numpy as np
import pytest

from jourdain import math
from jourdain.math import derivatives
from jourdain.spatial.parameter import Parameter, values_in_force


def saddle(u, v):
    return math.vector(u, v, u * u - 0.5 * u * v)


def test_numbers():
    x, T, H = derivatives(saddle, 0.3, 0.4)
    np.testing.assert_allclose(x, (0.3, 0.4, 0.03))
    np.testing.assert_allclose(T, [(1, 0), (0, 1), (0.4, -0.15)])
    np.testing.assert_allclose(H, [[(0, 0), (0, 0), (2, -0.5)], [(0, 0), (0, 0), (-0.5, 0)]])


def test_symbols():
    u = ca.SX.sym("u")
    results = derivatives(lambda s: (math.sin(s), s**3), 2 * u)
    f = ca.Function("f", [u], [results[0], results[1], *results[2]])
    x, T, H = (np.array(e)[:, 0] for e in f(0.25))
    np.testing.assert_allclose(x, (np.sin(0.5), 0.125))
    np.testing.assert_allclose(T, (np.cos(0.5), 0.75))
    np.testing.assert_allclose(H, (-np.sin(0.5), 3.0))


def test_parameters_inside():
    k, held = Parameter("k", 2.0), ca.SX.sym("k")
    with values_in_force({"k": held}):
        x, T, _ = derivatives(lambda s: (k * s, s), 0.5)
    f = ca.Function("f", [held], [x, T])
    assert float(f(3.0)[0][0]) == pytest.approx(1.5)
    assert float(f(3.0)[1][0]) == pytest.approx(3.0)
