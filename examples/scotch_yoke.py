"""A Scotch yoke: a pin in a slot makes a pure cosine of an even turn.

What it shows
-------------
Crank, block and yoke. The way of the yoke is ``r cos(angle)`` exactly, without the second order
that a connecting rod adds. The torque of the motor is ``m r^2 w^2 sin(2 angle) / 2`` with the mass
of the yoke; the block moves on a circle and needs none.
"""

import numpy as np

import jourdain as jd

R, SPEED, YOKE, BLOCK = 0.05, 30.0, 2.0, 0.3  # [m], [rad/s], [kg]

model = jd.Model("scotch_yoke", gravity=(0, 0, 0))
wheel = model.add_body("wheel", jd.solid.cylinder(3.0, 0.08, 0.02, axis="y"))
block = model.add_body("block", jd.solid.box(BLOCK, (0.03, 0.03, 0.03), at=(0, -0.03, 0)))
bars = [((x, -0.03, 0), (0.02, 0.03, 0.2)) for x in (-0.025, 0.025)]
rods = [((x, -0.03, 0), (0.22, 0.02, 0.02)) for x in (-0.145, 0.145)]
yoke = model.add_body(
    "yoke", jd.solid.compound(*(jd.solid.box(0.25 * YOKE, s, at=p) for p, s in bars + rods))
)
turn = {"angle": lambda t: SPEED * t}
model.add_joint("motor", model.world, wheel, jd.Revolute("y"), driven=turn)
model.add_joint("pin", wheel.at(R, 0, 0), block, jd.Revolute("y"))
model.add_joint("slot", yoke, block, jd.Prismatic("z"))
model.add_joint("guide", model.world, yoke, jd.Prismatic("x"))

sol = jd.kinematics(model, 0.6, sample=0.002)


def check() -> None:
    """Assert what the text claims."""
    angle = SPEED * sol.time
    np.testing.assert_allclose(sol.values("guide.position"), R * np.cos(angle), atol=1e-12)
    torque = 0.5 * YOKE * R**2 * SPEED**2 * np.sin(2 * angle)
    np.testing.assert_allclose(sol.values("motor.applied_torque"), torque, atol=1e-9)


if __name__ == "__main__":
    check()
    jd.animate(sol, "scotch_yoke.html", plots=["guide.position", "motor.applied_torque"])
