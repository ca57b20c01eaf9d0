"""Watt's linkage: three bars lead a point along a line that is almost straight.

What it shows
-------------
A planar loop, driven at one arm. The middle of the coupler leaves the line only by the fifth power
of its way: half the way, a thirty-second of the error.
"""

import numpy as np

import jourdain as jd

ARM, COUPLER = 0.5, 0.3  # [m]

model = jd.Model("watt")
left = model.add_body("left", jd.solid.rod(0.5, end=(ARM, 0, 0)))
middle = model.add_body("middle", jd.solid.rod(0.3, end=(0, 0, COUPLER)))
right = model.add_body("right", jd.solid.rod(0.5, end=(ARM, 0, 0)))
y = jd.Revolute("y")
swing = {"angle": lambda t: 0.45 * jd.math.sin(2 * np.pi * t)}
model.add_joint("drive", model.world, left, y, driven=swing)
model.add_joint("low", left.at(ARM, 0, 0), middle, y)
model.add_joint("far", model.world.at(2 * ARM, 0, COUPLER), right.at(ARM, 0, 0), y)
model.add_joint("high", right, middle.at(0, 0, COUPLER), y)
model.add_frame("point", middle.at(0, 0, 0.5 * COUPLER))

sol = jd.kinematics(model, 1.0, sample=0.002)
way = sol["point.position"].values - (ARM, 0, 0.5 * COUPLER)


def check() -> None:
    """Assert what the text claims."""
    x, z = np.abs(way[:, 0]), np.abs(way[:, 2])
    near, nearer = (np.abs(z - k * z.max()) < 0.02 * z.max() for k in (0.5, 0.25))
    assert z.max() > 0.2  # 0.2 m up and down ...
    assert x.max() < 0.03 * z.max()  # ... within 3 % of a line
    np.testing.assert_allclose(np.log2(x[near].mean() / x[nearer].mean()), 5.0, atol=0.2)


if __name__ == "__main__":
    jd.animate(sol, "watt.html", traces=["point"], plots=["point.position"])
    check()
