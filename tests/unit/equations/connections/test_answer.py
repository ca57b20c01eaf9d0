"""Answers of laws as expressions."""

import casadi as ca
import pytest

import jourdain as jd
from jourdain.equations.connections.answer import TracedLaw
from jourdain.equations.connections.law_view import Known
from jourdain.equations.connections.scene import Actual, trace_measure
from jourdain.model.connection import Connection


def test_parts_of_an_answer_can_be_replaced():
    law = jd.Spring(10.0) + jd.Maxwell(2.0, time=0.5)
    c = Connection("c", jd.Coordinate("x", "m"), law)
    states = {"c.creep_1": ca.SX(0.1)}
    actual = Actual({}, {"x": (ca.SX(0.3), ca.SX(2.0), ca.SX(0))}, ca.SX(0), states)
    quantity = trace_measure(c.measure, ["x"], "here").at(actual)
    traced = TracedLaw(c, Known(["x"], states), {}, has_value=True)
    found = traced.answer(quantity, actual)
    assert float(found.force) == pytest.approx(-3.0 - 0.4)
    assert float(found.energy) == pytest.approx(0.45 + 0.04)
    assert float(found.energy_rate) == pytest.approx(10.0 * 0.3 * 2.0 + 2.0 * 0.2 * (2.0 - 0.4))
    assert [float(r) for r in found.state_rates] == [pytest.approx(0.4)]
    same = found.with_parts(found.parts)
    assert list(map(str, same.parts)) == list(map(str, found.parts))
    assert list(same.quantity.coordinates) == ["x"]
