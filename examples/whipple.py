"""The Whipple bicycle: it stays upright by itself between two speeds.

What it shows
-------------
Four rigid bodies, two wheels that roll: the benchmark of Meijaard, Papadopoulos, Ruina and Schwab
(2007). `jd.linearize` gives the eigenvalues over speed: weave becomes stable at 4.292 m/s, capsize
unstable at 6.024 m/s, as published. After a push at 5 m/s the bicycle steers itself upright.
"""

from typing import Any

import numpy as np

import jourdain as jd

W, C, TILT = 1.02, 0.08, np.pi / 10  # wheel base, trail [m], steer axis against the vertical
R_REAR, R_FRONT = 0.3, 0.35  # [m]
PUBLISHED: Any = {  # speed [m/s]: eigenvalues [1/s]
    0.0: [-5.53094372, -3.13164325, 3.13164325, 5.53094372],
    5.0: [-14.07838969, -0.77534188 - 4.46486771j, -0.77534188 + 4.46486771j, -0.32286643],
}

# %% Bodies with their frames where the wheels or the centres of mass are; x forwards, z up.
model = jd.Model("whipple")
tubes = [((0.0, 0.3), (0.3, 0.9)), ((0.3, 0.9), (0.75, 0.8)), ((0.3, 0.9), (0.35, 1.3))]
rods = jd.solid.compound(*(jd.solid.rod(0, (b[0], 0, b[1]), (a[0], 0, a[1])) for a, b in tubes))
J: Any = [[9.2, 0, -2.4], [0, 11, 0], [-2.4, 0, 2.8]]
frame = model.add_body("frame", rods + jd.Inertia(85, com=(0.3, 0, 0.9), moments=J))
rods = jd.solid.rod(0, (W, 0, R_FRONT), (0.77, 0, 0.95))
rods += jd.solid.rod(0, (0.77, 0.25, 0.95), (0.77, -0.25, 0.95))
J = [[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]]
fork = model.add_body("fork", rods + jd.Inertia(4, com=(0.9, 0, 0.7), moments=J))
wheels = {"rear": (2, R_REAR, 0.0603, 0.12), "front": (3, R_FRONT, 0.1405, 0.28)}
for name, (mass, radius, across, along) in wheels.items():
    rim = jd.solid.tube(0, radius - 0.03, radius, 0.03, axis="y")
    spoke = jd.solid.rod(0, (0, 0, radius), (0, 0, -radius))
    model.add_body(name, rim + spoke + jd.Inertia(mass, moments=(across, along, across)))

# %% Joints, and wheels that roll.
place = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")
turn = jd.Revolute("z") * jd.Revolute("x") * jd.Revolute("y")
model.add_joint("ride", model.world, frame, place * turn)
steer = (-np.sin(TILT), 0, np.cos(TILT))
model.add_joint("steer", frame.at(W + C, 0, 0), fork.at(W + C, 0, 0), jd.Revolute(steer))
model.add_joint("rear", frame.at(0, 0, R_REAR), "rear", jd.Revolute("y"))
model.add_joint("front", fork.at(W, 0, R_FRONT), "front", jd.Revolute("y"))
for name, radius in (("rear", R_REAR), ("front", R_FRONT)):
    wheel = model.bodies[name]
    model.add_connection(f"{name}_on", jd.DiscHeight(wheel, model.world, radius), jd.Equal())
    model.add_connection(f"{name}_roll", jd.Rolling(wheel, model.world, radius), jd.Equal())


def running(v: float) -> dict[str, Any]:
    """Straight running at a speed [m/s]."""
    return {"ride.velocity_1": v, "rear.rate": v / R_REAR, "front.rate": v / R_FRONT}


def eigenvalues(v: float) -> Any:
    """The four that are not zero [1/s]; the others are place, heading and speed."""
    found = jd.linearize(model, running(v)).eigenvalues
    return found[np.argsort(np.abs(found))[-4:]]


sol = jd.simulate(model, 4.0, start=running(5.0) | {"ride.rate_2": 0.5}, sample=0.01)


def check() -> None:
    """Assert what the text claims, with numbers of the benchmark."""
    for v, values in PUBLISHED.items():
        np.testing.assert_allclose(np.sort_complex(eigenvalues(v)), values, atol=1e-7)
    for v, what in ((4.292382536, np.iscomplex), (6.024262015, np.isreal)):  # weave, capsize
        border = [x.real for x in eigenvalues(v) if what(x)]
        assert min(np.abs(border)) < 1e-7
    assert abs(sol.final["ride.angle_2"]) < 0.1 * sol.values("ride.angle_2").max()


if __name__ == "__main__":
    jd.animate(sol, "whipple.html", plots=["ride.angle_2", "steer.angle"], show=["follow"])
    check()
