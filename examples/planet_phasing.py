r"""Phases of planets: which mesh orders shake a ring, and which turn it.

What it shows
-------------
Three planets drive a ring of 85 teeth. As 85/3 is no whole number, the meshes are a third of a
pitch apart, and what they excite adds up or cancels: the rotation of the ring feels the third mesh
order alone, its bearing the orders 1, 2, 4 and 5. Nothing of that is put in: each mesh follows
from the places of its wheels. The rim of the ring bends, and a run-up shows the orders as lines.

The system
----------
::

    planets 3 x 25 teeth on fixed pins, driven == ring 85 teeth, elastic rim, soft bearing

==================  ==========    =====================  ==================
module              2 mm          torque on the ring     -150 N m
mean stiffness      1e8 N/m       bearing of the ring    2e7 N/m, 1e3 N s/m
orders 1 to 5       1e7 N/m each  rim                    8 mm thick, 20 mm wide
==================  ==========    =====================  ==================

Equations
---------
Torque of the order i: |Σ exp(j i z θ_k)|, force across: |Σ exp(j (i z ± 1) θ_k)| (4.F51, 4.V28).
"""

# %% Ring on its bearing, planets on fixed pins, turned so that their teeth fit.
import math
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import bearings, gears

RING, PLANET, ORDERS, END = 85, 25, 5, 0.6
FIRST, LAST = 30.0, 90.0  # speed of the planets [rad/s]
teeth = gears.Teeth((PLANET, -RING), module=2e-3)
soft = gears.Elastic(gears.FourierStiffness(1e8, (1e7,) * ORDERS), 1500.0)

model = jd.Model("phases of planets", gravity=(0, 0, 0))
ring = model.add_body("ring", jd.solid.tube(1.5, 0.083, 0.0867, 0.02))
model.add_joint("plane", model.world, ring, jd.Planar("z"))
model.add("bearing", bearings.RollingBearing(model.world, ring, 2e7, 1e3))
rim = model.add("rim", gears.ElasticRing(0.09, 8e-3, 0.02, waves=3, damping=0.02)).rim
model.add_connection("load", jd.Coordinate("plane.angle"), jd.Force(-150.0) + jd.Damper(0.2))
sun = gears.Teeth((RING - 2 * PLANET, PLANET), module=2e-3)  # what would drive them


def turn(t: Any) -> Any:
    """Angle of the planets: slow first, then a run-up."""
    return FIRST * t + 0.5 * (LAST - FIRST) / (END - 0.2) * jd.maximum(t - 0.2, 0.0) ** 2


for k in range(3):
    place = 2.0 * math.pi * k / 3
    pin = teeth.axis_distance * math.cos(place), teeth.axis_distance * math.sin(place)
    body = model.add_body(f"planet_{k}", jd.solid.cylinder(0.3, 0.025, 0.02, axis="z"))
    hinge = jd.Revolute("z")
    model.add_joint(f"pin_{k}", model.world.at(*pin, 0), body, hinge, driven={"angle": turn})
    wheel = body.at(rotation=jd.rotation_z(sun.mate(0.0, place)))
    model.add(f"mesh_{k}", gears.Mesh(wheel, ring, teeth, soft, backlash=5e-5, rim=rim))

# %% A run: 0.2 s at one speed, then up to three times of it.
start = {"plane.rate": FIRST * PLANET / RING, "plane.angle": -2e-4}
solution = jd.simulate(model, END, start=start, sample=2.5e-5)
print(gears.phasing(RING, 3, ORDERS))


def lines(name: str) -> np.ndarray:
    """Amplitudes of the mesh orders 1 to 5 over whole periods at the first speed."""
    hertz = FIRST * PLANET / (2.0 * math.pi)
    span = 12.0 / hertz
    now = (solution.time > 0.199 - span) & (solution.time <= 0.199)
    t, x = solution.time[now], solution.values(name)[now]
    waves = np.exp(-2j * np.pi * hertz * np.outer(np.arange(1, ORDERS + 1), t))
    return np.asarray(2.0 * np.abs((waves * (x - x.mean())).mean(axis=1)))


turning, shaking = lines("plane.angular_acceleration"), lines("bearing.radial.force.x")
for name, found in (("turning", turning), ("shaking", shaking)):
    print(f"{name}: {', '.join(f'{x / found.max():.3f}' for x in found)}")


# %% What is claimed.
def check() -> None:
    """Orders that the phases let pass, and the loads of the meshes."""
    assert np.argmax(turning) == 2
    assert np.all(np.delete(turning, 2) < 0.05 * turning[2])
    assert shaking[2] < 0.05 * shaking.max()
    early = (solution.time > 0.1) & (solution.time < 0.199)
    total = sum(solution.values(f"mesh_{k}.force")[early].mean() for k in range(3))
    turned = FIRST * PLANET / RING
    assert abs(total * -teeth.base_radii[1] / (150.0 + 0.2 * turned) - 1.0) < 0.01
    assert solution.values("rim.waves").max() > 0.0


if __name__ == "__main__":
    check()
    jd.plot(solution, "plane.angular_acceleration", "bearing.radial.force")[0].figure.savefig(
        "planet_phasing.png"
    )
