"""The best shift on the plant of 4.V20: smooth before and after, short, and in time (4.V25)."""

from functools import cache

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

CAPACITY, CUT = "second.friction.capacity", "torque.cut"
GIVEN = {
    CAPACITY: pt.Control(0.0, 900.0, weight=1e-3, after=700.0),
    CUT: pt.Control(0.0, 0.9, weight=1.0, end=0.0),
}


@cache
def plant():
    model = jd.Model("train", gravity=(0, 0, 0))
    T, A, W = (
        model.add(n, pt.Shaft(J)).angle
        for n, J in {"turbine": 0.12, "output": 0.05, "wheel": 16.0}.items()
    )
    model.add("first", pt.OneWayClutch(T, 3.571 * A))
    model.add("second", pt.Clutch(T, 2.2 * A))
    model.add("shaft", pt.Coupling(A, W, 6000.0, damping=30.0))
    cut = jd.Law(lambda x, v, at: 300.0 * (1.0 - at.input("cut")), inputs={"cut": "1"})
    model.add_connection("torque", T, cut)
    model.add_connection("road", W, jd.Force(-50.0))
    return jd.compile(model)


def run(inputs):
    speed = 500.0 / 3.571
    start = {"turbine.speed": 500.0, "output.speed": speed, "wheel.speed": speed}
    start |= {"output.angle": 0.1632496}
    return jd.simulate(plant(), 0.8, start=start, inputs=inputs, sample=1e-3)


@cache
def reference():
    return run({CAPACITY: jd.Table((0.1, 0.4), (0.0, 500.0)), CUT: lambda t: 0.0 * t})


def best(weight, share=1.0):
    """Plan, the run with it, and its synchronous point."""
    duration = share * (0.452947 - 0.269850)
    plan = pt.optimal_shift(
        reference(), "second", GIVEN, "wheel.angular_acceleration",
        duration=duration, weight=weight, moments=3,
    )  # fmt: skip
    sol = run(plan.inputs())
    sticks = [e.time for e in sol.events if (e.name, e.kind) == ("second.friction", "stick")]
    return plan, sol, sticks[-1]


def comfort(sol, begin, end):
    return pt.shift_comfort(sol, "wheel.angular_acceleration", ["second"], span=(begin, end))


def test_shift():
    """Synchronous in time; jerk falls after the point only if it counts; less heat if shorter."""
    free, free_run, _ = best(0.0)
    plan, sol, sync = best(1.0)
    short, short_run, short_sync = best(1.0, 0.8)
    for own, when in ((plan, sync), (short, short_sync)):
        assert when == pytest.approx(own.time[-1], abs=1e-4)  # a node is 5 ms
        assert own.controls[CUT][-1] == pytest.approx(0.0, abs=1e-12)
        assert own.controls[CUT].min() >= -1e-12
    begin = plan.time[0]
    late = {}
    for name, one in (("reference", reference()), ("free", free_run), ("best", sol)):
        late[name] = comfort(one, sync + 5e-3, sync + 0.25).jerk_rms
    assert late["best"] < 0.02 * late["free"]
    assert late["best"] < 0.02 * late["reference"]
    early = {
        name: comfort(one, begin + 5e-3, sync - 1.2e-2).jerk_rms
        for name, one in (("reference", reference()), ("free", free_run))
    }
    assert early["free"] < 0.25 * early["reference"]
    heat = [s.values("second.heat")[-1] for s in (sol, short_run, reference())]
    assert heat[1] < heat[0] < heat[2]
    assert short.duration == pytest.approx(0.8 * plan.duration, rel=1e-9)
    # the plan knows what the machine will do, but for a kink of the reference within a step
    expected = np.interp(plan.time[1:-2], sol.time, sol.values("wheel.angular_acceleration"))
    np.testing.assert_allclose(plan.acceleration[1:-2], expected, rtol=5e-3)
    assert free.plan.multiplier != plan.plan.multiplier


@pytest.mark.parametrize(("more", "text"), [
    ({"clutch": "first"}, "'first' does not become synchronous in the reference"),
    ({"duration": 0.3}, "duration is 0.3 s, but 'second' slips for 0.183"),
    ({"tail": 2.0}, "the reference ends at 0.8 s, less than tail=2 s"),
    ({"controls": {"x": pt.Control(0.0, 1.0)}}, "the reference has no input 'x'"),
])  # fmt: skip
def test_what_is_asked_for_must_be_there(more, text):
    given = {"clutch": "second", "controls": GIVEN, "acceleration": "wheel.angular_acceleration"}
    with pytest.raises(ModelError, match=text):
        pt.optimal_shift(reference(), **(given | more))


def test_linear_equations_at_a_moment_know_the_inputs_of_the_run():
    """While the clutch sticks its output follows; with an input of zero it would slip."""
    moment = reference().at(0.6)
    lin = jd.linearize(plant(), moment, inputs=[CAPACITY, CUT], moving=True)
    assert [x.word for x in lin.contacts if x.name == "second.friction"] == ["stick"]
    assert len(lin.states) == 5
    slow = jd.linearize(plant(), moment, inputs={CAPACITY: 0.0, CUT: 0.0}, moving=True)
    assert len(slow.states) == 6
