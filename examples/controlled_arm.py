"""A robot arm whose controller runs at 200 Hz, as on its computer.

What it shows
-------------
Plain Python as a controller: called at a fixed rate with the state by names, its torques held in
between. It may use anything, here a second compiled system as its model of the arm: computed
torque. Without the model, the same gains leave the arm hanging below its goal.

The system
----------
A shoulder that turns about z and lifts about y, and an elbow that lifts about y::

            upper 0.4 m      fore 0.35 m
      pan o------------o elbow ---------- hand 1 kg
    lift  |
          | base
"""

# %% The arm.
from typing import Any

import numpy as np

import jourdain as jd

model = jd.Model("arm")
post = model.add_body("post", jd.solid.cylinder(4.0, radius=0.06, length=0.3))
upper = model.add_body("upper", jd.solid.rod(mass=2.0, end=(0.4, 0, 0)))
hand = jd.solid.ball(mass=1.0, radius=0.04, at=(0.35, 0, 0))
fore = model.add_body("fore", jd.solid.rod(mass=1.2, end=(0.35, 0, 0)) + hand)
model.add_joint("pan", model.world, post, jd.Revolute("z"))
model.add_joint("lift", post.at(0, 0, 0.2), upper, jd.Revolute("y"))
model.add_joint("elbow", upper.at(0.4, 0, 0), fore, jd.Revolute("y"))
system = jd.compile(model)
joints = ("pan", "lift", "elbow")

# %% The controller: where the arm should be, and the torques that bring it there.
period = 1.0 / 200.0
goal = np.array([0.8, -0.6, 0.9])
stiffness, damping = 100.0, 20.0  # of the error [1/s², 1/s]: two roots of −10 1/s


class Controller:
    """Computed torque; one call computes all torques, the others take theirs from it."""

    def __init__(self, uses_model: bool) -> None:
        self.uses_model, self.torques = uses_model, np.zeros(3)
        self.calls = 0

    def first(self, t: float, s: Any) -> float:
        """Torque of the first joint; computes them all."""
        q = np.array([s[f"{name}.angle"] for name in joints])
        v = np.array([s[f"{name}.rate"] for name in joints])
        wanted = stiffness * (goal - q) - damping * v
        self.torques = system.inverse_dynamics(q, v, wanted) if self.uses_model else wanted
        self.calls += 1
        return float(self.torques[0])

    def inputs(self) -> dict[str, jd.Sampled]:
        """Inputs by the names of their coordinates."""
        second = jd.Sampled(lambda t: self.torques[1], period)
        third = jd.Sampled(lambda t: self.torques[2], period)
        sampled = jd.Sampled(self.first, period), second, third
        return {f"{name}.angle": s for name, s in zip(joints, sampled, strict=True)}


# %% Two seconds with the model of the arm, and without.
with_model, without = Controller(uses_model=True), Controller(uses_model=False)
sol = jd.simulate(system, 2.0, inputs=with_model.inputs())
plain = jd.simulate(system, 2.0, inputs=without.inputs())
for name, run in (("with", sol), ("without", plain)):
    print(f"{name} a model, off the goal by {np.abs(run.q[-1] - goal).max():.1e} rad")
drawn = jd.plot({"with": sol, "without": plain}, "lift.angle", "lift.applied_torque")
drawn[0].figure.savefig("controlled_arm.png")


def check() -> None:
    """Assert what the text claims."""
    assert with_model.calls == 400
    assert np.abs(sol.q[-1] - goal).max() < 1e-4
    assert np.abs(plain.q[-1] - goal)[1] > 1e-2  # it hangs
    held = sol.values("lift.applied_torque")
    assert len(np.unique(held)) <= 400
    critical = goal[0] * (1.0 - (1.0 + 10.0 * sol.time) * np.exp(-10.0 * sol.time))
    assert np.abs(sol.values("pan.angle") - critical).max() < 0.02  # the delay of holding


if __name__ == "__main__":
    check()
