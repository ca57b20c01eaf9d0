from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import all_integrators

TIGHT = jd.Dop853(rtol=1e-12, atol=1e-14)


def cart_model(mass=2.0):
    """A mass on a straight rail, across the direction of gravity."""
    model = jd.Model("rail")
    cart = model.add_body("cart", jd.solid.ball(mass=mass, radius=0.1))
    model.add_joint("slide", model.world, cart, jd.Prismatic("x"))
    return model


@pytest.fixture(scope="module")
def cart():
    return jd.compile(cart_model())


def position(sol):
    return sol.values("slide.position")


# --- inputs ---------------------------------------------------------------------------


def test_without_inputs_nothing_accelerates(cart):
    sol = jd.simulate(cart, 3.0, start={"slide.velocity": 0.5}, sample=0.5)
    np.testing.assert_allclose(position(sol), 0.5 * sol.time, atol=1e-14)
    assert not sol.tau.any()
    assert not sol.vdot.any()


def test_input_as_a_number(cart):
    sol = jd.simulate(cart, 2.0, inputs={"slide.position": 3.0})
    np.testing.assert_allclose(position(sol), 0.5 * 3.0 / 2.0 * sol.time**2, atol=1e-13)
    np.testing.assert_array_equal(sol.values("slide.applied_force"), 3.0)


def test_input_by_the_name_of_the_velocity(cart):
    both = [jd.simulate(cart, 1.0, inputs={f"slide.{x}": 1.5}) for x in ("position", "velocity")]
    np.testing.assert_array_equal(both[0].q, both[1].q)


def test_input_as_a_function_of_time(cart):
    sol = jd.simulate(cart, 5.0, inputs={"slide.position": lambda t: jd.sin(3 * t)}, method=TIGHT)
    exact = (sol.time / 3 - np.sin(3 * sol.time) / 9) / 2.0
    np.testing.assert_allclose(position(sol), exact, atol=1e-11)
    np.testing.assert_allclose(sol.tau[:, 0], np.sin(3 * sol.time), atol=1e-15)


def test_input_as_a_function_of_the_state(cart):
    def spring(t, s):
        return -8.0 * s["slide.position"] - 1.0 * s["slide.velocity"]

    sol = jd.simulate(
        cart,
        6.0,
        start={"slide.position": 0.3},
        inputs={"slide.position": spring},
        method=TIGHT,
    )
    decay, rate = 0.25, np.sqrt(4.0 - 0.25**2)  # of 2 x'' + x' + 8 x = 0
    wave = np.cos(rate * sol.time) + decay / rate * np.sin(rate * sol.time)
    np.testing.assert_allclose(position(sol), 0.3 * np.exp(-decay * sol.time) * wave, atol=1e-11)


def test_input_as_a_table(cart):
    ramp = jd.Table([0.0, 2.0], [0.0, 4.0])
    sol = jd.simulate(cart, 2.0, inputs={"slide.position": ramp}, method=TIGHT)
    np.testing.assert_allclose(position(sol), 2.0 * sol.time**3 / 6.0 / 2.0, atol=1e-12)


def test_accelerations_are_those_of_the_forces(cart):
    sol = jd.simulate(cart, 1.0, inputs={"slide.position": jd.cos})
    np.testing.assert_allclose(2.0 * sol.vdot, sol.tau, atol=1e-15)


def test_parameters_take_part():
    mass = jd.Parameter("mass", 2.0)
    model = jd.Model("rail")
    body = model.add_body("cart", jd.Inertia(mass))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    sol = jd.simulate(model, 1.0, inputs={"slide.position": 1.0}, parameters={"mass": 5.0})
    assert position(sol)[-1] == pytest.approx(0.1, abs=1e-13)
    assert sol.parameters == {"mass": 5.0}


# --- start and samples ----------------------------------------------------------------


def test_start_by_names_and_by_arrays(cart):
    names = jd.simulate(cart, 1.0, start={"slide.position": 0.2, "slide.velocity": 0.1})
    arrays = jd.simulate(cart, 1.0, start=([0.2], np.array([0.1])))
    np.testing.assert_array_equal(names.q, arrays.q)


def test_start_where_another_run_ended(cart):
    first = jd.simulate(cart, 1.0, start={"slide.velocity": 1.0})
    second = jd.simulate(cart, (1.0, 2.0), start=first.final)
    assert second.time[0] == 1.0
    assert position(second)[-1] == pytest.approx(2.0, abs=1e-13)


