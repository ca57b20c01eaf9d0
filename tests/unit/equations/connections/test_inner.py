"""Parts of a composite on symbols of their own."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.connections.inner import Inner
from jourdain.equations.connections.law_view import Known
from jourdain.equations.connections.scene import Actual


@pytest.fixture
def inner():
    model = jd.Model("machine")
    rod = model.add_body("rod", jd.Inertia(1.0))
    model.add_joint("pin", model.world, rod, jd.Revolute("z"))
    knot = jd.Node("knot")
    parts = {
        "pull": (jd.Distance(rod, knot), jd.Spring(10.0) + jd.Maxwell(3.0, time=0.1)),
        "rod": (jd.Relative(model.world, knot, "xy"), jd.Equal((0.1, 0.2))),
        "motor": (jd.Coordinate("pin.angle") - jd.Coordinate("x"), jd.Motor(1.0, 2.0, 3.0)),
    }
    element = model.add_connection("c", jd.Composite(parts, [knot], {"x": "rad"}))
    known = list(model.connections.values())
    states, inputs = ([f"{c.name}.{n}" for c in known for n in getattr(c.law, t, {})]
                      for t in ("states", "inputs"))  # fmt: skip
    everything = Known(["pin.angle"], states, inputs)
    return Inner(list(element.coordinates), known, {}, everything)


def test_sizes(inner):
    assert (inner.n, inner.g.numel(), inner.s.numel(), inner.w.numel()) == (4, 2, 2, 1)
    assert inner.A.shape == (2, 4)
    assert np.array_equal(np.array(ca.DM(inner.A)), np.eye(2, 4))
    assert list(inner.bodies) == ["rod"]
    assert list(inner.coordinates) == ["pin.angle"]


def test_forces_are_those_of_virtual_power(inner):
    """F = -∂E/∂γ for springs, and the torque of the motor on what it stands on."""
    f = inner.function("f", [inner.gamma], [inner.f])
    rod = np.eye(3), np.array((1.0, 0.0, 0.0)), np.zeros(6), np.zeros(6)
    actual = Actual({"rod": rod}, {"pin.angle": (0.0, 0.0, 0.0)}, 0.0)
    found = np.array(f((0.0, 0.0, 2.0, 0.0), *inner.arguments(actual, (0.0, 5.0), 0.0))).ravel()
    place = np.array((-1.0, 0.0, 2.0))
    pull = -13.0 * place  # both springs pull along the line, whose length cancels
    assert found == pytest.approx((*pull, -5.0))


def test_rates_along_the_motion(inner):
    """The rate of γ-dependent expressions holds rates of bodies, coordinates and states."""
    expression = inner.gamma[0] * inner.t + inner.bodies["rod"].p[1] + inner.s[1]
    rate = inner.function("r", [inner.gamma, inner.gamma_dot], [inner.time_derivative(expression)])
    rod = np.eye(3), np.zeros(3), np.array((0, 0, 0, 0, 7.0, 0)), np.zeros(6)
    actual = Actual({"rod": rod}, {"pin.angle": (0.0, 4.0, 0.0)}, 2.0)
    arguments = inner.arguments(actual, (0.0, 5.0), 0.0)
    found = float(rate((3.0, 0.0, 1.0, 0.0), (11.0, 0.0, 0.0, 1.0), *arguments))
    current_rate = (0.0 - 2.0 * 5.0 - 1.0 * (4.0 - 1.0)) / 3.0
    assert found == pytest.approx(11.0 * 2.0 + 3.0 + 7.0 + current_rate)


def test_answers_leave_internal_coordinates_out(inner):
    rod = tuple(ca.SX(x) for x in (np.eye(3), np.ones(3), np.zeros(6), np.zeros(6)))
    actual = Actual({"rod": rod}, {"pin.angle": (ca.SX(0),) * 3}, ca.SX(0))
    arguments = inner.arguments(actual, ca.SX((0.0, 0.0)), ca.SX(0))
    found = inner.answered(ca.SX.zeros(4), ca.SX.zeros(4), arguments)
    assert list(found["c.motor"].quantity.coordinates) == ["pin.angle"]
    assert len(found["c.motor"].state_rates) == 1
    assert float(found["c.pull"].quantity.value) == pytest.approx(np.sqrt(3.0))
