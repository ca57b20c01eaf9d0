"""Conversions of symbols are refused while user code runs, and only then."""

import math

import casadi as ca
import pytest

from jourdain.equations.on_symbols import on_symbols
from jourdain.errors import ModelError, UnknownNameError


def test_only_while_it_runs():
    x = ca.SX.sym("x")
    with on_symbols("outer"):
        text = "inner fails on symbols: it turns a symbol"
        with pytest.raises(ModelError, match=text), on_symbols("inner"):
            float(x)
        with pytest.raises(TypeError, match="it turns a symbol into a number"):
            int(x)
        assert float(ca.SX(2.0)) == 2.0
        assert math.sin(ca.SX(0.0)) == 0.0
    assert math.isnan(float(x))


def test_own_errors_go_through():
    with pytest.raises(UnknownNameError, match="none"), on_symbols("law"):
        raise UnknownNameError("none")
    text = r"law fails on symbols: KeyError 'a'\. Write"
    with pytest.raises(ModelError, match=text), on_symbols("law"):
        raise KeyError("a")
