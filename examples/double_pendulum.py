r"""Double pendulum: ten seconds of motion, and how fast two of them part.

What it shows
-------------
A simulation from start values by name; its audit; events; quantities by name; results in a file,
and a run that goes on from there to the last bit. Two pendulums that start a micrometre apart are
metres apart after a while: an error of any integrator grows as fast, so only tight tolerances tell
where such a machine is after ten seconds.

The system
----------
Two rods of 1 m that swing in a plane::

      o shoulder (y)
      |
      | upper, 1 kg
      |
      o elbow (y)
       \
        \ lower, 0.5 kg
         \
"""

# %% The machine.
import numpy as np

import jourdain as jd
from jourdain.viz.plot import plot

model = jd.Model("double_pendulum")
upper = model.add_body("upper", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
lower = model.add_body("lower", jd.solid.rod(mass=0.5, end=(0, 0, -1)))
model.add_joint("shoulder", model.world, upper, jd.Revolute("y"))
model.add_joint("elbow", upper.at(0, 0, -1), lower, jd.Revolute("y"))
tip = model.add_frame("tip", lower.at(0, 0, -1))
system = jd.compile(model)

# %% Ten seconds, and the moments at which the upper rod hangs straight down.
start = {"shoulder.angle": 2.0, "elbow.angle": 0.5}
tight = jd.Dop853(rtol=1e-12, atol=1e-13)
events = {"down": lambda t, s: jd.sin(0.5 * s["shoulder.angle"])}
sol = jd.simulate(system, 10.0, start=start, method=tight, events=events)
print(sol)
plot(sol, "shoulder.angle", "elbow.angle", "energy.kinetic")[0].figure.savefig("angles.png")
plot(sol, "tip.position.z", against="tip.position.x")[0].figure.savefig("path.png")

# %% A twin that starts a micrometre away.
near = start | {"elbow.angle": 0.5 + 1e-6}
twin = jd.simulate(system, 10.0, start=near, method=tight, events=events)
apart = np.linalg.norm(sol.values("tip.position") - twin.values("tip.position"), axis=1)
print(f"apart by {apart[0]:.1e} m at the start, {apart.max():.2f} m at most")

# %% Stop after five seconds, save, and go on: the same steps as without a stop.
jd.simulate(system, 5.0, start=start, method=tight, events=events).save("half.nc")
resumed = jd.simulate(system, 10.0, resume=jd.load("half.nc"), events=events)
print("same end:", np.array_equal(resumed.q[-1], sol.q[-1]))


def check() -> None:
    """Assert what the text claims."""
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < 1e-9
    assert len(sol.events) > 5
    assert all(abs(np.sin(0.5 * event.q[0])) < 1e-9 for event in sol.events)
    assert apart[0] < 1.1e-6
    assert apart.max() > 1e-2
    assert np.array_equal(resumed.q[-1], sol.q[-1])
    assert resumed.statistics.steps == sol.statistics.steps


if __name__ == "__main__":
    check()
