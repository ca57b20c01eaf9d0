"""Rolling and drilling friction in groups of contacts."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tending import assert_same_limit

import jourdain as jd
from jourdain.errors import IntegrationError

G, R, H = 9.81, 0.1, 5e-3
EXACT = {"tolerance": 1e-12, "iterations": 1000}


def balls(law, n=1, *, slope=0.0, is_group=True):
    """Balls on a plane that falls along x."""
    model = jd.Model("lawn", gravity=(G * np.sin(slope), 0.0, -G * np.cos(slope)))
    floor, start = jd.HalfSpace(model.world), {}
    spheres = []
    for k in range(n):
        body = model.add_body(f"ball{k}", jd.solid.ball(mass=2.0, radius=R))
        spheres.append(jd.Sphere(body, R))
        start[f"ball{k}.position"] = (0.0, 0.5 * k, R)
    if is_group:
        model.add_contacts("lawn", [floor, *spheres], law)
    else:
        for k, sphere in enumerate(spheres):
            model.add_contact(f"lawn{k}", floor, sphere, law)
    return model, start


def run(model, duration, start, **more):
    method = jd.MoreauJean(H, **(EXACT | more))
    return jd.simulate(model, duration, start=start, method=method, sample=10 * H)


def test_balls_that_roll_slow_down_by_the_lever_of_rolling_friction():
    """(1 + 2/5) a = g ρ/r; each ball stops where its speed is used up, and stays to the bit."""
    model, start = balls(jd.Coulomb(friction=0.5, rolling=0.01), n=2)
    speeds, a = (0.7, 0.45), G * 0.01 / R / 1.4
    for k, v in enumerate(speeds):
        start |= {f"ball{k}.velocity": (v, 0, 0), f"ball{k}.angular_velocity": (0, v / R, 0)}
    sol = run(model, 1.2, start)
    for k, v in enumerate(speeds):
        expected = np.maximum(v - a * sol.time, 0.0)
        np.testing.assert_allclose(sol[f"ball{k}.velocity"][:, 0], expected, atol=1e-12)
        way = sol[f"ball{k}.position"][:, 0]
        assert float(way[-1]) == pytest.approx(v**2 / (2 * a), abs=a * H**2)
        assert float(way[-1]) == float(way[-2])
        torque = sol[f"ball{k}.contact_torque"][1, 1]  # of friction, and against rolling
        assert float(torque) == pytest.approx(2.0 * a * R - 2.0 * G * 0.01, rel=1e-9)
    assert not sol.v[-1].any()


def test_a_ball_stops_to_drill():
    """I dω/dt = −δ m g."""
    model, start = balls(jd.Coulomb(friction=0.5, drilling=0.002))
    sol = run(model, 0.5, start | {"ball0.angular_velocity": (0, 0, 1.5)})
    expected = np.maximum(1.5 - G * 0.002 / (0.4 * R**2) * sol.time, 0.0)
    np.testing.assert_allclose(sol["ball0.angular_velocity"][:, 2], expected, atol=1e-12)
    assert not sol.v[-1].any()


@pytest.mark.parametrize("part", [0.999999, 1.000001])
def test_a_ball_on_a_slope_rests_up_to_the_angle_of_rolling_friction(part):
    rolling = 0.002
    slope = np.arctan(part * rolling / R)
    model, start = balls(jd.Coulomb(friction=0.5, rolling=rolling), slope=slope)
    sol = run(model, 0.5, start)
    way = float(np.abs(sol["ball0.position"] - sol["ball0.position"][0]).max())
    if part < 1.0:
        assert way <= 1e-12
        assert np.abs(sol.v).max() < 1e-15  # rounding, until rest is proven
        assert not sol.v[-1].any()
    else:
        a = (G * np.sin(slope) - G * np.cos(slope) * rolling / R) / 1.4
        assert way == pytest.approx(0.5 * a * 0.5**2, rel=1e-3)


@pytest.mark.parametrize(
    "law",
    [
        jd.Coulomb(friction=0.3, rolling=0.004, drilling=0.001),
        jd.Coulomb(friction=0.3, restitution=0.4, rolling=lambda w: 0.004 / (1.0 + w)),
        jd.Coulomb(friction=0.3, drilling=lambda w: 0.002 / (1.0 + w)),
    ],
)
def test_the_steps_of_single_contacts(law):
    """A ball that falls, slides, rolls and drills at once."""
    start = {"ball0.position": (0, 0, 0.12), "ball0.velocity": (0.5, 0.2, -0.3)}
    start |= {"ball0.angular_velocity": (3.0, -2.0, 5.0)}

    def thrown(is_group, h):
        model, method = balls(law, is_group=is_group)[0], jd.MoreauJean(h, **EXACT)
        return jd.simulate(model, 0.3, start=start, method=method, sample=0.02)

    assert_same_limit(thrown, H, 2.0)


def test_a_plate_that_turns_and_a_ball_on_it():
    """A wider unit feels the moments as well: the angular momentum of both is kept."""
    model = jd.Model("table")
    plate = model.add_body("plate", jd.solid.cylinder(mass=1.0, radius=0.5, length=0.02))
    model.add_joint("axle", model.world, plate, jd.Revolute("z"))
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=R))
    contours = [jd.HalfSpace(plate.at(0, 0, 0.01)), jd.Sphere(ball, R)]
    model.add_contacts("top", contours, jd.Coulomb(friction=0.5, drilling=0.002))
    start = {"ball.position": (0, 0, 0.01 + R), "axle.rate": 1.0}
    sol = run(model, 0.3, start)
    spin, rate = sol["ball.angular_velocity"][:, 2], sol["axle.rate"]
    moments = 0.4 * 2.0 * R**2, 0.5 * 1.0 * 0.5**2
    torque = 0.002 * 2.0 * G
    both = moments[1] / sum(moments)  # after drilling has ended
    np.testing.assert_allclose(spin, np.minimum(torque / moments[0] * sol.time, both), atol=1e-9)
    np.testing.assert_allclose(rate, 1.0 - moments[0] / moments[1] * spin, atol=1e-9)


@pytest.mark.slow
def test_balls_with_rolling_friction_come_to_rest_and_others_do_not():
    rng = np.random.default_rng(3)
    start = {f"ball{k}.position": (*rng.uniform(-0.1, 0.1, 2), 0.15 + 0.25 * k) for k in range(8)}
    ends = []
    for law in (jd.Coulomb(0.4, rolling=0.01, drilling=0.01), jd.Coulomb(0.4)):
        model, _ = balls(law, n=8)
        method = jd.MoreauJean(H)
        sol = jd.simulate(model, 5.0, start=start, method=method, sample=1.0)
        ends.append(sol.v[-1])
    assert not ends[0].any()
    assert ends[1].any()


def test_lengths_out_of_bounds():
    model, start = balls(jd.Coulomb(0.3, rolling=lambda w: -w))
    text = "contacts 'lawn': the rolling of its law is -1 at 1 rad/s: it must be at least 0"
    with pytest.raises(IntegrationError, match=text):
        run(model, 0.1, start | {"ball0.angular_velocity": (0, 1.0, 0)})
