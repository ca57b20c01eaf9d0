"""What simulations say when they are asked for the impossible."""

from __future__ import annotations

import dataclasses
import math
import re
import sys

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Checkpoint, Solution


def cart_model(name="rail", joint="slide"):
    model = jd.Model(name)
    cart = model.add_body("cart", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint(joint, model.world, cart, jd.Prismatic("x"))
    return model


@pytest.fixture(scope="module")
def cart():
    return jd.compile(cart_model())


@pytest.fixture(scope="module")
def half(cart):
    """A run to go on with."""
    return jd.simulate(cart, 1.0, start={"slide.velocity": 1.0})


def refused(kind, *parts, model, t=1.0, **options):
    with pytest.raises(kind) as caught:
        jd.simulate(model, t, **options)
    for part in parts:
        assert part in str(caught.value)
    return caught.value


# --- what to simulate -----------------------------------------------------------------


def test_something_that_is_no_model():
    refused(jd.ModelError, "cannot simulate 'rail'", "give a jd.Model", model="rail")


def test_tolerances_and_steps_out_of_range():
    with pytest.raises(jd.ModelError, match=re.escape("Dop853 has rtol = 2.0")):
        jd.Dop853(rtol=2.0)
    with pytest.raises(jd.ModelError, match="Give 1e-15 < rtol < 1 and atol > 0"):
        jd.Radau5(atol=0.0)
    with pytest.raises(jd.ModelError, match=re.escape("has rho = 1.5; give 0 <= rho <= 1")):
        jd.GeneralizedAlpha(1e-3, rho=1.5)
    for kind in (jd.RungeKutta4, jd.Gauss4, jd.SemiImplicitEuler, jd.GeneralizedAlpha):
        with pytest.raises(jd.ModelError, match=f"step dt of {kind.__name__} is -1 s: it must be"):
            kind(-1)


def test_constraints_that_are_kept_in_no_known_way(cart):
    refused(
        jd.ModelError,
        "constraints is 'partition'; give jd.Projection() or jd.Partition().",
        model=cart,
        constraints="partition",
    )
    with pytest.raises(jd.ModelError, match=re.escape("Partition has keep = 0; give a number")):
        jd.Partition(0)


def test_partition_of_a_machine_with_contacts():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("fall", model.world, ball, jd.Prismatic("z"))
    model.add_connection("floor", jd.Coordinate("fall.position"), jd.Unilateral())
    refused(
        jd.ModelError,
        "model 'ball' has contacts or dry friction",
        "they are kept by jd.Projection() only",
        model=model,
        constraints=jd.Partition(),
    )


@pytest.mark.parametrize("kind", [jd.Cvode, jd.Ida])
def test_without_sundials(cart, monkeypatch, kind):
    monkeypatch.setitem(sys.modules, f"sksundae.{kind.__name__.lower()}", None)
    text = f'{kind.__name__} needs scikit-sundae: pip install "jourdain[sundials]"'
    refused(jd.MissingExtraError, text, model=cart, method=kind())


def test_a_coordinate_without_inertia():
    model = jd.Model("point")
    body = model.add_body("bob", jd.Inertia(1.0))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"))
    refused(jd.SingularSystemError, "no inertia is moved by 'hinge.rate'", model=model)


# --- start ----------------------------------------------------------------------------


def test_start_of_an_unknown_coordinate(cart):
    error = refused(
        jd.UnknownNameError, "no coordinate 'slde.position'", model=cart, start={"slde.position": 1}
    )
    assert "Did you mean 'slide.position'?" in str(error)


def test_start_by_arrays_of_the_wrong_size(cart):
    error = refused(jd.ModelError, "shapes (1,) and (2,)", model=cart, start=([0.1], [0.0, 0.0]))
    assert "q (1,): slide.position; and v (1,): slide.velocity." in str(error)


def test_start_by_something_else(cart):
    refused(jd.ModelError, "no pair of arrays (q, v)", model=cart, start=(["x"], [{}]))


def test_start_by_a_solution(cart, half):
    refused(jd.ModelError, "or sol.final to go on from its end.", model=cart, start=half)


def test_start_that_is_not_finite(cart):
    refused(jd.ModelError, "not all finite", model=cart, start=([np.nan], [0.0]))


def test_start_with_something_that_is_no_orientation():
    model = jd.Model("ball")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    error = refused(
        jd.ModelError,
        "start value of 'ball.orientation' is a quaternion of length 2",
        model=model,
        start={"ball.orientation": (2.0, 0.0, 0.0, 0.0)},
    )
    assert "unit length, scalar first" in str(error)


# --- inputs, events, samples ----------------------------------------------------------


def test_input_of_an_unknown_coordinate(cart):
    refused(jd.UnknownNameError, "no force 'slide.angle'", model=cart, inputs={"slide.angle": 1.0})


@pytest.mark.parametrize("value", ["push", None, np.inf, [1.0, 2.0]])
def test_input_that_is_nothing_to_call(cart, value):
    error = refused(
        jd.ModelError, "input 'slide.position' is", model=cart, inputs={"slide.position": value}
    )
    assert (
        "give a number, a function of t or of (t, s), a jd.Table, jd.Sampled or jd.Delayed."
        in str(error)
    )


def test_input_that_cannot_be_traced(cart):
    def push(t, s):
        return 1.0 if s["slide.position"] > 0.0 else 2.0

    refused(jd.ModelError, "input 'slide.position'", model=cart, inputs={"slide.position": push})


def test_input_of_several_numbers(cart):
    refused(
        jd.ModelError,
        "input 'slide.position' gives 2 numbers instead of one",
        model=cart,
        inputs={"slide.position": lambda t: jd.math.vector(t, t)},
    )


def test_sampled_that_cannot_be():
    with pytest.raises(
        jd.ModelError, match=re.escape("period of Sampled is 0 s: it must be positive")
    ):
        jd.Sampled(lambda t: 1.0, 0)
    with pytest.raises(jd.ModelError, match=re.escape("Sampled has 3.0; give a function")):
        jd.Sampled(3.0, 0.1)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda t: 1 / 0, "failed at t = 0 s: ZeroDivisionError: division by zero."),
        (lambda t: None, "failed at t = 0 s: TypeError"),
        (lambda t: float("nan"), "gave nan at t = 0 s."),
        (lambda t, s: s["slide.angle"], "no coordinate 'slide.angle'"),
    ],
)
def test_sampled_that_fails_at_once(cart, function, text):
    inputs = {"slide.position": jd.Sampled(function, 0.1)}
    refused(jd.ModelError, "sampled input 'slide.position'", text, model=cart, inputs=inputs)


