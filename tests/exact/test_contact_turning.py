"""Rolling and drilling friction against closed solutions: balls and tops that slow down and stay.

A ball with the radius r that rolls without slip slows by 5/7 g ρ/r, because the moment ρ N acts on
7/5 m r². One that spins on the spot stops after 2/5 r² ω/(δ g). On an incline it stays below
tan α = ρ/r.
"""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance

G, MASS, R = 9.81, 2.0, 0.1  # [m/s^2], [kg], [m]
INERTIA = 0.4 * MASS * R**2
ROLLING, DRILLING, FRICTION = 0.002, 0.003, 0.4  # [m], [m], [1]
STEPS = jd.MoreauJean(0.02)


@pytest.fixture(scope="module")
def ball():
    """A ball on a plane that may slope down along x."""
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    body = model.add_body("ball", jd.solid.ball(mass=MASS, radius=R))
    slope = jd.Parameter("slope", 0.0)
    for k, part in ((0, jd.sin(slope)), (2, -jd.cos(slope))):
        place = jd.Formula(lambda at, k=k: at.pose(body.at())[1][k])
        model.add_connection(f"weight_{k}", place, jd.Force(MASS * G * part))
    law = jd.Coulomb(
        jd.Parameter("friction", FRICTION),
        jd.Parameter("bounce", 0.0),
        rolling=jd.Parameter("rolling", ROLLING),
        drilling=jd.Parameter("drilling", DRILLING),
    )
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, R), law)
    return jd.compile(model)


def at_rest(**more):
    return {"ball.position": (0.0, 0.0, R)} | {f"ball.{k}": v for k, v in more.items()}


def kinds(sol):
    return [(event.kind, event.name) for event in sol.events]


def times(sol, kind, name):
    return [e.time for e in sol.events if (e.kind, e.name) == (kind, name)]


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.6, 0.8)])
def test_rolling_ball_stops_in_time_and_stays(ball, way):
    speed, slowing = 1.0, 5.0 / 7.0 * G * ROLLING / R
    start = at_rest(
        velocity=(speed * way[0], speed * way[1], 0.0),
        angular_velocity=(-speed * way[1] / R, speed * way[0] / R, 0.0),
    )
    sol = jd.simulate(ball, 60.0, start=start, sample=0.5)
    assert times(sol, "stick", "floor.rolling") == pytest.approx([speed / slowing], rel=1e-9)
    stop = speed / slowing
    t = np.minimum(sol.time, stop)
    along = sol.values("ball.position")[:, :2] @ way
    np.testing.assert_allclose(along, speed * t - 0.5 * slowing * t**2, atol=1e-9)
    after = sol.q[sol.time > stop + 1e-9]
    assert np.abs(after - after[0]).max() <= 1e-12
    moment = sol.values("floor.rolling.moment")[sol.time < stop - 1e-9]
    expected = ROLLING * MASS * G * np.array([way[1], -way[0]])
    np.testing.assert_allclose(moment, np.broadcast_to(expected, moment.shape), rtol=1e-9)
    np.testing.assert_allclose(sol.values("floor.rolling.normal_force"), MASS * G, rtol=1e-12)


def test_rolling_ball_in_time_steps(ball):
    speed, slowing = 1.0, 5.0 / 7.0 * G * ROLLING / R
    start = at_rest(velocity=(speed, 0.0, 0.0), angular_velocity=(0.0, speed / R, 0.0))
    sol = jd.simulate(ball, 10.0, start=start, method=STEPS, sample=0.5)
    stop = speed / slowing
    t = np.minimum(sol.time, stop)
    expected = speed * t - 0.5 * slowing * t**2
    rolls = sol.time < stop
    x = sol.values("ball.position")[:, 0]
    np.testing.assert_allclose(x[rolls], expected[rolls], atol=1e-11)
    np.testing.assert_allclose(x, expected, atol=slowing * STEPS.dt**2)
    after = sol.q[sol.time > stop + STEPS.dt]
    assert np.abs(after - after[0]).max() <= 1e-12
    moment = sol.values("floor.rolling.moment")[1:][rolls[1:], 1]
    np.testing.assert_allclose(moment, -ROLLING * MASS * G, rtol=1e-9)


