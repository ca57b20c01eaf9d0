"""First steps: describe a machine, ask how it is put together, compute where it is.

What it shows
-------------
A slider-crank is a closed loop: the report tells the tree, the joint that is cut, and how many
freedoms are counted. A pendulum is a tree: it is compiled, and its poses and velocities are
functions of its angle, for one state or for thousands at a time.

The system
----------
::

      main (crank 0.1 m) big_end (rod 0.3 m) wrist
    o------------------o------------------------o=[piston]=>  guide, along x
                                                         pendulum:  o hinge (y)
                                                                    |
                                                                    | 0.5 m
                                                                    bob
"""

# %% A slider-crank, described: names, solids, joints.
import numpy as np

import jourdain as jd

model = jd.Model("slider_crank")
crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
piston = model.add_body("piston", jd.solid.cylinder(0.4, radius=0.04, length=0.05, axis="x"))
model.add_joint("main", model.world, crank, jd.Revolute("y"))
model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("y"))
model.add_joint("guide", model.world, piston, jd.Prismatic("x"))

report = jd.structure(model)
print(report)

# %% A pendulum, compiled: its bob is where the angle says.
pendulum = jd.Model("pendulum")
bob = pendulum.add_body("bob", jd.solid.ball(mass=2.0, radius=0.05))
pendulum.add_joint("hinge", pendulum.world, bob.at(0, 0, 0.5), jd.Revolute("y"))

system = jd.compile(pendulum)
q, v = system.state({"hinge.angle": 0.3, "hinge.rate": 2.0})
print("\nposition of the bob [m]", system.poses(q)[0, :3, 3])
print("velocity of the bob [m/s]", system.twists(q, v)[0, 3:])

# %% A thousand positions in one call: leading axes make a batch.
angles = np.linspace(-np.pi, np.pi, 1000)
path = system.poses(angles[:, np.newaxis])[:, 0, :3, 3]


def check() -> None:
    """Assert what the text claims."""
    assert (report.n_bodies, report.n_loops, report.loops[0].rows) == (3, 1, 5)
    down, across = -0.5 * np.cos(angles), -0.5 * np.sin(angles)
    circle = np.column_stack([across, np.zeros(1000), down])
    np.testing.assert_allclose(path, circle, atol=1e-15)
    speed = np.linalg.norm(system.twists(q, v)[0, 3:])
    np.testing.assert_allclose(speed, 0.5 * 2.0, rtol=1e-14)


if __name__ == "__main__":
    check()
