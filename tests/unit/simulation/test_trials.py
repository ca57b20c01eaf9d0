"""A31: steps that are chosen by themselves are shortened until positions change no more."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.scales import thinnest_contour
from jourdain.simulation.plan import CHANGES, parts_of_step, whole_part
from jourdain.simulation.trials import _tell_change

CALM = 1e9  # steps in which a body passes another


def test_a_step_is_shortened_until_positions_do_not_change():
    assert parts_of_step([], CALM, 1e-3, 1e-3) == 2
    assert parts_of_step([0.5 * CHANGES], CALM, 1e-3, 1e-3) == 1
    assert parts_of_step([5.0 * CHANGES], CALM, 1e-3, 1e-3) == 2
    assert parts_of_step([50.0 * CHANGES], CALM, 1e-3, 1e-3) == 4
    assert parts_of_step([0.5, 0.4], CALM, 1e-3, 1e-3) == 1  # chaos: steps do not help
    assert parts_of_step([], CALM, 10.0, 10.0) == 1  # a large pile: another run takes too long
    assert parts_of_step([], 0.1, 10.0, 10.0) == 40  # bodies would pass through each other


@pytest.mark.parametrize("longest", [1.0, 0.3, 1.0 / 3.0, 1e-7])
def test_a_length_has_a_whole_number_of_steps(longest):
    step = whole_part(1.0, longest)
    assert step <= longest * (1.0 + 1e-8)
    assert step == pytest.approx(1.0 / round(1.0 / step), rel=1e-12)


def bumpers(n: int = 26) -> tuple[jd.Model, dict[str, float]]:
    """Masses that fly onto stiff bumpers, which the start does not show; dry friction of each."""
    model, start = jd.Model("bumpers", gravity=(0, 0, 0)), {}
    bumper = jd.Law(lambda x, v: -1e6 * jd.minimum(0.0, x))
    for k in range(n):
        name = f"x{k}"
        model.add_coordinate(name, 0.01, unit="m")
        model.add_connection(f"bumper{k}", jd.Coordinate(name), bumper)
        model.add_connection(f"friction{k}", jd.Coordinate(name), jd.Interval(1e-3))
        start |= {name: 1e-3 + 8e-5 * k, f"{name}.rate": -1.0}
    return model, start


def test_what_comes_later_shortens_the_step_and_the_report_tells_the_error():
    model, start = bumpers()
    system = jd.compile(model)
    sol = jd.simulate(system, 0.02, start=start)
    rates = sol.v[-1]
    # exact: sliding friction of 0.1 m/s² out and back, a bumper that gives the speed back but for
    # friction within it, which is below 1e-5 m/s
    way, a = np.array([start[f"x{k}"] for k in range(26)]), 0.1
    into = np.sqrt(1.0 - 2.0 * a * way)
    np.testing.assert_allclose(sol.v.max(axis=0), into, atol=2e-3)
    assert (rates > 0.9).all()
    exact = jd.simulate(system, 0.02, start=start, method=jd.EventDriven())
    change = sol.statistics.step_change
    assert change is not None
    assert change <= CHANGES
    travel = np.ptp(exact.q, axis=0)
    assert (np.abs(sol.q[-1] - exact.q[-1]) <= CHANGES * travel).all()
    assert "of their travel from steps" in str(sol)
    coarse = jd.simulate(system, 0.02, start=start, method=jd.NonsmoothAlpha(2e-5))
    assert np.abs(coarse.q[-1] - exact.q[-1]).max() > CHANGES * travel.max()  # steps at first
    assert "shorter steps, until" in str(jd.plan(system, 0.02, start=start))


def thrown(speed: float) -> tuple[jd.Model, dict[str, tuple[float, ...]]]:
    """A ball thrown at a plate of a centimetre."""
    model = jd.Model("thrown", gravity=(0, 0, 0))
    ball = model.add_body("ball", jd.solid.ball(mass=0.01, radius=0.005))
    plate = model.add_body("plate", jd.solid.box(mass=1.0, size=(0.3, 0.3, 0.01)))
    contours = [jd.Sphere(ball, 0.005), jd.Box(plate, (0.3, 0.3, 0.01))]
    model.add_connection("line", jd.Distance(model.world.at(0, 0, 1), plate), jd.Damper(0.0))
    model.add_contacts("hit", contours, jd.Coulomb(0.3, restitution=0.5))
    return model, {"ball.position": (0, 0, 0.05), "ball.velocity": (0, 0, -speed)}


def test_fast_bodies_do_not_pass_through_thin_ones():
    """It flew through at 100 m/s in steps of 1 ms, without a word."""
    model, start = thrown(100.0)
    assert thinnest_contour(model) == 0.01
    sol = jd.simulate(model, 0.5, start=start)
    shared = 100.0 * 0.01 / 1.01  # speed of both together
    speeds = sol.values("ball.velocity")[-1, 2], sol.values("plate.velocity")[-1, 2]
    assert speeds[0] - speeds[1] == pytest.approx(50.0, rel=1e-6)
    assert 0.01 * speeds[0] + speeds[1] == pytest.approx(-1.01 * shared, rel=1e-9)


def test_what_becomes_fast_later_does_not_pass_through_either():
    model, start = thrown(0.01)
    push = jd.Law(lambda x, v, at: jd.where(at.t > 0.1, jd.where(at.t < 0.11, 100.0, 0.0), 0.0))
    model.add_connection("push", jd.Distance(model.world.at(0, 0, 3), model.bodies["ball"]), push)
    sol = jd.simulate(model, 0.5, start=start)
    assert any(e.kind == "impact" for e in sol.events)
    assert sol.values("plate.velocity")[-1, 2] < -0.5


def test_functions_of_the_user_that_are_called_are_called_once():
    model, start = thrown(1.0)
    model.add_coordinate("pump", 1.0)
    calls = []

    def push(t, _):
        calls.append(t)
        return 0.0

    sol = jd.simulate(model, 0.1, start=start, inputs={"pump": jd.Sampled(push, 0.01)})
    assert sol.statistics.step_change is None
    assert calls == pytest.approx(np.arange(10) * 0.01)


def test_a_run_that_chose_its_step_is_resumed_with_it():
    model, start = bumpers()
    system = jd.compile(model)
    whole = jd.simulate(system, 4e-3, start=start)
    again = jd.simulate(system, 8e-3, resume=whole)
    assert again.statistics.method == whole.statistics.method
    np.testing.assert_array_equal(again.q[: len(whole.time) - 1], whole.q[:-1])


def test_an_angle_that_does_not_turn_has_no_share_in_the_error():
    """A block turns by rounding only: before, that was told as thousands of its travel."""
    model = jd.Model("held", gravity=(0, 0, 0))
    block = model.add_body("block", jd.solid.box(1.0, (0.2, 0.1, 0.2)))
    model.add_joint("plane", model.world, block, jd.Planar("y"))
    starts = ({"plane.velocity.x": 0.5, "plane.rate": rate} for rate in (0.0, 1e-9))
    coarse, fine = (jd.simulate(model, 0.3, start=start, sample=0.1) for start in starts)
    assert 0.0 < _tell_change(coarse, fine, 2) < CHANGES
