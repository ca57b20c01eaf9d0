r"""A rotor on a thin shaft: whirling, and a run-up through its critical speed.

What it shows
-------------
A flexible shaft with a disc that sits a little off its middle. The gyroscopic moment of the disc
splits each bending frequency in two, one forward and one backward; a run-up passes the first
critical speed, where the shaft bends most, and beyond it the disc centres itself. The damping of
the material turns with the shaft and would make it whirl at high speed; that of the air does not.

The system
----------
=====================  ==============  =====================  ==================
shaft                  0.6 m, 12 mm    disc                   4 kg, 120 mm radius
steel                  damping 0.2 %   out of centre          0.2 mm
=====================  ==============  =====================  ==================
"""

# %% The shaft turns in two bearings; the disc sits nearer to the first one.
from collections.abc import Callable
from typing import Any

import numpy as np

import jourdain as jd

OFF = 2e-4  # m
GROWTH = 200.0  # rad/s^2


def rotor(angle: Callable[[Any], Any], off: float = 0.0) -> jd.Model:
    """Rotor that turns by some angle of time, with a disc off its centre by some metres."""
    model = jd.Model("rotor", gravity=(0, 0, 0))
    steel = jd.flexible.circle(jd.flexible.STEEL, 0.012)
    beam = jd.flexible.beam(0.6, steel, modes=6, fields=("y", "z"), damping=0.002, frame="mean")
    shaft = model.add_body("shaft", beam)
    disc = model.add_body("disc", jd.solid.cylinder(4.0, 0.12, 0.03, axis="x", at=(0, off, 0)))
    bearing = jd.Revolute("x") * jd.Revolute("y") * jd.Revolute("z")  # it turns, and may tilt
    model.add_joint("bearing", model.world, shaft, bearing, driven={"angle_1": angle})
    model.add_joint("seat", shaft.at(0.25, 0, 0), disc, jd.Fixed())
    far = jd.Relative(model.world.at(0.6, 0, 0), shaft.at(0.6, 0, 0), "yz")
    model.add_connection("far_bearing", far, jd.Equal((0.0, 0.0)))
    model.add_connection("air", jd.Relative(model.world, disc, "yz"), jd.Damper(40.0))
    return model


# %% Frequencies at rest and at speed; the turning frame sees them less the speed.
speed = 300.0
still = jd.eigenmodes(rotor(lambda t: 0.0 * t))
fast = jd.eigenmodes(rotor(lambda t: speed * t))
print(still)
print(fast)

# %% The run-up: two seconds from rest to 400 rad/s.
model = rotor(lambda t: 0.5 * GROWTH * t**2, OFF)
solution = jd.simulate(model, 2.0, sample=5e-4)
bent = np.hypot(*(solution.values(f"disc.position.{axis}") for axis in "yz"))
critical = 2.0 * np.pi * still.frequencies[0]
passed = GROWTH * float(solution.time[int(np.argmax(bent))])
print(f"critical speed {critical:.1f} rad/s, largest bending at {passed:.1f} rad/s")


# %% What to notice: the largest bending comes a little behind the critical speed, because the rotor
# needs time to swing up; far beyond it the centre of the disc's mass comes to rest, and the shaft
# bends by the offset alone.
def check() -> None:
    """Assert what the text claims."""
    assert critical < passed < 1.3 * critical
    assert float(bent.max()) > 5.0 * OFF
    late = float(bent[solution.time > 1.9].mean())
    assert 0.8 * OFF < late < 1.6 * OFF
    assert abs(fast.frequencies[0] - fast.frequencies[1]) > 1.0
