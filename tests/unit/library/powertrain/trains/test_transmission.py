"""Names and tables of gearboxes, and programs of shifts."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

GOOD = {
    "shafts": {"sun": 0.01, "ring": 0.02, "carrier": 0.03},
    "sets": {"set": pt.GearSet("sun", "ring", "carrier", teeth=(30, 60))},
    "elements": {"B": pt.ShiftElement("ring"), "C": pt.ShiftElement("sun", "carrier")},
    "gears": {1: {"B"}, 2: {"C"}},
    "input": "sun",
    "output": "carrier",
}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"gears": {1: {"B", "C"}}}, "gear 1 of Transmission: the elements B, C fight"),
        ({"gears": {1: set()}}, "gear 1 of Transmission: the elements none leave the shaft"),
        ({"gears": {1: {"b"}}}, "there is no element 'b', which is not there. Known: B, C"),
        ({"input": "sum"}, "the input is the shaft 'sum', .*Did you mean 'sun'"),
        ({"elements": {"B": pt.ShiftElement("rim")}}, "'B' is joined to the shaft 'rim'"),
        (
            {"shafts": GOOD["shafts"] | {"output": 1.0}},
            "a shaft is called 'output', but the output is 'carrier'",
        ),
        ({"shafts": {"sun": 0.0}}, "inertia of the shaft 'sun'"),
    ],
)
def test_wrong_tables(change, text):
    with pytest.raises(ModelError, match=text):
        pt.Transmission(**GOOD | change)


def manual():
    """Two pairs on a layshaft, direct drive, and reverse over an idler; claws."""
    pair, dogs = pt.GearPair, pt.DogElement
    sets = {
        "front": pair("in", "lay", -1.5),
        "first": pair("lay", "wheel_1", -2.5),
        "second": pair("lay", "wheel_2", -1.25),
        "idler": pair("lay", "idle", -2.0),
        "reverse": pair("idle", "wheel_r", -1.5),
    }
    claws = {
        "S1": dogs("wheel_1", "out"),
        "S2": dogs("wheel_2", "out", lambda x, v, at: at.t - 0.1),
        "S3": dogs("in", "out"),
        "R": dogs("wheel_r", "out"),
    }
    return pt.Transmission(
        shafts=dict.fromkeys(("in", "lay", "wheel_1", "wheel_2", "idle", "wheel_r", "out"), 0.01),
        sets=sets,
        elements=claws,
        gears={1: {"S1"}, 2: {"S2"}, 3: {"S3"}, "R": {"R"}},
        input="in",
        output="out",
    )


def test_a_layshaft_gearbox_with_claws():
    """Ratios of the pairs in series; closing second gear in motion is one impulse."""
    box = manual()
    ratios = {1: 1.5 * 2.5, 2: 1.5 * 1.25, 3: 1.0, "R": -1.5 * 2.0 * 1.5}
    assert box.ratios() == pytest.approx(ratios, rel=1e-12)
    with pytest.raises(ModelError, match="the elements S1, S2 fight"):
        box.ratio({"S1", "S2"})
    model = jd.Model("car", gravity=(0, 0, 0))
    built = model.add("box", box)
    load = model.add("load", pt.Shaft(2.0))
    model.add("axle", pt.Gear(built.output, load.angle, 1.0))
    sol = jd.simulate(model, 0.2, start={"box.in.speed": 100.0, "load.speed": 10.0})
    turning = 1.0 + (1 + 1 / 4) / 2.25 + 1 / (1.5 * 2.5) ** 2 + 1 / (1.5 * 1.25) ** 2
    turning = 0.01 * (turning + 1 / (1.5 * 2.0 * 1.5) ** 2)  # all that turns with the input
    driven, i = 2.01, ratios[2]
    end = (turning * 100.0 + driven * 10.0 / i) / (turning + driven / i**2)
    assert sol.values("box.in.speed")[-1] == pytest.approx(end, rel=1e-10)
    assert sol.values("load.speed")[-1] == pytest.approx(end / i, rel=1e-10)


def test_planets_of_a_set_that_do_not_fit():
    with pytest.raises(ModelError, match="GearSet: 4 planets, evenly spaced, cannot be assembled"):
        pt.GearSet("sun", "ring", "carrier", teeth=(30, 60), planets=4)


def test_an_element_more_that_does_not_hold_is_no_fight():
    """Redundant elements are legal: what they close turns as one already."""
    more = GOOD["elements"] | {"D": pt.ShiftElement("ring", "carrier")}
    box = pt.Transmission(**GOOD | {"elements": more})
    assert box.ratio({"C", "D"}) == pytest.approx(1.0)
