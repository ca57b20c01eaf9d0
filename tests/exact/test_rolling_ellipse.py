"""An ellipse that rolls on a line: the way of the contact is the arc, energy stays."""

import numpy as np
import pytest
from scipy.integrate import quad

import jourdain as jd
from jourdain import math

A, B, START = 0.3, 0.2, 1.0


def oval(s):
    return math.vector(A * math.cos(s), B * math.sin(s), 0.0)


def contact(angle):
    """Parameter of the lowest point of a turned ellipse, its place and its depth [m]."""
    down = np.array([-np.sin(angle), -np.cos(angle)])
    depth = np.hypot(A * down[0], B * down[1])
    x, y = A**2 * down[0] / depth, B**2 * down[1] / depth
    return np.arctan2(y / B, x / A), x * np.cos(angle) - y * np.sin(angle), depth


@pytest.mark.slow
def test_the_contact_rolls_along_the_arc_without_loss():
    model = jd.Model("egg", gravity=(0.0, -9.81, 0.0))
    egg = model.add_body("egg", jd.solid.ellipsoid(1.0, (A, B, 0.1)))
    model.add_joint("plane", model.world, egg, jd.Planar("z"))
    ground, rim = jd.HalfSpace(model.world, "y"), jd.Curve(egg, oval, (0.0, 2.0 * np.pi))
    model.add_contact("floor", ground, rim, jd.Coulomb(friction=2.0))
    start = {"plane.angle": START, "plane.position.y": contact(START)[2]}
    sol = jd.simulate(model, 0.6, start=start)
    angle, x, y = (
        sol.values(f"plane.{name}")[-1] for name in ("angle", "position.x", "position.y")
    )
    (s_0, x_0, _), (s_1, x_1, depth) = contact(START), contact(angle)
    assert abs(angle - START) > 0.5
    assert y == pytest.approx(depth, abs=1e-9)
    arc, _ = quad(lambda s: np.hypot(A * np.sin(s), B * np.cos(s)), s_1, s_0)
    assert abs(x + x_1 - x_0) == pytest.approx(abs(arc), abs=1e-7)
    energy = sol.values("energy.kinetic") + sol.values("energy.potential")
    assert np.ptp(energy) < 1e-8
