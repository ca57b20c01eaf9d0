"""Rules of steppers (see `Stepper`), for every kind of them."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.checkpoint import Past
from jourdain.simulation.contact import contact_stepper
from jourdain.simulation.interruption import Progress
from jourdain.simulation.smooth import SmoothStepper
from jourdain.simulation.stepper import Stepper, Task
from jourdain.simulation.times import Span
from jourdain.solvers import Status, all_integrators

QUIET = Progress(None)


def oscillator(*, has_friction: bool) -> jd.Model:
    model = jd.Model("oscillator")
    model.add_coordinate("x", 1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    if has_friction:
        gap = jd.Formula(lambda at: at.coordinate("x") + 0.5, unit="m")
        model.add_connection("floor", gap, jd.Unilateral(restitution=0.5))
        model.add_connection("pad", jd.Coordinate("x"), jd.Interval(2.0))
    return model


def balls() -> jd.Model:
    model = jd.Model("balls")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("flight", model.world, ball, jd.Free())
    floor = jd.HalfSpace(model.world)
    model.add_contacts("touch", [jd.Sphere(ball, 0.1), floor], jd.Coulomb(0.3, restitution=0.5))
    return model


def task_of(model: jd.Model) -> Task:
    span, inputs = Span(0.0, 0.0, 0.6), {}
    return Task(jd.compile(model), span, np.linspace(0.0, 0.6, 13), inputs, {}, None, Past())


def made(kind: str) -> Stepper:
    """A stepper that has begun."""
    if kind == "groups":
        stepper: Stepper = contact_stepper(task_of(balls()), jd.MoreauJean(1e-3))
        start = {"flight.position.z": 0.3, "flight.velocity.x": 1.0}
    elif kind in CONTACT:
        stepper = contact_stepper(task_of(oscillator(has_friction=True)), CONTACT[kind])
        start = {"x.rate": 7.0}
    else:
        task = task_of(oscillator(has_friction=False))
        stepper = SmoothStepper(task, SMOOTH[kind], None, lambda *_: "no reason")
        start = {"x.rate": 7.0}
    q, v = stepper.task.system.state(start)
    stepper.begin(np.concatenate([q, v]), 0.0, np.zeros(0))
    return stepper


CONTACT = {
    "EventDriven": jd.EventDriven(),
    "MoreauJean": jd.MoreauJean(1e-3),
    "NonsmoothAlpha": jd.NonsmoothAlpha(1e-3),
}
SMOOTH = {type(x).__name__: x for x in all_integrators()}
KINDS = [*SMOOTH, *CONTACT, "groups"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_stepper_stops_at_the_time_asked_for_and_samples_on_its_way(kind):
    stepper = made(kind)
    assert stepper.has_begun
    for stop in (0.25, 0.6):
        assert stepper.advance_to(stop, QUIET, stop == 0.6) == Status.FINISHED
        assert stepper.t == stop
    found = stepper.results("finished")
    assert set(np.round(found.columns[0], 9)) >= set(np.round(stepper.task.times, 9))
    assert len(found.numbers) == len(found.columns[0])
    assert not found.fault


@pytest.mark.parametrize("kind", KINDS)
def test_asking_for_results_and_memory_changes_nothing(kind):
    plain, asked = made(kind), made(kind)
    for stepper in (plain, asked):
        stepper.advance_to(0.25, QUIET, False)
        if stepper is asked:
            twin = stepper.snapshot()
            twin.memory()
            twin.results("interrupted")
        stepper.advance_to(0.6, QUIET, True)
    np.testing.assert_array_equal(plain.y, asked.y)


@pytest.mark.parametrize("kind", KINDS)
def test_after_rolling_back_the_state_is_whole(kind):
    def stop() -> None:
        if stepper.t > 0.2:
            raise KeyboardInterrupt

    stepper = made(kind)
    stepper.look = stop
    stepper.run.look = stop
    try:
        stepper.advance_to(0.6, QUIET, True)
    except KeyboardInterrupt:
        stepper.roll_back()
    assert np.isfinite(stepper.y).all()
    t, y = stepper.t, stepper.y.copy()
    last = stepper.results("interrupted").columns[0][-1]
    assert 0.2 - 1e-9 < last <= t if kind == "groups" else last == t
    assert stepper.memory()["n_samples"] <= len(stepper.results("interrupted").columns[0])
    np.testing.assert_array_equal(stepper.y, y)
