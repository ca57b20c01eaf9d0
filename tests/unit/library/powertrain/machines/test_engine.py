"""Input of the engine, and its losses."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X = jd.Coordinate("x")


def test_loss_and_inputs():
    """Throttle and intervention by inputs; the loss slows the engine down to 200 rad/s."""
    model = jd.Model("engine", gravity=(0, 0, 0))
    crank = model.add("crank", pt.Shaft(0.2))
    loss = jd.Table((0.0, 1000.0), (0.0, 100.0))
    given = {"loss": loss, "intervention": None, "lag": 0.01}
    model.add("engine", pt.Engine(crank.angle, lambda a, w: 40.0 * a + 0.0 * w, **given))
    inputs = {"engine.throttle": lambda t: 1.0, "engine.intervention": lambda t: 0.5}
    sol = jd.simulate(model, 60.0, inputs=inputs)
    assert sol.final["crank.angle.rate"] == pytest.approx(200.0, rel=1e-6)
    assert sol.values("engine.torque")[-1] == pytest.approx(0.0, abs=1e-4)
    assert sol.final["engine.crank.torque"] == pytest.approx(20.0, rel=1e-7)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"torque": 100.0}, "torque of Engine is 100.0: give a function of throttle and speed"),
        ({"loss": 5.0}, "loss of Engine is 5.0: give a function of the speed"),
        ({"lag": 0.0}, "lag of Engine"),
        ({"throttle": -1.0}, "throttle of Engine"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        pt.Engine(**{"shaft": X, "torque": lambda a, w: a} | change)
