"""Events of the user in time steps, for a ball that falls, bounces and rises again."""

import numpy as np
import pytest

import jourdain as jd

G, E = 9.81, 0.8
FALL = np.sqrt(2.0 / G)  # [s] from a height of one metre
SPEED = G * FALL
STEPPED = pytest.mark.parametrize("method", [jd.MoreauJean, jd.NonsmoothAlpha])


@pytest.fixture(scope="module")
def ball():
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=E))
    return jd.compile(model)


def height(z):
    return lambda t, s: s["z.value"] - z


def found(sol, name):
    return [event.time for event in sol.events if event.name == name]


def run(ball, method, end=1.2, **options):
    return jd.simulate(ball, end, start={"z.value": 1.0}, method=method, **options)


@STEPPED
def test_a_height_is_passed_when_the_fall_says(ball, method):
    sol = run(ball, method(0.01), 0.4, events={"half": height(0.5)})
    (event,) = sol.events
    assert event.time == pytest.approx(np.sqrt(1.0 / G), abs=1e-12)
    assert event.q[0] == pytest.approx(0.5, abs=1e-12)
    assert event.v[0] == pytest.approx(-np.sqrt(G), abs=1e-11)
    assert event.kind == "event"


def passages(z):
    """Times at which a height is passed before and after the first impact."""
    up = E * SPEED
    root = np.sqrt(up**2 - 2.0 * G * z)
    return [np.sqrt(2.0 * (1.0 - z) / G), FALL + (up - root) / G, FALL + (up + root) / G]


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (jd.EventDriven(), 1e-12),
        (jd.NonsmoothAlpha(0.01), 1e-9),  # exact under a constant force
        (jd.MoreauJean(2e-3), 8e-3),  # of order one over impacts
        (jd.MoreauJean(2e-4), 8e-4),
    ],
)
def test_heights_are_passed_between_impacts(ball, method, error):
    events = {"half": height(0.5), "top": jd.Event(lambda t, s: s["z.rate"], direction=-1)}
    sol = run(ball, method, events=events)
    np.testing.assert_allclose(found(sol, "half"), passages(0.5), rtol=0, atol=error)
    np.testing.assert_allclose(found(sol, "top"), [FALL + E * FALL], rtol=0, atol=error)
    names = ["half", "floor", "half", "top", "half", "floor"]
    assert [event.name for event in sol.events] == names


@STEPPED
def test_an_event_ends_the_run_in_its_direction_only(ball, method):
    rising = jd.Event(height(0.5), direction=1, terminal=True)
    sol = run(ball, method(1e-3), events={"rising": rising}, sample=0.1)
    assert [event.name for event in sol.events] == ["floor", "rising"]
    assert sol.statistics.status == "terminal_event"
    assert sol.time[-1] == sol.events[-1].time
    assert sol["z.value"].values[-1] == pytest.approx(0.5, abs=1e-12)
    assert sol["z.rate"].values[-1] > 0.0
    assert sol.checkpoint is None


@STEPPED
def test_to_watch_changes_no_motion(ball, method):
    events = {"half": height(0.5), "up": lambda t, s: s["z.rate"], "t": lambda t, s: t - 0.3333}
    watched, alone = run(ball, method(0.01), events=events), run(ball, method(0.01))
    for name in ("time", "q", "v", "extra"):
        np.testing.assert_array_equal(getattr(watched, name), getattr(alone, name))
    impacts = [(e.time, e.details) for e in watched.events if e.kind == "impact"]
    assert impacts == [(e.time, e.details) for e in alone.events]


@STEPPED
def test_events_in_one_step_are_in_order(ball, method):
    events = {
        "late": lambda t, s: t - 0.0187,
        "twice": lambda t, s: (t - 0.0123) * (t - 0.05),
        "never": lambda t, s: t + 1.0,
        "early": lambda t, s: (t - 0.0118) * (t + 1.0) ** 3,
        "falls": jd.Event(lambda t, s: t - 0.015, direction=-1),
    }
    sol = run(ball, method(0.01), 0.04, events=events)
    assert [event.name for event in sol.events] == ["early", "twice", "late"]
    times = [event.time for event in sol.events]
    np.testing.assert_allclose(times, [0.0118, 0.0123, 0.0187], rtol=0, atol=1e-11)


@STEPPED
def test_sampled_inputs_are_seen_by_events(ball, method):
    """A ball that is held by its input from 0.2 s on at constant speed."""
    push = jd.Sampled(lambda t: G if t > 0.19 else 0.0, 0.2)
    sol = run(ball, method(0.03), 0.4, inputs={"z.value": push}, events={"low": height(0.5)})
    fallen = 0.5 * G * 0.2**2
    (event,) = sol.events
    assert event.time == pytest.approx(0.2 + (0.5 - fallen) / (G * 0.2), abs=1e-11)


