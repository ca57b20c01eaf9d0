"""Splines: what their teeth carry when the axes part (4.F54)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import gears


def coupling(**more):
    model = jd.Model("coupling", gravity=(0, 0, 0))
    shaft = model.add_body("shaft", jd.solid.cylinder(mass=1.0, radius=0.03, length=0.1, axis="z"))
    model.add_joint("plane", model.world, shaft, jd.Planar("z"))
    model.add("spline", gears.Spline(model.world, shaft, 8, 0.03, stiffness=1e7, **more))
    return model


def test_offset_axes_are_pulled_together():
    """Without play 8 teeth are a spring of 4 c across the axis, and of 8 c R² about it."""
    model = coupling()
    run = jd.simulate(model, 1e-3, start={"plane.position.x": 1e-6})
    omega = np.sqrt(4.0 * 1e7 / 1.0)
    wanted = 1e-6 * np.cos(omega * run.time)
    np.testing.assert_allclose(run.values("plane.position.x"), wanted, atol=2e-9)


def test_friction_holds_axes_apart():
    """Teeth under a torque stick: 250 N each hold what 80 N pull back."""
    ends = []
    for friction in (0.0, 0.2):
        model = coupling(friction=friction, slow=1e-4)
        model.add_connection("push", jd.Coordinate("plane.angle"), jd.Force(60.0))
        angle = 60.0 / (8 * 0.03**2 * 1e7)
        run = jd.simulate(model, 2e-3, start={"plane.position.x": 2e-6, "plane.angle": angle})
        ends.append(np.ptp(run.values("plane.position.x")))
    assert ends[0] > 3.5e-6
    assert ends[1] < 0.1 * ends[0]
    assert run.values("spline.torque")[-1] == pytest.approx(-60.0, rel=0.01)
    assert run.values("spline.carrying")[-1] == 8


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"clearance": -1e-5}, "clearance of Spline"),
        ({"friction": -0.1}, "friction of Spline"),
        ({"slow": 0.0}, "slow of Spline"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        coupling(**change)
