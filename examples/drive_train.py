r"""A drive train: where engine orders meet its torsional modes.

What it shows
-------------
`jd.campbell` follows eigenvalues over a speed; where an order line of the engine crosses a branch,
the train resonates. Energies tell which shaft is to be changed.

The system
----------
Engine, flywheel, gearbox (ratio 3), two half shafts and a vehicle. The gyroscopic rotor of a
turbocharger on soft bearings turns 20 times as fast as the engine::

    engine ==/\/== flywheel ==/\/== gear 3:1 ==/\/== vehicle
       '--- turbo (20:1, tilts in its bearings)

===============  ========  ==========
parameter        value     unit
===============  ========  ==========
engine           0.15      kg m^2
flywheel         0.25      kg m^2
gearbox          0.02      kg m^2
vehicle          120       kg m^2
damper spring    1200      N m/rad
input shaft      9000      N m/rad
half shafts      8000      N m/rad
===============  ========  ==========
"""

# %% The machine: torsional inertias as scalar coordinates, the rotor as a body.
from typing import Any

import numpy as np

import jourdain as jd

RATIO, TURBO = 3.0, 20.0
POLAR, ACROSS, BEARING = 4e-5, 3e-5, 12.0


def drive_train() -> jd.Model:
    model = jd.Model("drive train", gravity=(0, 0, 0))
    inertias = {"engine": 0.15, "flywheel": 0.25, "gearbox": 0.02, "vehicle": 120.0}
    for name, inertia in inertias.items():
        model.add_coordinate(name, inertia)
    engine, flywheel, gearbox, vehicle = (jd.Coordinate(name) for name in inertias)
    springs = {
        "damper": (flywheel - engine, 1200.0, 4.0),
        "input_shaft": (gearbox - flywheel, 9000.0, 1.0),
        "half_shafts": (vehicle - (1.0 / RATIO) * gearbox, 8000.0, 20.0),
    }
    for name, (measure, stiffness, damping) in springs.items():
        model.add_connection(name, measure, jd.Spring(stiffness))
        model.add_connection(f"{name}_loss", measure, jd.Damper(damping))
    carrier = model.add_body("carrier", jd.solid.ball(0.0, 0.006))
    wheels = (jd.solid.cone(0.0, 0.03, 0.02, at=(0, 0, z)) for z in (-0.05, 0.05))
    shaft = jd.solid.cylinder(0.0, 0.004, 0.1)
    own = jd.Inertia(0.1, (0, 0, 0), np.diag([ACROSS, ACROSS, POLAR]))
    rotor = model.add_body("rotor", jd.solid.compound(shaft, *wheels, own))
    model.add_joint("bearing", model.world, carrier, jd.Universal("x", "y"))
    model.add_joint("spin", carrier, rotor, jd.Revolute("z"))
    model.add_connection("turbo_gear", jd.Coordinate("spin.angle") - TURBO * engine, jd.Equal(0.0))
    for k in (1, 2):
        tilt = jd.Coordinate(f"bearing.angle_{k}")
        model.add_connection(f"bearing_{k}", tilt, jd.Spring(BEARING))
        model.add_connection(f"bearing_{k}_loss", tilt, jd.Damper(2e-4))
    return model


# %% Modes while it turns at 150 rad/s.
def modes_at(speed: float) -> Any:
    model = drive_train()
    steady = jd.equilibrium(model, speeds={"engine.rate": speed})
    return jd.eigenmodes(model, steady)


# %% Eigenvalues over the speed, and where orders 0.5, 1 and 2 of the engine cross them.
def diagram() -> Any:
    return jd.campbell(drive_train(), "engine.rate", np.linspace(20.0, 600.0, 30))


# %% What is claimed.
def check() -> None:
    modes = modes_at(150.0)
    assert len(modes.free_motions) == 1  # the train rolls
    assert all(mode.eigenvalue.real < 0 for mode in modes if not mode.is_free_motion)
    whirl = [m for m in modes if m.is_oscillating and m.kinetic_energy["rotor"] > 0.9]
    spin = POLAR * TURBO * 150.0
    root = np.sqrt(spin**2 + 4 * ACROSS * BEARING)
    exact = np.sort([(root - spin), (root + spin)]) / (2 * ACROSS) / (2 * np.pi)
    np.testing.assert_allclose(np.sort([m.frequency for m in whirl]), exact, rtol=1e-3)
    torsion = [m for m in modes if m.is_oscillating and m.kinetic_energy["rotor"] < 0.5]
    first = torsion[0]
    assert max(first.potential_energy, key=first.potential_energy.__getitem__) == "half_shafts"
    crossings = diagram().critical(1.0)
    assert len(crossings) >= 3
    for speed, frequency in crossings:
        assert np.isclose(frequency, speed / (2 * np.pi))


if __name__ == "__main__":
    print(modes := modes_at(150.0))
    whirl = max(modes, key=lambda mode: mode.kinetic_energy["rotor"] * mode.is_oscillating)
    jd.animate(whirl, "drive_train.html")
    found = diagram()
    for order in (0.5, 1.0, 2.0):
        print(order, [f"{30 / np.pi * speed:.0f} rev/min" for speed, _ in found.critical(order)])
    jd.plot(found, 0.5, 1.0, 2.0)[0].figure.savefig("campbell.png")
    check()
