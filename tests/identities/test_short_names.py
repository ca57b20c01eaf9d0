"""Short names: the element is left out where only one of its part has such a quantity."""

import pytest

import jourdain as jd
from jourdain.errors import UnknownNameError
from jourdain.library import hydraulics as hy


class Filter(jd.Part):
    """A lag of a given value, in an element of its own."""

    def build(self, group):
        law = {"value": "1"}, lambda at: at.input("command") - at.state("value")
        group.add_states("lag", *law, inputs={"command": "1"})


class Two(jd.Part):
    """Two elements with states of one name."""

    def build(self, group):
        for name in "ab":
            group.add_states(name, {"level": "m"}, lambda at: -at.state("level"))


@pytest.fixture
def oil():
    model = jd.Model("press")
    fluid, group = hy.Fluid(air=0.0, bulk_modulus=1e9), model.group("oil")
    V, T = group.add("V", hy.Volume(fluid, 1e-3)), group.add("T", hy.Tank(fluid))
    group.add("o", hy.Orifice(V, T, 1e-6))
    group.add("hose", hy.Line(V, T, length=2.0, diameter=0.01))
    return model


def test_start_values_and_results(oil):
    full = {"oil.V.node.pressure": 1e6, "oil.hose.volume.rate": 1e-4}
    short = {"oil.V.pressure": 1e6, "oil.hose.flow": 1e-4}
    a, b = (jd.simulate(oil, 0.01, start=start) for start in (full, short))
    assert a.final == b.final
    assert b["oil.V.pressure"][0] == 1e6
    assert b.final["oil.V.pressure"] == a.final["oil.V.node.pressure"]
    assert (b["oil.o.volume"] == a["oil.o.passed.volume"]).all()


def test_a_unit_may_go_with_a_short_name(oil):
    sol = jd.simulate(oil, 0.01, start={"oil.V.pressure": (10, "bar")})
    assert sol["oil.V.pressure"][0] == 1e6


def test_laws_inputs_and_events():
    model = jd.Model("m")
    model.add("filter", Filter())
    model.add_states("sum", {"x": "1"}, lambda at: at.state("filter.value"))
    event = {"half": lambda t, s: s["filter.value"] - 0.5}
    sol = jd.simulate(model, 2.0, inputs={"filter.command": 1.0}, events=event)
    assert float(sol.events[0].time) == pytest.approx(0.693147180, abs=1e-7)
    assert sol.final["sum.x"] == pytest.approx(1.0 + 0.1353352832366127, rel=1e-7)
    line = jd.linearize(model, inputs=["filter.command"])
    assert list(line.inputs) == ["filter.lag.command"]


def test_names_that_may_be_several_things_are_told():
    model = jd.Model("m")
    model.add("two", Two())
    with pytest.raises(UnknownNameError, match=r"two\.a\.level or two\.b\.level"):
        jd.simulate(model, 0.1, start={"two.level": 1.0})
    sol = jd.simulate(model, 0.1)
    with pytest.raises(UnknownNameError, match=r"two\.a\.level or two\.b\.level"):
        sol["two.level"]
