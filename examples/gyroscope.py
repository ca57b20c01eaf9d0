"""A gyroscope in gimbals: push it sideways, and it turns at right angles.

What it shows
-------------
Three rings, three hinges, a fast rotor. A weight of 0.2 kg hangs on the inner ring. The rotor does
not tip over: the outer ring turns slowly, with the rate ``m g a / (J n)`` that textbooks give.
A free rotor of the same inertia at rest falls at once.
"""

import numpy as np

import jourdain as jd

SPIN, ARM, WEIGHT = 600.0, 0.08, 0.2  # [rad/s], [m], [kg]

model = jd.Model("gyroscope")
outer = model.add_body("outer", jd.solid.tube(0.15, 0.115, 0.12, 0.012, axis="y"))
inner = model.add_body("inner", jd.solid.tube(0.10, 0.095, 0.10, 0.012, axis="z"))
rotor = model.add_body(
    "rotor",
    jd.solid.cylinder(1.2, radius=0.07, length=0.02, axis="x")
    + jd.solid.cylinder(0.03, radius=0.004, length=0.19, axis="x"),
)
weight = jd.solid.ball(WEIGHT, 0.018)
bob = model.add_body("bob", weight)
model.add_joint("stand", model.world, outer, jd.Revolute("z"))
model.add_joint("tilt", outer, inner, jd.Revolute("y"))
model.add_joint("spin", inner, rotor, jd.Revolute("x"))
model.add_joint("hook", inner.at(ARM, 0, 0), bob, jd.Fixed())

sol = jd.simulate(model, 6.0, start={"spin.rate": SPIN})
J = rotor.inertia.moments[0][0]
slow = WEIGHT * 9.81 * ARM / (J * SPIN)  # [rad/s]


def check() -> None:
    """Assert what the text claims."""
    turned = sol.values("stand.angle")[-1] / 6.0
    np.testing.assert_allclose(abs(turned), slow, rtol=0.02)
    assert np.abs(sol.values("tilt.angle")).max() < 0.03  # it nods, and does not fall
    falling = jd.simulate(model, 0.3, start={"spin.rate": 0.0})
    assert np.abs(falling.values("tilt.angle")).max() > 0.5


if __name__ == "__main__":
    print(f"turns at {abs(sol.values('stand.angle')[-1]) / 6:.4f} rad/s, {slow:.4f} by the formula")
    jd.animate(sol, "gyroscope.html", plots=["stand.angle", "tilt.angle"], traces=["bob"])
    check()
