"""A robot arm with six axes draws a curve in the air.

What it shows
-------------
Jacobians of a frame for a whole batch of positions: Newton's method finds the angles for 601
points of the curve at once. Tables of these angles then drive the joints, so that the arm is a
machine without freedom whose velocities follow from the tables. The animation is one file,
``robot_arm.html``.

The system
----------
Six hinges: turn (z), shoulder, elbow (y), twist (x), bend (y), flange (x). The pen has to point
down while its tip follows a curve of three loops. That are five rows for six angles; of all
steps that fulfil them Newton's method takes the shortest.

==========  =====  ====
length      value  unit
==========  =====  ====
base        0.4    m
upper arm   0.55   m
forearm     0.5    m
pen         0.2    m
==========  =====  ====
"""

# %% The arm. At rest the upper arm is upright and the forearm points along x.
from collections.abc import Sequence

import numpy as np

import jourdain as jd
from jourdain.spatial.solid import Solid
from jourdain.viz.shapes.drawables import Line

BASE, UPPER, FORE, PEN = 0.4, 0.55, 0.5, 0.2
STEPS = 12  # of Newton's method


def link(radius: float, length: float, axis: str) -> Solid:
    """Cylinder that begins at the origin, with a bearing across."""
    middle = (0, 0, 0.5 * length) if axis == "z" else (0.5 * length, 0, 0)
    bearing = jd.solid.cylinder(1.0, 1.4 * radius, 3.2 * radius, "y")
    return bearing + jd.solid.cylinder(4.0, radius, length, axis, at=middle)


def make_arm(drives: Sequence[jd.Table | None] = (None,) * 6) -> jd.Model:
    """Arm with free hinges, or with angles that follow functions of time."""
    model = jd.Model("robot_arm")
    base = jd.solid.cylinder(9.0, 0.11, BASE, at=(0, 0, 0.5 * BASE))
    roll = jd.solid.cylinder(2.0, 0.04, 0.5 * FORE, "x", at=(0.25 * FORE, 0, 0))
    hinges = (  # name, axis, where it sits on the link before, body, what it is made of
        ("turn", "z", (0, 0, 0), "turntable", base),
        ("shoulder", "y", (0, 0, BASE), "upper_arm", link(0.055, UPPER, "z")),
        ("elbow", "y", (0, 0, UPPER), "forearm", link(0.05, 0.5 * FORE, "x")),
        ("twist", "x", (0.5 * FORE, 0, 0), "roll", roll),
        ("bend", "y", (0.5 * FORE, 0, 0), "wrist", link(0.033, 0.5 * PEN, "x")),
        ("flange", "x", (0.5 * PEN, 0, 0), "pen", jd.solid.cone(0.3, 0.03, 0.5 * PEN, "x")),
    )
    last = model.world
    for (name, axis, place, body_name, solid), drive in zip(hinges, drives, strict=True):
        body = model.add_body(body_name, solid)
        driven = None if drive is None else {"angle": drive}
        model.add_joint(name, last.at(*place), body, jd.Revolute(axis), driven=driven)
        last = body
    model.add_frame("tip", last.at(0.5 * PEN))
    return model


# %% The curve, and the angles for all of its points.
times = np.linspace(0.0, 8.0, 601)
turn = 2.0 * np.pi * times / 8.0
reach = 0.12 * np.cos(3.0 * turn)
curve = np.column_stack(
    [0.62 + reach * np.cos(turn), 1.6 * reach * np.sin(turn), 0.55 + 0.1 * np.sin(3.0 * turn)]
)
arm = jd.compile(make_arm())
start, _ = arm.state({"shoulder.angle": 0.3, "elbow.angle": 0.5, "bend.angle": 0.8})
q = np.tile(start, (601, 1))
for _ in range(STEPS):
    pen = arm.poses(q)[:, -1]
    tip = pen[:, :3, 3] + 0.5 * PEN * pen[:, :3, 0]
    turn_down = np.cross(pen[:, :3, 0], (0.0, 0.0, -1.0))
    wanted = np.concatenate([turn_down, curve - tip], axis=1)
    inverse = np.linalg.pinv(arm.jacobian("tip", q), rcond=1e-6)
    q += np.einsum("nij,nj->ni", inverse, wanted)
print(f"after {STEPS} steps the tip is off by at most {abs(curve - tip).max():.1e} m")

# %% The same arm, driven: one spline for each hinge, through every twelfth point.
q[-1] = q[0]  # the curve is closed
splines = [jd.Table(times[::12], q[::12, k], "cubic", "repeat") for k in range(6)]
robot = jd.compile(make_arm(splines))
nothing = np.zeros(0)
rest = np.zeros((601, 0))  # no coordinate is free
sol = jd.Solution(robot, times, rest, rest)
marked = Line("curve", curve, colour="#d55e00")
page = jd.animate(sol, "robot_arm.html", title="Robot arm", traces=["tip"], extras=[marked])

poses, twists, _ = robot.kinematics(nothing, nothing, None, times)
arms = poses[:, -1, :3, :3] @ (0.5 * PEN, 0.0, 0.0)
drawn = poses[:, -1, :3, 3] + arms
velocity = twists[:, -1, 3:] + np.cross(twists[:, -1, :3], arms)
print(f"driven by splines, by at most {abs(curve - drawn).max():.1e} m")


def check() -> None:
    """Assert what the text claims."""
    assert abs(curve - tip).max() < 1e-12
    assert np.all(pen[:, 2, 0] < -1.0 + 1e-12)  # it points down
    assert robot.names.q == ()
    assert abs(curve - drawn).max() < 2e-4
    differences = (drawn[2:] - drawn[:-2]) / (times[2:] - times[:-2])[:, np.newaxis]
    np.testing.assert_allclose(velocity[1:-1], differences, atol=1e-3)
    assert len(page.text) < 2_000_000


if __name__ == "__main__":
    check()
