"""Contact and dry friction, exactly: a ball thrown on a table, a brake, a bouncing ball.

Contacts are set-valued laws, no stiff springs: what sticks does not creep, what rests does not sink
in. `sol.events` is a ledger of everything that happened: impacts, detachments, slips and sticks.
"""

import numpy as np

import jourdain as jd

G = 9.81  # [m/s^2]


def thrown_ball(friction: float = 0.2, speed: float = 2.0) -> jd.Solution:
    """A ball slides over a table until friction lets it roll: after 2 v/(7 μ g)."""
    model = jd.Model("thrown_ball")
    ball = model.add_body("ball", jd.solid.ball(mass=0.3, radius=0.1))
    table, outline = jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)
    model.add_contact("table", table, outline, jd.Coulomb(friction))
    start = {"ball.position": (0, 0, 0.1), "ball.velocity": (speed, 0, 0)}
    return jd.simulate(model, 1.0, start=start)


def brake(capacity: float = 2.0, spring: float = 1.0) -> jd.Solution:
    """An oscillator with dry friction: each half swing loses twice the capacity over the spring."""
    model = jd.Model("brake")
    block = model.add_body("block", jd.solid.box(mass=1.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("slide", model.world, block, jd.Prismatic("x"))
    model.add_connection("spring", jd.Coordinate("slide.position"), jd.Spring(spring))
    model.add_connection("brake", jd.Coordinate("slide.position"), jd.Interval(capacity))
    return jd.simulate(model, 60.0, start={"slide.position": 11.0})


def bouncing_ball(restitution: float = 0.9) -> jd.Solution:
    """A ball that comes to rest after infinitely many impacts, at a finite time."""
    model = jd.Model("bouncing_ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("fall", model.world, ball, jd.Prismatic("z"))
    floor = jd.Unilateral(restitution=restitution)
    model.add_connection("floor", jd.Coordinate("fall.position"), floor)
    return jd.simulate(model, 10.0, start={"fall.position": 1.0})


def check() -> None:
    sol = thrown_ball()
    rolls = [event.time for event in sol.events if event.kind == "stick"]
    np.testing.assert_allclose(rolls, [2 * 2.0 / (7 * 0.2 * G)], rtol=1e-9)
    np.testing.assert_allclose(sol.values("ball.velocity")[-1, 0], 5 / 7 * 2.0, rtol=1e-9)

    sol = brake()
    np.testing.assert_allclose(sol.final["slide.position"], 1.0, atol=1e-7)  # 11, -7, 3, 1
    stuck = sol.time > sol.events[-1].time
    assert np.ptp(sol.values("slide.position")[stuck]) < 1e-12  # no creep

    sol = bouncing_ball()
    rest = np.sqrt(2 / G) * (1 + 0.9) / (1 - 0.9)
    np.testing.assert_allclose(sol.events[-1].time, rest, atol=1e-6)
    assert abs(sol.values("fall.position")[-1]) < 1e-12
    assert sum(event.kind == "impact" for event in sol.events) > 100


if __name__ == "__main__":
    for sol in (thrown_ball(), brake(), bouncing_ball()):
        print(sol)
        for event in sol.events[:8]:
            print(f"  {event.time:10.6f} s  {event.kind:11} {event.name}")
    check()
