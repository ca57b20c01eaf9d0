"""A Geneva drive: an even turn becomes a quarter turn and a rest.

What it shows
-------------
A pin on a crank enters the slots of a wheel one after the other. Contact with the flanks of the
slot moves the wheel; a lock holds it as long as the pin is outside. The wheel goes as the closed
form says, up to the play of the pin: its greatest rate is ``1 / (sqrt(2) - 1)`` times that of the
crank, four quarter turns make one.
"""

from typing import Any

import numpy as np

import jourdain as jd

C, PIN, PLAY, SPEED = 0.1, 0.006, 2e-5, 2 * np.pi  # distance of shafts, radius, play [m]; [rad/s]
R = C * np.sin(np.pi / 4)  # radius of the crank, and of the wheel

model = jd.Model("geneva", gravity=(0, 0, 0))
crank = model.add_body(
    "crank",
    jd.solid.cylinder(0.5, 0.06, 0.01, at=(0, 0, -0.012))
    + jd.solid.cylinder(0.05, PIN, 0.02, at=(R, 0, 0)),
)
wheel = model.add_body("wheel", jd.Inertia(0.3, moments=(2e-4, 2e-4, 4e-4)))
turn = {"angle": lambda t: SPEED * t - np.pi}
model.add_joint("motor", model.world, crank, jd.Revolute("z"), driven=turn)
model.add_joint("output", model.world.at(C, 0, 0), wheel, jd.Revolute("z"))


def outside(x: Any, v: Any, at: Any) -> Any:
    """Above zero where the pin is out of the slots: a quarter turn about the line of shafts."""
    return jd.cos(np.pi / 4) - jd.cos(at.coordinate("motor.angle"))


model.add_connection("lock", jd.Coordinate("output.angle"), jd.Locked(outside))
pin = jd.Circle(crank.at(R, 0, 0), PIN)
half = PIN + PLAY
for k in range(4):  # what is left of the wheel between two slots, but for the hollow
    corners = [(half, half), (R, half), (0.65 * R, 0.65 * R), (half, R)]
    land = jd.Polygon(wheel.at(rotation=jd.rotation_z(0.5 * np.pi * k)), corners)
    model.add_contact(f"land_{k}", land, pin, jd.Unilateral())

sol = jd.simulate(model, 4.0, sample=0.002, start={"output.angle": 0.25 * np.pi})


def exact(crank: np.ndarray) -> np.ndarray:
    """Angle of the wheel [rad] without play."""
    crank = np.remainder(crank + np.pi, 2 * np.pi) - np.pi
    inside = np.abs(crank) < 0.25 * np.pi
    way = np.arctan2(R * np.sin(crank), C - R * np.cos(crank))
    return np.where(inside, -way, -0.25 * np.pi * np.sign(crank))


def check() -> None:
    """Assert what the text claims."""
    crank, wheel = sol.values("motor.angle"), sol.values("output.angle")
    turns = np.floor((crank + np.pi) / (2 * np.pi) + 1e-9)
    play = PLAY / (C - R)  # [rad]
    off = wheel + 0.5 * np.pi * turns - exact(crank)
    assert 0.9 * play < np.abs(off).max() < 1.001 * play
    fastest = np.abs(sol.values("output.rate")).max() / SPEED
    np.testing.assert_allclose(fastest, 1 / (np.sqrt(2) - 1), rtol=1e-3)
    rests = np.cos(crank) < np.cos(0.26 * np.pi)
    assert np.abs(sol.values("output.rate")[rests]).max() < 1e-9


if __name__ == "__main__":
    jd.animate(sol, "geneva.html", plots=["output.angle", "output.rate", "land_1.normal_force"])
    check()
