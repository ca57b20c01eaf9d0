"""A double-wishbone suspension on a shaker: how a wheel follows the road.

What it shows
-------------
Two wishbones, an upright and a tie rod are a spatial loop with one freedom; spring and damper stand
on the lower wishbone. A shaker lifts the tyre. Modes tell the heave of the car and the hop of the
wheel, and the frequency response at rest tells beforehand what a run with the shaker then does.
"""

import numpy as np

import jourdain as jd

STIFF, DAMPING, TYRE, CAR = 6e4, 2500.0, 2.2e5, 350.0  # [N/m], [N s/m], [N/m], [kg]
Point = tuple[float, float, float]

model = jd.Model("double_wishbone")
car = model.add_body("car", jd.solid.box(CAR, (0.5, 0.12, 0.3), at=(0, -0.06, 0.5)))
model.add_joint("heave", model.world, car, jd.Prismatic("z"))


def wishbone(name: str, half: float, hinge: Point, ball: Point) -> jd.Frame:
    """Triangle from two bushings at the car to a ball joint, where the frame is that it returns."""
    tip = tuple(b - a for a, b in zip(hinge, ball, strict=True))
    arms = [jd.solid.rod(1.5, end=tip, start=(x, 0, 0)) for x in (half, -half)]
    body = model.add_body(name, arms[0] + arms[1])
    model.add_joint(f"{name}_bush", car.at(*hinge), body, jd.Revolute("x"))
    return body.at(*tip)


low, high, hub = (0.0, 0.4, 0.2), (-0.02, 0.36, 0.52), (0.0, 0.45, 0.33)
tips = wishbone("lower", 0.2, (0, 0.02, 0.22), low), wishbone("upper", 0.12, (0, 0.1, 0.5), high)
carrier = jd.solid.rod(4.0, end=high, start=low) + jd.solid.rod(4.0, end=(0, 0.5, 0.33), start=hub)
rim = jd.solid.tube(20.0, 0.2, 0.33, 0.2, axis="y", at=(0, 0.52, 0.33))
arm = jd.solid.rod(1.0, end=(0.13, 0.38, 0.25), start=low)
upright = model.add_body("upright", carrier + rim + arm)
model.add_joint("low_ball", tips[0], upright.at(*low), jd.Spherical())
model.add_joint("high_ball", tips[1], upright.at(*high), jd.Spherical())
ends = car.at(0.13, 0.04, 0.26), upright.at(0.13, 0.38, 0.25)
model.add_connection("tie_rod", jd.Distance(*ends), jd.Equal(np.hypot(0.34, 0.01)))
strut = jd.Distance(car.at(0, 0.08, 0.62), model.bodies["lower"].at(0, 0.25, 0))
model.add_connection("strut", strut, jd.Spring(STIFF, free=0.52) + jd.Damper(DAMPING))
AMPLITUDE = jd.Parameter("amplitude", 0.0, "m")
HOP = 14.0  # [1/s] frequency of the shaker
plate = model.add_body("plate", jd.solid.box(5.0, (0.3, 0.3, 0.04), at=(0, 0.52, -0.02)))
shake = {"position": lambda t: AMPLITUDE * jd.sin(2 * np.pi * HOP * t)}
model.add_joint("shaker", model.world, plate, jd.Prismatic("z"), driven=shake)
gap = jd.Relative(plate.at(0, 0.52, 0), upright.at(0, 0.52, 0.33), "z")
model.add_connection("tyre", gap, jd.Spring(TYRE, free=0.33) + jd.Damper(100.0))

rest = jd.equilibrium(model)
modes = jd.eigenmodes(model, rest)
NAMES = ["heave.position", "lower_bush.angle"]
response = jd.frequency_response(
    model, [HOP], about=rest, inputs=["shaker.position"], outputs=NAMES
)
sol = jd.simulate(model, 7.0, start=rest, parameters={"amplitude": 0.002}, sample=0.002)


def check() -> None:
    """Assert what the text claims."""
    heave, hop = (mode.frequency for mode in modes)
    assert 1.0 < heave < 1.5
    assert abs(hop / HOP - 1) < 0.02  # it is shaken where the wheel hops
    late = sol.time > 6.0
    for name in NAMES:
        size = 0.5 * np.ptp(sol.values(name)[late])
        np.testing.assert_allclose(
            size, 0.002 * abs(response[name, "shaker.position"][0]), rtol=0.01
        )


if __name__ == "__main__":
    print(modes)
    shown = jd.simulate(model, 1.5, start=rest, parameters={"amplitude": 0.008}, sample=0.002)
    jd.animate(shown, "double_wishbone.html", plots=["heave.position", "strut.force", "tyre.force"])
    check()
