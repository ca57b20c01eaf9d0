"""A tippe top: spun fast, it turns over and stands on its stem.

What it shows
-------------
A ball whose centre of mass lies below its middle slides on a table with friction. Friction turns it
over: it rises against its weight, at the cost of its spin. Whatever friction does, Jellett's
integral of 1872 stays until the stem hits the table: the angular momentum about the line from the
centre of mass to the point of contact. Friction begins softly with sliding, because the patch of
contact spins; with plain Coulomb friction the top would roll, and stay upright.
"""

from typing import Any

import numpy as np

import jourdain as jd

RADIUS, OFF, MASS, SPIN = 0.02, 0.004, 0.015, 180.0  # [m], [kg], [rad/s]
STEM = 0.026  # [m] from the middle to the tip of the stem

model = jd.Model("tippe_top")
shape = jd.solid.ball(0.0, RADIUS) + jd.solid.cylinder(0.0, 0.004, 0.012, at=(0, 0, 0.02))
inertia = jd.Inertia(MASS, com=(0, 0, -OFF), moments=(2.2e-6, 2.2e-6, 2.4e-6))
top = model.add_body("top", shape + inertia)
table = jd.HalfSpace(model.world)
wood = jd.Coulomb(friction=lambda v: 0.3 * v / (v + 0.02))  # a spinning patch slides easily
model.add_contact("ball", table, jd.Sphere(top, RADIUS), wood)
model.add_contact("stem", table, jd.Sphere(top.at(0, 0, STEM - 0.004), 0.004), wood)

tilt = 0.1
start = {
    "top.position": (0.0, 0.0, RADIUS),
    "top.orientation": (np.cos(tilt / 2), np.sin(tilt / 2), 0.0, 0.0),
    "top.angular_velocity": (0.0, 0.0, SPIN),
}
sol = jd.simulate(model, 2.5, start=start, sample=0.005)


def upwards() -> np.ndarray:
    """Direction upwards in the axes of the top, over time."""
    w, x, y, z = sol.values("top.orientation").T
    return np.column_stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])


def jellett() -> Any:
    """Angular momentum about the line to the point of contact [kg m^3/s]."""
    momentum = sol.values("top.angular_velocity") * (2.2e-6, 2.2e-6, 2.4e-6)
    return np.sum(momentum * (RADIUS * upwards() - (0, 0, OFF)), axis=1)


def check() -> None:
    """Assert what the text claims."""
    first = next(e.time for e in sol.events if e.name == "stem" and e.kind == "impact")
    before = jellett()[sol.time < first]
    np.testing.assert_allclose(before, before[0], rtol=1e-6)
    height = sol.values("top.position")[:, 2] - OFF * upwards()[:, 2]
    assert upwards()[0, 2] > 0.99  # the stem points up
    assert upwards()[-1, 2] < -0.6  # and down in the end
    assert height[-1] - height[0] > 1.5 * OFF  # its centre of mass has risen
    spin = sol.values("top.angular_velocity")[:, 2]
    assert spin[0] * spin[-1] < 0  # it turns the other way about its own axis


if __name__ == "__main__":
    print(sol)
    jd.animate(sol, "tippe_top.html", plots=["top.position.z", "top.angular_velocity"])
    check()