def test_sampled_that_fails_later(cart):
    inputs = {"slide.position": jd.Sampled(lambda t: 1 / (t < 0.45), 0.1)}
    error = refused(
        jd.IntegrationError,
        "model 'rail' stopped at t = 0.5 s of 1 s: sampled input 'slide.position' failed",
        "ZeroDivisionError",
        "What was computed is in error.solution (501 samples).",
        model=cart,
        inputs=inputs,
        sample=0.001,
    )
    assert isinstance(error.solution, Solution)


def test_events_that_cannot_be(cart):
    with pytest.raises(jd.ModelError, match=re.escape("Event has the direction 2; give +1")):
        jd.Event(lambda t: t, 2)
    refused(jd.ModelError, "Event has 1.0; give a function", model=cart, events={"end": 1.0})


def test_event_that_cannot_be_traced(cart):
    refused(
        jd.ModelError,
        "event 'end' fails on symbols: it decides by Python's if",
        "jourdain.math",
        "or call plain Python by jd.Sampled",
        model=cart,
        events={"end": lambda t, s: 1.0 if t > 0.5 else -1.0},
    )
    refused(
        jd.ModelError,
        "event 'end' is a condition. Give the number that passes zero",
        model=cart,
        events={"end": lambda t, s: s["slide.position"] > 0.5},
    )


def test_functions_of_the_math_module(cart):
    """They would give what is not a number, without a word."""
    text = "fails on symbols: it turns a symbol into a number, as float() and Python's math module"
    for what in ("inputs", "events"):
        given = {what: {"slide.position": math.sin}}
        refused(jd.ModelError, f"{what[:-1]} 'slide.position' {text}", model=cart, **given)
    given = {"inputs": {"slide.position": lambda t: "much"}}
    refused(
        jd.ModelError, "fails on symbols: it gives str, which is no number", model=cart, **given
    )


@pytest.mark.parametrize("what", ["inputs", "events"])
def test_what_is_not_named(cart, what):
    text = f"{what} is [1.0]: name what is given, {what}={{"
    refused(jd.ModelError, text, model=cart, **{what: [1.0]})


def test_times_of_results_are_no_duration(cart):
    with pytest.raises(jd.ModelError, match=r"Times at which results are wanted are sample="):
        jd.simulate(cart, [0.0, 0.5, 1.0])


@pytest.mark.parametrize("sample", [0.0, -0.1, np.inf, np.nan, "often"])
def test_spacing_that_is_none(cart, sample):
    refused(jd.ModelError, "sample is", "give a spacing in seconds", model=cart, sample=sample)


@pytest.mark.parametrize(
    "sample", [[], [0.5, 0.1], [-1.0, 0.5], [0.5, 2.0], [[0.1]], [0.1, np.nan]]
)
def test_sample_times_out_of_range(cart, sample):
    refused(
        jd.ModelError,
        "sample times must rise and lie between 0 s and 1 s",
        model=cart,
        sample=sample,
    )


# --- failures -------------------------------------------------------------------------


