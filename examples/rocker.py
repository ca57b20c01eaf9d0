r"""A joint of your own: a rocker that rolls on the floor.

What it shows
-------------
A joint kind is one function, the pose of the child in the parent. Mode vectors, velocities,
accelerations and the constraint rows of a cut joint are derived from it; the kind is compiled
like the built-in ones.

The system
----------
A half wheel of radius 0.2 m rolls along x and carries a mast of 0.6 m with a ball on top::

             o  ball
             |            At an angle a the centre of the wheel is at (r a, 0, r):
             |  mast      it rolls without slipping.
         ____|____
         \   |   /   r
          '--.--'
    ---------+----------> x
"""

# %% The joint: its fields, its coordinates and its pose.
from typing import Any

import numpy as np

import jourdain as jd


class Rocker(jd.Joint):
    """Wheel that rolls along x without slipping."""

    radius: float
    coordinates = {"angle": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Orientation and position of the wheel's centre at an angle [rad]."""
        return jd.rotation_y(q[0]), (self.radius * q[0], 0, self.radius)


# %% What is derived from it: how it moves, what it locks.
radius, mast = 0.2, 0.6
modes = jd.mode_vectors(Rocker(radius), [0.4])
print(modes)

# %% A machine with it.
model = jd.Model("rocker")
wheel = jd.solid.cylinder(2.0, radius=radius, length=0.1, axis="y")
toy = model.add_body(
    "toy",
    wheel + jd.solid.rod(0.2, end=(0, 0, mast)) + jd.solid.ball(0.3, 0.05, at=(0, 0, mast)),
)
model.add_joint("floor", model.world, toy, Rocker(radius))
top = model.add_frame("top", toy.at(0, 0, mast))

system = jd.compile(model)
q, v = system.state({"floor.angle": 0.4, "floor.rate": 1.5})
jacobian = system.jacobian("top", q)
print("\nvelocity of the ball [m/s]", jacobian[3:] @ v)


def check() -> None:
    """Assert what the text claims."""
    touching = toy.at(-radius * np.sin(-q[0]), 0, -radius * np.cos(q[0]))
    contact = system.jacobian(touching, q)[3:] @ v
    np.testing.assert_allclose(contact, 0.0, atol=1e-15)  # it rolls
    arm = radius + mast * np.cos(q[0])
    closed = v[0] * np.array([arm, 0.0, -mast * np.sin(q[0])])
    np.testing.assert_allclose(jacobian[3:] @ v, closed, atol=1e-15)
    assert modes.locked.shape == (6, 5)
    np.testing.assert_allclose(modes.locked_dual.T @ modes.free, 0.0, atol=1e-12)


if __name__ == "__main__":
    check()
