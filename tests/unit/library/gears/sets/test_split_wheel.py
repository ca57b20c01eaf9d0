"""Split wheels have no play below the torque of their spring (5.F25)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import gears
from jourdain.library import powertrain as pt

TEETH = gears.Teeth((20, 30), module=3e-3)


def train(torque, load):
    model = jd.Model("pair", gravity=(0, 0, 0))
    a, b = (model.add(n, pt.Shaft(J)).angle for n, J in (("a", 1e-3), ("b", 2e-3)))
    soft = gears.Elastic(3e8, 3000.0)
    part = gears.SplitWheel(
        a, b, TEETH, soft, 1e-4, 1e-3, torque=torque, stiffness=100.0, damping=0.05
    )
    model.add("split", part)
    model.add_connection("hold", a, jd.Equal())
    model.add_connection("load", b, jd.Force(jd.Sine(load, 50.0)))
    return jd.simulate(model, 0.1, sample=1e-5)


def test_play_is_taken_up():
    late = slice(5000, None)
    spread = {}
    for torque in (20.0, 1.0):
        run = train(torque, 8.0)
        x = TEETH.base_radii[1] * run.values("b.angle.value")[late]
        spread[torque] = np.ptp(x)
    assert spread[20.0] < 3e-6  # 8 N m bend the teeth
    assert spread[1.0] > 5e-5  # the spring gives way


def test_ideal_teeth_have_no_play():
    x = jd.Coordinate("x")
    with pytest.raises(ModelError, match="no play to take up"):
        gears.SplitWheel(x, jd.Coordinate("y"), TEETH, gears.Ideal(), 1e-4, 1e-3, torque=1.0)