@pytest.mark.parametrize("method", [None, STEPS], ids=["events", "steps"])
def test_spinning_ball_stops_in_time(ball, method):
    spin = 5.0
    stop = INERTIA * spin / (DRILLING * MASS * G)
    start = at_rest(angular_velocity=(0.0, 0.0, spin))
    sol = jd.simulate(ball, 2.0, start=start, method=method, sample=0.05)
    expected = spin * np.maximum(1.0 - sol.time / stop, 0.0)
    rates = sol.values("ball.angular_velocity")
    np.testing.assert_allclose(rates[:, 2], expected, atol=1e-8)
    assert np.abs(rates[:, :2]).max() <= 1e-12
    after = sol.q[sol.time > stop + STEPS.dt]
    assert np.abs(after - after[0]).max() <= 1e-12
    if method is None:
        assert times(sol, "stick", "floor.drilling") == pytest.approx([stop], rel=1e-9)


@pytest.mark.parametrize("method", [None, STEPS], ids=["events", "steps"])
def test_ball_on_an_incline_stays_below_the_angle_of_rolling(ball, method):
    angle = np.arctan(ROLLING / R)
    below, above = ({"slope": f * angle} for f in (0.99, 1.5))
    settings = {"start": at_rest(), "method": method, "sample": 0.5}
    stays = jd.simulate(ball, 5.0, parameters=below, **settings)
    assert np.abs(stays.q - stays.q[0]).max() <= 1e-12
    rolls = jd.simulate(ball, 1.0, parameters=above, **settings)
    alpha = above["slope"]
    pull = 5.0 / 7.0 * G * (np.sin(alpha) - ROLLING / R * np.cos(alpha))
    x = rolls.values("ball.position")[:, 0]
    np.testing.assert_allclose(x, 0.5 * pull * rolls.time**2, atol=1e-9)
    np.testing.assert_allclose(rolls.values("ball.angular_velocity")[:, 1] * R, pull * rolls.time,
                               atol=1e-9)  # fmt: skip


def test_ball_slides_then_rolls_then_rests_and_spins_all_the_while(ball):
    """Sliding, rolling and drilling at once: linear in time, until one of them ends."""
    speed, spin = 1.0, 20.0
    start = at_rest(velocity=(speed, 0.0, 0.0), angular_velocity=(0.0, 0.0, spin))
    sol = jd.simulate(ball, 12.0, start=start, sample=0.25)
    grips = speed / (G * (FRICTION + 2.5 * (FRICTION - ROLLING / R)))
    slowing = 5.0 / 7.0 * G * ROLLING / R
    left = speed - FRICTION * G * grips
    rests = grips + left / slowing
    still = INERTIA * spin / (DRILLING * MASS * G)
    assert times(sol, "stick", "floor") == pytest.approx([grips], rel=1e-9)
    assert times(sol, "stick", "floor.rolling") == pytest.approx([rests], rel=1e-9)
    assert times(sol, "stick", "floor.drilling") == pytest.approx([still], rel=1e-9)
    way = speed * grips - 0.5 * FRICTION * G * grips**2 + 0.5 * left**2 / slowing
    assert sol.values("ball.position")[-1, 0] == pytest.approx(way, rel=1e-9)
    spinning = spin * np.maximum(1.0 - sol.time / still, 0.0)
    np.testing.assert_allclose(sol.values("floor.drilling.slip"), spinning, atol=1e-7)


def falling(law, spin):
    model = jd.Model("falling")
    body = model.add_body("ball", jd.solid.ball(mass=MASS, radius=R))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, R), law)
    start = {"ball.position": (0, 0, R), "ball.velocity": (0, 0, -2.0)}
    return model, start | {"ball.angular_velocity": spin}


