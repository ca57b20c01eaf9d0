"""Stiff chains of masses and springs, against the exponential of their matrix."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

import jourdain as jd

SOFT, STIFF = 1.0, 1e8  # [N/m]
STIFFNESS = (SOFT, STIFF, SOFT)
DAMPING = (0.1, 1e5, 0.1)  # [N s/m]
NAMES = ("a", "b", "c")


def forces():
    """Springs and dampers from the wall through the masses, as functions of the state."""

    def force(k):
        def value(t, s):
            total = 0.0
            for i, sign in ((k, -1.0), (k + 1, 1.0)):
                if i < len(NAMES):
                    inner = (
                        s[f"{NAMES[i - 1]}.{x}"] if i else 0.0 for x in ("position", "velocity")
                    )
                    outer = (s[f"{NAMES[i]}.{x}"] for x in ("position", "velocity"))
                    length, rate = (o - n for o, n in zip(outer, inner, strict=True))
                    total = total + sign * (STIFFNESS[i] * length + DAMPING[i] * rate)
            return total

        return value

    return {f"{name}.position": force(k) for k, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def system():
    model = jd.Model("chain")
    for name in NAMES:
        mass = model.add_body(f"mass_{name}", jd.solid.ball(mass=1.0, radius=0.1))
        model.add_joint(name, model.world, mass, jd.Prismatic("x"))
    return jd.compile(model)


def exact(t, y):
    """State of the linear system at a time, in digits that bear squaring it 30 times."""
    B = np.eye(3) - np.eye(3, k=-1)  # lengths of the springs from positions
    K, D = (B.T @ np.diag(c) @ B for c in (STIFFNESS, DAMPING))
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-K, -D]])
    with mp.workdps(50):
        return np.array(mp.expm(mp.matrix(A) * t) * mp.matrix(y), dtype=float).ravel()


START = {"a.position": 0.1, "b.position": 0.1, "c.velocity": 1.0}


def state(sol):
    return np.append(sol.q[-1], sol.v[-1])


def test_the_stiff_method_is_chosen_and_takes_few_steps(system):
    sol = jd.simulate(system, 20.0, start=START, inputs=forces())
    assert sol.statistics.method.startswith("Radau5")
    assert "stiff" in sol.statistics.reason
    assert sol.statistics.steps < 1000  # an explicit one needs some 700 000 for its stability
    y = np.append(*system.state(START))
    np.testing.assert_allclose(state(sol), exact(20.0, y), atol=1e-8)


def test_a_start_that_excites_the_stiff_spring(system):
    start = START | {"b.position": 0.1001}
    sol = jd.simulate(system, 20.0, start=start, inputs=forces())
    assert sol.statistics.steps < 2000
    y = np.append(*system.state(start))
    np.testing.assert_allclose(state(sol), exact(20.0, y), atol=1e-8)


def test_tight_tolerances_pay(system):
    y = np.append(*system.state(START))
    tight = jd.Radau5(rtol=1e-10, atol=1e-12)
    sol = jd.simulate(system, 5.0, start=START, inputs=forces(), method=tight)
    np.testing.assert_allclose(state(sol), exact(5.0, y), atol=1e-10)
    assert sol.statistics.rejected < 0.01 * sol.statistics.steps  # rounding rejects nothing


def test_a_soft_chain_gets_the_explicit_method(system):
    inputs = {f"{name}.position": lambda t, s, n=name: -4.0 * s[f"{n}.position"] for name in NAMES}
    sol = jd.simulate(system, 5.0, start={"a.position": 0.1}, inputs=inputs)
    assert sol.statistics.method.startswith("Dop853")
    assert sol.values("a.position")[-1] == pytest.approx(0.1 * np.cos(10.0), abs=1e-7)


def test_a_fast_vibration_is_no_stiffness(system):
    """Undamped it must be followed, whatever the method."""
    inputs = {"a.position": lambda t, s: -1e8 * s["a.position"]}
    sol = jd.simulate(system, 0.01, start={"a.position": 1e-3}, inputs=inputs)
    assert sol.statistics.method.startswith("Dop853")
    assert sol.values("a.position")[-1] == pytest.approx(1e-3 * np.cos(100.0), abs=1e-8)
