r"""A cylinder that is torn open: cavitation, and the blow when the void collapses.

What it shows
-------------
Oil cannot be pulled. A piston moves away faster than the column in the suction line can follow: a
void opens at the vapour pressure, while the column is accelerated by the atmosphere. When it has
caught up the void collapses, and the column is stopped at once, an impulse of the whole machine.

The system
----------
==================  =========  ====================  =============
tank                1 bar      piston                10 cm², 0.5 m/s
suction line        1 m        above the vapour      100 kPa
bore                10 mm      density               850 kg/m³
==================  =========  ====================  =============

Equations
---------
The void is V = A_P v t − A_L a t²/2 with the acceleration a = Δp/(ρ L) of the column: it collapses
at t = 2 A_P v/(A_L a), and the pressure impulse is ρ L A_P v/A_L (4.V7).
"""

# %% A piston with a given motion, a node that may cavitate, a line from the tank.
import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

SPEED, AREA, LINE = 0.5, 1e-3, np.pi * 0.01**2 / 4.0

fluid = hy.Fluid(density=850.0, viscosity=0.0, vapour_pressure=1325.0)  # 100 kPa below the tank
model = jd.Model("cavitation", gravity=(0, 0, 0))
piston = model.add_coordinate("piston", inertia=1.0, unit="m", driven=lambda t: SPEED * t)
oil = model.group("oil")
T = oil.add("T", hy.Tank(fluid))
chamber = oil.add("chamber", hy.CavitatingJunction(fluid))
oil.add("suction", hy.Line(T, chamber, length=1.0, diameter=0.01))
oil.add("cylinder", hy.Cylinder(chamber, None, jd.Coordinate(piston), areas=(AREA, 0.0)))

# %% The column is at rest at first, so the void grows as fast as the piston makes room. From event
# to event the collapse is found to rounding; in time steps, to the step.
start = {"oil.suction.volume.rate": 0.0, "oil.chamber.void.rate": AREA * SPEED}
solution = jd.simulate(model, 0.15, start=start, sample=1e-3)
steps = jd.simulate(model, 0.15, start=start, sample=1e-3, method=jd.MoreauJean(1e-5))
jd.show(model, "cavitation.svg", run=solution, at=0.05)
collapse = next(event for event in solution.events if event.kind == "impact")
print(f"void up to {solution.values('oil.chamber.void').max() * 1e6:.2f} cm³")
print(f"collapse at {collapse.time:.6f} s")


def check() -> None:
    """Void, collapse and impulse are those of the closed form; steps come near."""
    a = 1e5 / 850.0
    t = solution.time[solution.time < collapse.time]
    void = AREA * SPEED * t - 0.5 * LINE * a * t**2
    assert abs(collapse.time - 2.0 * AREA * SPEED / (LINE * a)) < 1e-8
    found = solution.values("oil.chamber.void")[: len(t)]
    assert np.abs(found - void).max() < 1e-8 * void.max()
    flow = solution.values("oil.suction.flow")
    k = int(np.searchsorted(solution.time, collapse.time, side="right"))
    assert abs(flow[k - 2] / LINE - 12.7324) < 1e-4  # before and after the blow [m/s]
    assert abs(flow[k] - AREA * SPEED) < 1e-12
    impulse = float(np.ravel(collapse.details["impulses"])[0])  # [Pa s]
    assert abs(impulse - 850.0 * AREA * SPEED / LINE) < 1e-6 * impulse
    assert solution.values("oil.chamber.pressure").min() > -1e5 - 1e-6
    late = next(event for event in steps.events if event.kind == "impact")
    assert abs(late.time - collapse.time) < 2e-5
