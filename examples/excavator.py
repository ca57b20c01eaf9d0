"""An excavator: three cylinders of oil lift, reach and dig.

What it shows
-------------
A cylinder is an element on a distance of the mechanism, without joints of its own. Servo valves
follow wanted lengths; in the end all rests, and the oil carries the weight of the bucket.
"""

from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

AREAS = (1.1e-2, 6e-3)  # [m^2] of a piston, and on the side of its rod
BUCKET = 600.0  # [kg]
PLACES = {"base": 0j, "boom": 0.3 + 1.2j, "stick": 4.9 + 2.4j, "bucket": 4.9 + 0.2j}  # x + iz [m]
CYLINDERS: Any = {  # from a place on a body to one on another; way [m] that it is asked for
    "lift": ("base", 0.8 + 0.7j, "boom", 2.3 + 2.5j, 0.3),
    "reach": ("boom", 2.7 + 2.9j, "stick", 4.8 + 3.0j, 0.3),
    "dig": ("stick", 5.1 + 2.2j, "bucket", 5.25 + 0.2j, 0.25),
}

model = jd.Model("excavator")
box, rod, bend = jd.solid.box, jd.solid.rod, (2.2, 0, 1.6)
model.add_body("base", box(0, (2.4, 2.0, 2.0), at=(-0.9, 0, 1.0)))
model.add_body("boom", rod(300.0, end=bend) + rod(300.0, end=(4.6, 0, 1.2), start=bend))
model.add_body("stick", box(300.0, (0.3, 0.25, 2.8), at=(0, 0, -0.9)))
model.add_body("bucket", box(BUCKET, (0.9, 0.9, 0.6), at=(0.3, 0, -0.4)))


def spot(body: str, place: complex) -> jd.Frame:
    """Frame on a body by its place in the world in the reference position."""
    own = place - PLACES[body]
    return model.bodies[body].at(own.real, 0, own.imag)


model.add_joint("stand", model.world, "base", jd.Fixed())
for a, b in (("base", "boom"), ("boom", "stick"), ("stick", "bucket")):
    model.add_joint(f"{b}_pin", spot(a, PLACES[b]), spot(b, PLACES[b]), jd.Revolute("-y"))

oil, fluid = model.group("oil"), hy.standard_oil("HLP 46", temperature=50.0)
P, T = oil.add("P", hy.PressureSource(fluid, 2e7)), oil.add("T", hy.Tank(fluid))
for name, (one, p, other, q, way) in CYLINDERS.items():
    line, length = jd.Distance(spot(one, p), spot(other, q)), abs(q - p)
    A, B = (oil.add(f"{name}_{x}", hy.Volume(fluid, 1e-3, start=5e6)) for x in "AB")
    oil.add(name, hy.Cylinder(A, B, line, AREAS, (0.6 * length, 1.4 * length), leakage=2e-11))

    def command(at: Any, line: Any = line, length: float = length, way: float = way) -> Any:
        wanted = length + way * jd.smooth_step(at.t, 0.5, 4.0)
        return jd.clip(3.0 * (wanted - line.value(at)), -1.0, 1.0)

    oil.add(f"{name}_valve", hy.ServoValve(P, A, B, T, area=5e-5, command=jd.Formula(command)))

sol = jd.simulate(model, 6.0, sample=0.01)


def check() -> None:
    """Assert what the text claims: moments about the pin of the bucket, and lengths."""
    angles = [sol.final[f"{name}_pin.angle"] for name in ("boom", "stick", "bucket")]
    turns = np.exp(1j * np.cumsum(angles))[1:]
    eyes = [
        (CYLINDERS["dig"][k] - PLACES["bucket"]) * turn
        for k, turn in zip((1, 3), turns, strict=True)
    ]
    lever = (np.conj(eyes[1]) * (eyes[1] - eyes[0])).imag / abs(eyes[1] - eyes[0])
    p, q = (float(sol[f"oil.dig_{x}.pressure"][-1]) for x in "AB")
    weight = BUCKET * 9.81 * (turns[1] * (0.3 - 0.4j)).real
    np.testing.assert_allclose((AREAS[0] * p - AREAS[1] * q) * lever, weight, rtol=0.02)
    for name, (_, p, _, q, way) in CYLINDERS.items():
        longer = sol[f"oil.{name}.stop_low.gap"][-1] - 0.4 * abs(q - p)
        np.testing.assert_allclose(longer, way, atol=0.02)


if __name__ == "__main__":
    plots = [[f"oil.{name}_{x}.pressure" for name in CYLINDERS] for x in "AB"]
    jd.animate(sol, "excavator.html", plots=plots)
    check()
