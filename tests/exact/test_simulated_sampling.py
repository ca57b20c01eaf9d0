"""Sampled controllers against the exact solution in discrete time."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance
from jourdain.solvers import all_integrators

MASS, PERIOD, N = 2.0, 0.05, 60
GAINS = np.array((12.0, 5.0))


@pytest.fixture(scope="module")
def cart():
    model = jd.Model("rail")
    body = model.add_body("cart", jd.solid.ball(mass=MASS, radius=0.1))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    return jd.compile(model)


def discrete(y):
    """States at the calls, and the forces held between them: exact for a constant force."""
    A = np.array([[1.0, PERIOD], [0.0, 1.0]])
    b = np.array([0.5 * PERIOD**2, PERIOD]) / MASS
    states, forces = [np.array(y)], []
    for _ in range(N):
        forces.append(-GAINS @ states[-1])
        states.append(A @ states[-1] + b * forces[-1])
    return np.array(states), np.array(forces)


def controller(t, s):
    return -float(GAINS @ (s["slide.position"], s["slide.velocity"]))


@pytest.mark.parametrize(
    "integrator",
    [x for x in all_integrators() if x.order > 1],  # exact for parabolas
    ids=lambda x: type(x).__name__,
)
def test_feedback_is_the_discrete_system(cart, integrator):
    sol = jd.simulate(
        cart, N * PERIOD, start={"slide.position": 0.4}, method=integrator,
        sample=np.linspace(0.0, N * PERIOD, N + 1),
        inputs={"slide.position": jd.Sampled(controller, PERIOD)},
    )  # fmt: skip
    states, forces = discrete((0.4, 0.0))
    np.testing.assert_allclose(np.hstack((sol.q, sol.v)), states, atol=1e-12)
    np.testing.assert_allclose(sol.tau[:-1, 0], forces, atol=1e-11)


def test_forces_are_held_between_the_calls(cart):
    sol = jd.simulate(
        cart, N * PERIOD, start={"slide.position": 0.4}, sample=PERIOD / 4,
        inputs={"slide.position": jd.Sampled(controller, PERIOD)},
    )  # fmt: skip
    _, forces = discrete((0.4, 0.0))
    np.testing.assert_allclose(sol.tau[:, 0], np.repeat(forces, 5), atol=1e-11)


def test_jumps_are_there_twice(cart):
    """Left and right of a jump: the time and the state are one, force and acceleration two."""
    sol = jd.simulate(
        cart, N * PERIOD, start={"slide.position": 0.4}, sample=PERIOD,
        inputs={"slide.position": jd.Sampled(controller, PERIOD)},
    )  # fmt: skip
    states, forces = discrete((0.4, 0.0))
    pairs = [x.reshape(N, 2, -1) for x in (sol.time, sol.q, sol.v, sol.tau, sol.vdot)]
    for pair, exact in zip(pairs[:3], (PERIOD * np.arange(N + 1), *states.T), strict=True):
        np.testing.assert_allclose(pair[:, 0, 0], exact[:-1], atol=1e-12)
        np.testing.assert_allclose(pair[:, 1, 0], exact[1:], atol=1e-12)
    for pair, exact in zip(pairs[3:], (forces, forces / MASS), strict=True):
        np.testing.assert_allclose(pair[:, :, 0], np.column_stack((exact, exact)), atol=1e-11)
    assert sol.at(10 * PERIOD).values("slide.applied_force") == pytest.approx(forces[10])
    balance = energy_balance(sol)  # power is linear between jumps
    assert balance.residual == pytest.approx(0.0, abs=1e-13)
    assert "59 discontinuities" in str(sol)


def test_an_integrating_controller_removes_the_offset(cart):
    """A constant push of 3 N, removed by plain Python with memory."""
    total = 0.0

    def integrating(t, s):
        nonlocal total
        total += PERIOD * s["slide.position"]
        return controller(t, s) - 8.0 * total

    push = {"slide.position": lambda t: 3.0, "slide.velocity": jd.Sampled(integrating, PERIOD)}
    sol = jd.simulate(cart, 60.0, inputs=push)
    assert abs(sol.final["slide.position"]) < 1e-6
    assert -8.0 * total == pytest.approx(-3.0, abs=1e-5)


def test_two_rates_at_once(cart):
    """Pulses of period 0.3 and 0.2 s: the velocity is the sum of what was held."""
    first, second = np.array((1.0, -2.0, 4.0)), np.array((0.5, 1.5, -1.0, 2.0))
    sol = jd.simulate(
        cart, 0.8, sample=0.1,
        inputs={
            "slide.position": jd.Sampled(lambda t: first[int(t / 0.3 + 1e-9)], 0.3),
            "slide.velocity": jd.Sampled(lambda t: second[int(t / 0.2 + 1e-9)], 0.2),
        },
    )  # fmt: skip
    middles = 0.1 * np.arange(8) + 0.05
    held = first[(middles / 0.3).astype(int)] + second[(middles / 0.2).astype(int)]
    velocity = np.append(0.0, np.cumsum(held) * 0.1 / MASS)
    twice = [k for k in range(1, 8) if k % 3 == 0 or k % 2 == 0]
    np.testing.assert_allclose(sol.v[:, 0], np.insert(velocity, twice, velocity[twice]), atol=1e-13)
