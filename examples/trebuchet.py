"""A trebuchet: a heavy box falls, a sling whips round, a stone flies.

What it shows
-------------
Beam, swinging counterweight and sling are three hinges. One run tells position and velocity of the
stone at every instant, so the best instant to let go is found by looking at all of them. The flight
is then run as a free body, and lands where the parabola says.
"""

import numpy as np

import jourdain as jd

LONG, SHORT, SLING, AXLE = 3.0, 0.75, 2.5, 2.4  # [m]
BOX, STONE, G = 400.0, 4.0, 9.81  # [kg], [m/s^2]

model = jd.Model("trebuchet")
beam = model.add_body("beam", jd.solid.rod(30.0, end=(LONG, 0, 0), start=(-SHORT, 0, 0)))
box = model.add_body("box", jd.solid.box(BOX, (0.6, 0.5, 0.6), at=(0, 0, -0.5)))
stone = model.add_body("stone", jd.solid.ball(STONE, 0.12) + jd.solid.rod(0.05, end=(-SLING, 0, 0)))
model.add_joint("axle", model.world.at(0, 0, AXLE), beam, jd.Revolute("y"))
model.add_joint("hanger", beam.at(-SHORT, 0, 0), box, jd.Revolute("y"))
model.add_joint("sling", beam.at(LONG, 0, 0), stone.at(-SLING, 0, 0), jd.Revolute("y"))

start = {"axle.angle": 0.7, "sling.angle": np.pi - 0.7, "hanger.angle": -0.7}
sol = jd.simulate(model, 0.9, start=start, sample=0.001)

# %% How far the stone flies if it is let go at each sample: down to the ground, z = 0.
p, v = sol["stone.position"].values, sol["stone.velocity"].values
rise = v[:, 2] + np.sqrt(np.maximum(v[:, 2] ** 2 + 2.0 * G * p[:, 2], 0.0))
reach = -(p[:, 0] + v[:, 0] * rise / G)  # [m], forwards is -x
best = int(np.argmax(reach))

# %% The flight, as a run of its own.
flight = jd.Model("flight")
ball = flight.add_body("ball", jd.solid.ball(STONE, 0.12))
thrown = jd.simulate(
    flight, float(rise[best] / G), start={"ball.position": p[best], "ball.velocity": v[best]}
)


def check() -> None:
    """Assert what the text claims."""
    assert 100.0 < reach[best] < 200.0
    landed = thrown["ball.position"].values[-1]
    np.testing.assert_allclose(landed, (-reach[best], 0.0, 0.0), atol=1e-6)
    fallen = BOX * G * (sol["box.position"].values[0] - sol["box.position"].values[best])[2]
    thrown_energy = 0.5 * STONE * v[best] @ v[best]
    assert 0.2 < thrown_energy / fallen < 0.9  # a good part of the fall goes into the stone


if __name__ == "__main__":
    print(f"let go after {best} ms at {np.linalg.norm(v[best]):.1f} m/s: {reach[best]:.1f} m")
    jd.animate(sol, "trebuchet.html", plots=["axle.angle", "stone.velocity"], traces=["stone"])
    check()
