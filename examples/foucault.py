"""Foucault's pendulum: the swing stays, the earth turns below it.

What it shows
-------------
A laboratory turns about an axis that is inclined by the latitude of Paris, a hundred times faster
than the earth does; weight is a force in its axes. The plane of the swing turns with the rate
``Omega sin(latitude)``, as Foucault found in 1851.
"""

import numpy as np

import jourdain as jd

LENGTH, MASS, LATITUDE = 67.0, 28.0, np.radians(48.846)  # [m], [kg]
OMEGA = 100 * 7.292115e-5  # [rad/s]
RATE = OMEGA * np.sin(LATITUDE)  # what is seen of it [rad/s]
AWAY = 3.0  # [m] where it is let go

model = jd.Model("foucault", gravity=(0, 0, 0))
axis = (np.cos(LATITUDE), 0.0, np.sin(LATITUDE))  # x to the north, z up
lab = model.add_body("lab", jd.solid.ball(500.0, 0.3))
floor = model.add_body("floor", jd.solid.cylinder(0.0, radius=9.0, length=0.1))
bob = model.add_body("bob", jd.solid.ball(MASS, 0.6, at=(0, 0, -LENGTH)))
model.add_joint("earth", model.world, lab, jd.Revolute(axis), driven={"angle": lambda t: OMEGA * t})
below = model.world.at(0, 0, -LENGTH - 1.0)
model.add_joint("turn", below, floor, jd.Revolute("z"), driven={"angle": lambda t: RATE * t})
model.add_joint("hook", lab, bob, jd.Universal("x", "y"))
down = jd.Relative(lab, bob.at(0, 0, -LENGTH), "z")
model.add_connection("weight", down, jd.Force(-9.81 * MASS))
model.add_frame("tip", bob.at(0, 0, -LENGTH))

end = 8 * 2 * np.pi * np.sqrt(LENGTH / 9.81)
sol = jd.simulate(model, end, start={"hook.angle_2": AWAY / LENGTH}, sample=0.1)
x, y = -LENGTH * np.sin(sol.values("hook.angle_2")), LENGTH * np.sin(sol.values("hook.angle_1"))


def plane(x: np.ndarray, y: np.ndarray) -> float:
    """Direction [rad] along which points lie."""
    return float(0.5 * np.arctan2(2 * np.mean(x * y), np.mean(x * x) - np.mean(y * y)))


def check() -> None:
    """Assert what the text claims."""
    n = len(x) // 8
    turned = plane(x[-n:], y[-n:]) - plane(x[:n], y[:n])
    rate = turned / (end * 7 / 8)
    np.testing.assert_allclose(rate, -RATE, rtol=0.005)


if __name__ == "__main__":
    check()
    jd.animate(sol, "foucault.html", traces=["tip"], plots=["hook.angle_1", "hook.angle_2"])
