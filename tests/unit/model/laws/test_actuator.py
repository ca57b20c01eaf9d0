"""Cylinders."""

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.laws import Actuator

AT = Snapshot({}, t=0.5, inputs={"pressure": 2e5})


def test_pushes_its_ends_apart():
    assert Actuator(1e-3).force(0.1, 0.0, AT) == 200.0
    assert Actuator(1e-3, 1e6).force(0.1, 0.0, AT) == 1000.0
    assert Actuator(1e-3, lambda t: 1e6 * t).force(0.1, 0.0, AT) == 500.0


def test_inputs():
    assert dict(Actuator(1e-3).inputs) == {"pressure": "Pa"}
    assert dict(Actuator(1e-3, 1e6).inputs) == {}
