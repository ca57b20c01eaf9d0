r"""A five-speed automatic: from standstill to third gear at full load.

What it shows
-------------
A gearbox from its table of gears: `pt.Transmission` finds six ratios from three planetary sets and
seven shift elements. Engine by its map, torque converter, elastic propeller shaft, tyre and road.
First to second gear by a freewheel, which lets go as the brake E takes over; second to third by
overlap, from brake E to brake D. Every clutch slips, sticks and holds within its capacity, and one
audit closes over engine, oil, clutches, tyre and road.

The system
----------
::

    engine == converter == input -A- suns  [set 2, set 3]
                             |--B- center [ring 1, carrier 2, ring 3] -F-, freewheel to the housing
                             '--C- sun 1 -D-        link [carrier 1, ring 2] -E-
    output [carrier 3] =/\/= pinion == 3:1 == wheel -tyre- car

=================  ========  ==========    =================  ========  ==========
parameter          value     unit          parameter          value     unit
=================  ========  ==========    =================  ========  ==========
engine             0.25      kg m^2        car                1700      kg
propeller shaft    1e4       N m/rad       tyres              2e4       N m/rad
=================  ========  ==========    =================  ========  ==========

(4.V17 and 4.V24; gearbox as published, other data of our own.)
"""

# %% Table of gears: which elements are closed in which gear (FW is the freewheel).
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import powertrain as pt
from jourdain.results.audit import energy_balance

GEARS: dict[Any, set[str]] = {
    1: {"A", "FW"}, 2: {"A", "E"}, 3: {"A", "D"}, 4: {"A", "B"}, 5: {"B", "D"}, "R": {"C", "F"},
}  # fmt: skip
SHIFTS = [(0.0, 1), (2.6, 2), (5.4, 3)]  # [s], gear
TORQUES = {"A": 900.0, "B": 900.0, "C": 900.0, "D": 700.0, "E": 900.0, "F": 1500.0}
END = 8.0

# %% The gearbox: capacities over time come from the sequence of gears.
held = pt.shift_program(GEARS, SHIFTS, TORQUES, ramp=0.5)
joined = {
    "A": ("input", "suns"), "B": ("input", "center"), "C": ("input", "sun"),
    "D": ("sun", None), "E": ("link", None), "F": ("center", None),
}  # fmt: skip
elements: dict[str, Any] = {n: pt.ShiftElement(*ends, held[n]) for n, ends in joined.items()}
gearbox = pt.Transmission(
    shafts={"input": 0.1, "suns": 0.01, "center": 0.03, "sun": 0.01, "link": 0.02, "output": 0.05},
    sets={
        "set_1": pt.GearSet("sun", "center", "link", teeth=(1.0, 2.5840)),
        "set_2": pt.GearSet("suns", "link", "center", teeth=(1.0, 3.1255)),
        "set_3": pt.GearSet("suns", "center", "output", teeth=(1.0, 2.5711)),
    },
    elements=elements | {"FW": pt.FreewheelElement(None, "center")},
    gears=GEARS,
)
ratios = gearbox.ratios()
print({gear: round(ratio, 3) for gear, ratio in ratios.items()})

# %% Engine, converter, shaft and car.
model = jd.Model("five-speed automatic", gravity=(0, 0, 0))
crank, pinion, wheel = (
    model.add(name, pt.Shaft(J)).angle
    for name, J in (("crank", 0.25), ("pinion", 0.05), ("wheel", 3.0))
)
box = model.add("box", gearbox)
speeds = (0.0, 100.0, 250.0, 400.0, 550.0, 650.0)
full = (60.0, 220.0, 280.0, 300.0, 260.0, 0.0)
torque = jd.Map((0.0, 1.0), speeds, (tuple(-0.15 * m for m in full), full))
model.add("engine", pt.Engine(crank, torque, throttle=1.0, lag=0.1))
stall = jd.Table((0.0, 0.4, 0.7, 0.88, 1.0), (150.0, 152.0, 135.0, 90.0, 0.0), "monotone")
gain = jd.Table((0.0, 0.88, 1.0), (2.0, 1.0, 1.0))
model.add("converter", pt.TorqueConverter(crank, box.input, stall, gain, reference=200.0))
model.add("shaft", pt.Coupling(box.output, pinion, 1e4, damping=20.0))
model.add("axle", pt.Gear(pinion, wheel, 3.0))
road = {"stiffness": 2e4, "damping": 200.0, "rolling": 0.012, "drag": 0.7}
model.add("car", pt.Vehicle(wheel, 1700.0, 0.31, **road))

# %% The run.
solution = jd.simulate(model, END, sample=1e-3, start={"crank.speed": 80.0})
times = {(e.name, e.kind): e.time for e in solution.events}
print(f"freewheel lets go at {times['box.FW.catch', 'detachment']:.3f} s")
print(f"speed after {END:g} s: {3.6 * solution.values('car.speed')[-1]:.0f} km/h")


# %% What is claimed.
def at(name: str, time: float) -> float:
    """Value of a quantity at a time."""
    return float(np.interp(time, solution.time, solution.values(name)))


def check() -> None:
    """Ratios, shifts, capacities and the audit."""
    published = {1: 3.571, 2: 2.200, 3: 1.505, 4: 1.000, 5: 0.804, "R": -4.095}
    assert all(abs(ratios[gear] - ratio) < 2e-3 for gear, ratio in published.items())
    for gear, time in ((1, 2.5), (2, 5.3), (3, 7.9)):  # no slip in gear
        ratio = at("box.input.speed", time) / at("box.output.speed", time)
        assert abs(ratio - ratios[gear]) < 1e-6, (gear, ratio)
    for (before, after), gears in (((2.5, 3.5), (1, 2)), ((5.3, 6.3), (2, 3))):
        drop = at("box.input.speed", after) / at("box.input.speed", before)
        assert ratios[gears[1]] / ratios[gears[0]] - 0.02 < drop < 1.0  # the car went on faster
        assert at("crank.speed", after) < at("crank.speed", before)
        assert at("shaft.torque", after) < at("shaft.torque", before)
    assert SHIFTS[1][0] < times["box.FW.catch", "detachment"] < times["box.E.friction", "stick"]
    assert times["box.D.friction", "stick"] > SHIFTS[2][0]
    assert at("box.E.capacity", 5.8) == 0.0
    for name in joined:
        over = np.abs(solution.values(f"box.{name}.torque")) - solution.values(
            f"box.{name}.capacity"
        )
        assert over.max() < 1e-6, (name, over.max())
    assert solution.values("box.FW.torque").min() > -1e-6
    balance = energy_balance(solution)
    assert balance.largest < 1e-6 * balance.exchanged


if __name__ == "__main__":
    check()
    jd.plot(solution, "crank.speed", "box.input.speed", "car.acceleration")[0].figure.savefig(
        "five_speed.png"
    )
