r"""A spinning top: it precesses, nutates, and falls when it is too slow.

What it shows
-------------
Orientations by quaternions, which stay unit; start values by name; an event that ends the run;
energy and momentum by name, computed when they are asked for.

The system
----------
A disc on a thin axle that stands on its tip::

        \
      ===\===  disc 0.4 kg, radius 0.05 m, at 0.06 m
          \
           \   lean
    --------o-------- tip: a ball joint
"""

# %% The top.
from typing import Any

import numpy as np

import jourdain as jd

LEAN = 0.35  # [rad]
model = jd.Model("top")
disc = jd.solid.cylinder(0.4, radius=0.05, length=0.01, at=(0, 0, 0.06))
top = model.add_body("top", disc + jd.solid.rod(mass=0.01, end=(0, 0, 0.1)))
model.add_joint("tip", model.world, top, jd.Spherical())
system = jd.compile(model)


def run(spin: float, end: float) -> jd.Solution:
    """Let the top go at a lean with a spin [rad/s]; the run ends when it lies on the ground."""
    start = {
        "tip.orientation": (np.cos(0.5 * LEAN), np.sin(0.5 * LEAN), 0.0, 0.0),
        "tip.angular_velocity": (0.0, 0.0, spin),
    }
    lies = jd.Event(lambda t, s: height(s["tip.orientation"]) - 0.2, terminal=True)
    return jd.simulate(system, end, start=start, events={"lies": lies})


def height(quaternion: Any) -> Any:
    """Cosine of the lean: the last entry of the rotation matrix."""
    return 1.0 - 2.0 * (quaternion[1] * quaternion[1] + quaternion[2] * quaternion[2])


# %% Fast: it precesses at a rate of nearly m g l / (C ω), and nutates a little.
SPIN = 600.0
fast = run(SPIN, 4.0)
print(fast)
way = fast.values("centre_of_mass.position")
angle = np.unwrap(np.arctan2(way[:, 1], way[:, 0]))
rate = (angle[-1] - angle[0]) / fast.time[-1]
weight = 9.81 * 0.41 * np.linalg.norm(way[0])
axial = 0.5 * 0.4 * 0.05**2
print(f"precesses at {rate:.4f} rad/s; m g l / (C ω) is {weight / (axial * SPIN):.4f} rad/s")

# %% Slow: it falls.
slow = run(20.0, 4.0)
print(f"at 20 rad/s it lies after {slow.time[-1]:.3f} s")


def check() -> None:
    """Assert what the text claims."""
    assert fast.events == ()
    lean = np.arccos(height(fast.values("tip.orientation").T))
    assert lean.min() > LEAN - 1e-6
    assert lean.max() < LEAN + 0.05
    assert abs(rate / (weight / (axial * SPIN)) - 1.0) < 0.02
    assert np.ptp(fast.values("energy.total")) < 1e-5 * fast.values("energy.total")[0]
    assert slow.statistics.status == "terminal_event"
    assert slow.events[0].name == "lies"
    assert slow.time[-1] < 0.5


if __name__ == "__main__":
    check()
