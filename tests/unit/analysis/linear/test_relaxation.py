from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.linear.point import operating_point
from jourdain.analysis.linear.relaxation import relaxed


@pytest.mark.without_contact_check("time steps are coarse")
def test_a_ball_in_a_corner():
    """A ball between two slopes of 45 degrees: it comes to lie in the middle."""
    model = jd.Model("corner")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("plane", model.world, ball, jd.Planar("y"))
    for name, side in (("left", 1.0), ("right", -1.0)):
        slope = jd.HalfSpace(model.world.at(0, 0, 0, rotation=jd.rotation_y(side * np.pi / 4)))
        model.add_contact(name, slope, jd.Sphere(ball, 0.1), jd.Unilateral())
    start = {"plane.position.x": 0.05, "plane.position.z": 0.3}
    point = operating_point(jd.compile(model), start)
    q = dict(zip(point.system.names.q, relaxed(point, 0.1), strict=True))
    assert q["plane.position.x"] == pytest.approx(0.0, abs=1e-3)
    assert q["plane.position.z"] == pytest.approx(0.1 * np.sqrt(2.0), abs=1e-3)
