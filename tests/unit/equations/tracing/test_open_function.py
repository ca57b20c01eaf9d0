import casadi as ca
import pytest

from jourdain.equations.tracing.open_function import open_function


def test_other_symbols_remain():
    x, k = ca.SX.sym("x"), ca.SX.sym("k")
    double = open_function("double", [x], [k * x, x + 1])
    first, second = double(ca.SX(3.0))
    assert float(ca.substitute(first, k, 5.0)) == pytest.approx(15.0)
    assert float(second) == 4.0


def test_without_other_symbols_it_takes_numbers():
    x = ca.SX.sym("x", 2)
    assert float(open_function("sum", [x], [x[0] + x[1]])([1.0, 2.0])) == 3.0
