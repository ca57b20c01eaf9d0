"""A run with contacts that was stopped goes on as one without a stop, mostly to the last bit."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.simulation.contact.events import event_driven
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun

METHODS = [jd.EventDriven(), jd.MoreauJean(3e-3), jd.NonsmoothAlpha(3e-3)]
EVERY = pytest.mark.parametrize("method", METHODS, ids=lambda x: type(x).__name__)
START = {"ball.value": 0.3, "wheel.rate": 3.0, "wheel.value": 0.1}
END = 0.8


@pytest.fixture(scope="module")
def system():
    """A ball that bounces, on a spring, and a wheel with a brake and a stop."""
    model = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("ball", 1.0, unit="m")
    model.add_coordinate("wheel", 1.0)
    model.add_connection("weight", jd.Coordinate("ball"), jd.Force(-9.81))
    model.add_connection("spring", jd.Coordinate("wheel"), jd.Spring(40.0))
    model.add_connection("floor", jd.Coordinate("ball"), jd.Unilateral(restitution=0.7))
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(1.5))
    return jd.compile(model)


class Controller:
    """Plain Python with a memory of its own."""

    def __init__(self, stop=np.inf):
        self.calls, self.stop = 0, stop

    def __call__(self, t, s):
        if t > self.stop:
            self.stop = np.inf
            raise KeyboardInterrupt
        self.calls += 1
        return 0.3 * np.sin(self.calls) - 0.1 * s["wheel.rate"]


def options(stop=np.inf):
    return {
        "inputs": {"wheel.value": jd.Sampled(Controller(stop), 0.07)},
        "events": {"low": lambda t, s: s["ball.value"] - 0.1},
        "sample": 0.02,
    }


def assert_same(one, other):
    for name in ("time", "q", "v", "tau", "extra", "contacts"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_allclose(one.vdot, other.vdot, rtol=1e-11, atol=1e-11)
    assert [(e.name, e.kind, e.time, *e.q) for e in one.events] == [
        (e.name, e.kind, e.time, *e.q) for e in other.events
    ]
    told = ("steps", "rejected", "evaluations", "status", "contact_work", "residual", "not_unique")
    for name in (*told, "method", "reason"):
        assert getattr(one.statistics, name) == getattr(other.statistics, name), name


@pytest.fixture(scope="module")
def whole(system):
    """Runs without a stop."""
    runs = {}

    def run(method):
        if method not in runs:
            runs[method] = jd.simulate(system, END, start=START, method=method, **options())
        return runs[method]

    return run


@EVERY
@pytest.mark.parametrize("stop", [1e-9, 0.3, 0.4567], ids=lambda t: f"{t:g}s")
def test_run_and_resume_is_one_run(system, whole, method, stop):
    parts = options()
    first = jd.simulate(system, stop, start=START, method=method, **parts)
    assert first.time[-1] == stop
    assert_same(whole(method), jd.simulate(system, END, resume=first, **parts))


@EVERY
def test_works_go_on_where_few_samples_are_kept(system, method):
    """Impacts and what is between listed samples are not in the results, but in the memory."""
    times = [0.0, 0.1, 0.35, 0.6, END]
    whole = jd.simulate(system, END, start=START, method=method, sample=times)
    first = jd.simulate(system, 0.4567, start=START, method=method, sample=times[:3])
    assert_same(whole, jd.simulate(system, END, resume=first, sample=times))
    assert whole.values("floor.work")[-1] < -1.0
    assert whole.values("brake.work")[-1] < -0.5


@EVERY
def test_in_many_parts_through_files(system, whole, method, tmp_path):
    parts, file = options(), tmp_path / "run.nc"
    sol = jd.simulate(system, 0.1, start=START, method=method, **parts)
    for end in (0.15, 0.6, END):
        sol.save(file)
        again = jd.load(file)
        sol = jd.simulate(again.system, end, resume=again, **parts)
    assert_same(whole(method), sol)


@EVERY
def test_an_interruption_in_a_controller_changes_nothing(system, whole, method):
    parts = options(0.4)
    sol = jd.simulate(system, END, start=START, method=method, **parts)
    assert sol.statistics.status == "interrupted"
    assert 0.4 < sol.time[-1] < 0.5
    assert_same(whole(method), jd.simulate(system, END, resume=sol, **parts))


def interrupting(function, after):
    """The function, which is left in the midst by Ctrl-C at some call."""
    calls = 0

    def called(*given, **options):
        nonlocal calls
        calls += 1
        found = function(*given, **options)
        if calls == after:
            raise KeyboardInterrupt
        return found

    return called


@pytest.mark.parametrize(
    ("method", "where", "name", "after"),
    [
        (METHODS[0], event_driven, "decide_after", 10),
        (METHODS[0], event_driven, "changes", 3),
        (METHODS[0], event_driven.EventDrivenRun, "_user_events", 8),
        (METHODS[1], TimeSteppingRun, "take_steps", 5),
        (METHODS[1], TimeSteppingRun, "_sample", 11),
        (METHODS[2], TimeSteppingRun, "take_steps", 5),
        (METHODS[2], TimeSteppingRun, "_sample", 11),
    ],
    ids=lambda x: getattr(x, "__name__", str(x))[:14],
)
def test_an_interruption_in_the_midst_of_a_step_changes_nothing(
    system, whole, monkeypatch, method, where, name, after
):
    parts = options()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, interrupting(getattr(where, name), after))
        sol = jd.simulate(system, END, start=START, method=method, **parts)
    assert sol.statistics.status == "interrupted"
    assert sol.time[-1] < END
    assert_same(whole(method), jd.simulate(system, END, resume=sol, **parts))


def test_an_interruption_at_the_first_step_after_resuming(system, whole, monkeypatch):
    method, parts = METHODS[1], options()
    sol = jd.simulate(system, 0.3, start=START, method=method, **parts)
    with monkeypatch.context() as patch:
        patch.setattr(TimeSteppingRun, "take_steps", interrupting(TimeSteppingRun.take_steps, 1))
        sol = jd.simulate(system, END, resume=sol, **parts)
    assert_same(whole(method), jd.simulate(system, END, resume=sol, **parts))


def test_a_rolling_ball_with_friction(system):
    """A quaternion, friction in a plane, and contacts that stay closed."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(ball, 0.1), jd.Coulomb(friction=0.2))
    compiled = jd.compile(model)
    start = {"ball.position": (0, 0, 0.101), "ball.velocity": (1.0, 0.5, 0.0)}
    for method in METHODS:
        whole = jd.simulate(compiled, 0.4, start=start, method=method, sample=0.05)
        first = jd.simulate(compiled, 0.1234, start=start, method=method, sample=0.05)
        assert_same(whole, jd.simulate(compiled, 0.4, resume=first, sample=0.05))


