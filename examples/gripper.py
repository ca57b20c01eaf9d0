"""A gripper: friction holds a block, as long as the fingers press hard enough.

What it shows
-------------
Two fingers on one screw close on a block and lift it. Coulomb's law decides: the block is held if
``2 mu F`` exceeds its weight and what the lift adds to it. A little below, it slides down between
the fingers, with the acceleration that is left.
"""

import numpy as np

import jourdain as jd

MASS, MU, LIFT, G = 0.8, 0.4, 2.0, 9.81  # [kg], [1], [m/s^2], [m/s^2]
NEEDED = MASS * (G + LIFT) / (2 * MU)  # [N] of a finger


def run(force: float) -> jd.Solution:
    """Close with a force [N] of each finger, then lift."""
    model = jd.Model("gripper")
    hand = model.add_body("hand", jd.solid.box(1.0, (0.3, 0.06, 0.04), at=(0, 0, 0.3)))
    rise = {"position": lambda t: 0.5 * LIFT * jd.maximum(t - 0.3, 0.0) ** 2}
    model.add_joint("lift", model.world, hand, jd.Prismatic("z"), driven=rise)
    block = model.add_body("block", jd.solid.box(MASS, (0.08, 0.06, 0.08)))
    model.add_joint("plane", model.world.at(0, 0, 0.1), block, jd.Planar("y"))
    for name, sign in (("left", -1), ("right", 1)):
        pad = jd.solid.box(0.2, (0.02, 0.05, 0.08), at=(0.01 * sign, 0, 0.1))
        shank = jd.solid.box(0.2, (0.02, 0.03, 0.16), at=(0.02 * sign, 0, 0.21))
        finger = model.add_body(name, pad + shank)
        place = hand.at(0.06 * sign, 0, 0)
        model.add_joint(f"{name}_slide", place, finger, jd.Prismatic("x"))
        flat = finger.at(0, 0, 0.1, rotation=jd.rotation_y(-0.5 * np.pi * sign))
        for k, z in enumerate((-0.03, 0.03)):
            corner = jd.Point(block.at(0.04 * sign, 0, z))
            rubber = jd.Coulomb(friction=MU)
            model.add_contact(f"{name}_{k}", jd.HalfSpace(flat), corner, rubber)
    left, right = (jd.Coordinate(f"{n}_slide.position") for n in ("left", "right"))
    model.add_connection("screw", left + right, jd.Equal())
    model.add_connection("motor", right - left, jd.Force(-force))
    floor = jd.HalfSpace(model.world.at(0, 0, 0.06))
    for k, x in enumerate((-0.04, 0.04)):
        model.add_contact(f"floor_{k}", floor, jd.Point(block.at(x, 0, -0.04)), jd.Coulomb(MU))
    return jd.simulate(model, 0.7, sample=0.002)


def check() -> None:
    """Assert what the text claims."""
    held, lost = run(1.02 * NEEDED), run(0.98 * NEEDED)
    way = 0.5 * LIFT * 0.4**2
    np.testing.assert_allclose(held.final["plane.position.z"], way, atol=1e-6)
    pressed = sum(held.values(f"left_{k}.normal_force")[-1] for k in range(2))
    np.testing.assert_allclose(pressed, 1.02 * NEEDED, rtol=1e-4)
    rise = 0.98 * (G + LIFT) - G  # [m/s^2] of a block that slides
    np.testing.assert_allclose(lost.final["plane.position.z"], rise * way / LIFT, rtol=1e-3)


if __name__ == "__main__":
    print(f"each finger must press with {NEEDED:.2f} N")
    sol = run(0.98 * NEEDED)
    jd.animate(sol, "gripper.html", plots=[["plane.position.z", "lift.position"], "left_1.force"])
    check()
