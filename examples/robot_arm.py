"""A robot arm with six axes draws a curve in the air.

What it shows
-------------
Jacobians of a frame for a whole batch of positions: Newton's method finds the angles for 600
points of the curve at once. Driven by these angles the arm draws the curve; the animation is one
file, ``robot_arm.html``.

The system
----------
Six hinges: turntable (z), shoulder, elbow (y), roll (x), wrist (y), flange (x). The tool has to
stay upright while its tip follows a curve of three loops, so five rows are asked of six angles;
the rest is left as small as possible.

==========  =====  ====
length      value  unit
==========  =====  ====
base        0.4    m
upper arm   0.55   m
forearm     0.5    m
tool        0.2    m
==========  =====  ====
"""

# %% The arm, at rest with the upper arm upright and the forearm along x.
import numpy as np

import jourdain as jd
from jourdain import viz

BASE, UPPER, FORE, TOOL = 0.4, 0.55, 0.5, 0.2


def post(length, radius, axis, lean=0.0):
    """Cylinder from the origin along an axis, with a bearing across."""
    along = {"x": (0.5 * length, 0, 0), "z": (0, 0, 0.5 * length)}[axis]
    bar = jd.solid.cylinder(4.0, radius, length, axis, at=along)
    return bar + jd.solid.cylinder(1.0, 1.4 * radius, 3.2 * radius, "y")


model = jd.Model("robot_arm")
turntable = model.add_body("turntable", jd.solid.cylinder(9.0, 0.11, BASE, at=(0, 0, 0.5 * BASE)))
upper = model.add_body("upper_arm", post(UPPER, 0.055, "z"))
fore = model.add_body("forearm", post(0.5 * FORE, 0.05, "x"))
roll = model.add_body("roll", jd.solid.cylinder(2.0, 0.04, 0.5 * FORE, "x", at=(0.25 * FORE, 0, 0)))
wrist = model.add_body("wrist", post(0.5 * TOOL, 0.033, "x"))
pen = model.add_body("pen", jd.solid.cone(0.3, 0.03, 0.5 * TOOL, "x"))
model.add_joint("turn", model.world, turntable, jd.Revolute("z"))
model.add_joint("shoulder", turntable.at(0, 0, BASE), upper, jd.Revolute("y"))
model.add_joint("elbow", upper.at(0, 0, UPPER), fore, jd.Revolute("y"))
model.add_joint("twist", fore.at(0.5 * FORE), roll, jd.Revolute("x"))
model.add_joint("bend", roll.at(0.5 * FORE), wrist, jd.Revolute("y"))
model.add_joint("flange", wrist.at(0.5 * TOOL), pen, jd.Revolute("x"))
tip = model.add_frame("tip", pen.at(0.5 * TOOL))
system = jd.compile(model)

# %% The curve, and angles for all of its points by Newton's method on the batch.
times = np.linspace(0.0, 8.0, 601)
turn = 2.0 * np.pi * times / 8.0
reach = 0.12 * np.cos(3.0 * turn)
curve = np.column_stack(
    [0.62 + reach * np.cos(turn), 1.6 * reach * np.sin(turn), 0.55 + 0.1 * np.sin(3.0 * turn)]
)
q = np.tile(system.state({"shoulder.angle": 0.3, "elbow.angle": 0.5, "bend.angle": 0.8})[0], (601, 1))
for iteration in range(12):
    pose = system.poses(q)[:, -1]
    J = system.jacobian("tip", q)
    point = pose[:, :3, 3] + 0.5 * TOOL * pose[:, :3, 0]
    down = np.cross(pose[:, :3, 0], (0.0, 0.0, -1.0))  # turns the pen towards straight down
    wanted = np.concatenate([down, curve - point], axis=1)
    q += np.einsum("nij,nj->ni", np.linalg.pinv(J, rcond=1e-6), wanted)
print(f"after {iteration + 1} steps the tip is off by at most {abs(curve - point).max():.1e} m")

# %% To look at.
page = viz.page(system, times, q, "robot_arm.html", paths=[curve], title="Robot arm")


def check() -> None:
    """Assert what the text claims."""
    assert abs(curve - point).max() < 1e-9
    assert np.all(pose[:, 2, 0] < -1.0 + 1e-9)  # the pen points down
    v = np.gradient(q, times, axis=0)
    by_jacobian = np.einsum("nij,nj->ni", system.jacobian("tip", q), v)[:, 3:]
    by_difference = np.gradient(curve, times, axis=0)
    np.testing.assert_allclose(by_jacobian[1:-1], by_difference[1:-1], atol=2e-3)
    assert page.stat().st_size < 2_000_000


if __name__ == "__main__":
    check()
