"""Modes of kinks in a run: sliding, release, resuming, too many, simultaneous."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import all_integrators
from jourdain.system.contact.switching import MOST, switching
from jourdain.system.execution import Looped, Unrolled
from jourdain.system.state import state_kernel

EVERY = pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)


def mass(law) -> jd.System:
    model = jd.Model("mass")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("law", jd.Coordinate("x"), jd.Law(law))
    return jd.compile(model)


@pytest.fixture(scope="module")
def brake() -> jd.System:
    return mass(lambda x, v: -3.0 * jd.math.sign(v) + 4.0 * jd.where(x > 0.5, 1.0, 0.0))


SOME = pytest.mark.parametrize(
    "integrator", [jd.Dop853(), jd.Radau5(), jd.Gauss4(1e-3)], ids=lambda x: type(x).__name__
)


@EVERY
def test_friction_by_hand_slides_without_a_stall_and_the_report_tells(brake, integrator):
    """1 m/s against 3 N stops at 1/6 m after 1/3 s and stays there."""
    sol = jd.simulate(brake, 0.4, start={"x.rate": 1.0}, method=integrator)
    assert sol.statistics.sliding_kinks == 1
    assert sol.statistics.steps < 2000
    step = getattr(integrator, "dt", 1e-4)
    assert sol.final["x"] == pytest.approx(1 / 6, abs=0.6 * step)
    assert abs(sol.final["x.rate"]) < 3.1 * step
    assert "for dry friction use jd.Interval" in str(sol)


@pytest.mark.parametrize("push", [0.0, 1.0])
def test_what_rests_from_the_start_slides_in_steps_that_grow(push):
    """It has no time scale yet: steps of 1e-7 s were kept for the whole run."""
    model = jd.Model("rest", gravity=(0, 0, 0))
    model.add_coordinate("x", inertia=1.0, unit="m")
    x = jd.Coordinate("x")
    model.add_connection("rubs", x, jd.Law(lambda x, v: -jd.where(v > 0.0, 2.0, -2.0)))
    model.add_connection("push", x, jd.Force(push))
    sol = jd.simulate(model, 0.1)
    assert sol.statistics.steps < 3000
    assert abs(sol["x"]).max() < 2e-5
    assert abs(sol["x.rate"]).max() < 4e-4  # 4 m/s² for 1e-4 s


def test_what_slid_is_watched_again_when_it_leaves():
    """A load 10 t that grows past 3 N: v = 5 (t - 0.3)² from 0.3 s on."""
    system = mass(lambda x, v: -3.0 * jd.math.sign(v))
    sol = jd.simulate(
        system, 1.0, start={"x.rate": 0.3}, method=jd.Dop853(), inputs={"x": lambda t: 10.0 * t}
    )
    late = sol.time > 0.35
    exact = 5.0 * (sol.time[late] - 0.3) ** 2
    np.testing.assert_allclose(sol["x.rate"][late], exact, atol=1e-3)
    assert sol.statistics.sliding_kinks == 1
    assert sol.statistics.steps < 5000


@pytest.mark.parametrize("name", ["guarded", "orifice"])
@SOME
def test_a_piece_that_has_no_numbers_beyond_its_border_is_released(name, integrator):
    """Roots of negative numbers: the laws decide by themselves there."""
    laws = {
        "guarded": lambda x, v: -10.0 * jd.where(x > 0.0, jd.math.sqrt(x), 0.0),
        "orifice": lambda x, v: -10.0 * jd.math.sign(x) * jd.math.sqrt(abs(x)),
    }
    sol = jd.simulate(mass(laws[name]), 0.7, start={"x": 1.0}, method=integrator)
    energy = 0.5 * sol["x.rate"] ** 2 + 20 / 3 * abs(sol["x"]) ** 1.5 * (sol["x"] > 0.0)
    if name == "orifice":
        energy = 0.5 * sol["x.rate"] ** 2 + 20 / 3 * abs(sol["x"]) ** 1.5
    limit = 2e-2 if integrator.order == 1 else 1e-3
    np.testing.assert_allclose(energy, 20 / 3, rtol=limit)


@pytest.fixture(scope="module")
def rattle() -> jd.System:
    """Free play, a wall with a table, gravity."""
    table = jd.Table((-0.2, -0.1, 0.0, 0.3), (90.0, 20.0, 0.0, 0.0))
    return mass(lambda x, v: table(x) - 9.81 - 0.1 * v * abs(v))


@EVERY
def test_a_run_with_kinks_is_resumed_to_the_last_bit(rattle, integrator):
    given = {"method": integrator, "inputs": {"x": lambda t: jd.where(t < 0.7, 1.0, -1.0)}}
    whole = jd.simulate(rattle, 2.0, start={"x": 0.4}, sample=0.01, **given)
    assert whole.statistics.kinks > 10
    part = jd.simulate(rattle, 0.637, start={"x": 0.4}, sample=0.01, **given)
    for end in (1.1, 2.0):
        part = jd.simulate(rattle, end, resume=part, sample=0.01, inputs=given["inputs"])
    np.testing.assert_array_equal(part.q[-1], whole.q[-1])
    np.testing.assert_array_equal(part.v[-1], whole.v[-1])
    assert part.statistics.kinks == whole.statistics.kinks
    assert part.statistics.steps == whole.statistics.steps


def test_sampled_inputs_that_jump_across_a_kink_set_the_mode():
    """The law sees the input: its mode is decided anew at every call."""
    model = jd.Model("valve")
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Law(lambda x, v, at: jd.where(at.input("command") > 0.0, 2.0, -1.0) + 0.0 * x,
                 inputs={"command": "1"})  # fmt: skip
    model.add_connection("law", jd.Coordinate("x"), law)
    command = jd.Sampled(lambda t: 1.0 if t < 0.45 else -1.0, 0.1)
    sol = jd.simulate(model, 1.0, inputs={"law.command": command})
    assert sol.final["x.rate"] == pytest.approx(0.5 * 2.0 - 0.5, abs=1e-9)


def many(n: int) -> jd.Model:
    model = jd.Model("many")
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        law = jd.Law(lambda x, v: jd.where(x < 0.0, -100.0 * x, 0.0) - 1.0)
        model.add_connection(f"wall{k}", jd.Coordinate(f"x{k}"), law)
    return model


def test_kinks_that_are_passed_at_once_are_all_switched():
    """Twenty equal masses pass at the same time."""
    start = {f"x{k}": 0.5 for k in range(20)}
    sol = jd.simulate(many(20), 1.2, start=start)
    assert sol.statistics.kinks == 20
    assert np.ptp(sol.q[-1]) < 1e-12
    alone = jd.simulate(many(1), 1.2, start={"x0": 0.5})
    assert sol.q[-1, 0] == pytest.approx(alone.q[-1, 0], abs=1e-9)
    assert sol.statistics.steps < 3 * alone.statistics.steps


def test_too_many_kinks_are_not_watched_and_the_report_tells():
    n = MOST + 1
    terms = [lambda x, v, k=k: jd.where(x + 0.01 * k * v > 0.0, -1.0, 0.0) for k in range(n)]
    system = mass(lambda x, v: sum(f(x, v) for f in terms))
    sol = jd.simulate(system, 0.1, start={"x": 0.5, "x.rate": 0.0}, sample=[0.0, 0.1])
    assert sol.statistics.kinks == 0
    assert sol.statistics.unwatched_kinks == n
    assert f"not watched: {n} places are too many" in str(sol)


@EVERY
def test_a_start_at_a_kink_takes_the_side_it_goes_to(integrator):
    """From rest at the border down into the spring: x = -(1 - cos(10 t))/100."""
    system = mass(lambda x, v: jd.where(x < 0.0, -100.0 * x, 0.0) - 1.0)
    sol = jd.simulate(system, 0.5, method=integrator)
    limit = 1e-4 if integrator.order == 1 else 1e-6
    np.testing.assert_allclose(sol["x"], -0.01 * (1 - np.cos(10 * sol.time)), atol=limit)


def test_smooth_models_have_no_modes_and_no_line_in_the_report():
    system = mass(lambda x, v: -100.0 * x)
    equation = switching(system, {}, {})
    assert equation.rates is state_kernel(system, {}, {})
    assert equation.watched({}, np.zeros(0)) is equation.modes(np.zeros(0)) is None
    sol = jd.simulate(system, 0.5, start={"x": 1.0})
    assert sol.statistics.kinks == sol.statistics.unwatched_kinks == 0
    assert "kinks" not in str(sol)


def test_counts_of_kinks_are_kept_in_files(tmp_path, rattle):
    sol = jd.simulate(rattle, 0.5, start={"x": 0.4})
    sol.save(tmp_path / "run.nc")
    assert jd.load(tmp_path / "run.nc").statistics == sol.statistics


def hanging(n: int, *, is_closed: bool) -> jd.Model:
    """Chain with a rope that pulls when it is taut, a drive, and at will a closed loop."""
    model = jd.Model("hanging")
    inner = model.world
    for k in range(n):
        rod = model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.3)))
        place = model.world if k == 0 else inner.at(0, 0, -0.3)
        model.add_joint(f"hinge{k}", place, rod, jd.Revolute("y"))
        inner = rod
    rope = jd.Law(lambda x, v: -jd.where(x > 0.5, 500.0 * (x - 0.5), 0.0))
    span = jd.Distance(model.world.at(0.1, 0, 0), inner.at(0, 0, -0.3))
    model.add_connection("rope", span, rope)
    if is_closed:
        model.add_connection("tie", jd.Coordinate("hinge0.angle"), jd.Equal(lambda t: 0.3 - t * t))
    return model


@pytest.mark.parametrize("is_closed", [False, True], ids=["tree", "constrained"])
@pytest.mark.parametrize("integrator", [jd.Dop853(), jd.Radau5()], ids=["explicit", "implicit"])
def test_loops_over_links_and_straight_code_pass_the_same_kinks(is_closed, integrator):
    model = hanging(3, is_closed=is_closed)
    start = {"hinge0.angle": 0.3, "hinge1.angle": 1.2, "hinge2.angle": -0.7}
    sols = [
        jd.simulate(jd.compile(model, execution=x), 0.4, start=start, method=integrator)
        for x in (Unrolled(), Looped())
    ]
    assert sols[0].statistics.kinks == sols[1].statistics.kinks > 1
    np.testing.assert_allclose(sols[0].q[-1], sols[1].q[-1], atol=1e-6)


def test_a_phase_by_an_implicit_method_is_resumed_to_the_last_bit(tmp_path):
    """Between two impacts, and from a file."""
    model = jd.Model("ball")
    model.add_coordinate("y", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("y"), jd.Law(lambda x, v: -9.81 - v * abs(v)))
    model.add_connection("floor", jd.Coordinate("y"), jd.Unilateral(restitution=0.8))
    system, method = jd.compile(model), jd.EventDriven(jd.Radau5())
    whole = jd.simulate(system, 1.0, start={"y": 0.5}, method=method)
    assert whole.statistics.kinks > 1
    part = jd.simulate(system, 0.45, start={"y": 0.5}, method=method)
    part.save(tmp_path / "part.nc")
    rest = jd.simulate(system, 1.0, resume=jd.load(tmp_path / "part.nc"))
    np.testing.assert_array_equal(rest.v[-1], whole.v[-1])
    assert rest.statistics.kinks == whole.statistics.kinks


def test_borders_follow_other_values_of_parameters():
    """In loops over links, constants of the kernels are those of the run."""
    model = jd.Model("two")
    length = jd.Parameter("length", 0.3)
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.3)))
    bob = model.add_body("bob", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("upper", model.world, rod, jd.Revolute("y"))
    model.add_joint("lower", rod.at(0, 0, -1.0 * length), bob, jd.Revolute("y"))
    rope = jd.Law(lambda x, v: -jd.where(x > 0.55, 500.0 * (x - 0.55), 0.0))
    model.add_connection("rope", jd.Distance(model.world.at(0.3, 0, 0), bob), rope)
    given = {"start": {"upper.angle": 0.4}, "parameters": {"length": 0.4}, "method": jd.Dop853()}
    sols = [
        jd.simulate(jd.compile(model, execution=x), 0.6, **given) for x in (Unrolled(), Looped())
    ]
    assert sols[0].statistics.kinks == sols[1].statistics.kinks > 0
    assert sols[1].statistics.rejected <= 3
    np.testing.assert_allclose(sols[0].q[-1], sols[1].q[-1], atol=1e-7)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("kink_modes", 0.5),
        ("kink_modes", -1e200),
        ("kink_modes", np.nan),
        ("kink_modes", 1.25),
        ("kink_counts", -1.0),
        ("kink_slides", 2.0),
        ("kink_passages", 0.5),
        ("kink_short_steps", -1e-5),
        ("kink_even_steps", 1e-320),
        ("kink_times", np.inf),
        ("event_sides", np.nan),
    ],
)
def test_changed_numbers_of_kinks_are_refused(rattle, name, number):
    """A mode is a whole number, or a quarter more where a kink slides in steps of some length."""
    part = jd.simulate(rattle, 0.3, start={"x": 0.4}, events={"low": lambda t, s: s["x"] - 0.1})
    numbers = {k: x.copy() for k, x in part.checkpoint.numbers.items()}
    numbers[name][:] = number
    if name == "kink_modes":
        numbers["kink_short_steps"][:] = 0.0
    part.checkpoint = dataclasses.replace(part.checkpoint, numbers=numbers)
    with pytest.raises(jd.ModelError, match="cannot be resumed"):
        jd.simulate(rattle, 0.5, resume=part, events={"low": lambda t, s: s["x"] - 0.1})
