"""Conversions of symbols are refused while user code runs, and only then."""

import math

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.tracing.on_symbols import on_symbols
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


def test_functions_of_numpy_give_what_they_give_on_numbers():
    """Warnings are errors here: CasADi's notice about numpy would fail the test."""

    def torque(t):
        wave = np.sin(3.0 * t) + np.tanh(t) * np.arctan2(t, 1.0 + t) - np.hypot(t, 0.3)
        return wave + np.where(t > 0.4, np.exp(-t), np.sqrt(t)) + np.clip(np.mod(-t, 0.7), 0.1, 0.2)

    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    model.add_connection("motor", jd.Coordinate("hinge.angle"), lambda x, v, at: np.cos(at.t))
    sol = jd.simulate(model, 1.0, inputs={"hinge.angle": torque})
    np.testing.assert_allclose(sol.values("hinge.applied_torque"), torque(sol.time), atol=1e-14)
    np.testing.assert_allclose(sol.values("motor.force"), np.cos(sol.time), atol=1e-14)


def test_functions_of_numpy_that_symbols_have_not_are_refused():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    message = (
        r"input 'hinge.angle' fails on symbols: .*polyval.* functions of jourdain.math \(jd.sin"
    )
    with pytest.raises(jd.ModelError, match=message):
        jd.simulate(model, 1.0, inputs={"hinge.angle": lambda t: np.polyval([1, 2], t)})
