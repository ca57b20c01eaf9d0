"""Double pendulum for ten seconds against a reference of forty digits."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

import jourdain as jd

# Absolute angles and rates at t = 10 s of two point masses of 1 kg on massless rods of 1 m,
# g = 9.81 m/s², let go at rest with both rods horizontal. Computed by `reference` below with
# order 54 and 50 digits; order 36 with 40 digits agrees to 2e-30, order 28 with 28 digits to 6e-24.
REFERENCE = (
    "-0.5684746640159501887761137082633535198",
    "-0.5263937279324046983295541930504439624",
    "6.078384885761964854824997286516419746",
    "-9.681360681708878758076838526771012667",
)


@pytest.fixture(scope="module")
def system():
    model = jd.Model("double_pendulum", gravity=(0, 0, -9.81))
    upper = model.add_body("upper", jd.Inertia(1.0, com=(0, 0, -1)))
    lower = model.add_body("lower", jd.Inertia(1.0, com=(0, 0, -1)))
    model.add_joint("shoulder", model.world, upper, jd.Revolute("y"))
    model.add_joint("elbow", upper.at(0, 0, -1), lower, jd.Revolute("y"))
    return jd.compile(model)


def error(system, integrator):
    """Largest deviation at the end."""
    sol = jd.simulate(system, 10.0, start={"shoulder.angle": np.pi / 2}, method=integrator)
    a, b, da, db = (float(x) for x in REFERENCE)
    return np.abs(np.append(sol.q[-1], sol.v[-1]) - (a, b - a, da, db - da)).max()


def test_error_falls_with_the_tolerance(system):
    assert error(system, jd.Dop853(rtol=1e-13, atol=1e-14)) < 2e-11
    assert error(system, jd.Dop853(rtol=1e-10, atol=1e-12)) < 1e-7


def test_default_tolerances(system):
    assert error(system, None) < 1e-6 * 9.7  # relative to the largest of the state


@pytest.mark.parametrize(
    "integrator", [jd.Dopri5(rtol=1e-12, atol=1e-13), jd.Radau5(rtol=1e-10, atol=1e-11)], ids=str
)
def test_other_methods_reach_the_same_state(system, integrator):
    assert error(system, integrator) < 5e-9


def test_energy_balance_in_the_report(system):
    sol = jd.simulate(system, 10.0, start={"shoulder.angle": np.pi / 2})
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < 1e-6


# --- the reference --------------------------------------------------------------------


def product(a, b, k):
    """Coefficient k of the product of two series."""
    return mp.fdot(a[: k + 1], b[k::-1])


def series(y, order, g):
    """Taylor coefficients of angles and rates; textbook equations in absolute angles."""
    a, b, da, db = ([x] for x in y)
    difference = [a[0] - b[0]]
    waves = [([mp.sin(x[0])], [mp.cos(x[0])], x) for x in (difference, a, b)]
    (S, C, _), (A, *_), (B, *_) = waves
    squares, sides, tops, results = ([[], []] for _ in range(4))
    determinant = []
    for k in range(order):
        if k:
            for sine, cosine, x in waves:
                rates = [i * x[i] for i in range(1, k + 1)]
                up, down = mp.fdot(rates, cosine[k - 1 :: -1]), mp.fdot(rates, sine[k - 1 :: -1])
                sine.append(up / k)
                cosine.append(-down / k)
        for square, x in zip(squares, (da, db), strict=True):
            square.append(product(x, x, k))
        sides[0].append(-product(squares[1], S, k) - 2 * g * A[k])
        sides[1].append(product(squares[0], S, k) - g * B[k])
        determinant.append((2 if k == 0 else 0) - product(C, C, k))
        tops[0].append(sides[0][k] - product(C, sides[1], k))
        tops[1].append(2 * sides[1][k] - product(C, sides[0], k))
        for x, top in zip(results, tops, strict=True):
            known = mp.fdot(determinant[1 : k + 1], x[k - 1 :: -1]) if k else 0
            x.append((top[k] - known) / determinant[0])
        for x, rate in ((a, da), (b, db), (da, results[0]), (db, results[1])):
            x.append(rate[k] / (k + 1))
        difference.append(a[-1] - b[-1])
    return a, b, da, db


def reference(order, digits):
    """State at 10 s; steps of 1/e² of the radius of convergence (Jorba & Zou)."""
    with mp.workdps(digits):
        t, y = mp.mpf(0), [mp.pi / 2, mp.pi / 2, mp.mpf(0), mp.mpf(0)]
        while t < 10:
            found = series(y, order, mp.mpf("9.81"))
            # Of the last eight, because from rest only every fourth coefficient is there.
            sizes = [(k, max(abs(x[k]) for x in found)) for k in range(order - 7, order + 1)]
            h = min(*(size ** (-mp.mpf(1) / k) * mp.exp(-2) for k, size in sizes if size), 10 - t)
            y = [mp.fdot(x, [h**k for k in range(order + 1)]) for x in found]
            t += h
        return y


@pytest.mark.slow
def test_the_reference_is_computed_again():
    found = reference(order=28, digits=28)
    with mp.workdps(28):
        for x, stored in zip(found, REFERENCE, strict=True):
            assert abs(x - mp.mpf(stored)) < mp.mpf("1e-22")
