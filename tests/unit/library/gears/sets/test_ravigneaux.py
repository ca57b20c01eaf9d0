"""Assembly and input of the detailed Ravigneaux gear (4.F52)."""

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import gears

GOOD = {"large": 35, "small": 28, "long": 25, "short": 20, "module": 2e-3}


def test_pins_stand_as_the_wheels_ask():
    teeth = gears.RavigneauxTeeth(**GOOD)
    a, b = teeth.pins
    long, short = (a, 0.0), (b * math.cos(teeth.offset), b * math.sin(teeth.offset))
    assert math.dist(long, short) == pytest.approx(teeth.pair_distance, rel=1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_every_pair_asks_for_one_place_of_ring_and_small_sun(n):
    """4.V27 through the train large, long, ring and large, long, short, small."""
    teeth = gears.RavigneauxTeeth(**GOOD, planets=n)
    ring, small = [], []
    for place in teeth.places:
        aside = place + teeth.offset
        (a, b) = teeth.pins
        xl, yl = a * math.cos(place), a * math.sin(place)
        xs, ys = b * math.cos(aside), b * math.sin(aside)
        toward = math.atan2(ys - yl, xs - xl)
        long = teeth.pair("large", "long").mate(0.0, place)
        short = teeth.pair("long", "short").mate(long, toward)
        ring.append(teeth.pair("long", "ring").mate(long, place))
        small.append(teeth.pair("short", "small").mate(short, math.atan2(-ys, -xs)))
    for found, z in ((ring, teeth.ring), (small, teeth.small)):
        parts = np.exp(1j * z * np.array(found))
        np.testing.assert_allclose(parts, parts[0], atol=1e-9)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"planets": 7}, "with the large sun 85 \\+ 35 = 120"),
        ({"small": 29}, "with the small sun 85 − 29 = 56 is no multiple of 3"),
        ({"small": 8, "short": 10}, "cannot be .* apart"),
        ({"long": 25.0}, "long of RavigneauxTeeth is 25.0: give its teeth"),
        ({"planets": 0}, "planets of RavigneauxTeeth is 0"),
    ],
)
def test_teeth_that_do_not_fit(change, text):
    with pytest.raises(ModelError, match=text):
        gears.RavigneauxTeeth(**GOOD | change)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"contact": gears.Ideal()}, "take powertrain.Ravigneaux"),
        ({"teeth": (35, 28)}, "give gears.RavigneauxTeeth"),
        ({"pin": 1e8}, "give stiffness, damping and clearance"),
        ({"elastic": 1}, "2 or more; 0 is rigid"),
    ],
)
def test_wrong_input(change, text):
    model = jd.Model("box")
    good = {"teeth": gears.RavigneauxTeeth(**GOOD), "contact": gears.Elastic(3e8)}
    with pytest.raises(ModelError, match=text):
        gears.RavigneauxGear(model.world, **good | change)
