"""A four-cylinder engine, and the two shafts that make it run smoothly.

What it shows
-------------
Four pistons on one crankshaft balance each other in the first order of its speed; in the second
order they shake together, ``4 m r w^2 (r / l) cos(2 angle)`` up and down. Lanchester's two shafts
turn twice as fast, against each other, and take this force away: what is left is the fourth order,
less than one part in thirty.
"""

from typing import Any

import numpy as np

import jourdain as jd

R, L, PITCH, SPEED = 0.04, 0.13, 0.09, 314.159  # crank, rod, distance [m]; 3000 turns a minute
PISTON, ROD, OFF = 0.5, 0.6, 0.012  # [kg]; [m] of the weights on the shafts
MOVING, Q = PISTON + 0.3 * ROD, R / L  # with the part of a rod that goes with its piston
SECOND = 4 * MOVING * R * SPEED**2 * (Q + Q**3 / 4 + 15 * Q**5 / 128)  # [N]


def engine(balanced: bool) -> jd.Model:
    """Engine on a stand, whose fixing feels what shakes."""
    model = jd.Model("four_cylinders", gravity=(0, 0, 0))
    block = model.add_body("block", jd.solid.box(0.0, (0.14, 4.4 * PITCH, 0.03), at=(0, 0, -0.17)))
    model.add_joint("stand", model.world, block, jd.Fixed())
    throws = (1, -1, -1, 1)
    crank = jd.solid.cylinder(8.0, 0.02, 4.5 * PITCH, axis="y")
    places = [(k - 1.5) * PITCH for k in range(4)]
    for y, s in zip(places, throws, strict=True):
        crank = crank + jd.solid.cylinder(0.4, 0.018, 0.03, axis="y", at=(0, y, s * R))
    shaft = model.add_body("shaft", crank)
    turn = {"angle": lambda t: SPEED * t}
    model.add_joint("main", block, shaft, jd.Revolute("y"), driven=turn)
    for k, (y, s) in enumerate(zip(places, throws, strict=True)):
        inertia = jd.Inertia(ROD, com=(0, 0, 0.3 * L), moments=(2e-3, 2e-3, 1e-4))
        rod = model.add_body(f"rod_{k}", jd.solid.rod(0.0, end=(0, 0, L)) + inertia)
        piston = model.add_body(f"piston_{k}", jd.solid.cylinder(PISTON, 0.04, 0.05))
        model.add_joint(f"big_{k}", shaft.at(0, y, s * R), rod, jd.Revolute("y"))
        model.add_joint(f"small_{k}", rod.at(0, 0, L), piston, jd.Revolute("y"))
        model.add_joint(f"bore_{k}", block.at(0, y, L), piston, jd.Prismatic("z"))
    for name, sign in (("left", 1), ("right", -1)) if balanced else ():
        weight = 0.5 * SECOND / (4 * SPEED**2 * OFF)
        own = model.add_body(name, jd.solid.cylinder(weight, 0.016, 0.2, axis="y", at=(0, 0, -OFF)))
        model.add_joint(name, block.at(0.05 * sign, 0, -0.12), own, jd.Revolute("y"))
        gear = jd.Coordinate(f"{name}.angle") - 2 * sign * jd.Coordinate("main.angle")
        model.add_connection(f"gear_{name}", gear, jd.Equal())
    return model


def orders(balanced: bool) -> Any:
    """Force on the stand up and down [N] in the orders 0 to 6 of the speed."""
    turn = 2 * np.pi / SPEED
    sol = jd.kinematics(engine(balanced), turn, sample=turn / 256)
    up = sol["stand.force"].values[:256, 2]
    return np.abs(np.fft.rfft(up))[:7] / 128


def check() -> None:
    """Assert what the text claims."""
    alone, smooth = orders(False), orders(True)
    np.testing.assert_allclose(alone[2], SECOND, rtol=1e-3)
    fourth = 0.25 * Q**3 * 4 * MOVING * R * SPEED**2
    np.testing.assert_allclose(alone[4], fourth, rtol=0.2)
    assert max(alone[[1, 3, 5]]) < 1e-6 * SECOND  # the pistons balance each other
    assert smooth[2] < 1e-3 * SECOND
    np.testing.assert_allclose(smooth[4], alone[4], rtol=1e-9)
    assert smooth[1:].max() < SECOND / 30


if __name__ == "__main__":
    print(f"{orders(False)[2]:.0f} N in the second order, {orders(True)[2]:.2f} N with the shafts")
    sol = jd.kinematics(engine(True), 0.08, sample=2e-4)
    jd.animate(sol, "four_cylinders.html", plots=["stand.force.z", "main.applied_torque"])
    check()
