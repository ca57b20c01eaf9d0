"""Runs that are off are not called finished, whatever moves (A6); all others are."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.audit import energy_balance
from jourdain.simulation.checks.trust import require_balance
from jourdain.solvers.ode.integrators import all_integrators
from jourdain.testing import random_loop_model, random_model
from jourdain.testing.states import random_state

OFF = "more than its tolerance explains"


def pendulum(damping=0.0):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -1)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    if damping:
        model.add_connection("damper", jd.Coordinate("hinge.angle"), jd.Damper(damping))
    return model


def bouncing_ball():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_joint("free", model.world, ball, jd.Free())
    floor = jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Coulomb(0.3, restitution=0.5)
    model.add_contact("floor", *floor)
    return model


def braked(capacity=1.0):
    model = jd.Model("braked")
    model.add_coordinate("shaft", 1.0)
    model.add_connection("brake", jd.Coordinate("shaft"), jd.Interval(capacity))
    model.add_connection("motor", jd.Coordinate("shaft"), jd.Force(lambda t: 5.0 * t))
    return model


def faster(sol, factor=1.5):
    """The same run with faster velocities in its second half: energy from nowhere."""
    v = sol.v.copy()
    v[len(v) // 2 :] *= factor
    columns = sol.time, sol.q, v, sol.vdot, sol.tau, sol.extra, sol.contacts
    more = {"inputs": sol.inputs, "parameters": sol.parameters, "events": sol.events}
    return Solution(sol.system, *columns, statistics=sol.statistics, **more)


RUNS = {
    "tree": (pendulum, {"hinge.angle": 1.0}, None),
    "damped tree": (lambda: pendulum(0.1), {"hinge.angle": 1.0}, None),
    "contact": (bouncing_ball, {"free.position.z": 0.5, "free.velocity.x": 1.0}, None),
    "friction": (braked, {"shaft.rate": 3.0}, None),
    "stepped contact": (bouncing_ball, {"free.position.z": 0.5}, jd.MoreauJean(1e-3)),
    "stepped friction": (braked, {"shaft.rate": 3.0}, jd.MoreauJean(1e-3)),
    "alpha": (bouncing_ball, {"free.position.z": 0.5}, jd.NonsmoothAlpha(1e-3)),
    "fixed": (pendulum, {"hinge.angle": 1.0}, jd.RungeKutta4(1e-3)),
}
STEPPED = ("stepped contact", "stepped friction", "alpha", "fixed")


@pytest.mark.parametrize("name", RUNS)
def test_energy_from_nowhere_is_an_error(name):
    make, start, method = RUNS[name]
    sol = jd.simulate(make(), 1.0, start=start, method=method)
    used = method or (jd.EventDriven() if sol.system.has_contacts else jd.Dop853())
    require_balance(sol, used)
    off = faster(sol, 4.0 if name in STEPPED else 1.5)
    with pytest.raises(jd.IntegrationError, match=OFF) as caught:
        require_balance(off, used)
    assert not caught.value.solution.statistics.is_complete


def test_energy_that_goes_at_an_impact_names_its_contact() -> None:
    sol = jd.simulate(bouncing_ball(), 0.5, start={"free.position.z": 0.5}, method=jd.EventDriven())
    first = next(e for e in sol.events if e.kind == "impact")
    v = sol.v * np.where(sol.time >= first.time, 1.5, 1.0)[:, None]
    columns = sol.time, sol.q, v, sol.vdot, sol.tau, sol.extra, sol.contacts
    off = Solution(sol.system, *columns, statistics=sol.statistics, events=sol.events)
    where = f"where floor strikes at t = {first.time:.6g} s.*method=jd.MoreauJean"
    with pytest.raises(jd.IntegrationError, match=where):
        require_balance(off, jd.EventDriven())


def test_equal_steps_that_are_too_long_for_a_spring_are_an_error():
    """RK4 grows beyond |h ω| = 2.83; the energy stays a finite number all the same."""
    model = jd.Model("oscillator")
    model.add_coordinate("x", 1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(3.0**2))
    with pytest.raises(jd.IntegrationError, match=OFF):
        jd.simulate(model, 50.0, start={"x": 1e-3}, method=jd.RungeKutta4(1.0))


def pulse(width):
    """A mass that is pushed for so short a time [s] that samples do not see it."""
    model = jd.Model("pushed")
    model.add_coordinate("x", 1.0)
    force = jd.Force(lambda t: jd.where(abs(t - 0.50037) < 0.5 * width, 1.0 / width, 0.0))
    model.add_connection("push", jd.Coordinate("x"), force)
    return model


@pytest.mark.parametrize("width", [1e-4, 1e-6])
def test_work_between_samples_is_no_mistake(width):
    sol = jd.simulate(pulse(width), 1.0)
    assert sol.final["x.rate"] == pytest.approx(1.0, rel=1e-6)
    assert energy_balance(sol).largest > 0.4  # samples alone would tell a wrong story


def test_losses_between_samples_are_no_mistake():
    """A penalty spring with a damper: each bounce takes a tenth of a millisecond."""
    model = jd.Model("bouncer")
    model.add_coordinate("x", 1.0)
    floor = jd.Law(lambda x, v: jd.where(x < 0.0, -1e9 * x - 1e4 * v, 0.0))
    model.add_connection("floor", jd.Coordinate("x"), floor)
    model.add_connection("weight", jd.Coordinate("x"), jd.Force(-9.81))
    sol = jd.simulate(model, 1.0, start={"x": 0.1})
    assert sol.statistics.status == "finished"
    assert energy_balance(sol).largest > 0.1


def test_a_mistake_between_samples_that_work_hides_is_found():
    sol = jd.simulate(pulse(1e-4), 1.0, sample=0.01)
    again = _again(sol)
    require_balance(sol, jd.Dop853(), again)
    with pytest.raises(jd.IntegrationError, match=OFF):
        require_balance(faster(sol, 3.0), jd.Dop853(), again)


def test_calls_between_samples_are_no_mistake():
    """A controller that is called ten times between two samples: nobody can call it again."""
    push = jd.Sampled(lambda t: float(np.sin(300.0 * t)), 1e-3)
    sol = jd.simulate(pendulum(), 0.1, inputs={"hinge.angle": push}, sample=0.01)
    assert sol.statistics.status == "finished"
    assert energy_balance(sol).largest > 0.01 * energy_balance(sol).supplied


def test_a_mistake_between_calls_of_a_controller_is_found_where_samples_are_dense():
    torque = jd.Sampled(lambda t: 3.0 * np.sin(9.0 * t), 0.005)
    sol = jd.simulate(pendulum(0.1), 2.0, inputs={"hinge.angle": torque}, sample=0.004)
    unknown = lambda k: None  # noqa: E731
    require_balance(sol, jd.Dop853(), unknown)
    with pytest.raises(jd.IntegrationError, match=OFF):
        require_balance(faster(sol, 3.0), jd.Dop853(), unknown)


def _again(sol):
    def again(k):
        times = float(sol.time[k]), float(sol.time[k + 1])
        return jd.simulate(sol.system, times, start=(sol.q[k], sol.v[k]))

    return again


@pytest.mark.parametrize("rate", [1e155, 1e200])
@pytest.mark.parametrize("method", [None, jd.RungeKutta4(1e-3)], ids=str)
def test_finished_runs_have_finite_energies(rate, method):
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 1.0)
    with pytest.raises(jd.IntegrationError, match="energy is not finite at t = 0 s"):
        jd.simulate(model, 1.0, start={"shaft.rate": rate}, method=method)


# -- no false alarms ---------------------------------------------------------------------------

METHODS = [None, *all_integrators()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_no_integrator_is_blamed_on_random_trees(method):
    """Drives, armatures, parameters and all kinds of joints; defaults and steps of 1 ms."""
    for seed in range(4):
        system = jd.compile(random_model(seed, 4))
        q, v, _, t = random_state(system, np.random.default_rng(seed))
        sol = jd.simulate(system, (t, t + 0.3), start=(q, v), method=method)
        assert sol.statistics.status == "finished"


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_no_integrator_is_blamed_on_random_loops(method):
    model, start, t = random_loop_model(3, 4)
    sol = jd.simulate(model, (t, t + 0.2), start=start, method=method)
    assert sol.statistics.status == "finished"