def test_samples_are_where_they_are_wanted(cart):
    assert len(jd.simulate(cart, 1.0).time) == 1001
    times = [0.0, 0.1, 0.1, 0.77]
    np.testing.assert_array_equal(jd.simulate(cart, 1.0, sample=times).time, times)


def test_the_last_sample_is_the_end_in_spite_of_rounding(cart):
    for spacing, end in ((0.1, 0.3), (0.1, 0.7), (0.3, 1.0), (0.001, 1.001), (2.0, 1.0)):
        time = jd.simulate(cart, end, sample=spacing).time
        assert time[-1] == end
        assert np.diff(time).min() > 1e-3 * spacing


def test_a_model_without_freedoms_can_be_simulated():
    model = jd.Model("driven")
    body = model.add_body("wheel", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("axle", model.world, body, jd.Revolute("y"), driven={"angle": lambda t: 2 * t})
    sol = jd.simulate(model, 1.0)
    assert sol.values("axle.angle")[-1] == pytest.approx(2.0)


def test_steps_of_all_integrators_fill_the_same_samples(cart):
    for integrator in all_integrators():
        sol = jd.simulate(cart, 0.5, inputs={"slide.position": 1.0}, method=integrator)
        assert len(sol.time) == 1001
        assert position(sol)[-1] == pytest.approx(0.0625, rel=3e-3)  # Euler is of first order


# --- events ---------------------------------------------------------------------------

OSCILLATOR = {"slide.position": lambda t, s: -2.0 * s["slide.position"]}  # x = cos t


def crossings(cart, event, end=10.0, method=TIGHT):
    sol = jd.simulate(
        cart, end, start={"slide.position": 1.0}, inputs=OSCILLATOR,
        events={"event": event}, method=method,
    )  # fmt: skip
    return np.array([event.time for event in sol.events])


def test_events_in_each_direction(cart):
    def value(t, s):
        return s["slide.position"]

    quarter = np.pi / 2
    both = quarter * np.array([1, 3, 5])
    np.testing.assert_allclose(crossings(cart, value), both, atol=1e-10)
    np.testing.assert_allclose(crossings(cart, jd.Event(value, -1)), both[[0, 2]], atol=1e-10)
    np.testing.assert_allclose(crossings(cart, jd.Event(value, +1)), both[[1]], atol=1e-10)


@pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)
def test_every_integrator_finds_events(cart, integrator):
    found = crossings(cart, lambda t, s: s["slide.position"], 2.0, integrator)
    expected = 2e-3 if integrator.order == 1 else 1e-7
    np.testing.assert_allclose(found, [np.pi / 2], atol=expected)


def test_a_terminal_event_ends_the_run(cart):
    sol = jd.simulate(
        cart, 10.0, start={"slide.position": 1.0}, inputs=OSCILLATOR, method=TIGHT,
        events={"stop": jd.Event(lambda t, s: s["slide.position"], terminal=True)},
    )  # fmt: skip
    assert sol.time[-1] == pytest.approx(np.pi / 2, abs=1e-11)
    assert sol.time[-1] == sol.events[0].time
    assert abs(position(sol)[-1]) < 1e-11
    assert sol.statistics.status == "terminal_event"
    assert sol.statistics.is_complete


def test_nothing_is_recorded_after_a_terminal_event(cart):
    """Both lie in the same step of a motion that an integrator of high order takes in one."""
    sol = jd.simulate(
        cart, 10.0, start={"slide.velocity": 1.0},
        events={
            "later": lambda t, s: s["slide.position"] - 5.0001,
            "end": jd.Event(lambda t, s: s["slide.position"] - 5.0, terminal=True),
            "earlier": lambda t, s: s["slide.position"] - 4.9999,
        },
    )  # fmt: skip
    assert [event.name for event in sol.events] == ["earlier", "end"]


def test_several_events_at_once(cart):
    sol = jd.simulate(
        cart, 3.0, start={"slide.velocity": 1.0},
        events={name: lambda t, s: s["slide.position"] - 1.0 for name in "abc"},
    )  # fmt: skip
    assert [event.name for event in sol.events] == ["a", "b", "c"]
    np.testing.assert_allclose([event.time for event in sol.events], 1.0, atol=1e-13)
    np.testing.assert_allclose([event.q[0] for event in sol.events], 1.0, atol=1e-13)


