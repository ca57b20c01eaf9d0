r"""A Ravigneaux gear in detail: wheels in bearings, meshes with their phases, an elastic ring.

What it shows
-------------
Two suns, a ring, a carrier and three pairs of planets, each a body in bearings of its own; twelve
meshes, whose phases follow from where the wheels are. The carrier is held and the small sun drives:
the ring turns with the ratio of the rigid gear, and the pairs share its load. What shakes the
housing are the mesh orders 1, 2, 4 and 5, what turns the ring is order 3. Then a run-up.

The system
----------
::

    small sun 28 == short planet 20 == long planet 25 == ring 85 (elastic rim)
                    3 pairs on the carrier, held      == large sun 35 (some drag)

==================  ==============    =====================  =====================
module              2 mm              load of the ring       -150 N m
mean stiffness      1e8 N/m           bearings               5e7 N/m, 2e3 N s/m
orders 1 to 5       1e7 N/m each      pins of the planets    2e8 N/m, 2e3 N s/m
==================  ==============    =====================  =====================

Equations
---------
Torque of the order i: |Σ exp(j i z θ_k)|, force across: |Σ exp(j (i z ± 1) θ_k)| (4.F51). Ratio
with the carrier held: z_ring/z_small (4.F28). (4.F52, 4.F53, 4.V28 to 4.V30; numbers of our own.)
"""

# %% The gear, its drive and its load.
import math
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import gears

ORDERS, STEADY, END = 5, 0.06, 0.16
FIRST, LAST = 100.0, 220.0  # speed of the small sun [rad/s]
TORQUE, DRAG = 150.0, 0.2
teeth = gears.RavigneauxTeeth(large=35, small=28, long=25, short=20, module=2e-3)
soft = gears.Elastic(gears.FourierStiffness(1e8, (1e7,) * ORDERS), 1500.0)
RATIO = teeth.ring / teeth.small

model = jd.Model("ravigneaux", gravity=(0, 0, 0))
gear = model.add("gear", gears.RavigneauxGear(model.world, teeth, soft, elastic=3))


def speed(t: Any) -> Any:
    """Speed of the small sun: one speed first, then a run-up."""
    return FIRST + (LAST - FIRST) / (END - STEADY) * jd.maximum(t - STEADY, 0.0)


model.add_connection("held", gear.carrier_angle, jd.Equal())
model.add_connection("drive", jd.Rate(gear.small_angle), jd.Equal(speed))
model.add_connection("load", gear.ring_angle, jd.Force(-TORQUE) + jd.Damper(DRAG))
model.add_connection("idle", gear.large_angle, jd.Damper(DRAG))  # without it the sun rattles

# %% A run that begins with the speeds of the rigid gear.
long = FIRST * teeth.small / teeth.long
start = {"small": FIRST, "ring": FIRST / RATIO, "large": -long * teeth.long / teeth.large}
for k in range(teeth.planets):
    start |= {f"long_{k}": long, f"short_{k}": -FIRST * teeth.small / teeth.short}
rates = {f"gear.{wheel}_plane.rate": rate for wheel, rate in start.items()}
solution = jd.simulate(model, END, start=rates, sample=5e-5)
TURNING, SHAKING = "gear.ring_plane.angular_acceleration", "gear.ring_bearing.radial.force.x"


def lines(name: str) -> np.ndarray:
    """Amplitudes of the mesh orders 1 to 5 over whole periods at the first speed."""
    hertz = FIRST * teeth.small / (2.0 * math.pi)
    now = (solution.time > STEADY - 1e-3 - 12.0 / hertz) & (solution.time <= STEADY - 1e-3)
    t, x = solution.time[now], solution.values(name)[now]
    waves = np.exp(-2j * np.pi * hertz * np.outer(np.arange(1, ORDERS + 1), t))
    return np.asarray(2.0 * np.abs((waves * (x - x.mean())).mean(axis=1)))


turning, shaking = lines(TURNING), lines(SHAKING)
for name, found in (("turning", turning), ("shaking", shaking)):
    print(f"{name}: {', '.join(f'{x / found.max():.3f}' for x in found)}")
settled = (solution.time > 0.02) & (solution.time < STEADY)
loads = [solution.values(f"gear.long_ring_{k}.force")[settled].mean() for k in range(3)]
print(f"the planets carry {', '.join(f'{load:.0f}' for load in loads)} N")


# %% What is claimed.
def check() -> None:
    """Ratio, loads, and the orders that the phases let pass."""
    turned = np.ptp(solution.values("gear.ring_plane.angle")[settled])
    driven = np.ptp(solution.values("gear.small_plane.angle")[settled])
    assert abs(driven / turned / RATIO - 1.0) < 2e-3
    arm = 0.5 * teeth.ring * teeth.module * math.cos(math.radians(20.0))
    assert abs(sum(loads) * arm / (TORQUE + DRAG * FIRST / RATIO) - 1.0) < 0.01
    assert np.ptp(loads) < 0.01 * max(loads)
    idle = solution.values("gear.large_long_0.force")[settled]
    drag = DRAG * FIRST * teeth.small / teeth.large
    arm = 0.5 * teeth.large * teeth.module * math.cos(math.radians(20.0))
    assert abs(3.0 * idle.mean() * arm / drag - 1.0) < 0.01
    assert idle.min() > 0.0
    assert np.argmax(turning) == 2
    assert np.all(np.delete(turning, 2) < 0.02 * turning[2])
    assert shaking[2] < 0.05 * shaking.max()
    assert np.all(np.delete(shaking, 2) > 2.0 * shaking[2])
    assert solution.values("gear.rim.waves").max() > 0.0


if __name__ == "__main__":
    check()
    jd.plot(solution, "gear.long_ring_0.force", "gear.short_small_0.force")[0].figure.savefig(
        "ravigneaux.png"
    )
