"""Law and input of the converter by maps."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X, Y = (jd.Coordinate(n) for n in "xy")
MAPS = jd.Table((0.0, 0.8, 1.0), (150.0, 140.0, 0.0)), jd.Table((0.0, 0.85), (2.0, 1.0))


def test_lockup_joins_both():
    model = jd.Model("converter", gravity=(0, 0, 0))
    pump, turbine = (model.add(n, pt.Shaft(0.5)).angle for n in ("pump", "turbine"))
    lockup = {"reference": 200.0, "lockup": 500.0}
    model.add("box", pt.TorqueConverter(pump, turbine, *MAPS, **lockup))
    sol = jd.simulate(model, 2.0, start={"pump.speed": 100.0})
    assert sol.final["turbine.angle.rate"] == pytest.approx(sol.final["pump.angle.rate"], rel=1e-9)
    assert sol.values("box.lockup.slip")[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("maps", "more", "text"),
    [
        ((jd.Table((0.0, 1.0), (150.0, 5.0)), MAPS[1]), {}, "5 N m at equal speeds: it would jump"),
        ((150.0, MAPS[1]), {}, "torque of TorqueConverter is 150.0"),
        (MAPS, {"reference": 0.0}, "reference of TorqueConverter"),
        (MAPS, {"lockup": -5.0}, "lockup of TorqueConverter"),
    ],
)
def test_wrong_input(maps, more, text):
    with pytest.raises(ModelError, match=text):
        pt.TorqueConverter(X, Y, *maps, **{"reference": 200.0} | more)