@pytest.mark.parametrize("impact", [jd.Newton(), jd.Poisson()], ids=["newton", "poisson"])
@pytest.mark.parametrize("spin", [(0.0, 7.0, 9.0), (3.0, 4.0, -9.0), (0.0, 0.1, 0.2)])
def test_impact_takes_angular_momentum_up_to_the_normal_impulse(impact, spin):
    """Impulses ρ Λ_N and δ Λ_N against the rotation, or as much as stops it."""
    e, speed = 0.6, 2.0
    law = jd.Coulomb(0.0, e, impact=impact, rolling=ROLLING, drilling=DRILLING)
    model, start = falling(law, spin)
    hit = jd.simulate(model, 0.01, start=start, sample=0.01).events[0]
    normal = MASS * speed * (1.0 + e)
    across, about = np.array(spin[:2]), spin[2]
    size = np.linalg.norm(across)
    across = across * max(0.0, 1.0 - ROLLING * normal / INERTIA / size)
    about = np.sign(about) * max(0.0, abs(about) - DRILLING * normal / INERTIA)
    after = hit.details["v_after"]
    np.testing.assert_allclose(after, [0, 0, e * speed, *across, about], atol=1e-11)
    rows = hit.details["impulses"][0]  # normal, two tangents, rolling about both, drilling
    moments = INERTIA * (np.array([*across, about]) - spin)
    np.testing.assert_allclose(rows, [normal, 0.0, 0.0, *moments], atol=1e-11)
    energy = 0.5 * MASS * speed**2 * (e**2 - 1.0)
    energy += 0.5 * INERTIA * (across @ across + about**2 - np.dot(spin, spin))
    assert hit.details["energy"] == pytest.approx(energy, rel=1e-10)


def test_tiny_and_huge_balls_stop_alike():
    """Lengths and masses scale out: the same stop in units of √(r/g)."""
    for mass, radius in ((1e-6, 1e-4), (1e5, 10.0)):
        model = jd.Model("scaled")
        body = model.add_body("ball", jd.solid.ball(mass=mass, radius=radius))
        law = jd.Coulomb(0.5, rolling=0.1 * radius, drilling=0.1 * radius)
        model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, radius), law)
        unit = np.sqrt(radius / G)
        speed = radius / unit
        start = {
            "ball.position": (0, 0, radius), "ball.velocity": (speed, 0, 0),
            "ball.angular_velocity": (0, speed / radius, speed / radius),
        }  # fmt: skip
        slowing = 5.0 / 7.0 * G * 0.1
        for method, tol in ((None, 1e-9), (jd.MoreauJean(0.1 * unit), 1e-3)):
            sol = jd.simulate(model, 16 * unit, start=start, method=method, sample=unit)
            way = pytest.approx(0.5 * speed**2 / slowing, rel=tol, abs=0.0)
            assert sol.values("ball.position")[-1, 0] == way
            assert np.abs(sol.v[-1]).max() <= 1e-12 / unit


def test_lengths_that_fall_with_the_speed():
    """ρ(ω) = ρ₀/(1 + ω/w) stops a spinning ball after 2/5 r² (ω + ω²/2w)/(ρ₀ g)."""
    w, spin = 3.0, 5.0
    law = jd.Coulomb(0.3, drilling=lambda speed: DRILLING / (1.0 + speed / w))
    model, start = falling(law, (0.0, 0.0, spin))
    start["ball.velocity"] = (0, 0, 0)
    sol = jd.simulate(model, 5.0, start=start, sample=1.0)
    stop = 0.4 * R**2 * (spin + spin**2 / (2 * w)) / (DRILLING * G)
    assert times(sol, "stick", "floor.drilling") == pytest.approx([stop], rel=1e-9)


def test_energy_of_turning_friction_is_accounted_for(ball):
    start = at_rest(velocity=(1.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 9.0))
    sol = jd.simulate(ball, 3.0, start=start, sample=0.02)
    balance = energy_balance(sol)
    assert balance.change < -0.5
    assert balance.residual == pytest.approx(0.0, abs=1e-6)  # of an integral over samples
