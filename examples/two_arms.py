"""Two arms from one URDF file, on a table: gravity takes them to their stops.

What it shows
-------------
A robot that is read from a file is a part. It is built in twice; stops, dry friction and fingers
that move together come from the file. The left arm is let go at an angle and falls until its
shoulder meets its stop; the right one stands upright, held by friction alone.
"""

from pathlib import Path

import numpy as np

import jourdain as jd

FILE = Path(__file__).with_name("arm.urdf")

cell = jd.Model("cell")
table = cell.add_body("table", jd.solid.box(mass=40.0, size=(1.2, 0.8, 0.05)))
cell.add_joint("legs", cell.world.at(0, 0, 0.8), table, jd.Fixed())
arm = jd.read_urdf(FILE)
cell.add("left", arm.on(table.at(-0.35, 0, 0.025)))
cell.add("right", arm.on(table.at(0.35, 0, 0.025)))
sol = jd.simulate(cell, 3.0, start={"left.shoulder.angle": -0.3, "left.elbow.angle": -0.4})


def check() -> None:
    """Assert what the text claims."""
    last = sol.final
    np.testing.assert_allclose(last["left.shoulder.angle"], -1.8, atol=1e-9)  # on its stop
    np.testing.assert_allclose(last["right.shoulder.angle"], 0.0, atol=1e-12)  # held by friction
    fingers = sol["left.left.position"] + sol["left.right.position"]
    np.testing.assert_allclose(fingers, 0.0, atol=1e-9)


if __name__ == "__main__":
    print(arm)
    print(sol.ledger)
    jd.animate(sol, "two_arms.html", plots=["left.shoulder.angle", "left.elbow.angle"])
    check()
