"""Newton's cradle: one ball comes, one ball goes.

What it shows
-------------
Five steel balls on threads, with gaps of a micrometre between them. Impacts without loss hand the
motion from ball to ball: the last one leaves with the speed of the first, rises as high, and comes
back, in the period of a pendulum of large swing. Two balls that come make two that go.
"""

import numpy as np
from scipy.special import ellipk

import jourdain as jd

N, RADIUS, LENGTH, GAP = 5, 0.02, 0.25, 1e-6  # balls; [m]
SWING = 0.6  # [rad]


def cradle() -> jd.Model:
    """Balls in a row along x, each on its hinge."""
    model = jd.Model("newtons_cradle")
    balls = []
    for k in range(N):
        solid = jd.solid.ball(0.25, RADIUS, at=(0, 0, -LENGTH)) + jd.solid.rod(
            1e-4, end=(0, 0, -LENGTH)
        )
        ball = model.add_body(f"ball_{k}", solid)
        place = model.world.at(k * (2 * RADIUS + GAP), 0, LENGTH + 0.05)
        model.add_joint(f"thread_{k}", place, ball, jd.Revolute("y"))
        balls.append(ball.at(0, 0, -LENGTH))
    steel = jd.Unilateral(restitution=1.0)
    for k in range(N - 1):
        ends = jd.Sphere(balls[k], RADIUS), jd.Sphere(balls[k + 1], RADIUS)
        model.add_contact(f"hit_{k}", *ends, steel)
    return model


def run(lifted: int = 1, end: float = 2.0) -> jd.Solution:
    """Let go of some balls, lifted together."""
    start = {f"thread_{k}.angle": SWING for k in range(lifted)}
    return jd.simulate(cradle(), end, start=start, sample=0.005)


def check() -> None:
    """Assert what the text claims."""
    sol = run()
    last = sol.values(f"thread_{N - 1}.angle")
    np.testing.assert_allclose(-last.min(), SWING, rtol=1e-4)  # as high as the first
    quarter = sol.events[0].time
    J, m = (
        0.25 * (0.4 * RADIUS**2 + LENGTH**2) + 1e-4 * LENGTH**2 / 3,
        0.25 * LENGTH + 5e-5 * LENGTH,
    )
    exact = np.sqrt(J / (m * 9.81)) * ellipk(np.sin(0.5 * SWING) ** 2)
    np.testing.assert_allclose(quarter, exact, rtol=1e-4)
    two = run(2, 0.9 * quarter + 0.25)
    rates = [two.values(f"thread_{k}.rate")[-1] for k in range(N)]
    np.testing.assert_allclose(rates[3:], np.mean(rates[3:]), rtol=1e-3)  # two go
    assert np.abs(rates[:3]).max() < 1e-3 * abs(rates[3])
    total = sol["energy.total"].values
    np.testing.assert_allclose(total, total[0], atol=1e-6 * abs(total[0]) + 1e-6)


if __name__ == "__main__":
    sol = run()
    print(f"{len(sol.events)} impacts")
    jd.animate(sol, "newtons_cradle.html", plots=["thread_0.angle", "thread_4.angle"])
    check()
