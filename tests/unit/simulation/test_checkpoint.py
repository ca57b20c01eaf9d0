"""A run that was stopped goes on as one run without a stop, to the last bit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import all_integrators

EVERY = pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)
START = {"upper.angle": 1.2, "ball.angular_velocity": (1.0, 2.0, 3.0)}


@pytest.fixture(scope="module")
def system():
    """Rod and body: an angle and a quaternion."""
    model = jd.Model("arm")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    body = model.add_body("body", jd.Inertia(0.7, com=(0.1, 0.0, -0.2), moments=(0.02, 0.03, 0.01)))
    model.add_joint("upper", model.world, rod, jd.Revolute("y"))
    model.add_joint("ball", rod.at(0, 0, -0.5), body, jd.Spherical())
    return jd.compile(model)


class Controller:
    """Plain Python with a memory of its own."""

    def __init__(self):
        self.calls = 0

    def __call__(self, t, s):
        self.calls += 1
        return -0.2 * s["upper.rate"] + 0.1 * np.sin(self.calls)


def options():
    """Inputs of all kinds and an event, made anew with fresh memory."""
    return {
        "inputs": {
            "upper.angle": jd.Sampled(Controller(), 0.03),
            "ball.angular_velocity.x": lambda t: 0.01 * jd.sin(5 * t),
            "ball.angular_velocity.z": jd.Sampled(lambda t: 0.02 * np.cos(t), 0.07),
        },
        "events": {"down": lambda t, s: s["upper.angle"]},
        "sample": 0.02,
    }


def assert_same(one, other):
    for name in ("time", "q", "v", "tau"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    # accelerations of batches that begin elsewhere round elsewhere
    np.testing.assert_allclose(one.vdot, other.vdot, rtol=1e-11, atol=1e-11)
    assert [(e.name, e.time, *e.q) for e in one.events] == [
        (e.name, e.time, *e.q) for e in other.events
    ]
    effort = ("steps", "rejected", "evaluations", "method", "reason", "status")
    for name in effort:
        assert getattr(one.statistics, name) == getattr(other.statistics, name), name


@EVERY
@pytest.mark.parametrize("stop", [1e-9, 0.6, 0.63, 0.7123], ids=lambda t: f"{t:g}s")
def test_run_and_resume_is_one_run(system, integrator, stop):
    whole = jd.simulate(system, 1.2, start=START, method=integrator, **options())
    parts = options()
    first = jd.simulate(system, stop, start=START, method=integrator, **parts)
    assert first.time[-1] == stop
    assert_same(whole, jd.simulate(system, 1.2, resume=first, **parts))


@EVERY
def test_without_inputs_and_in_many_parts(system, integrator):
    whole = jd.simulate(system, 1.0, start=START, method=integrator, sample=0.05)
    sol = jd.simulate(system, 0.1, start=START, method=integrator, sample=0.05)
    for end in (0.15, 0.7, 0.75, 1.0):
        sol = jd.simulate(system, end, resume=sol, sample=0.05)
    assert_same(whole, sol)


@EVERY
def test_the_file_holds_the_checkpoint(system, integrator, tmp_path):
    file = tmp_path / "run.nc"
    events = {"down": lambda t, s: s["upper.angle"]}
    whole = jd.simulate(system, 1.0, start=START, method=integrator, sample=0.1, events=events)
    first = jd.simulate(system, 0.5, start=START, method=integrator, sample=0.1, events=events)
    first.save(file)
    again = jd.load(file)
    assert_same(whole, jd.simulate(again.system, 1.0, resume=again, sample=0.1, events=events))


def test_a_model_that_no_file_holds_is_given_again(tmp_path):
    def build():
        model = jd.Model("driven")
        cart = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
        rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
        drive = {"position": lambda t: 0.1 * jd.sin(7 * t)}
        model.add_joint("rail", model.world, cart, jd.Prismatic("x"), driven=drive)
        model.add_joint("hinge", cart, rod, jd.Revolute("y"))
        return model

    first = jd.simulate(build(), 1.0)
    first.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert not again.has_model
    whole = jd.simulate(build(), 2.0, sample=[1.5, 2.0])
    resumed = jd.simulate(build(), 2.0, resume=again, sample=[1.5, 2.0])
    np.testing.assert_array_equal(resumed.q[-2:], whole.q)


class Stop:
    """Interrupts at a call of the progress, as Ctrl-C does."""

    def __init__(self, after):
        self.left = after

    def __call__(self, t, step):
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@EVERY
def test_an_interruption_changes_nothing(system, integrator):
    whole = jd.simulate(system, 1.2, start=START, method=integrator, **options())
    parts = options()
    sol = jd.simulate(system, 1.2, start=START, method=integrator, progress=Stop(9), **parts)
    assert sol.statistics.status == "interrupted"
    assert 0.0 < sol.time[-1] < 1.2
    sol = jd.simulate(system, 1.2, resume=sol, progress=Stop(5), **parts)
    assert sol.statistics.status == "interrupted"
    assert_same(whole, jd.simulate(system, 1.2, resume=sol, **parts))


@pytest.mark.parametrize("sample", [0.05, 0.03])  # beside the calls, and at them
def test_an_interruption_in_a_controller_changes_nothing(system, sample):
    class Interrupted(Controller):
        was = False

        def __call__(self, t, s):
            if t > 0.3 and not self.was:
                self.was = True
                raise KeyboardInterrupt
            return super().__call__(t, s)

    whole, broken = (
        {"inputs": {"upper.angle": jd.Sampled(kind(), 0.03)}, "sample": sample}
        for kind in (Controller, Interrupted)
    )
    first = jd.simulate(system, 0.6, start=START, **broken)
    assert first.time[-1] == pytest.approx(0.33)
    resumed = jd.simulate(system, 0.6, resume=first, **broken)
    assert_same(jd.simulate(system, 0.6, start=START, **whole), resumed)


def test_parameters_and_the_choice_of_the_integrator_stay():
    model = jd.Model("pendulum")
    body = model.add_body("rod", jd.Inertia(jd.Parameter("mass", 1.0), com=(0, 0, -1)))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"))
    force = {"hinge.angle": jd.cos}
    kwargs = {"inputs": force, "sample": 0.1}
    whole = jd.simulate(model, 2.0, parameters={"mass": 3.0}, **kwargs)
    first = jd.simulate(model, 1.0, parameters={"mass": 3.0}, **kwargs)
    resumed = jd.simulate(model, 2.0, resume=first, **kwargs)
    assert_same(whole, resumed)
    assert resumed.parameters == {"mass": 3.0}
    assert resumed.statistics.reason.startswith("not stiff")
    same = jd.simulate(
        model, 2.0, resume=first, method=jd.Dop853(), parameters={"mass": 3.0}, **kwargs
    )
    assert_same(whole, same)


def test_default_samples_go_on_behind_the_old_ones(system):
    first = jd.simulate(system, 1.0, start=START)
    sol = jd.simulate(system, 2.0, resume=first)
    assert np.all(np.diff(sol.time) > 0.0)
    assert sol.time[-1] == 2.0
    kept = first.checkpoint.facts["n_samples"]
    np.testing.assert_array_equal(sol.time[:kept], first.time[:kept])
    np.testing.assert_allclose(np.diff(sol.time[kept:]), 0.002)
    assert sol.statistics.wall_time > first.statistics.wall_time


def test_a_run_that_an_event_ended_has_no_checkpoint(system):
    stop = jd.Event(lambda t, s: s["upper.angle"] - 1.0, terminal=True)
    sol = jd.simulate(system, 5.0, start=START, events={"stop": stop})
    assert sol.checkpoint is None


def test_a_partition_goes_on(tmp_path):
    """Which coordinates depend is remembered: the choice of a run has a history."""
    model = jd.Model("four_bar")
    bars = (("a", 0.0, 0.3), ("b", 0.5, 0.1), ("c", 0.0, 0.4))
    a, b, c = (model.add_body(n, jd.solid.rod(mass=1.0, end=(x, 0, z))) for n, x, z in bars)
    model.add_joint("main", model.world, a, jd.Revolute("y"))
    model.add_joint("ab", a.at(0, 0, 0.3), b, jd.Revolute("y"))
    model.add_joint("base", model.world.at(0.5, 0, 0), c, jd.Revolute("y"))
    model.add_joint("bc", b.at(0.5, 0, 0.1), c.at(0, 0, 0.4), jd.Revolute("y"))
    system, given = jd.compile(model), {"constraints": jd.Partition(keep=0.9), "sample": 0.1}
    whole = jd.simulate(system, 1.5, start={"main.rate": 15.0}, **given)
    assert whole.statistics.partition_changes > 0
    sol = jd.simulate(system, 0.4, start={"main.rate": 15.0}, **given)
    for end in (0.9, 1.5):
        sol.save(tmp_path / "run.nc")
        sol = jd.simulate(system, end, resume=jd.load(tmp_path / "run.nc"), sample=0.1)
    assert_same(whole, sol)
    assert sol.statistics.partition_changes == whole.statistics.partition_changes


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"t": float("nan")}, "'t' is nan, no number"),
        ({"t": 1e6}, "samples do not end at 1e\\+06 s"),
        ({"begin": 5.0}, "'begin' is 5.0"),
        ({"n_samples": 1}, "1 samples do not end at"),
        ({"n_samples": 10**6}, "'n_samples' is 1000000"),
        ({"n_events": -1}, "'n_events' is -1"),
        ({"reason": 3}, "'reason' is 3, no text"),
        ({"method": ["Dop853", {"rtol": "a"}]}, "rtol = 'a' is no setting of Dop853"),
        ({"method": ["Dop853", {"other": 1.0}]}, "'Dop853' is no method with such settings"),
        ({"method": ["Cvode", {}]}, "was made with Cvode"),
        ({"calls": {"upper.angle": 10**6}}, "was called 1000000 times until"),
        ({"calls": {"upper.angle": 0}}, "was called 0 times until"),
        ({"held": []}, "'held' has the shape"),
        ({"integration": {}}, "'steps' is missing"),
    ],
)
def test_a_changed_checkpoint_is_refused(system, change, why):
    parts = {"inputs": {"upper.angle": jd.Sampled(lambda t: 0.1, 0.03)}, "sample": 0.1}
    sol = jd.simulate(system, 0.5, start=START, **parts)
    facts = {**sol.checkpoint.facts, **change}
    sol.checkpoint = dataclasses.replace(sol.checkpoint, facts=facts)
    with pytest.raises(jd.ModelError, match=why):
        jd.simulate(system, 1.0, resume=sol, **parts)


def test_numbers_that_are_none_are_refused(system):
    sol = jd.simulate(system, 0.5, start=START, method=jd.Radau5(), sample=0.1)
    for name in ("y", "jacobian", "stages"):
        numbers = {**sol.checkpoint.numbers, name: sol.checkpoint.numbers[name] * np.nan}
        sol.checkpoint = dataclasses.replace(sol.checkpoint, numbers=numbers)
        with pytest.raises(jd.ModelError, match="has numbers that do not lie between"):
            jd.simulate(system, 1.0, resume=sol)
