"""A balancing robot: two wheels, a tall body, and a controller that keeps it up.

What it shows
-------------
The linear equations of the very model that is simulated give the controller: `jd.linearize` at the
upright position, then a linear quadratic regulator of scipy. Fed back, the machine has the poles
that the regulator promises; it goes to a place two metres away, leaning backwards first.
"""

from typing import Any

import numpy as np
from scipy.linalg import solve_continuous_are

import jourdain as jd

R, TALL = 0.1, 0.6  # [m] radius of the wheels, height of the body

model = jd.Model("balancing_robot")
wheels = model.add_body(
    "wheels",
    jd.solid.cylinder(0.8, R, 0.03, axis="y", at=(0, 0.15, 0))
    + jd.solid.cylinder(0.8, R, 0.03, axis="y", at=(0, -0.15, 0))
    + jd.solid.cylinder(0.3, 0.01, 0.3, axis="y"),
)
body = model.add_body(
    "body",
    jd.solid.box(4.0, (0.06, 0.2, TALL), at=(0, 0, 0.5 * TALL))
    + jd.solid.ball(1.0, 0.07, at=(0, 0, TALL)),
)
lean = jd.Prismatic("x") * jd.Revolute("y")
model.add_joint("lean", model.world.at(0, 0, R), body, lean)
model.add_joint("axle", body, wheels, jd.Revolute("y"))
x, angle, turn = (jd.Coordinate(n) for n in ("lean.position", "lean.angle", "axle.angle"))
model.add_connection("roll", x - R * angle - R * turn, jd.Equal())

# %% The regulator, from the linear equations at the upright position.
freedoms = ["lean.position", "lean.angle"]
lin = jd.linearize(model, inputs=["axle.angle"], coordinates=freedoms)
X = solve_continuous_are(lin.A, lin.B, np.diag([20.0, 50.0, 5.0, 1.0]), np.eye(1))
gain = (lin.B.T @ X)[0]  # against position, lean, and their rates


def torque(t: Any, s: Any) -> Any:
    """What the motors do [N m], to be at 2 m."""
    away = s["lean.position"] - 2.0, s["lean.angle"], s["lean.velocity"], s["lean.rate"]
    return -sum(k * x for k, x in zip(gain, away, strict=True))


sol = jd.simulate(model, 6.0, inputs={"axle.angle": torque}, sample=0.01)


def check() -> None:
    """Assert what the text claims."""
    assert max(lin.eigenvalues.real) > 1.0  # it falls by itself
    there = {"lean.position": 2.0, "axle.angle": 2.0 / R}
    closed = jd.linearize(model, there, inputs={"axle.angle": torque}, coordinates=freedoms)
    promised = np.sort_complex(np.linalg.eigvals(lin.A - lin.B @ gain[None]))
    np.testing.assert_allclose(np.sort_complex(closed.eigenvalues), promised, rtol=1e-6)
    assert promised.real.max() < -0.5
    x = sol.values("lean.position")
    assert x.min() < -0.01  # it rolls back first, to lean forwards
    np.testing.assert_allclose(x[-1], 2.0, atol=0.01)


if __name__ == "__main__":
    plots = ["lean.position", "lean.angle", "axle.applied_torque"]
    jd.animate(sol, "balancing_robot.html", plots=plots)
    check()