@pytest.fixture(scope="module")
def heap():
    """Boxes that fall on each other, beside a flap."""
    model = jd.Model("heap")
    contours = [jd.HalfSpace(model.world)]
    for k in range(4):
        box = model.add_body(f"box_{k}", jd.solid.box(mass=1.0, size=(0.2, 0.2, 0.2)))
        contours.append(jd.Box(box, (0.2, 0.2, 0.2)))
    flap = model.add_body("flap", jd.solid.rod(mass=1.0, end=(0, 0, -0.4)))
    model.add_joint("hinge", model.world.at(0.5, 0, 0.9), flap, jd.Revolute("y"))
    contours.append(jd.Sphere(flap.at(0, 0, -0.4), 0.1))
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.5, restitution=0.1))
    return jd.compile(model)


HEAP = {f"box_{k}.position": (0.03 * (k % 2), 0.0, 0.11 + 0.22 * k) for k in range(4)}
PILE = jd.MoreauJean(4e-3)


def pile_options():
    return {
        "inputs": {"hinge.angle": jd.Sampled(lambda t, s: -0.2 * s["hinge.rate"], 0.05)},
        "events": {"down": lambda t, s: s["hinge.angle"] + 0.3},
        "sample": 0.05,
    }


@pytest.mark.slow
def test_a_pile_goes_on(heap, tmp_path, monkeypatch):
    start, parts = {**HEAP, "hinge.angle": -1.2}, pile_options()
    whole = jd.simulate(heap, 1.6, start=start, method=PILE, **parts)
    with monkeypatch.context() as patch:
        taken = interrupting(TimeSteppingRun.take_steps, 6)
        patch.setattr(TimeSteppingRun, "take_steps", taken)
        sol = jd.simulate(heap, 1.6, start=start, method=PILE, **parts)
    assert sol.statistics.status == "interrupted"
    for end in (0.4567, 1.3, 1.6):
        sol.save(tmp_path / "run.nc")
        sol = jd.simulate(heap, end, resume=jd.load(tmp_path / "run.nc"), **parts)
    np.testing.assert_array_equal(sol.time, whole.time)
    np.testing.assert_array_equal(sol.q, whole.q)
    np.testing.assert_array_equal(sol.v, whole.v)
    np.testing.assert_array_equal(sol.contacts, whole.contacts)
    assert [e.name for e in sol.events] == [e.name for e in whole.events]


def test_what_does_not_fit_is_refused(system):
    sol = jd.simulate(system, 0.1, start=START, method=METHODS[1], sample=0.05)
    text = "was made with MoreauJean(dt=0.003, theta=0.5, corrects_positions=True, tolerance=1e-06"
    with pytest.raises(ModelError) as error:
        jd.simulate(system, 0.2, resume=sol, method=jd.EventDriven())
    assert text in str(error.value)
    other = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    other.add_coordinate("ball", 1.0, unit="m")
    other.add_coordinate("wheel", 1.0)
    other.add_connection("ceiling", jd.Coordinate("ball"), jd.Unilateral(restitution=0.7))
    with pytest.raises(ModelError) as error:
        jd.simulate(other, 0.2, resume=sol)
    text = "the run to resume has the contacts 'floor', 'brake', but 'ceiling' are given."
    assert text in str(error.value)


def test_the_integrator_of_phases_is_remembered(system):
    rough = jd.Dopri5(rtol=1e-6)
    sol = jd.simulate(system, 0.1, start=START, method=rough)
    for given in (None, rough, jd.EventDriven(rough)):
        again = jd.simulate(system, 0.2, resume=sol, method=given)
        assert again.statistics.method == str(jd.EventDriven(rough))
    with pytest.raises(ModelError) as error:
        jd.simulate(system, 0.2, resume=sol, method=jd.EventDriven())
    assert "EventDriven(integrator=Dopri5(rtol=1e-06" in str(error.value)
