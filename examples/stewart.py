"""A Stewart platform: six legs of changing length carry and move a plate.

What it shows
-------------
A leg is a constraint on a distance, `jd.Equal` with a function of time. The six lengths are those
of a wanted motion of the plate; the plate, which is free otherwise, follows it to rounding, and the
multipliers are the forces of the legs: together they carry weight and acceleration.
"""

from typing import Any

import numpy as np

import jourdain as jd

LOW, HIGH, HEIGHT, MASS = 1.2, 0.7, 1.4, 250.0  # [m] radii of the joints, height; [kg]


def corner(radius: float, k: int, shift: float) -> Any:
    """Place of joint k of six, in pairs."""
    angle = np.radians(120 * (k // 2) + (shift if k % 2 else -shift))
    return radius * np.array([np.cos(angle), np.sin(angle), 0.0])


def path(t: Any) -> Any:
    """Wanted place of the plate [m]."""
    s = jd.math.sin(2 * t) ** 2
    return 0.2 * jd.math.sin(2 * t), 0.15 * s, HEIGHT + 0.1 * s


def length(a: Any, b: Any) -> Any:
    """Length of a leg from a on the ground to b on the plate, as a function of time."""
    return lambda t: jd.math.norm([p + b[k] - a[k] for k, p in enumerate(path(t))])


model = jd.Model("stewart")
plate = model.add_body("plate", jd.solid.cylinder(MASS, radius=0.8, length=0.08))
model.add_joint("free", model.world, plate, jd.Free())
feet = [corner(LOW, k, 50.0) for k in range(6)]
heads = [corner(HIGH, k, 15.0) for k in range(6)]
for k, (a, b) in enumerate(zip(feet, heads, strict=True)):
    ends = model.world.at(*a), plate.at(*b)
    model.add_connection(f"leg_{k}", jd.Distance(*ends), jd.Equal(length(a, b)))

start = {"free.position": (0.0, 0.0, HEIGHT), "free.velocity": (0.4, 0.0, 0.0)}
sol = jd.simulate(model, 2.0, start=start)


def check() -> None:
    """Assert what the text claims."""
    t = sol.data["time"].values
    wanted: Any = np.array([path(x) for x in t])
    np.testing.assert_allclose(sol["plate.position"], wanted, atol=1e-7)
    np.testing.assert_allclose(sol["plate.orientation"].values[:, 0], 1.0, atol=1e-7)
    arms = np.array(heads)[:, None] + wanted[None] - np.array(feet)[:, None]
    along = arms / np.linalg.norm(arms, axis=2, keepdims=True)
    forces = np.array([sol[f"leg_{k}.force"].values for k in range(6)])
    total = np.einsum("kt,kti->ti", forces, along)
    needed = MASS * (sol["plate.acceleration"].values + np.array((0.0, 0.0, 9.81)))
    np.testing.assert_allclose(total, needed, atol=1e-5 * MASS * 9.81)


if __name__ == "__main__":
    jd.animate(sol, "stewart.html", plots=["leg_0.force", "plate.position"])
    check()
