r"""A bent Cardan shaft in a run-up: twice a turn it shakes what it drives.

What it shows
-------------
The power take-off (PTO) of a tractor drives a machine over a Cardan shaft. Its two joints are bent
by 22 and 25 degrees, and do not make good for one another: the machine is shaken with the second
order of the PTO. The torque in the shaft is largest where this order meets the mode of the machine
on the shaft. Equal bends leave a fifth of it.

The system
----------
::

    engine -- gear 3.5 : 1 -- PTO = Cardan, Cardan = machine

===========  ========  =========
parameter    value     unit
===========  ========  =========
engine       60 - 300  rad/s
machine      0.5       kg m^2
shaft        2000      N m/rad
===========  ========  =========

Equations
---------
A joint bent by alpha turns its end by tan phi_2 = tan phi_1 / cos alpha (4.F59, F60). The mode has
the frequency sqrt(c / J), and the order meets it at half of that speed (4.V35).
"""

# %% Engine, gear, Cardan shaft and machine.
import numpy as np

import jourdain as jd
from jourdain.library import powertrain as pt

CARDAN, MACHINE, END = 2000.0, 0.5, 8.0  # [N m/rad], [kg m^2], [s]


def run_up(first: float = 22.0, second: float = 25.0) -> jd.Solution:
    """Engine from 60 to 300 rad/s, with two bends of the Cardan shaft [degrees]."""
    model = jd.Model("run-up", gravity=(0, 0, 0))
    engine = model.add("engine", pt.Shaft(100.0)).angle
    model.add_connection("held", jd.Rate(engine), jd.Equal(jd.Ramp(0.0, END, 60.0, 300.0)))
    pto = model.add("pto", pt.Shaft(0.05)).angle
    machine = model.add("machine", pt.Shaft(MACHINE)).angle
    model.add("gear", pt.Coupling(engine, 3.5 * pto, 4e4, damping=4.0))
    bends = np.radians(first), np.radians(second)
    model.add("shaft", pt.CardanShaft(pto, machine, bends, CARDAN, damping=2.0))
    model.add("work", pt.SpeedLoad(machine, lambda w: 0.5 * w))
    start = {"engine.speed": 60.0, "pto.speed": 60.0 / 3.5, "machine.speed": 60.0 / 3.5}
    return jd.simulate(model, END, start=start, sample=1e-3)


# %% Orders of the torque over the speed of the PTO.
CRITICAL = 0.5 * np.sqrt(CARDAN / MACHINE)  # speed of the PTO [rad/s]
solution = run_up()
orders = jd.order_map(solution, "shaft.torque", by="pto.speed", revolutions=6)
print(f"second order meets the mode at {CRITICAL:.1f} rad/s")


# %% What is claimed.
def check() -> None:
    """In the run-up the second order is the largest, at its highest near half the mode."""
    real = orders.orders > 0.5
    assert orders.orders[real][np.argmax(orders.amplitudes[-1, real])] == 2.0
    assert abs(orders.orders[real][np.argmax(orders.amplitudes[:, real].max(axis=0))] - 2.0) < 0.25
    at_speed = orders.speeds[np.argmax(orders.order(2.0))]
    assert abs(at_speed / CRITICAL - 1.0) < 0.25, at_speed
    equal = jd.order_map(run_up(25.0, 25.0), "shaft.torque", by="pto.speed", revolutions=6)
    assert equal.order(2.0).max() < 0.25 * orders.order(2.0).max()  # what the twist leaves


if __name__ == "__main__":
    check()
    jd.plot(orders)[0].figure.savefig("cardan_run_up.png")
