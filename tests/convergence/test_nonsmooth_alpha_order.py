"""Nonsmooth generalised-α is of order two while contacts last, whatever they do."""

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def bowl(law):
    """A bead in a bowl: a pendulum whose rod is a contact."""
    model = jd.Model("bowl", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "z"):
        model.add_coordinate(name, 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(2.0))
    gap = jd.Formula(lambda at: 1.0 - jd.sqrt(at.coordinate("x") ** 2 + at.coordinate("z") ** 2))
    slip = jd.Formula(
        speed=lambda at: (
            at.velocity("z") * at.coordinate("x") - at.velocity("x") * at.coordinate("z")
        )
    )
    rough = isinstance(law, jd.Coulomb)
    model.add_connection("bowl", jd.Touch(gap, slip) if rough else gap, law)
    return model, {"x.value": np.sin(1.0), "z.value": -np.cos(1.0)}, 0.6, 0.04


def smooth_bowl():
    return bowl(jd.Unilateral())


def rough_bowl():
    """Friction that falls with the speed, so that it changes along the step."""
    return bowl(jd.Coulomb(lambda v: 0.05 * (1.0 + jd.exp(-v))))


def ball(**start):
    model = jd.Model("ball")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    table = jd.HalfSpace(model.world)
    model.add_contact("table", table, jd.Sphere(body, 0.1), jd.Coulomb(0.2))
    model.add_connection("pull", jd.Distance(model.world.at(0, 0, 0.3), body), jd.Spring(5.0))
    return model, {f"ball.{name}": value for name, value in start.items()}


def sliding_ball():
    """The direction of sliding turns, and so does the ball, in space."""
    start = {"velocity": (0, 1.5, 0), "angular_velocity": (1, 2, 3), "position": (1, 0, 0.1)}
    return *ball(**start), 0.25, 0.025


def rolling_ball():
    start = {"velocity": (0, 0.5, 0), "angular_velocity": (-5, 0, 3), "position": (0.4, 0, 0.1)}
    return *ball(**start), 0.5, 0.025


@pytest.mark.parametrize("rho", [0.5, 1.0])
@pytest.mark.parametrize("machine", [smooth_bowl, rough_bowl, sliding_ball, rolling_ball])
def test_order_while_contacts_last(machine, rho):
    model, start, end, h = machine()
    system = jd.compile(model)
    precise = jd.EventDriven(jd.Dop853(rtol=1e-11, atol=1e-13))
    exact = jd.simulate(system, end, start=start, sample=end, method=precise)
    assert len(exact.events) == 1  # one lasting contact, from the start
    errors = []
    for step in (h, h / 2, h / 4):
        method = jd.NonsmoothAlpha(step, rho)
        sol = jd.simulate(system, end, start=start, sample=end, method=method)
        errors.append(
            [np.abs(sol.q[-1] - exact.q[-1]).max(), np.abs(sol.v[-1] - exact.v[-1]).max()]
        )
        assert abs(sol.values(f"{sol.events[0].name}.gap")[-1]) <= 1e-11
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() >= 1.75
    assert orders[-1].min() >= 1.85


def test_forces_of_lasting_contacts_are_those_of_the_state():
    model, start, end, h = smooth_bowl()
    system = jd.compile(model)
    exact = jd.simulate(system, end, start=start, sample=end)
    wanted = exact.values("bowl.normal_force")[-1]
    errors = []
    for step in (h / 2, h / 4):
        method = jd.NonsmoothAlpha(step)
        sol = jd.simulate(system, end, start=start, sample=end, method=method)
        errors.append(abs(sol.values("bowl.normal_force")[-1] - wanted))
    assert np.log2(errors[0] / errors[1]) >= 1.8


