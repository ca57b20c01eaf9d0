"""A clock's escapement: a pendulum lets a wheel through, tooth by tooth, and is kept going by it.

What it shows
-------------
Graham's anchor of 1715: teeth rest on two faces of the pallets and push on two inclined ones. In a
period of the pendulum the wheel turns by one tooth; its torque gives what air and contacts take.
"""

import numpy as np

import jourdain as jd

TEETH, R, SPAN = 12, 0.03, 2.5  # number, radius of the tips [m], teeth between the pallets
PHI = np.pi * SPAN / TEETH  # from the vertical to where the pallets are [rad]
D, RHO = R / np.cos(PHI), R * np.tan(PHI)  # from axle to axle, from the anchor to the pallets [m]
THICK = np.radians(11) * R  # of the pallets: the wheel drops through 4 of 15 degrees
LIFT, LOCK = np.radians(1.5), np.radians(0.8)
LENGTH, BOB, DAMPING, TORQUE = 0.25, 0.5, 3.0e-4, 1.2e-3  # [m], [kg], [N m s], [N m]


def polar(r: float, angle: float) -> tuple[float, float]:
    """Point of a plane."""
    return r * np.cos(angle), r * np.sin(angle)


def meeting(r: float) -> float:
    """Angle about the anchor, from downwards, where tips pass at a distance r [rad]."""
    return float(np.arccos((D**2 + r**2 - R**2) / (2 * D * r)))


def pallet(side: int) -> list[tuple[float, float]]:
    """Corners of the pallet on the left (-1) or on the right (1)."""
    lock, drop = RHO - 0.5 * side * THICK, RHO + 0.5 * side * THICK
    begin, end = meeting(lock) + LIFT - LOCK, meeting(drop) - LIFT
    back = np.radians([3, 6, 9] if side < 0 else [6])
    arc = [(lock, begin + b) for b in (0.0, *back)]
    places = [(drop, end), *arc, (drop, end + back[-1])]
    return [polar(r, side * a - 0.5 * np.pi) for r, a in places]


model = jd.Model("escapement", gravity=(0, -9.81, 0))
bob = jd.solid.cylinder(BOB, 0.03, 0.015, at=(0, -LENGTH, 0.0))
anchor = model.add_body("anchor", bob + jd.solid.rod(0.01, end=(0, -LENGTH, 0)))
spokes = [jd.solid.rod(1e-4, end=(*polar(R, 2 * np.pi * k / TEETH), 0)) for k in range(TEETH)]
wheel = model.add_body("wheel", jd.solid.compound(*spokes, jd.solid.cylinder(0.01, 0.7 * R, 0.002)))
model.add_joint("pivot", model.world.at(0, D, 0), anchor, jd.Revolute("z"))
model.add_joint("axle", model.world, wheel, jd.Revolute("z"))
model.add_connection("air", jd.Coordinate("pivot.angle"), jd.Damper(DAMPING))
model.add_connection("weight", jd.Coordinate("axle.angle"), jd.Force(-TORQUE))
locked = RHO + 0.5 * THICK  # where a tooth rests at the start
first = 0.501 * np.pi + np.arcsin(locked * np.sin(meeting(locked)) / R)
for name, side in (("entry", -1), ("exit", 1)):
    face = jd.Polygon(anchor, pallet(side))
    for k in range(TEETH):
        tip = jd.Circle(wheel.at(*polar(R, first + 2 * np.pi * k / TEETH)), 1e-5)
        model.add_contact(f"{name}_{k}", face, tip, jd.Coulomb(friction=0.1))

sol = jd.simulate(model, 5.0, start={"pivot.angle": 0.07}, sample=0.002)


def check() -> None:
    """Assert what the text claims."""
    teeth = -sol.values("axle.angle") * TEETH / (2 * np.pi)
    swing = sol.values("pivot.angle")
    falls = sol.time[1:][(swing[:-1] > 0) & (swing[1:] <= 0)]
    np.testing.assert_allclose(np.diff(np.interp(falls, sol.time, teeth)), 1.0, atol=0.02)
    J = anchor.inertia.moments[1][1] + anchor.inertia.mass * anchor.inertia.com[1] ** 2
    free = 2 * np.pi * np.sqrt(-J / (anchor.inertia.mass * anchor.inertia.com[1] * 9.81))
    np.testing.assert_allclose(np.diff(falls).mean(), free, rtol=0.01)
    air = np.trapezoid(DAMPING * sol.values("pivot.rate") ** 2, sol.time)
    energy = sol.values("energy.total") - sol.values("work.contacts")
    given = -TORQUE * sol.final["axle.angle"]
    np.testing.assert_allclose(given, air + energy[-1] - energy[0], rtol=0.03)
    assert np.ptp(swing[-1000:]) > 0.98 * np.ptp(swing[:1000])  # it goes on


if __name__ == "__main__":
    jd.animate(sol, "escapement.html", plots=["pivot.angle", "axle.angle"])
    check()
