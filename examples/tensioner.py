r"""A hydraulic chain tensioner on a cam rig: stiff when pushed in, soft when it follows.

What it shows
-------------
A cam pushes the piston of a tensioner into its chamber. Oil leaves through the narrow gap around
the piston, so that its force grows with the speed: it damps. When the cam goes back the check valve
opens and the chamber is refilled at once, at the pressure of the supply.

The system
----------
==================  =========  ====================  =============
piston              15 mm      stroke of the cam     ± 0.2 mm
gap                 60 µm      cam                   20, 50, 100 Hz
length of the gap   20 mm      viscosity             20 mPa s
supply              3 bar      density               850 kg/m³
==================  =========  ====================  =============

Equations
---------
With the resistance R = 12 η l/(A_g h²) of the gap, whose wall drags half of the section A_g along,
p = max(p_s, R (A + A_g/2) v) for the speed v into the chamber (5.V34). Force over way is a loop;
its area is what a turn of the cam loses.
"""

# %% A cam with a given motion; piston, gap, check valve and chamber are one part.
import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

STROKE, DIAMETER, GAP, LENGTH, SUPPLY = 2e-4, 15e-3, 60e-6, 0.02, 3e5
AREA = np.pi * DIAMETER**2 / 4.0
LOOPS = {20.0: (371.597, 0.0956046), 50.0: (928.991, 0.270651), 100.0: (1857.98, 0.562488)}  # N, J

fluid = hy.Fluid(density=850.0, viscosity=0.02, bulk_modulus=1.5e9, air=0.0)
turns = jd.Parameter("turns", 50.0)  # [Hz]
model = jd.Model("tensioner", gravity=(0, 0, 0))
cam = model.add_coordinate(
    "cam", 0.05, unit="m", driven=lambda t: -STROKE * jd.sin(2.0 * np.pi * turns * t)
)
oil = model.group("oil")
S, T = oil.add("S", hy.PressureSource(fluid, SUPPLY)), oil.add("T", hy.Tank(fluid))
part = hy.ChainTensioner(
    S, T, jd.Coordinate(cam), diameter=DIAMETER, gap=GAP, length=LENGTH, inlet=20e-3
)
oil.add("tensioner", part)


# %% The second turn of the cam at three speeds, from event to event of the valve.
def turn(hertz: float) -> tuple[jd.Solution, np.ndarray]:
    """Run two turns; return the solution and which of its samples are in the second."""
    start = {"oil.tensioner.gap.volume.rate": AREA * STROKE * 2.0 * np.pi * hertz}
    parameters = {"turns": hertz}
    step = 0.0005 / hertz
    sol = jd.simulate(system, 2.0 / hertz, start=start, parameters=parameters, sample=step)
    return sol, sol.time >= (1.0 - 1e-12) / hertz


system = jd.compile(model)
runs = {hertz: turn(hertz) for hertz in LOOPS}
solution = runs[50.0][0]
jd.show(model, "tensioner_circuit.svg", run=solution, at=0.0205)


# What to notice: the loops of force over way grow with the speed, and all return along the line of
# the supply.
def check() -> None:
    """Largest force and loss of a turn are those of 5.V34; nothing cavitates or flows back."""
    for hertz, (sol, k) in runs.items():
        force = AREA * sol.values("oil.tensioner.pressure")[k]
        loss = -np.trapezoid(force * sol.values("cam.rate")[k], sol.time[k])
        np.testing.assert_allclose((force.max(), loss), LOOPS[hertz], rtol=1e-4)
        assert sol.values("oil.tensioner.flow").min() > -1e-12
        assert sol.values("oil.tensioner.chamber.void").max() < 1e-12


if __name__ == "__main__":
    check()
    jd.plot(solution, "oil.tensioner.pressure", against="cam")[0].figure.savefig("tensioner.png")
