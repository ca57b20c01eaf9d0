"""A cam follower that lifts off: above a speed the spring is too weak to hold it.

What it shows
-------------
A round cam turns about a point beside its centre and lifts a flat follower, which a spring presses
down. While they touch, the lift is ``e sin(angle)`` and the force of contact follows from Newton's
law; where it would pull, the follower leaves the cam, flies, and hits it again.
"""

import numpy as np

import jourdain as jd

RADIUS, E, MASS = 0.03, 0.01, 0.4  # [m], [kg]
STIFFNESS, PRELOAD = 2000.0, 60.0  # [N/m], [N] at the middle of the lift


def machine(speed: float) -> jd.Model:
    """Cam that turns at a speed [rad/s]."""
    model = jd.Model("cam_follower")
    cam = model.add_body("cam", jd.solid.cylinder(0.5, RADIUS, 0.02, axis="y", at=(E, 0, 0)))
    follower = model.add_body(
        "follower",
        jd.solid.box(0.5 * MASS, (0.09, 0.02, 0.006), at=(0, 0, 0.003))
        + jd.solid.cylinder(0.5 * MASS, 0.006, 0.1, at=(0, 0, 0.056)),
    )
    turn = {"angle": lambda t: -speed * t}
    model.add_joint("shaft", model.world, cam, jd.Revolute("y"), driven=turn)
    model.add_joint("guide", model.world.at(0, 0, RADIUS), follower, jd.Prismatic("z"))
    top = model.world.at(0, 0, RADIUS + 0.18)
    rest = 0.18 - 0.006 + PRELOAD / STIFFNESS
    spring = jd.Distance(follower.at(0, 0, 0.006), top)
    model.add_connection("spring", spring, jd.Spring(STIFFNESS, free=rest))
    flat = jd.HalfSpace(follower.at(0, 0, 0, rotation=jd.rotation_x(np.pi)))
    model.add_contact("touch", flat, jd.Sphere(cam.at(E, 0, 0), RADIUS), jd.Unilateral())
    return model


def pressed(speed: float, t: np.ndarray) -> np.ndarray:
    """Force of contact [N] as long as they touch."""
    lift = E * np.sin(speed * t)
    return MASS * 9.81 + PRELOAD + STIFFNESS * lift - MASS * speed**2 * lift


LIMIT = np.sqrt(STIFFNESS / MASS + (9.81 + PRELOAD / MASS) / E)  # [rad/s]


def run(factor: float, turns: float = 3.0) -> jd.Solution:
    """Run at a part of the limit."""
    speed = factor * LIMIT
    start = {"guide.velocity": E * speed}
    return jd.simulate(machine(speed), turns * 2 * np.pi / speed, start=start)


def check() -> None:
    """Assert what the text claims."""
    slow = run(0.98, 1.0)
    assert not [event for event in slow.events if event.kind == "detachment"]
    force = slow.values("touch.normal_force")
    np.testing.assert_allclose(force, pressed(0.98 * LIMIT, slow.time), atol=1e-4)
    fast = run(1.2)
    off = next(event for event in fast.events if event.kind == "detachment")
    exact = (MASS * 9.81 + PRELOAD) / (MASS * (1.2 * LIMIT) ** 2 - STIFFNESS)
    np.testing.assert_allclose(off.time, np.arcsin(exact / E) / (1.2 * LIMIT), rtol=1e-6)
    assert any(event.kind == "impact" for event in fast.events)


if __name__ == "__main__":
    print(f"the follower lifts off above {LIMIT * 60 / (2 * np.pi):.0f} turns a minute")
    sol = run(1.2)
    jd.animate(sol, "cam_follower.html", plots=["guide.position", "touch.normal_force"])
    check()
