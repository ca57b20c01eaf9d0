"""Many bodies in contact: closed forms, conservation, rest, and the engine for single contacts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.tending import assert_same_limit

import jourdain as jd

G = 9.81
EXACT = {"tolerance": 1e-13, "iterations": 2000}


def _balls(model, radii, masses=None):
    """Balls and their contours."""
    contours = []
    for k, radius in enumerate(radii):
        mass = 1.0 if masses is None else masses[k]
        ball = model.add_body(f"ball{k}", jd.solid.ball(mass=mass, radius=radius))
        contours.append(jd.Sphere(ball, radius))
    return contours


def _boxes(model, n, size=(0.2, 0.2, 0.2)):
    bodies = [model.add_body(f"box{k}", jd.solid.box(mass=1.0, size=size)) for k in range(n)]
    return [jd.Box(body, size) for body in bodies]


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_steps_are_those_of_single_contacts(restitution):
    def run(is_group, h):
        model = jd.Model("two balls")
        floor, small, large = jd.HalfSpace(model.world), *_balls(model, [0.1, 0.15], [1.0, 2.0])
        law = jd.Coulomb(friction=0.3, restitution=restitution)
        if is_group:
            model.add_contacts("pile", [floor, small, large], law)
        else:
            pairs = {"a": (floor, small), "b": (floor, large), "c": (small, large)}
            for name, pair in pairs.items():
                model.add_contact(name, *pair, law)
        start = {
            "ball0.position": (0, 0, 0.3), "ball0.velocity": (1, 0.2, 0),
            "ball0.angular_velocity": (3, 4, 5), "ball1.position": (0.45, 0.02, 0.2),
            "ball1.angular_velocity": (1, -4, 2),
        }  # fmt: skip
        method = jd.MoreauJean(h, **(EXACT if is_group else {}))
        return jd.simulate(model, 0.5, start=start, method=method, sample=0.01)

    group, single = assert_same_limit(run, 1e-3, 8.0)
    lost = [sol.values("work.contacts")[-1] for sol in (group, single)]
    assert lost[0] == pytest.approx(lost[1], abs=5e-3)


def test_chain_passes_the_momentum_on():
    """Five equal balls that touch: without rebound all go on together."""
    model = jd.Model("cradle", gravity=(0, 0, 0))
    model.add_contacts("chain", _balls(model, [0.1] * 5), jd.Unilateral(restitution=0.0))
    start = {f"ball{k}.position": (0.2 * k + (0.0 if k else -0.1), 0, 0) for k in range(5)}
    start["ball0.velocity"] = (1.0, 0, 0)
    method = jd.MoreauJean(1e-3, **EXACT)
    sol = jd.simulate(model, 0.3, start=start, method=method, sample=0.1)
    np.testing.assert_allclose(sol.v[-1].reshape(5, 6)[:, 0], 0.2, atol=1e-10)
    np.testing.assert_allclose(sol["momentum.linear"], [[1.0, 0.0, 0.0]] * 4, atol=1e-12)


def test_two_balls_exchange_their_velocities():
    model = jd.Model("pair", gravity=(0, 0, 0))
    model.add_contacts("pair", _balls(model, [0.1, 0.1]), jd.Unilateral(restitution=1.0))
    start = {"ball1.position": (0.3, 0, 0), "ball0.velocity": (1.0, 0, 0)}
    method = jd.MoreauJean(1e-3, **EXACT)
    sol = jd.simulate(model, 0.5, start=start, method=method, sample=0.1)
    np.testing.assert_allclose(sol.v[-1].reshape(2, 6)[:, 0], [0.0, 1.0], atol=1e-12)


def test_a_stack_rests_exactly_and_carries_its_weight():
    model = jd.Model("stack")
    law = jd.Coulomb(friction=0.5)
    model.add_contacts("stack", [jd.HalfSpace(model.world), *_boxes(model, 5)], law)
    start = {f"box{k}.position": (0.01 * (k % 2), 0, 0.1 + 0.2 * k) for k in range(5)}
    sol = jd.simulate(model, 0.3, start=start, sample=0.05)
    assert np.all(sol.q[2:] == sol.q[-1])  # not one bit moves
    assert np.all(sol.v[2:] == 0.0)
    assert float(sol["stack.penetration"].max()) < 1e-6
    for k in range(5):
        np.testing.assert_allclose(sol[f"box{k}.contact_force"][-1], [0, 0, G], atol=1e-4)
        np.testing.assert_allclose(sol[f"box{k}.acceleration"][-1], 0.0, atol=1e-4)


def test_a_pyramid_rests_exactly():
    model = jd.Model("pyramid")
    model.add_contacts(
        "pyramid", [jd.HalfSpace(model.world), *_boxes(model, 6)], jd.Coulomb(friction=0.6)
    )
    places = [(0.22 * (k - 1), 0.1) for k in range(3)]
    places += [(0.22 * (k - 0.5), 0.3) for k in range(2)] + [(0.0, 0.5)]
    start = {f"box{k}.position": (x, 0.0, z) for k, (x, z) in enumerate(places)}
    sol = jd.simulate(model, 0.4, start=start, sample=0.1)
    assert np.all(sol.q[2:] == sol.q[-1])
    total = sum(sol[f"box{k}.contact_force"][-1].values for k in range(6))
    np.testing.assert_allclose(total, [0, 0, 6 * G], atol=1e-3)


def test_a_box_on_a_slope_sticks_or_slides_with_the_known_acceleration():
    slope = 0.3
    for friction, wanted in ((0.4, 0.0), (0.2, G * (np.sin(slope) - 0.2 * np.cos(slope)))):
        gravity = G * np.array([np.sin(slope), 0.0, -np.cos(slope)])
        model = jd.Model("slope", gravity=gravity)
        contours = [jd.HalfSpace(model.world), *_boxes(model, 1)]
        model.add_contacts("slope", contours, jd.Coulomb(friction=friction))
        sol = jd.simulate(model, 0.5, start={"box0.position": (0, 0, 0.1)}, sample=0.5)
        assert float(sol["box0.velocity.x"][-1]) == pytest.approx(0.5 * wanted, abs=1e-6)
        if wanted == 0.0:
            assert np.all(sol.v[-1] == 0.0)


def test_a_ball_rolls_down_without_slip():
    slope = 0.2
    model = jd.Model("rolling", gravity=G * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    contours = [jd.HalfSpace(model.world), *_balls(model, [0.1])]
    model.add_contacts("rolling", contours, jd.Coulomb(friction=0.5))
    sol = jd.simulate(model, 0.5, start={"ball0.position": (0, 0, 0.1)}, sample=0.5)
    speed = 0.5 * G * np.sin(slope) / 1.4  # moment 2/5 m r²
    assert float(sol["ball0.velocity.x"][-1]) == pytest.approx(speed, rel=1e-6)
    assert float(sol["ball0.angular_velocity.y"][-1]) == pytest.approx(10 * speed, rel=1e-6)


def test_a_free_body_keeps_energy_and_angular_momentum():
    """The free rotation of a step conserves both (CT-15)."""
    model = jd.Model("tumbling", gravity=(0, 0, 0))
    solid = jd.Inertia(mass=1.0, com=(0.1, 0.2, 0.0), moments=(0.02, 0.03, 0.045))
    body = model.add_body("body", solid)
    other = model.add_body("other", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.Sphere(body, 0.1), jd.Sphere(other, 0.1)]
    model.add_contacts("none", contours, jd.Unilateral())
    start = {"body.angular_velocity": (3.0, 0.1, 4.0), "body.velocity": (0.1, 0.2, 0.3)}
    start["other.position"] = (0.0, 0.0, -5.0)
    sol = jd.simulate(model, 2.0, start=start, method=jd.MoreauJean(1e-2), sample=0.5)
    for name in ("energy.total", "momentum.linear", "momentum.angular"):
        np.testing.assert_allclose(sol[name], sol[name].values[[0] * 5], rtol=1e-12, atol=1e-13)


@pytest.mark.slow
@settings(max_examples=4)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_no_energy_is_created(seed, restitution, friction):
    rng = np.random.default_rng(seed)
    model = jd.Model("random pile")
    contours = [jd.HalfSpace(model.world), *_balls(model, rng.uniform(0.06, 0.1, 4))]
    contours += _boxes(model, 3, (0.12, 0.15, 0.1))
    law = jd.Coulomb(friction=friction, restitution=restitution)
    model.add_contacts("pile", contours, law)
    start = {}
    for k, name in enumerate(model.bodies):
        start[f"{name}.position"] = (*rng.uniform(-0.02, 0.02, 2), 0.3 + 0.25 * k)
        start[f"{name}.velocity"] = rng.uniform(-0.5, 0.5, 3)
        start[f"{name}.angular_velocity"] = rng.uniform(-5, 5, 3)
    method = jd.MoreauJean(2e-3)
    sol = jd.simulate(model, 0.6, start=start, method=method, sample=2e-3)
    total = sol["energy.total"].values
    gains = np.diff(total)
    assert np.max(total) <= total[0] * (1.0 + 1e-12)
    # Bodies that turn overlap by up to ½ (ω h)² r each, and may be lifted out with all on them.
    rates = (sol.values(f"{name}.angular_velocity") for name in model.bodies)
    turn = max(np.linalg.norm(rate, axis=1).max() for rate in rates)
    weight = 9.81 * sum(body.inertia.mass for body in model.bodies.values())
    assert np.max(gains) <= weight * (turn * method.dt) ** 2 * 0.12 + 1e-12 * total[0]
    lost = total[0] - total[-1]  # the work of lifts is known to first order
    known = 1e-3 * (total[0] - total.min()) + 1e-12 * total[0]
    assert -sol.statistics.contact_work == pytest.approx(lost, abs=known)


@pytest.mark.parametrize("is_group", [True, False])
def test_a_box_that_spins_and_rebounds_without_loss_keeps_its_energy(is_group):
    """Though its corners turn by 0.05 radians in a step."""
    model, size = jd.Model("dice"), (0.2, 0.3, 0.4)
    box = model.add_body("box", jd.solid.box(mass=1.0, size=size))
    contours, law = [jd.HalfSpace(model.world), jd.Box(box, size)], jd.Unilateral(restitution=1.0)
    if is_group:
        model.add_contacts("floor", contours, law)
    else:
        model.add_contact("floor", *contours, law)
    start = {"box.position": (0, 0, 0.5), "box.angular_velocity": (10.0, 5.0, 20.0)}
    sol = jd.simulate(model, 1.5, start=start, method=jd.MoreauJean(2e-3), sample=0.01)
    assert sum(event.kind == "impact" for event in sol.events) > 3
    total = sol["energy.total"].values
    assert np.max(total) <= total[0] * (1.0 + 1e-10)
    assert total[-1] == pytest.approx(total[0], rel=2e-3)  # but for what lifts out of overlaps cost


def test_momentum_is_kept_in_collisions_with_friction(rng):
    model = jd.Model("cloud", gravity=(0, 0, 0))
    contours = [*_balls(model, rng.uniform(0.05, 0.1, 6)), *_boxes(model, 2, (0.15, 0.1, 0.2))]
    law = jd.Coulomb(friction=0.4, restitution=0.3)
    model.add_contacts("cloud", contours, law)
    start = {}
    for k, name in enumerate(model.bodies):
        place = 0.3 * np.array([np.cos(0.8 * k), np.sin(0.8 * k), 0.2 * (k % 3)])
        start[f"{name}.position"], start[f"{name}.velocity"] = place, -2.0 * place
        start[f"{name}.angular_velocity"] = rng.uniform(-3, 3, 3)
    method = jd.MoreauJean(1e-3)
    sol = jd.simulate(model, 0.4, start=start, method=method, sample=0.1)
    assert len(sol.events) > 3
    linear = sol["momentum.linear"].values
    np.testing.assert_allclose(linear, linear[[0] * len(linear)], atol=1e-13)


def test_the_order_of_bodies_does_not_matter():
    def run(order):
        model = jd.Model("heap")
        bodies = {k: model.add_body(f"b{k}", jd.solid.ball(mass=1.0, radius=0.1)) for k in order}
        contours = [jd.HalfSpace(model.world), *(jd.Sphere(bodies[k], 0.1) for k in order)]
        model.add_contacts("heap", contours, jd.Coulomb(friction=0.3, restitution=0.2))
        places = [(-0.11, 0, 0.1), (0.11, 0, 0.1), (0.02, 0.01, 0.4)]
        start = {f"b{k}.position": place for k, place in enumerate(places)}
        method = jd.MoreauJean(1e-3, **EXACT)
        sol = jd.simulate(model, 0.4, start=start, method=method, sample=0.4)
        return np.concatenate([sol[f"b{k}.position"][-1] for k in range(3)])

    np.testing.assert_allclose(run([2, 0, 1]), run([0, 1, 2]), atol=1e-9)


def test_groups_have_laws_of_their_own_and_inputs_move_their_bodies():
    slope = 0.3
    model = jd.Model("two slopes", gravity=G * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    size = (0.2, 0.2, 0.2)
    rough, smooth, pushed = (
        model.add_body(name, jd.solid.box(mass=1.0, size=size))
        for name in ("rough", "smooth", "pushed")
    )
    model.add_joint("glide", model.world, smooth, jd.Free())
    for body, friction in ((rough, 0.2), (smooth, 0.1), (pushed, 0.5)):
        contours = [jd.HalfSpace(model.world), jd.Box(body, size)]
        model.add_contacts(f"under {body.name}", contours, jd.Coulomb(friction=friction))
    start = {f"{name}.position": (0, k, 0.1) for k, name in enumerate(("rough", "glide", "pushed"))}
    inputs = {"pushed.velocity.x": lambda t: 8.0}
    sol = jd.simulate(model, 0.3, start=start, inputs=inputs, sample=0.1)
    for name, friction, push in (("rough", 0.2, 0.0), ("smooth", 0.1, 0.0), ("pushed", 0.5, 8.0)):
        wanted = push + G * (np.sin(slope) - friction * np.cos(slope))
        assert float(sol[f"{name}.velocity.x"][-1]) == pytest.approx(0.3 * wanted, abs=1e-5)
        assert float(sol[f"{name}.acceleration.x"][-1]) == pytest.approx(wanted, abs=1e-2)
        weight = G * np.cos(slope)
        assert float(sol[f"under {name}.normal_force"][-1]) == pytest.approx(weight, abs=1e-2)


def test_parameters_reach_the_contacts():
    model = jd.Model("ball")
    radius, friction = jd.Parameter("radius", 0.1, "m"), jd.Parameter("friction", 0.3)
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=radius))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, radius)]
    model.add_contacts("floor", contours, jd.Coulomb(friction=friction))
    start = {"ball.position": (0, 0, 0.2), "ball.velocity": (1.0, 0, 0)}
    values = {"radius": 0.2, "friction": 0.0}
    sol = jd.simulate(model, 0.1, start=start, parameters=values, sample=0.1)
    np.testing.assert_allclose(sol["ball.position"][-1], [0.1, 0, 0.2], atol=1e-7)
    assert float(sol["ball.velocity.x"][-1]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("impact", [jd.Newton(), jd.Poisson()])
def test_the_work_of_contacts_is_all_that_changes_the_energy(impact):
    """Rebounds pay for the shifts that bring a ball out of the floor."""
    model = jd.Model("bounce")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Coulomb(0.3, restitution=0.5, rolling=0.001, impact=impact)
    model.add_contacts("floor", [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)], law)
    start = {"ball.position": (0, 0, 0.5), "ball.velocity": (0.3, 0, 0)}
    method = jd.MoreauJean(5e-3)
    sol = jd.simulate(model, 1.0, start=start, method=method, sample=0.1)
    total = sol["energy.total"].values
    assert sol.statistics.contact_work < -1.0
    assert total[-1] - total[0] == pytest.approx(sol.statistics.contact_work, abs=1e-12)


def test_samples_are_at_the_times_that_were_asked_for():
    """Though the time of a run is a sum of a thousand steps."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)
    model.add_contacts("all", contours, jd.Coulomb(friction=0.3))
    start = {"ball.position": (0, 0, 0.2)}
    sol = jd.simulate(model, 1.0, start=start, sample=0.1)
    assert sol.time.tolist() == [0.1 * k for k in range(10)] + [1.0]
    more = jd.simulate(model, 1.5, resume=sol, sample=0.1)
    assert more.time[-1] == 1.5
    assert more.at(1.5)["ball.position.z"] == more.final["ball.position.z"]