def test_a_run_away_names_time_element_and_state(cart):
    error = refused(
        jd.IntegrationError,
        "model 'rail' stopped at t = ",
        "s of 5 s: ",
        "Likely causes:",
        "Last good state: largest is slide.",
        "fastest is slide.velocity, which changes by",
        "What was computed is in error.solution",
        model=cart,
        t=5.0,
        start={"slide.position": 1.0, "slide.velocity": 2.0},
        inputs={"slide.position": lambda t, s: 12.0 * s["slide.position"] ** 2},
    )
    assert len(str(error).splitlines()) <= 6


# --- resume ---------------------------------------------------------------------------


def test_resume_of_something_else(cart):
    refused(
        jd.ModelError,
        "resume is 'run.nc'; give the solution",
        "jd.load",
        model=cart,
        resume="run.nc",
    )


def test_resume_of_a_run_that_ended(cart):
    stop = jd.Event(lambda t, s: s["slide.position"] - 0.5, terminal=True)
    ended = jd.simulate(cart, 1.0, start={"slide.velocity": 1.0}, events={"stop": stop})
    refused(
        jd.ModelError,
        "has no checkpoint (status: terminal event)",
        "start=sol.final",
        model=cart,
        t=2.0,
        resume=ended,
        events={"stop": stop},
    )


def test_resume_to_a_time_that_is_past(cart, half):
    for t in (0.5, 1.0, (0.5, 2.0), np.nan):
        refused(
            jd.ModelError,
            "the run began at 0 s and has reached 1 s. Give a later end",
            model=cart,
            t=t,
            resume=half,
        )


def test_resume_with_another_start(cart, half):
    refused(
        jd.ModelError,
        "leave start= out",
        model=cart,
        t=2.0,
        resume=half,
        start={"slide.position": 0},
    )


def test_resume_with_other_parameters(cart, half):
    refused(
        jd.UnknownNameError,
        "no parameter 'mass' in model 'rail'",
        model=cart,
        t=2.0,
        resume=half,
        parameters={"mass": 2.0},
    )


def test_resume_with_other_values_of_parameters():
    model = jd.Model("shaft")
    model.add_coordinate("shaft", jd.Parameter("inertia", 1.0, "kg m^2"))
    half = jd.simulate(model, 1.0, parameters={"inertia": (2, "kg m^2")})
    refused(
        jd.ModelError,
        "the run to resume has the parameters {'inertia': 2.0}, not {'inertia': 3.0}",
        model=model,
        t=2.0,
        resume=half,
        parameters={"inertia": (3, "kg m^2")},
    )


def test_resume_with_another_integrator(cart, half):
    refused(
        jd.ModelError,
        "was made with Dop853(rtol=1e-08, atol=None, max_step=inf)",
        "Leave method= out",
        model=cart,
        t=2.0,
        resume=half,
        method=jd.Dop853(rtol=1e-9),
    )


def test_resume_with_constraints_kept_in_another_way(cart, half):
    refused(
        jd.ModelError,
        "the run to resume keeps its constraints by Projection(), and goes on with nothing else.",
        model=cart,
        t=2.0,
        resume=half,
        constraints=jd.Partition(),
    )


def test_resume_with_other_inputs_and_events(cart, half):
    refused(
        jd.ModelError,
        "the run to resume has the inputs none, but 'slide.position' are given",
        "functions are not stored",
        model=cart,
        t=2.0,
        resume=half,
        inputs={"slide.position": 1.0},
    )
    refused(
        jd.ModelError,
        "has the events none, but 'end' are given",
        model=cart,
        t=2.0,
        resume=half,
        events={"end": lambda t: t},
    )


def test_resume_with_another_model(half):
    refused(
        jd.ModelError,
        "the solution of model 'rail' cannot be resumed with model 'road': their coordinates",
        model=cart_model("road", "path"),
        t=2.0,
        resume=half,
    )


def changed(half, facts=(), numbers=()):
    """The run with another checkpoint."""
    old = half.checkpoint
    new = Checkpoint({**old.facts, **dict(facts)}, {**old.numbers, **dict(numbers)})
    return Solution(
        half.system, half.time, half.q, half.v, half.vdot, half.tau,
        statistics=dataclasses.replace(half.statistics), checkpoint=new,
    )  # fmt: skip


def test_resume_of_another_layout(cart, half):
    other = changed(half, {"layout": 99})
    refused(jd.ModelError, "the checkpoint has layout 99", model=cart, t=2.0, resume=other)


def test_resume_of_a_memory_that_does_not_fit(cart, half):
    other = changed(half, numbers={"y": np.zeros(3)})
    refused(
        jd.ModelError,
        "the run cannot be resumed: 'y' has the shape (3,), not (2,). Its checkpoint belongs to "
        "another model, or somebody has changed it. Give the model of that run, or start anew",
        model=cart,
        t=2.0,
        resume=other,
    )
