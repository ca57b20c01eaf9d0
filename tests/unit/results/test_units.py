"""Quantities with units: parameters, start values, results, plots (A11)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import ModelError
from jourdain.viz.panels import wished


def pendulum(length):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.point(1.0, (0, 0, -length)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    return model


LENGTH = jd.Parameter("length", 500, "mm")


@pytest.fixture(scope="module")
def sol():
    return jd.simulate(pendulum(LENGTH), 0.5, start={"hinge.angle": (30, "deg")})


@pytest.mark.parametrize(
    ("value", "unit", "si", "si_unit"),
    [
        (500, "mm", 0.5, "m"), (30, "deg", math.pi / 6, "rad"), (30, "rpm", math.pi, "rad/s"),
        (2, "bar", 2e5, "Pa"), (6, "l/min", 1e-4, "m^3/s"), (9, "cm^3", 9e-6, "m^3"),
        (3, "kN", 3000, "N"), (7, "g", 0.007, "kg"), (4, "kg mm^2", 4e-6, "kg m^2"),
        (3, "N/mm", 3000, "N/m"), (36, "km/h", 10, "m/s"), (6, "1/min", 0.1, "1/s"),
        (3, "1", 3, "1"), (3, "N m s/rad", 3, "N m s/rad"),
    ],
)  # fmt: skip
def test_parameters_are_stored_in_si(value, unit, si, si_unit):
    parameter = jd.Parameter("p", value, unit)
    assert parameter.value == pytest.approx(si, rel=1e-15)
    assert parameter.unit == si_unit
    assert jd.Parameter("p", parameter.value, parameter.unit) == parameter


def test_files_convert_and_keep(tmp_path):
    model = pendulum(LENGTH)
    text = io.dumps(model)
    assert 'length = { value = 0.5, unit = "m" }' in text
    assert io.loads(text) == model
    assert io.loads(text.replace('0.5, unit = "m"', '500, unit = "mm"')) == model
    with pytest.raises(jd.errors.FormatError, match="the unit 'furlong' is not known"):
        io.loads(text.replace('unit = "m"', 'unit = "furlong"'))


def test_values_of_a_run(sol):
    assert sol.values("hinge.angle")[0] == math.pi / 6
    plain = jd.simulate(pendulum(LENGTH), 0.5, parameters={"length": 0.6})
    given = jd.simulate(pendulum(LENGTH), 0.5, parameters={"length": (600, "mm")})
    assert given.parameters == plain.parameters == {"length": 0.6}
    np.testing.assert_array_equal(given.q, plain.q)
    system = jd.compile(pendulum(LENGTH))
    np.testing.assert_array_equal(system.parameter_array({"length": (60, "cm")}), [0.6])
    q, v = system.state({"hinge.angle": (90, "deg"), "hinge.rate": (30, "rpm")})
    assert (q[0], v[0]) == (math.pi / 2, math.pi)
    found = jd.assemble(system, {"hinge.angle": (90, "deg")})
    assert found["hinge.angle"] == math.pi / 2


def test_vectors_have_one_unit():
    model = jd.Model("ball")
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    q, _ = jd.compile(model).state({"ball.position": ((1, 2, 3), "mm")})
    np.testing.assert_array_equal(q[:3], [0.001, 0.002, 0.003])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: s.parameter_array({"length": (3, "deg")}),
            "parameter 'length' is given in 'deg', but its unit is 'm'",
        ),
        (
            lambda s: s.state({"hinge.angle": (3, "mm")}),
            "start value of 'hinge.angle' is given in 'mm', but its unit is 'rad'",
        ),
        (
            lambda s: s.state({"hinge.rate": (3, "deg")}),
            "start value of 'hinge.rate' is given in 'deg', but its unit is 'rad/s'",
        ),
        (lambda s: s.state({"hinge.angle": (3, "furlong")}), "the unit 'furlong' is not known"),
        (lambda s: s.model.validate({"length": (3, "s")}), "is given in 's', but its unit is 'm'"),
        (lambda s: jd.Parameter("x", 1, "furlong"), "parameter 'x': the unit 'furlong' is not kn"),
        (lambda s: jd.Parameter("x", 1, 3), "parameter 'x' has the unit 3: give a text such as"),
        (lambda s: jd.simulate(s, 1.0, parameters=[1.0]), "parameters is .*: name what is given"),
    ],
)
def test_other_dimensions_are_refused(call, message):
    with pytest.raises(ModelError, match=message):
        call(jd.compile(pendulum(LENGTH), execution=jd.Plain()))


def test_results_in_another_unit(sol):
    angle = sol["hinge.angle", "deg"]
    assert angle.attrs["units"] == "deg"
    assert float(angle[0]) == pytest.approx(30.0, rel=1e-15)
    np.testing.assert_allclose(angle, np.degrees(sol["hinge.angle"]), rtol=1e-14)
    assert sol["rod.position", "mm"].shape == sol["rod.position"].shape
    both = sol[[("hinge.rate", "rpm"), "hinge.angle"]]
    assert both["hinge.rate"].attrs["units"] == "rpm"
    assert both["hinge.angle"].attrs["units"] == "rad"
    assert float(sol.at(0.0)["hinge.angle", "deg"]) == pytest.approx(30.0)
    table = sol.to_pandas(("hinge.angle", "deg"), "hinge.rate")
    assert table["hinge.angle"].iloc[0] == pytest.approx(30.0)
    with pytest.raises(ModelError, match=r"'hinge.angle' is wanted in 'mm', but its unit is 'rad'"):
        _ = sol["hinge.angle", "mm"]
    with pytest.raises(ModelError, match="Several quantities are a list"):
        _ = sol["hinge.angle", "hinge.rate"]


def test_plots_in_another_unit(sol):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    (axes,) = jd.plot(sol, ("hinge.angle", "deg"))
    assert axes.get_ylabel() == "hinge.angle [deg]"
    assert axes.get_lines()[0].get_ydata()[0] == pytest.approx(30.0)
    (axes,) = jd.plot(sol, ("hinge.rate", "rpm"), against=("hinge.angle", "deg"))
    assert axes.get_xlabel() == "hinge.angle [deg]"
    assert axes.get_lines()[0].get_xdata()[0] == pytest.approx(30.0)
    assert len(jd.plot(sol, ("rod.position", "mm"), "rod.position")) == 2
    pyplot.close("all")


def test_pages_in_another_unit(sol):
    panels = wished(sol, [("hinge.angle", "deg"), ["hinge.rate", ("hinge.angle", "deg")]])
    assert [panel.unit for panel in panels] == ["deg", "rad/s", "deg"]
    assert len(wished(sol, [("hinge.angle", "hinge.rate")])) == 2  # a group of two names
