r"""A hydraulic press: pump, relief valve, 4/3 valve, hose, cylinder.

What it shows
-------------
Oil and mechanics as one system. A motor drives a pump; a relief valve guards it; a directional
valve sends the ram down and up again. While the ram presses a block, the pressure rises until the
relief valve takes the flow, and the power of the pump becomes heat there.

The system
----------
=====================  ==========  =====================  ==========
pump                   25 cm³/rev  ram                    200 kg
speed of the motor     157 rad/s   piston                 50 / 30 cm²
relief valve           120 bar     stroke                 300 mm
hose                   2 m, 16 mm  block                  at 200 mm, 40 kN/mm
=====================  ==========  =====================  ==========
"""

# %% The ram, and the block that it meets: a spring that only pushes.
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

model = jd.Model("press", gravity=(0, 0, 0))
model.add_coordinate("ram", inertia=200.0, unit="m")
model.add_coordinate("motor", inertia=0.3, driven=lambda t: 157.0 * t)
ram = jd.Coordinate("ram")
model.add_connection("weight", ram, jd.Force(200.0 * 9.81))
model.add_connection("block", ram, lambda x, v: -4e7 * jd.maximum(x - 0.2, 0.0))
model.add_connection("guides", ram, jd.Damper(2e3))

# %% The circuit: nodes first, then what lies between them.
fluid = hy.standard_oil("HLP 46", temperature=50.0)
oil = model.group("oil")
T = oil.add("T", hy.Tank(fluid))
P, A, B = (oil.add(name, hy.Volume(fluid, 5e-4)) for name in "PAB")
a = oil.add("a", hy.Volume(fluid, 1e-4))
oil.add("pump", hy.Pump(T, P, jd.Coordinate("motor"), displacement=25e-6, leakage=1e-12))
oil.add("relief", hy.ReliefValve(P, T, cracking=120e5, slope=2e-10))


def lever(t: Any) -> Any:
    """Down for three seconds, up for the rest."""
    return jd.where(t < 3.0, 1.0, -1.0)


valve = hy.DirectionalValve(P, A, B, T, area=3e-5, command=lever, overlap=0.1, centre="tandem")
oil.add("valve", valve)
oil.add("hose", hy.Line(A, a, length=2.0, diameter=0.016))
cylinder = hy.Cylinder(a, B, ram, areas=(5e-3, 3e-3), limits=(0.0, 0.3), friction=300.0)
oil.add("cylinder", cylinder)

# %% Six seconds: down, press, up.
solution = jd.simulate(model, 6.0, sample=2e-3)
print(hy.hydraulic_frequencies(model, band=20.0))

# %% What to notice: the weight draws the ram down faster than the pump follows, so that the chamber
# is nearly empty until the block stops the ram; then it fills, and the pressure rises until the
# relief valve takes the whole flow: 120 bar and 30 more for the flow.
pressure, force = solution["oil.a.pressure", "bar"], solution["block.force"]
print(f"pressing with {float(pressure.max()):.0f} bar, {-float(force.min()):.0f} N")


def check() -> None:
    """Forces balance while it presses; the ram is back at its stop in the end."""
    k = int(np.searchsorted(solution.time, 2.95))
    relief = 120e5 + solution.values("oil.relief.flow")[k] / 2e-10
    assert abs(solution.values("oil.P.pressure")[k] - relief) < 1e3
    pushed = (
        5e-3 * solution.values("oil.a.pressure")[k] - 3e-3 * solution.values("oil.B.pressure")[k]
    )
    on_block = -solution.values("block.force")[k]
    assert abs(pushed + 200.0 * 9.81 - on_block) < 310.0  # the friction of the seals
    assert on_block > 7.5e4
    assert abs(solution.values("ram")[-1]) < 1e-6
