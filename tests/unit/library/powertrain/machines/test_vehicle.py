"""Road loads and input of the vehicle."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt


def test_terminal_speed_up_a_hill_that_begins():
    """Far up the hill: torque/r = m g sin α + μ (m g cos α − lift) + drag."""
    model = jd.Model("car", gravity=(0, 0, 0))
    wheel = model.add("wheel", pt.Shaft(2.0))
    hill = jd.Table((100.0, 200.0), (0.0, 0.05))
    given = {"rolling": lambda v: 0.01 + 1e-4 * v, "drag": 0.7, "lift": 0.2, "slope": hill}
    model.add("car", pt.Vehicle(wheel.angle, 1500.0, 0.3, **given))
    model.add_connection("push", wheel.angle, jd.Force(400.0))
    sol = jd.simulate(model, 2500.0)
    v = sol.final["car.position.rate"]
    weight = 1500.0 * 9.81
    rolling = (0.01 + 1e-4 * v) * (weight * np.cos(0.05) - 0.6 * 0.2 * v**2)
    resisted = weight * np.sin(0.05) + rolling + 0.6 * 0.7 * v**2
    assert resisted == pytest.approx(400.0 / 0.3, rel=1e-6)
    assert sol.values("car.acceleration")[-1] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("name", ["mass", "radius", "stiffness"])
def test_wrong_input(name):
    given = {"wheel": jd.Coordinate("x"), "mass": 1e3, "radius": 0.3} | {name: 0.0}
    with pytest.raises(ModelError, match=f"{name} of Vehicle"):
        pt.Vehicle(**given)