def test_methods_tell_of_a_block_that_slips_at_once_that_it_slips():
    model = jd.Model("incline", gravity=(G * np.sin(0.5), 0.0, -G * np.cos(0.5)))
    block = model.add_body("block", jd.solid.ball(mass=1.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(block, 0.1), jd.Coulomb(friction=0.05))
    system = jd.compile(model)
    for method in (jd.EventDriven(), jd.NonsmoothAlpha(0.01)):
        start = {"block.position": (0.0, 0.0, 0.1)}
        sol = jd.simulate(system, 0.05, start=start, method=method)
        assert [(event.kind, event.time) for event in sol.events] == [("slip", 0.0)]
        way = 0.5 * G * (np.sin(0.5) - 0.05 * np.cos(0.5)) * 0.05**2
        assert sol.q[-1, 0] == pytest.approx(way, rel=1e-9)


@pytest.mark.parametrize(("force", "kinds"), [(2.0, []), (0.5, ["stick"])])
def test_methods_agree_on_dry_friction_at_the_start(force, kinds):
    """Dry friction slips until it is told to stick."""
    model = jd.Model("brake", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0)
    model.add_connection("push", jd.Coordinate("x"), jd.Force(force))
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(1.0))
    for method in (jd.EventDriven(), jd.NonsmoothAlpha(0.01)):
        sol = jd.simulate(model, 0.05, method=method)
        assert [event.kind for event in sol.events] == kinds
        assert sol.q[-1, 0] == pytest.approx(0.5 * max(0.0, force - 1.0) * 0.05**2, abs=1e-12)


def test_an_input_that_lets_a_block_go_is_told_by_all_methods():
    """A block that rests on a stop is lifted by a sampled input."""
    model = jd.Model("lift", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-1.0))
    model.add_connection("stop", jd.Coordinate("z"), jd.Unilateral())
    lift = jd.Sampled(lambda t: 2.0 if t > 0.09 else 0.0, 0.1)
    for method in (jd.EventDriven(), jd.NonsmoothAlpha(0.03)):
        sol = jd.simulate(model, 0.2, method=method, inputs={"z.value": lift})
        assert [(e.kind, e.time) for e in sol.events] == [("contact", 0.0), ("detachment", 0.1)]
        assert sol.q[-1, 0] == pytest.approx(0.5 * 0.1**2, rel=1e-9)


@pytest.mark.parametrize(
    ("method", "is_group"),
    [
        (jd.EventDriven(), False),
        (jd.MoreauJean(1e-2), False),
        (jd.NonsmoothAlpha(1e-2), False),
        (jd.MoreauJean(1e-2), True),
    ],
)
def test_samples_show_forces_before_and_after_a_sampled_input_has_jumped(method, is_group):
    """What is pressed and pushed holds both loads, which jump at 0.1 s."""
    model = jd.Model("pressed", gravity=(0.0, 0.0, 0.0))
    block = model.add_body("block", jd.solid.box(mass=1.0, size=(0.2, 0.2, 0.2)))
    model.add_joint("slide", model.world, block, jd.Prismatic("z"))
    floor, foot = jd.HalfSpace(model.world), jd.Sphere(block.at(0, 0, 0.0), 0.1)
    add = model.add_contacts if is_group else model.add_contact
    add("floor", *([[floor, foot]] if is_group else [floor, foot]), jd.Coulomb(0.5))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(10.0))
    press = jd.Sampled(lambda t: -3.0 - 4.0 * (t > 0.09), 0.1)
    push = jd.Sampled(lambda t: 1.0 + 5.0 * (t > 0.09), 0.1)
    inputs = {"slide.position": press, "x.value": push}
    start = {"slide.position": 0.1}
    times = [0.0, 0.05, 0.1, 0.1, 0.15, 0.2]
    sol = jd.simulate(model, 0.2, start=start, inputs=inputs, method=method, sample=times)
    normal = np.ravel(sol.values("floor.normal_force"))
    np.testing.assert_allclose(normal, [3, 3, 3, 7, 7, 7], rtol=1e-12)
    np.testing.assert_allclose(sol.values("brake.friction_force")[:, 0], [-1, -1, -1, -6, -6, -6])
    np.testing.assert_allclose(sol.values("x.acceleration"), 0.0, atol=1e-12)


@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
def test_the_impact_after_a_detachment_is_exact(rtol):
    """A mass on a table that moves as 0.1 sin 10t, e = 0: it leaves at sin 10t = 0.981 (A29)."""
    model = jd.Model("tossed")
    model.add_coordinate("z", 1.0, unit="m")
    table = model.add_body("table", jd.solid.ball(1.0, 0.1))
    drive = {"position": lambda t: 0.1 * jd.sin(10 * t)}
    model.add_joint("drive", model.world, table, jd.Prismatic("z"), driven=drive)
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-9.81))
    gap = jd.Coordinate("z") - jd.Coordinate("drive.position")
    model.add_connection("contact", gap, jd.Unilateral())
    method = jd.EventDriven(jd.Dop853(rtol=rtol))
    sol = jd.simulate(model, 0.22, start={"z.rate": 1.0}, method=method)
    times = {event.kind: event.time for event in sol.events if event.time > 0.0}
    assert times["detachment"] == pytest.approx(np.arcsin(0.981) / 10.0, abs=1e-11)
    assert times["impact"] == pytest.approx(0.2158540615798671, abs=1e-10)  # root of the parabola


@pytest.mark.parametrize("load", [5.0, 50.0])
def test_nothing_slips_that_stands_on_a_stop(load):
    """Pressed onto the stop by a load that swings: friction has nothing to do (A27)."""
    model = jd.Model("pressed")
    model.add_coordinate("x", 1.0, unit="m")
    x = jd.Coordinate("x")
    model.add_connection("stop", x, jd.Unilateral())
    model.add_connection("friction", x, jd.Interval(1.0))
    model.add_connection("press", x, jd.Force(lambda t: -load * (1.5 + jd.sin(20 * t))))
    sol = jd.simulate(model, 2.0, start={"x": 0.01})
    landed = next(event.time for event in sol.events if event.kind == "impact")
    assert [e.kind for e in sol.events if e.time > landed and e.kind == "slip"] == []
    assert np.all(sol.v[sol.time > landed] == 0.0)
