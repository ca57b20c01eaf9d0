"""Balls that turn their slip round where they hit, along two tangents: every method, exactly."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

RADIUS, UP, E, TURNED = 0.1, np.array([0.0, 0.0, 1.0]), 0.8, 0.6
X, Y, Z = (jd.Coordinate(word) for word in "xyz")
VELOCITY, SPIN = np.array([0.5, -0.3, -2.0]), np.array([4.0, 7.0, 9.0])
ROLLS = 3.5  # G_TT / G_NN of a solid ball


def hit(friction: float, method: jd.Method, *, is_group: bool) -> jd.Solution:
    """Ball that flies against a wall, without weight."""
    model = jd.Model("superball", gravity=(0, 0, 0))
    ball = model.add_body("ball", jd.solid.ball(mass=0.7, radius=RADIUS))
    law = jd.Coulomb(friction, E, TURNED)
    wall, contour = jd.HalfSpace(model.world), jd.Sphere(ball, RADIUS)
    if is_group:
        model.add_contacts("wall", [wall, contour], law)
    else:
        model.add_contact("wall", wall, contour, law)
    start = {"ball.position": (0, 0, RADIUS + 0.01), "ball.velocity": VELOCITY}
    start |= {"ball.angular_velocity": SPIN}
    return jd.simulate(model, 0.02, start=start, method=method, sample=0.02)


def after(friction: float) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and spin after the impact, in closed form (CT-4)."""
    slip = VELOCITY * (1.0 - UP) + np.cross(SPIN, -RADIUS * UP)
    size, normal = np.linalg.norm(slip), -VELOCITY[2]
    impulse = -slip * min((1.0 + TURNED) / ROLLS, friction * (1.0 + E) * normal / size)
    inertia = 0.4 * RADIUS**2  # per mass
    spin = SPIN + np.cross(-RADIUS * UP, impulse) / inertia
    return VELOCITY + impulse + (1.0 + E) * normal * UP, spin


METHODS = {
    "events": (jd.EventDriven(), False, 1e-9),
    "steps": (jd.MoreauJean(1e-3), False, 1e-9),
    "alpha": (jd.NonsmoothAlpha(1e-4), False, 5e-5),  # of order one where a body turns on the way
    "groups": (jd.MoreauJean(1e-3), True, 1e-9),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("friction", [0.6, 0.1], ids=["holds", "slides"])
def test_slip_is_turned_round_as_far_as_friction_can(name: str, friction: float) -> None:
    method, is_group, close = METHODS[name]
    sol = hit(friction, method, is_group=is_group)
    velocity, spin = after(friction)
    np.testing.assert_allclose(sol.final["ball.velocity"], velocity, atol=close)
    turning = np.linalg.norm(sol.final["ball.angular_velocity"])
    assert turning == pytest.approx(np.linalg.norm(spin), rel=10.0 * close)
    impact = next(event for event in sol.events if event.kind == "impact")
    kinetic = sol.values("energy.kinetic")
    assert impact.details["energy"] == pytest.approx(kinetic[-1] - kinetic[0], rel=1e-9)
    assert kinetic[-1] < kinetic[0]


def block(start: dict[str, float], method: jd.Method) -> jd.Solution:
    """Block that is pressed on a floor, and a weight above it that falls."""
    model = jd.Model("block")
    for word in "xyz":
        model.add_coordinate(word, 1.0, unit="m")
    model.add_connection("floor", jd.Touch(Y, X), jd.Coulomb(0.6, 0.0, TURNED))
    model.add_connection("top", Z - Y, jd.Unilateral())
    model.add_connection("press", Y, jd.Force(-1.0))
    return jd.simulate(model, 0.02, start=start, method=method, sample=0.02)


SINGLE = ["events", "steps", "alpha"]


@pytest.mark.parametrize("name", SINGLE)
def test_slip_is_turned_round_where_a_contact_stays_closed(name: str) -> None:
    """It falls at 2 m/s, stays on the floor, and slides back at 0.6 of its speed."""
    start = {"x.rate": 0.5, "y.value": 0.01, "y.rate": -2.0, "z.value": 5.0}
    sol = block(start, METHODS[name][0])
    time = np.sqrt(4.0 + 0.02) - 2.0  # of the fall
    wanted = -TURNED * 0.5 + 0.6 * (0.02 - time)
    close = {"events": 1e-8, "steps": 0.6 * 2e-3, "alpha": 0.6 * 1e-4}[name]  # of friction
    assert sol.final["x.rate"] == pytest.approx(wanted, abs=close)
    assert sol.final["y.value"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", SINGLE)
def test_what_slides_on_and_is_hit_from_above_is_stopped_only(name: str) -> None:
    """Contacts that meet give back: a block that slides stays where a weight falls on it."""
    sol = block({"x.rate": 1.0, "z.value": 0.01, "z.rate": -2.0}, METHODS[name][0])
    assert sol.final["x.rate"] == pytest.approx(0.0, abs=1e-12)
    close = 1e-9 if name == "events" else 1e-3
    assert sol.final["x.value"] == pytest.approx(0.0049925, abs=close)
