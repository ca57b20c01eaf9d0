"""How nodes and elements find each other: order, copies, files, nesting, replacement."""

import itertools

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(air=0.0)
PRESSURES = ("oil.A.pressure", "oil.c.pressure", "oil.hose.flow")


def elements(S, A, c, T):
    return {
        "inlet": hy.Orifice(S, A, area=1e-6),
        "hose": hy.Line(A, c, length=1.0, diameter=0.01),
        "back": hy.Line(c, T, length=0.5, diameter=0.008),
        "leak": hy.Leakage(A, T, 1e-11),
    }


def circuit(order=range(4), node=None):
    model = jd.Model("circuit")
    oil = model.group("oil")
    nodes = (
        oil.add("S", hy.PressureSource(FLUID, 1e6)),
        oil.add("A", node or hy.Volume(FLUID, 1e-4)),
        oil.add("c", hy.Junction(FLUID)),
        oil.add("T", hy.Tank(FLUID)),
    )
    every = list(elements(*nodes).items())
    for k in order:
        oil.add(*every[k])
    return model


def finals(model, names=PRESSURES):
    sol = jd.simulate(model, 0.02, sample=0.01)
    return np.array([sol.values(name)[-1] for name in names])


def test_the_order_of_elements_does_not_matter():
    expected = finals(circuit())
    assert expected[0] > 1e3
    for order in list(itertools.permutations(range(4)))[5::6]:
        np.testing.assert_allclose(finals(circuit(order)), expected, rtol=1e-7)


def test_a_copy_goes_its_own_way():
    model = circuit()
    expected = finals(model)
    twin = model.copy()
    twin.group("oil").add("more", hy.Orifice(twin.part("oil.A"), twin.part("oil.T"), area=1e-6))
    assert finals(twin)[0] != pytest.approx(expected[0], rel=0.1)
    np.testing.assert_array_equal(finals(model), expected)


def test_a_compiled_model_can_be_used_again():
    model = circuit()
    system = jd.compile(model)
    assert system.model == model
    np.testing.assert_array_equal(finals(system.model), finals(model))


def test_files_hold_circuits(tmp_path):
    model = circuit()
    jd.write_model(model, tmp_path / "circuit.toml")
    read = jd.read_model(tmp_path / "circuit.toml")
    assert list(read.parts) == list(model.parts)
    np.testing.assert_array_equal(finals(read), finals(model))


class Branch(jd.Part):
    """A line and an orifice in series, built inside of a part."""

    a: object
    b: object

    def build(self, group):
        middle = group.add("middle", hy.Volume(FLUID, 1e-5))
        group.add("line", hy.Line(self.a, middle, length=0.2, diameter=0.01))
        group.add("jet", hy.Orifice(middle, self.b, area=1e-6))
        return {"middle": middle}


def test_parts_in_parts():
    inside, beside = circuit(), circuit()
    oil = inside.group("oil")
    branch = oil.add("branch", Branch(inside.part("oil.A"), inside.part("oil.T")))
    oil.add("more", hy.Leakage(branch.middle, inside.part("oil.T"), 1e-12))
    oil = beside.group("oil")
    middle = oil.add("middle", hy.Volume(FLUID, 1e-5))
    oil.add("line", hy.Line(beside.part("oil.A"), middle, length=0.2, diameter=0.01))
    oil.add("jet", hy.Orifice(middle, beside.part("oil.T"), area=1e-6))
    oil.add("more", hy.Leakage(middle, beside.part("oil.T"), 1e-12))
    np.testing.assert_allclose(finals(inside), finals(beside), rtol=1e-9)


def test_a_node_is_replaced_and_stays_joined():
    model = circuit()
    model.replace("oil.A", hy.Volume(FLUID, 3e-4))
    fresh = circuit(node=hy.Volume(FLUID, 3e-4))
    np.testing.assert_allclose(finals(model), finals(fresh), rtol=1e-9)
    model.replace("oil.c", hy.Volume(FLUID, 1e-6))
    assert np.isfinite(finals(model)).all()


def test_an_element_is_replaced():
    model = circuit()
    A, c = model.part("oil.A"), model.part("oil.c")
    model.replace("oil.hose", hy.Line(A, c, length=3.0, diameter=0.01))
    assert finals(model)[2] != pytest.approx(finals(circuit())[2], rel=1e-3)


def test_parameters_reach_the_oil():
    def filled(volume):
        model = jd.Model("filled")
        oil = model.group("oil")
        T, A = oil.add("T", hy.Tank(FLUID)), oil.add("A", hy.Volume(FLUID, volume))
        oil.add("source", hy.FlowSource(T, A, 1e-5))
        return model

    size = jd.Parameter("size", 1e-3, "m^3")
    run = jd.simulate(filled(size), 0.1, parameters={"size": 2e-3}).values("oil.A.pressure")[-1]
    assert run == pytest.approx(1e-6 * 1.4e9 / 2e-3, rel=1e-9)


def test_results_in_other_units_and_in_files(tmp_path):
    sol = jd.simulate(circuit(), 0.02)
    bar = sol["oil.A.pressure", "bar"]
    assert bar.attrs["units"] == "bar"
    assert float(bar[-1]) == pytest.approx(1e-5 * float(sol["oil.A.pressure"][-1]))
    assert float(sol["oil.hose.flow", "l/min"][-1]) == pytest.approx(
        6e4 * float(sol["oil.hose.flow"][-1])
    )
    sol.save(tmp_path / "run.nc")
    read = jd.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(read.values("oil.hose.flow"), sol.values("oil.hose.flow"))
