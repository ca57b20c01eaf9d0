"""A tower of boxes that a ball knocks over, and a heap that comes to rest: many bodies in contact.

Every pair of contours in a group may touch. What rests does not creep: not one bit of its position
changes. Run it with a file name to get the film: ``python pile.py tower.html``.
"""

import sys

import numpy as np

import jourdain as jd

G = 9.81  # [m/s^2]
SIZE = (0.4, 0.2, 0.2)  # [m] of a brick


def tower(layers: int = 5) -> tuple[jd.Model, dict[str, tuple[float, ...]]]:
    """Two bricks in each layer, every layer across the one below, and a heavy ball beside it."""
    model = jd.Model("tower")
    contours: list[jd.Contour] = [jd.HalfSpace(model.world)]
    start: dict[str, tuple[float, ...]] = {}
    for k in range(layers):
        for side in (-1, 1):
            name = f"brick_{k}_{'a' if side < 0 else 'b'}"
            size = SIZE if k % 2 else (SIZE[1], SIZE[0], SIZE[2])
            brick = model.add_body(name, jd.solid.box(mass=1.0, size=size))
            contours.append(jd.Box(brick, size))
            across = (0.0, 0.11 * side) if k % 2 else (0.11 * side, 0.0)
            start[f"{name}.position"] = (*across, SIZE[2] * (k + 0.5))
    ball = model.add_body("ball", jd.solid.ball(mass=5.0, radius=0.12))
    contours.append(jd.Sphere(ball, 0.12))
    start["ball.position"] = (-1.5, 0.03, 0.12)
    model.add_contacts("touch", contours, jd.Coulomb(friction=0.5))
    return model, start


def standing() -> jd.Solution:
    """The tower alone stands still."""
    model, start = tower()
    return jd.simulate(model, 0.3, start=start, sample=0.02)


def knocked_over() -> jd.Solution:
    """The ball hits the tower."""
    model, start = tower()
    thrown = {"ball.velocity": (5.0, 0.0, 3.5)}
    method = jd.MoreauJean(2e-3)
    return jd.simulate(model, 2.0, start=start | thrown, method=method, sample=0.02)


def check() -> None:
    sol = standing()
    late = sol.time >= 0.1
    assert np.all(sol.q[late] == sol.q[-1])  # nothing moves, not by a single bit
    carried = (2 + 4 + 6 + 8 + 10 + 5) * G  # every layer carries those above it; and the ball
    np.testing.assert_allclose(sol["touch.normal_force"][-1], carried, rtol=1e-4)
    assert float(sol["touch.penetration"].max()) < 1e-6

    sol = knocked_over()
    assert sol.final["brick_4_a.position.z"] < 0.5
    total = sol["energy.total"].values
    assert np.all(np.diff(total) < 1e-3)  # no energy is created
    assert any(event.kind == "impact" for event in sol.events)


if __name__ == "__main__":
    check()
    if len(sys.argv) > 1:
        jd.animate(knocked_over(), sys.argv[1])