def test_stiff_springs_may_be_stepped_over():
    """A vibration of 1e4 rad/s beside a contact, in steps of 0.01 s: it dies, the rest is right."""
    model = jd.Model("stack", gravity=(0.0, 0.0, 0.0))
    for name in ("a", "b"):
        model.add_coordinate(name, 1.0, unit="m")
        model.add_connection(f"weight_{name}", jd.Coordinate(name), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("a"), jd.Unilateral())
    between = jd.Coordinate("b") - jd.Coordinate("a")
    model.add_connection("stiff", between, jd.Spring(1e8, 0.2))
    system, method = jd.compile(model), jd.NonsmoothAlpha(0.01, rho=0.5)
    sol = jd.simulate(system, 1.0, start={"b.value": 0.2 - 0.5e-7}, method=method)
    np.testing.assert_allclose(sol.q[-1], [0.0, 0.2 - G / 1e8], atol=1e-12)
    assert sol.values("floor.normal_force")[-1] == pytest.approx(2 * G, rel=1e-9)
    dropped = jd.simulate(system, 0.5, start={"a.value": 0.1, "b.value": 0.3}, method=method)
    assert (
        np.abs(dropped.q[-1] - [0.0, 0.2]).max() <= 1e-3
    )  # of 0.1 m fallen: the spring gives little back


@pytest.mark.parametrize("capacities", [(3.0,), (1.5, 0.5, 1.0)])
def test_dry_friction_that_reverses_is_of_order_two(capacities):
    """A5: it was of order one, with 2 events noted instead of all reversals.

    Brakes side by side stop together: each for itself saw the others go on as before.
    """
    model = jd.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    for k, capacity in enumerate(capacities):
        model.add_connection(f"dry{k}", jd.Coordinate("x"), jd.Interval(capacity))
    model.add_connection("drive", jd.Coordinate("x"), jd.Force(lambda t: 8.0 * jd.sin(7.0 * t)))
    system, end = jd.compile(model), 3.0
    run = {"start": {"x.value": 0.5}, "sample": np.linspace(0.0, end, 7)}
    precise = jd.EventDriven(jd.Dop853(rtol=1e-11, atol=1e-13))
    exact = jd.simulate(system, end, method=precise, **run)
    errors = []
    for h in (2e-3, 5e-4, 1.25e-4):
        sol = jd.simulate(system, end, method=jd.NonsmoothAlpha(h), **run)
        errors.append(np.abs(sol.q - exact.q).max())
        for name in (f"dry{k}" for k in range(len(capacities))):
            own, true = ([e for e in x.events if e.name == name] for x in (sol, exact))
            assert [e.kind for e in own] == [e.kind for e in true]
            np.testing.assert_allclose([e.time for e in own], [e.time for e in true], atol=2 * h)
    assert errors[0] / errors[1] >= 12.0  # 16 for the square
    assert errors[1] / errors[2] >= 12.0


def test_a_slider_with_play_converges_as_steps_get_small():
    """A5: two corners hit in turn in every step, 1021 impacts at 5 µs instead of 6."""
    model = jd.Model("slider_crank", gravity=(0.0, 0.0, 0.0))
    crank = model.add_body("crank", jd.solid.rod(mass=0.3, end=(0.05, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.21, end=(0.12, 0, 0)))
    slider = model.add_body("slider", jd.solid.box(mass=0.14, size=(0.06, 0.02, 0.04)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(0.05, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.12, 0, 0), slider, jd.Revolute("y"))
    sides = {
        -1: jd.HalfSpace(model.world.at(0, 0, -0.021), "z"),
        1: jd.HalfSpace(model.world.at(0, 0, 0.021), "-z"),
    }
    law = jd.Coulomb(0.05, restitution=0.5)
    for k, x in enumerate((-0.03, 0.03)):
        for side, guide in sides.items():
            corner = jd.Point(slider.at(x, 0, 0.02 * side))
            model.add_contact(f"corner_{k}{'u' if side > 0 else 'd'}", guide, corner, law)
    system, end, rate = jd.compile(model), 0.05, 60.0
    turned = rate * 0.05 / 0.12
    start = {"main.rate": rate, "big_end.rate": -turned, "wrist.rate": turned - rate}
    run = {"start": start, "sample": [0.0, end]}
    exact = jd.simulate(system, end, method=jd.EventDriven(), **run)
    hits = [e.name for e in exact.events if e.kind == "impact"]
    errors = []
    for h in (1e-4, 1e-5, 1e-6):
        sol = jd.simulate(system, end, method=jd.NonsmoothAlpha(h), **run)
        assert [e.name for e in sol.events if e.kind == "impact"] == hits
        errors.append(np.abs(sol.q[-1] - exact.q[-1]).max())
    assert errors[1] < errors[0] / 5.0
    assert errors[2] < errors[0] / 50.0
