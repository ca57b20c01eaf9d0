"""State update of generalised-α: motion without reactions, and impacts at their own time."""

import numpy as np
import pytest
from oracles.single_steps import SingleSteps

import jourdain as jd
from jourdain.solvers.timestep.results import DONE

G, H = 9.81, 0.02


def ball(e=0.0):
    model = jd.Model("ball", gravity=(0, 0, 0))
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-2.0 * G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=e))
    return model


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_a_spring_follows_the_recursion_of_generalised_alpha(rho):
    """Chung and Hulbert's method for v' = −ω² q, written down by its definition."""
    model, omega = jd.Model("spring", gravity=(0, 0, 0)), 30.0
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("spring", jd.Coordinate("z"), jd.Spring(2.0 * omega**2))
    model.add_connection("none", jd.Coordinate("z"), jd.Interval(0.0))
    steps = SingleSteps(model, H, jd.NonsmoothAlpha, rho=rho)
    steps.start([0.3], [1.0])
    a_m, a_f, gamma, beta = steps.method.numbers
    q, v, f = 0.3, 1.0, -(omega**2) * 0.3
    a = f
    part, known_part = (1.0 - a_f) / (1.0 - a_m), 1.0 / (1.0 - a_m)
    for _ in range(20):
        known = known_part * (a_f * f - a_m * a)
        ahead = q + H * v + H * H * ((0.5 - beta) * a + beta * known)
        f_new = -(omega**2) * ahead / (1.0 + H * H * beta * part * omega**2)
        a_new = known + part * f_new
        q += H * v + H * H * ((0.5 - beta) * a + beta * a_new)
        v += H * ((1.0 - gamma) * a + gamma * a_new)
        a, f = a_new, f_new
        assert steps.take() == DONE
        np.testing.assert_allclose([steps.q[0], steps.v[0]], [q, v], rtol=0, atol=1e-12)


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.93])
def test_an_impact_within_a_step_is_exact_under_constant_forces(e, part):
    fall, speed = part * H, 3.0
    height = speed * fall + 0.5 * G * fall**2
    steps = SingleSteps(ball(e), H, jd.NonsmoothAlpha)
    steps.start([height], [-speed])
    assert steps.take() == DONE
    hit, rest = speed + G * fall, H - fall
    v = max(0.0, e * hit - G * rest) if e else 0.0
    q = e * hit * rest - 0.5 * G * rest**2 if e else 0.0
    assert steps.v[0] == pytest.approx(v, abs=1e-13)
    assert steps.q[0] == pytest.approx(q, abs=1e-13)
    assert steps.step.has_impact == 1


def test_an_impact_leaves_no_echo():
    steps = SingleSteps(ball(0.4), H, jd.NonsmoothAlpha)
    steps.start([0.01], [-3.0])
    for _ in range(5):
        assert steps.take() == DONE
        assert steps.step.a[0] == pytest.approx(-G, rel=1e-13)
        assert steps.step.phi[0] == pytest.approx(-G, rel=1e-13)


def test_forces_at_the_end_of_a_step_continue_its_means():
    model = jd.Model("held", gravity=(0, 0, 0))
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("push", jd.Coordinate("z"), jd.Force(lambda t: -1.0 - 3.0 * t))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral())
    sol = jd.simulate(model, 0.2, method=jd.NonsmoothAlpha(H, 1.0), sample=H)
    # the first mean holds what began at the start and is not continued
    force = sol.values("floor.normal_force")[3:]
    np.testing.assert_allclose(force, 1.0 + 3.0 * sol.time[3:], rtol=1e-9)
