r"""A swing ride: what its motor must give, what its hangers carry, and where the seats hang.

What it shows
-------------
A driven coordinate without multipliers, the load of its motor, loads in the joints; Newton's method
with exact derivatives; hundreds of runs at once; `jd.verify`, which computes the same
accelerations in four ways.

The system
----------
A mast turns at a given rate. Four seats of 80 kg hang from it on hinges 3 m from the axis::

        |---- r ----o
        |            \  l
       mast           \
        |              O seat

==============  ======  =====
quantity        value   unit
==============  ======  =====
radius r        3.0     m
hanger l        4.0     m
seat            80      kg
rate            1.2     rad/s
==============  ======  =====

Equations
---------
At a steady rate a seat hangs at the angle φ with g tan φ = ω² (r + l sin φ), its hanger pulls with
m g / cos φ, and the motor has nothing to do. While the rate grows, the motor's torque is the rate
of the angular momentum.
"""

# %% The ride at a steady rate, and its equations computed in four ways.
from collections.abc import Callable
from typing import Any

import numpy as np

import jourdain as jd

RADIUS, HANGER, SEAT, RATE, G = 3.0, 4.0, 80.0, 1.2, 9.81
SEATS = ("north", "east", "south", "west")


def make_ride(turn: Callable[[Any], Any]) -> jd.Model:
    """Ride whose mast follows a function of time."""
    model = jd.Model("swing_ride", gravity=(0, 0, -G))
    mast = model.add_body("mast", jd.solid.cylinder(300.0, 0.3, 8.0, at=(0, 0, 4.0)))
    model.add_joint("motor", model.world, mast, jd.Revolute("z"), driven={"angle": turn})
    for k, name in enumerate(SEATS):
        R = jd.rotation_z(0.5 * np.pi * k)
        seat = model.add_body(name, jd.solid.ball(SEAT, 0.3, at=(0, 0, -HANGER)))
        place = mast.at(*(R @ (RADIUS, 0.0, 8.0)), rotation=R)
        model.add_joint(f"hinge_{name}", place, seat, jd.Revolute("-y"))
    return model


model = make_ride(lambda t: RATE * t)
system = jd.compile(model)
verification = jd.verify(model, n_states=1)
print(verification)

# %% Where the seats hang: the angles at which nothing accelerates, by Newton's method.
v = np.zeros(4)
q = np.full(4, 0.5)
for _ in range(8):
    slope = system.forward_dynamics_derivatives(q, v).q
    q = q - np.linalg.solve(slope, system.forward_dynamics(q, v))
steady = float(q[0])
print(f"\nseats hang at {np.degrees(steady):.2f}°")

# %% What the joints carry there.
loads = system.loads(q, v, np.zeros(4))
print(loads)
pull = float(np.linalg.norm(loads["hinge_north"][3:]))
print(f"a hanger pulls with {pull:.1f} N")

# %% Start: the rate grows evenly in ten seconds, the seats swing out.
START = 10.0
starting = jd.compile(make_ride(lambda t: 0.5 * RATE / START * t**2))
sol = jd.simulate(starting, START, sample=0.02)
torque = sol["motor.torque"].sel(axis="z")
turning = sol["momentum.angular"].sel(axis="z")
print(f"the motor gives at most {float(torque.max()):.0f} N m")

# %% Gusts: 512 rides at once, each seat pushed to another angle, two seconds on.
rng = np.random.default_rng(1)
starts = steady + 0.2 * rng.standard_normal((512, 4))
ends, rates = jd.rollout(system, starts, np.zeros((512, 4)), steps=2000, dt=1e-3)
print(f"angles then lie between {np.degrees(ends.min()):.1f}° and {np.degrees(ends.max()):.1f}°")


def check() -> None:
    """Assert what the text claims."""
    assert verification.passed
    out = RATE**2 * (RADIUS + HANGER * np.sin(steady))
    assert abs(G * np.tan(steady) - out) < 1e-12 * out
    assert abs(pull - SEAT * G / np.cos(steady)) < 1e-9 * pull
    assert abs(loads.drive["motor.rate"]) < 1e-9
    slope = np.gradient(turning.values, sol.time)
    assert np.abs(torque.values - slope)[1:-1].max() < 0.02 * np.abs(torque.values).max()
    kinetic, potential = system.energy(ends, rates)
    jacobi = kinetic + potential - RATE * system.momentum(ends, rates)[:, 2]
    before = sum(system.energy(starts, np.zeros((512, 4))))
    before = before - RATE * system.momentum(starts, np.zeros((512, 4)))[:, 2]
    assert np.abs(jacobi - before).max() < 1e-3 * np.abs(before).max()


if __name__ == "__main__":
    check()
