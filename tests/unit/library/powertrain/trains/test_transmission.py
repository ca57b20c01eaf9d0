"""Names and tables of gearboxes, and programs of shifts."""

import pytest

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
        ({"shafts": {"sun": 0.0}}, "inertia of the shaft 'sun'"),
    ],
)
def test_wrong_tables(change, text):
    with pytest.raises(ModelError, match=text):
        pt.Transmission(**GOOD | change)


def test_planets_of_a_set_that_do_not_fit():
    with pytest.raises(ModelError, match="GearSet: 4 planets, evenly spaced, cannot be assembled"):
        pt.GearSet("sun", "ring", "carrier", teeth=(30, 60), planets=4)


def test_an_element_more_that_does_not_hold_is_no_fight():
    """Redundant elements are legal: what they close turns as one already."""
    more = GOOD["elements"] | {"D": pt.ShiftElement("ring", "carrier")}
    box = pt.Transmission(**GOOD | {"elements": more})
    assert box.ratio({"C", "D"}) == pytest.approx(1.0)
