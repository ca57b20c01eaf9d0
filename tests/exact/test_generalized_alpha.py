"""Generalized-α on a linear oscillator: the recursion of Chung & Hulbert, and its damping."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

import jourdain as jd

RATES = (0.3, 20.0, 1e4)  # angular frequency times step


@pytest.fixture(scope="module")
def cart():
    model = jd.Model("rail")
    body = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    return jd.compile(model)


def spring(omega, damping=0.0):
    """Force on a mass of 1 kg."""

    def force(t, s):
        return -(omega**2) * s["slide.position"] - 2 * damping * omega * s["slide.velocity"]

    return {"slide.position": force}


def recursion(omega, damping, h, rho, steps):
    """Displacements and velocities by the equations of the paper, in thirty digits."""
    omega, damping, h, rho = (mp.mpf(x) for x in (omega, damping, h, rho))
    m, f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    g = 0.5 - m + f
    b = 0.25 * (1 - m + f) ** 2
    c, k = 2 * damping * omega, omega**2
    d, v = 1.0, 0.0
    a = -c * v - k * d
    states = [(d, v)]
    for _ in range(steps):
        # (1-m) a1 + m a + c ((1-f) v1 + f v) + k ((1-f) d1 + f d) = 0
        d_free, v_free = d + h * v + h**2 * (0.5 - b) * a, v + h * (1 - g) * a
        known = m * a + c * ((1 - f) * v_free + f * v) + k * ((1 - f) * d_free + f * d)
        a = -known / (1 - m + (1 - f) * (c * g * h + k * b * h**2))
        d, v = d_free + b * h**2 * a, v_free + g * h * a
        states.append((d, v))
    return np.array(states, dtype=float)


def steps_of(*given, **more):
    """All steps, those too that gain energy because they are far too long, which is an error."""
    try:
        return jd.simulate(*given, **more)
    except jd.IntegrationError as error:
        if "steps that are too long" not in str(error):
            raise
        return error.solution


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_steps_are_those_of_the_paper(cart, rho, rate, damping):
    h, steps = 0.01, 40
    sol = steps_of(
        cart, steps * h, start={"slide.position": 1.0}, inputs=spring(rate / h, damping),
        method=jd.GeneralizedAlpha(h, rho), sample=np.linspace(0.0, steps * h, steps + 1),
    )  # fmt: skip
    with mp.workdps(30):
        exact = recursion(rate / h, damping, h, rho, steps)
    scale = np.abs(exact).max(axis=0)
    np.testing.assert_allclose(np.hstack((sol.q, sol.v)) / scale, exact / scale, atol=1e-9)


@pytest.mark.parametrize("rho", [0.3, 0.6, 0.9])
def test_fast_vibrations_shrink_by_rho(cart, rho):
    """The spectral radius at infinity is the parameter; double root, so steps times its power."""
    h, steps = 0.01, 60
    sol = jd.simulate(
        cart, steps * h, start={"slide.position": 1.0}, inputs=spring(1e6 / h),
        method=jd.GeneralizedAlpha(h, rho), sample=np.linspace(0.0, steps * h, steps + 1),
    )  # fmt: skip
    late = np.abs(sol.q[-20:, 0])
    ratio = (late[-1] / late[0]) ** (1 / 19)
    assert ratio == pytest.approx(rho, rel=0.06)


def test_without_damping_the_energy_stays(cart):
    omega, h = 3.0, 0.05
    sol = jd.simulate(
        cart, 500.0, start={"slide.position": 1.0}, inputs=spring(omega),
        method=jd.GeneralizedAlpha(h, rho=1.0), sample=0.5,
    )  # fmt: skip
    energy = 0.5 * (sol.v[:, 0] ** 2 + omega**2 * sol.q[:, 0] ** 2)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)


def test_a_stiff_spring_does_not_shorten_the_step(cart):
    """Pushed slowly, the cart creeps along the curve where the stiff spring balances the push."""
    k, d = 1e8, 1e5

    def force(t, s):
        return k * (jd.sin(t) - s["slide.position"]) - d * (s["slide.velocity"] - jd.cos(t))

    sol = jd.simulate(
        cart, 6.0, start={"slide.velocity": 1.0}, inputs={"slide.position": force},
        method=jd.GeneralizedAlpha(0.01), sample=0.1,
    )  # fmt: skip
    # The mass is accelerated by -sin t, for which the spring gives by 1/k of it.
    np.testing.assert_allclose(sol.q[:, 0], np.sin(sol.time), atol=1e-6)
    assert sol.statistics.steps == 600
