"""A delta robot: three arms at the top move a plate that never turns.

What it shows
-------------
Each arm drives a parallelogram of two thin rods, which is held lengths between balls. Six rods hold
the six freedoms of the plate and keep it level. The arms follow the angles that the closed form of
the inverse kinematics gives for a wanted path; the plate is there to rounding.
"""

from typing import Any

import numpy as np

import jourdain as jd

BASE, PLATE, ARM, ROD, HALF = 0.2, 0.06, 0.25, 0.55, 0.04  # [m]
DOWN, PERIOD = 0.5, 1.0  # [m] of the middle of the path; [s]


def path(t: Any) -> Any:
    """Wanted place of the plate [m]: pick and place, there and back."""
    s = jd.sin(2 * np.pi * t / PERIOD)
    return 0.12 * s, 0.05 * jd.cos(4 * np.pi * t / PERIOD), -DOWN - 0.05 * s * s


def arm_angle(p: Any, turn: float) -> Any:
    """Angle [rad] below the horizon of the arm in the direction ``turn`` for a plate at p."""
    x = np.cos(turn) * p[0] + np.sin(turn) * p[1] + PLATE - BASE
    y, z = np.cos(turn) * p[1] - np.sin(turn) * p[0], p[2]
    a, b = 2 * ARM * x, -2 * ARM * z  # a cos + b sin = c closes the rod
    c = x * x + y * y + z * z + ARM**2 - ROD**2
    return jd.math.atan2(b, a) - jd.math.acos(c / jd.sqrt(a * a + b * b))


model = jd.Model("delta_robot")
plate = model.add_body("plate", jd.solid.cylinder(0.6, PLATE, 0.01))
model.add_joint("free", model.world, plate, jd.Free())
base = model.add_body("base", jd.solid.cylinder(0.0, BASE, 0.03, at=(0, 0, 0.03)))
model.add_joint("ceiling", model.world, base, jd.Fixed())
for k in range(3):
    turn = 2 * np.pi * k / 3
    place = base.at(BASE * np.cos(turn), BASE * np.sin(turn), 0, rotation=jd.rotation_z(turn))
    arm = model.add_body(f"arm_{k}", jd.solid.rod(0.4, end=(ARM, 0, 0)))
    drive = {"angle": lambda t, a=turn: arm_angle(path(t), a)}
    model.add_joint(f"motor_{k}", place, arm, jd.Revolute("y"), driven=drive)
    for name, side in (("left", -HALF), ("right", HALF)):
        foot = jd.rotation_z(turn) @ (PLATE, side, 0.0)
        rod = jd.Distance(arm.at(ARM, side, 0), plate.at(*foot))
        model.add_connection(f"{name}_{k}", rod, jd.Equal(ROD))

sol = jd.simulate(model, PERIOD, start={"free.position": path(0.0)}, sample=0.005)


def check() -> None:
    """Assert what the text claims."""
    wanted = np.array([path(t) for t in sol.time], dtype=float)
    np.testing.assert_allclose(sol["plate.position"], wanted, atol=1e-8)
    np.testing.assert_allclose(sol["plate.orientation"].values[:, 0], 1.0, atol=1e-8)
    power = sum(
        sol.values(f"motor_{k}.applied_torque") * sol.values(f"motor_{k}.rate") for k in range(3)
    )
    energy = sol.values("energy.total")
    gained = np.concatenate([[0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(sol.time))])
    np.testing.assert_allclose(gained, energy - energy[0], atol=0.01)


if __name__ == "__main__":
    plots = [
        [f"motor_{k}.angle" for k in range(3)],
        [f"motor_{k}.applied_torque" for k in range(3)],
    ]
    jd.animate(sol, "delta_robot.html", traces=["plate"], plots=plots)
    check()
