"""Rolling bearings with clearance, and linear ones (5.F19, 5.F20)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import bearings
from jourdain.results.audit import energy_balance


def rotor(**more):
    model = jd.Model("rotor", gravity=(0, 0, 0))
    body = model.add_body("rotor", jd.solid.ball(mass=2.0, radius=0.05))
    model.add_joint("free", model.world, body, jd.Free())
    part = bearings.RollingBearing(model.world, body, 1e6, **more)
    model.add("bearing", part)
    return model


def test_clearance_is_free():
    """A journal pulled to the side rests at s/2 + F/c, whatever the direction."""
    model = rotor(damping=500.0, clearance=4e-5, axial_stiffness=1e6, axial_damping=500.0)
    for c, force in (("x", 30.0), ("y", -40.0), ("z", 20.0)):
        model.add_connection(f"pull_{c}", jd.Coordinate(f"free.position.{c}"), jd.Force(force))
    run = jd.simulate(model, 0.2, start={"free.position.x": 3e-5, "free.position.y": -4e-5})
    x = [run.values(f"free.position.{c}")[-1] for c in "xyz"]
    np.testing.assert_allclose(x, [0.6 * 7e-5, -0.8 * 7e-5, 2e-5], rtol=1e-4)
    assert run.values("bearing.load")[-1] == pytest.approx(50.0, rel=1e-4)
    assert run.values("bearing.load_angle")[-1] == pytest.approx(np.arctan2(-40.0, 30.0), rel=1e-4)
    balance = energy_balance(run)
    assert balance.largest < 1e-5 * balance.exchanged


def test_without_clearance_it_is_a_spring():
    model = rotor()
    run = jd.simulate(model, 0.01, start={"free.position.x": 1e-5})
    wanted = 1e-5 * np.cos(np.sqrt(1e6 / 2.0) * run.time)
    np.testing.assert_allclose(run.values("free.position.x"), wanted, atol=1e-10)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: rotor(clearance=-1e-6), "clearance of RollingBearing"),
        (lambda: bearings.LinearBearing(rotor().world, rotor().world, [1.0]), "two rows of two"),
        (
            lambda: bearings.LinearBearing(
                rotor().world, rotor().world, np.eye(2), load=(1.0, 2.0, 3.0)
            ),
            "load of LinearBearing",
        ),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