def thrown(height, **options):
    """Times at which a ball thrown up with 9.81 m/s, to 4.905 m, passes a height."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("path", model.world, ball, jd.Prismatic("z"))
    events = {"height": lambda t, s: s["path.position"] - height}
    sol = jd.simulate(model, 2.0, start={"path.velocity": 9.81}, events=events, **options)
    return [event.time for event in sol.events]


def test_two_passages_in_one_step_are_found():
    """The parabola is exact for all but Euler, so that steps grow without limit."""
    for integrator in (jd.Dop853(), jd.Dopri5(), jd.Radau5(), jd.RungeKutta4(0.5), jd.Gauss4(0.5)):
        np.testing.assert_allclose(thrown(2.0, method=integrator), _passages(2.0), atol=1e-9)


@pytest.mark.parametrize("depth", [1e-2, 1e-5, 1e-8])
def test_grazing_passages_are_found(depth):
    times = thrown(4.905 - depth)
    # where the path is flat, an error of 1e-13 m in it is one of 1e-13 / sqrt(depth) s in time
    np.testing.assert_allclose(times, _passages(4.905 - depth), atol=1e-12 / np.sqrt(depth))


def test_what_comes_close_is_no_event():
    assert thrown(4.905 + 1e-8) == []


def _passages(height):
    root = np.sqrt(1.0 - 2.0 * height / 9.81)
    return 1.0 - root, 1.0 + root


def test_a_start_on_an_event_is_none(cart):
    sol = jd.simulate(
        cart, 1.0, start={"slide.velocity": 1.0}, events={"zero": lambda t, s: s["slide.position"]}
    )
    assert sol.events == ()


def test_many_events_find_room(cart):
    """More than fit between two looks at them."""
    sol = jd.simulate(
        cart, 100.0, start={"slide.position": 1.0},
        events={name: lambda t, s: jd.sin(40.0 * t + 0.5) for name in "ab"},
        method=jd.RungeKutta4(0.05),
    )  # fmt: skip
    exact = (np.pi * np.arange(1, 4000 / np.pi + 1) - 0.5) / 40.0
    exact = exact[exact < 100.0]
    assert len(sol.events) == 2 * len(exact) == 2546
    np.testing.assert_allclose([e.time for e in sol.events if e.name == "a"], exact, atol=1e-11)


# --- long runs ------------------------------------------------------------------------

INTERRUPTED = """
import sys
import jourdain as jd
from jourdain.solvers import all_integrators

model = jd.Model("rail")
cart = model.add_body("cart", jd.solid.ball(mass=2.0, radius=0.1))
model.add_joint("slide", model.world, cart, jd.Prismatic("x"))
spring = {"slide.position": lambda t, s: -2.0 * s["slide.position"]}
told = False

def progress(t, step):
    global told
    if not told:
        print("ready", file=sys.stderr, flush=True)
    told = True

