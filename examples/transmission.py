r"""Hydraulics of an automatic transmission: shift from first to second gear.

What it shows
-------------
A circuit of spools with bodies of their own. A pump on the engine; a main pressure valve, whose
pilot pressure raises the system from 8 to 13.5 bar; a reducer that feeds two solenoids, driven by
pulse width; a clutch valve that follows its pilot pressure; a holding valve that joins the clutch
to the main pressure once it is closed; and the cylinder of the clutch, which sticks, fills, and
meets its stop.

The system
----------
===================  ====================  ===================  ===================
pump                 20 cm³/rev            clutch piston        120 cm², 2 mm
main valve           80 N, 1 cm²           return spring        800 N
control pressure     5 bar                 friction             60 N, 90 N at rest
solenoids            100 Hz                throttle of clutch   αA = 10 mm²
===================  ====================  ===================  ===================

(4.F11, 4.V12, with data of our own.)
"""

# %% Pump and main pressure: the spool is pushed by the main pressure, and held by spring and pilot.
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

RAISE, FILL, HOLD = 0.2, 0.3, 0.36  # [s] main pressure up, quick fill, pressure control
fluid = hy.Fluid(density=850.0, viscosity=0.01, bulk_modulus=1.2e9, air=0.005)
model = jd.Model("transmission", gravity=(0, 0, 0))
model.add_coordinate("engine", inertia=0.1, driven=lambda t: 200.0 * t)
model.add_coordinate("clutch", inertia=1.0, unit="m")
oil = model.group("oil")
T = oil.add("T", hy.Tank(fluid))
main = oil.add("main", hy.Volume(fluid, 3e-4, start=8e5))
control, line, chamber = (oil.add(n, hy.Volume(fluid, 4e-5)) for n in ("control", "line", "E"))
damper: dict[str, float] = {"gas": 3e-6, "precharge": 0.5e5, "start": 0.5e5}
mod, pilot = (oil.add(name, hy.Accumulator(fluid, **damper)) for name in ("mod", "pilot"))
oil.add("pump", hy.Pump(T, main, jd.Coordinate("engine"), displacement=2e-5, leakage=2e-12))
spool: dict[str, Any] = {"friction": 0.5, "static": 1.0, "damping": 400.0}
relief = {"drain": hy.Edge(main, T, width=0.03, opens=5e-4)}
faces = [(main, 1e-4), (mod, -1.1e-4)]
main_valve = hy.SpoolValve(0.05, relief, faces, (0.0, 3e-3), stiffness=2e3, preload=79.0, **spool)
oil.add("main_valve", main_valve)


# %% Solenoids: open to the control pressure for a part of each period, to the tank for the rest.
def solenoid(name: str, node: jd.BuiltPart, duty: Any) -> None:
    """A valve that is switched 100 times a second; sin > cos(π d) holds for the part d."""

    def is_on(at: Any) -> Any:
        return jd.where(jd.sin(200.0 * np.pi * at.t) > jd.cos(np.pi * duty(at.t)), 1.0, 0.0)

    oil.add(f"{name}_in", hy.Orifice(control, node, lambda at: 2e-6 * is_on(at)))
    oil.add(f"{name}_out", hy.Orifice(node, T, lambda at: 2e-6 * (1.0 - is_on(at))))


def shift(t: Any) -> Any:
    """Duty of the clutch: quick fill, then less, and a ramp up to the end."""
    ramp = jd.clip(0.35 + 2.0 * (t - HOLD), 0.0, 0.95)
    return jd.where(t < FILL, 0.0, jd.where(t < HOLD, 0.95, ramp))


oil.add("reducer", hy.ReducingValve(main, control, T, setting=5e5, area=3e-5, band=5e4))
solenoid("EDS1", mod, lambda t: jd.where(t < RAISE, 0.0, 1.0))
solenoid("EDS5", pilot, shift)

# %% Clutch valve: its pilot opens main to line, the pressure of the line closes it again.
edges = {"supply": hy.Edge(main, line, width=0.02, opens=4e-4, area=2e-5),
         "drain": hy.Edge(line, T, width=0.02, opens=-4e-4, side=-1)}  # fmt: skip
faces = [(pilot, 3.2e-4), (line, -1e-4)]
more = {"stiffness": 2e3, "preload": 12.0, **spool}
oil.add("clutch_valve", hy.SpoolValve(0.03, edges, faces, (-1e-3, 2e-3), **more))
oil.add("throttle", hy.Orifice(line, chamber, area=1e-5 / 0.7))
hold = {"hold": hy.Edge(main, chamber, width=0.01, opens=1e-3, area=1e-5)}
more |= {"stiffness": 5e3, "preload": 70.0}
oil.add("holding_valve", hy.SpoolValve(0.03, hold, [(chamber, 1e-4)], (0.0, 2e-3), **more))
x = jd.Coordinate("clutch")
model.add_connection("return", x, jd.Force(-800.0))
model.add_connection("plates", x, jd.Damper(300.0))
oil.add("cylinder", hy.Cylinder(chamber, None, x, areas=(0.012, 0.0), limits=(0.0, 2e-3)))
model.add_connection("seals", x, jd.Interval(60.0, static=90.0))

# %% The sequence of the shift.
solution = jd.simulate(model, 0.9, sample=5e-4)
jd.show(model, "transmission.svg", run=solution, at=0.5)


def when(name: str, kind: str) -> float:
    """Time [s] of the last event of a kind."""
    return [e.time for e in solution.events if (e.name, e.kind) == (name, kind)][-1]


def mean(name: str, begin: float, end: float) -> float:
    """Mean pressure of a node [bar]."""
    t = solution.time
    inside = (t >= begin) & (t <= end)
    pressure = np.asarray(solution.values(f"oil.{name}.pressure"))[inside]
    return float(np.trapezoid(pressure, t[inside]) / (t[inside][-1] - t[inside][0])) / 1e5


moves, meets = when("seals", "slip"), when("oil.cylinder.stop_high", "contact")
print(f"main pressure {mean('main', 0.1, 0.2):.1f} bar, then {mean('main', 0.25, 0.3):.1f} bar")
print(f"clutch moves at {moves:.4f} s and is closed at {meets:.4f} s")


def check() -> None:
    """Main pressure, the clutch that sticks, fills and is held."""
    assert abs(mean("main", 0.1, 0.2) - 8.1) < 0.2
    assert abs(mean("main", 0.25, 0.3) - 13.5) < 0.3
    k = int(np.searchsorted(solution.time, moves))
    assert abs(solution.values("oil.E.pressure")[k] - (800.0 + 90.0) / 0.012) < 1.0
    assert FILL < moves < meets < when("oil.holding_valve.stop_high", "contact")
    passed = np.interp((moves, meets), solution.time, solution.values("oil.throttle.passed.volume"))
    assert abs(np.diff(passed)[0] - 0.012 * 2e-3) < 0.02 * 0.012 * 2e-3  # the oil fills the stroke
    assert mean("E", 0.8, 0.9) > mean("main", 0.8, 0.9) - 0.3
    assert abs(mean("control", 0.8, 0.9) - 5.0) < 0.05
