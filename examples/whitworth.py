"""Whitworth's quick return: a shaper cuts slowly and comes back fast.

What it shows
-------------
A crank pin slides in a slotted arm; the arm pushes the ram of a shaping machine by a link. The
crank turns evenly, so that the times of cutting and of coming back are as the angles between the
two positions in which the arm stands at right angles to the crank: ``(pi + 2 a) / (pi - 2 a)``
with ``sin a = crank / distance of the pivots``.
"""

import numpy as np

import jourdain as jd

CRANK, BASE, ARM, LINK, SPEED = 0.1, 0.25, 0.55, 0.2, 2 * np.pi  # [m], [rad/s]

model = jd.Model("whitworth")
crank = model.add_body(
    "crank", jd.solid.cylinder(5.0, 0.13, 0.03, axis="y") + jd.solid.rod(0.5, end=(CRANK, 0, 0))
)
block = model.add_body("block", jd.solid.box(0.3, (0.04, 0.05, 0.06)))
arm = model.add_body("arm", jd.solid.box(4.0, (0.03, 0.02, ARM), at=(0, -0.03, 0.5 * ARM)))
link = model.add_body("link", jd.solid.rod(1.0, end=(-LINK, 0, 0)))
ram = model.add_body("ram", jd.solid.box(20.0, (0.6, 0.08, 0.06), at=(-0.3, 0, 0)))
turn = {"angle": lambda t: -SPEED * t}
model.add_joint("motor", model.world.at(0, 0, BASE), crank, jd.Revolute("y"), driven=turn)
model.add_joint("pin", crank.at(CRANK, 0, 0), block, jd.Revolute("y"))
model.add_joint("pivot", model.world, arm, jd.Revolute("y"))
model.add_joint("slot", arm, block, jd.Prismatic("z"))
model.add_joint("top", arm.at(0, 0, ARM), link, jd.Revolute("y"))
model.add_joint("wrist", link.at(-LINK, 0, 0), ram, jd.Revolute("y"))
model.add_joint("guide", model.world.at(-0.1, 0, ARM), ram, jd.Prismatic("x"))

near = {"slot.position": np.hypot(CRANK, BASE), "pivot.angle": 0.3}
sol = jd.kinematics(model, 2.0, near=near, sample=0.002)


def check() -> None:
    """Assert what the text claims."""
    a = np.arcsin(CRANK / BASE)
    angle = sol.values("pivot.angle")
    exact = np.arctan2(CRANK * np.cos(SPEED * sol.time), BASE + CRANK * np.sin(SPEED * sol.time))
    np.testing.assert_allclose(angle, exact, atol=1e-9)
    rate = sol.values("pivot.rate")
    signs = np.nonzero(np.diff(np.sign(rate)))[0]
    turns = sol.time[signs] - rate[signs] * 0.002 / (rate[signs + 1] - rate[signs])
    there, back = np.diff(turns)[:2]
    ratio = max(there, back) / min(there, back)
    np.testing.assert_allclose(ratio, (np.pi + 2 * a) / (np.pi - 2 * a), rtol=1e-4)
    np.testing.assert_allclose(np.ptp(angle), 2 * a, rtol=1e-5)


if __name__ == "__main__":
    check()
    jd.animate(sol, "whitworth.html", plots=["guide.position", "guide.velocity", "pin.force"])