start = {"slide.position": 1.0}
sol = jd.simulate(
    model, 1e9, start=start, inputs=spring, sample=0.5 * 2**20, method=jd.Dop853(),
    progress=progress,
)
reached = float(sol.time[-1])
on = jd.simulate(model, reached + 10.0, inputs=spring, resume=sol, sample=reached / 7)
one = jd.simulate(
    model, reached + 10.0, start=start, inputs=spring, method=jd.Dop853(), sample=reached / 7
)
same = (on.q[-1] == one.q[-1]).all() and on.statistics.steps == one.statistics.steps
print(sol.statistics.status, sol.statistics.is_complete, reached > 0.0, len(sol.time) >= 2, same)
"""


def test_ctrl_c_returns_what_has_been_computed(interrupted):
    code, told, _ = interrupted(INTERRUPTED)
    assert told == "interrupted False True True True\n"
    assert code == 0


def test_memory_is_bounded_by_the_samples(cart):
    """It grows neither with the steps, nor with the calls, nor with the searches for events."""
    sizes = []

    def controller(t, s):
        if round(t / 0.01) % 1000 == 999:
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
        return -s["slide.position"]

    tracemalloc.start()
    sol = jd.simulate(
        cart, 50.0, start={"slide.position": 1.0}, sample=5.0, method=jd.RungeKutta4(0.001),
        inputs={"slide.position": jd.Sampled(controller, 0.01)},
        events={"zero": lambda t, s: s["slide.position"] - 2.0},
    )  # fmt: skip
    tracemalloc.stop()
    assert (len(sol.time), sol.statistics.steps) == (20, 50_000)
    assert len(sizes) == 5
    assert sizes[-1] - sizes[0] < 2000  # half a byte a call


def test_progress_tells_time_and_step(cart):
    told = []
    jd.simulate(cart, 20.0, method=jd.RungeKutta4(1e-3), progress=lambda t, h: told.append((t, h)))
    times, steps = np.array(told).T
    assert len(told) > 1
    assert np.all(np.diff(times) >= 0.0)
    assert times[-1] == 20.0
    assert set(steps) == {1e-3}


# --- failures -------------------------------------------------------------------------


def failed(cart, force, **options):
    options = {"start": {"slide.position": 1.0, "slide.velocity": 2.0}} | options
    with pytest.raises(jd.IntegrationError) as caught:
        jd.simulate(cart, 5.0, inputs={"slide.position": force}, **options)
    return caught.value


@pytest.mark.parametrize("integrator", [jd.Dop853(), jd.Dopri5(), jd.Radau5()], ids=str)
def test_a_blow_up_stops_with_the_last_good_state(cart, integrator):
    """The solution of x'' = 6 x² that starts so is 1/(1 − t)²."""
    error = failed(cart, lambda t, s: 12.0 * s["slide.position"] ** 2, method=integrator)
    sol = error.solution
    assert sol.time[-1] == pytest.approx(1.0, abs=1e-3)
    assert np.all(np.isfinite(sol.q))
    reached = sol.time <= 0.9
    exact = 1.0 / (1.0 - sol.time[reached]) ** 2
    np.testing.assert_allclose(position(sol)[reached], exact, rtol=1e-5)
    assert not sol.statistics.is_complete
    assert "model 'rail' stopped at t = 1" in str(error) or "t = 0.99" in str(error)
    assert "fastest is slide." in str(error)


@pytest.mark.parametrize("integrator", [jd.RungeKutta4(1e-3), jd.SemiImplicitEuler(1e-3)], ids=str)
def test_fixed_steps_stop_before_what_is_not_finite(cart, integrator):
    error = failed(cart, lambda t, s: 12.0 * s["slide.position"] ** 2, method=integrator)
    assert np.all(np.isfinite(error.solution.q))
    assert error.solution.statistics.status == "not_finite"
    assert 1.0 < error.solution.time[-1] < 1.1


def test_a_square_root_of_less_than_nothing_stops(cart):
    """X = 1 + 2 t until the root of 3 − x is gone, at t = 1."""
    error = failed(cart, lambda t, s: 1e-30 * jd.sqrt(3.0 - s["slide.position"]))
    assert error.solution.time[-1] == pytest.approx(1.0, abs=1e-6)
    assert error.solution.final["slide.position"] == pytest.approx(3.0, abs=1e-5)
    assert error.solution.statistics.status == "not_finite"
    assert "division" in str(error) or "divides by zero" in str(error)


def test_a_failing_controller_loses_nothing(cart):
    def controller(t, s):
        if t > 0.495:
            raise RuntimeError("no connection")
        return 1.0

    error = failed(cart, jd.Sampled(controller, 0.1), start=None, sample=0.01)
    assert error.solution.time[-1] == pytest.approx(0.5)
    np.testing.assert_allclose(position(error.solution)[-1], 0.25 * 0.5**2, atol=1e-13)
    assert "no connection" in str(error)
    assert "sampled input 'slide.position' failed at t = 0.5 s" in str(error)


def test_a_failing_progress_loses_nothing(cart):
    def progress(t, step):
        raise OSError("no terminal")

    with pytest.raises(jd.IntegrationError, match="no terminal") as caught:
        jd.simulate(cart, 1.0, progress=progress)
    assert caught.value.solution.time[0] == 0.0


def test_loops_follow_parameters():
    """Machine code in loops has the constants of the parameters of the run."""
    model = jd.Model("double pendulum")
    reach = jd.Parameter("reach", 1.0, "m")
    upper, lower = (model.add_body(n, jd.solid.rod(mass=1.0, end=(0, 0, -1))) for n in "ab")
    model.add_joint("first", model.world, upper, jd.Revolute("y"))
    model.add_joint("second", upper.at(0, 0, -reach), lower, jd.Revolute("y"))
    options = {"start": {"first.angle": 0.3}, "parameters": {"reach": 2.0}, "sample": 0.1}
    ends = [
        jd.simulate(jd.compile(model, execution=way), 0.5, **options).q[-1]
        for way in (jd.Unrolled(), jd.Looped())
    ]
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)
