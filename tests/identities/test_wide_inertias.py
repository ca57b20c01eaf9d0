"""What is held does not move, however far inertias are apart: networks of fluid columns.

Exact arithmetic tells the accelerations. A run is right, or it is refused by name.
"""

from fractions import Fraction

import numpy as np
import pytest
from oracles.rational import accelerations
from scipy.special import ellipk

import jourdain as jd

STEPS = [jd.MoreauJean(0.1), jd.NonsmoothAlpha(0.1)]
METHODS = [jd.EventDriven(), *STEPS]


def measure(row):
    total = None
    for i, factor in enumerate(row):
        if factor:
            part = factor * jd.Coordinate(f"x{i}")
            total = part if total is None else total + part
    return total


def network(M, P, f):
    model = jd.Model("network", gravity=(0, 0, 0))
    for i, (inertia, force) in enumerate(zip(M, f, strict=True)):
        model.add_coordinate(f"x{i}", float(inertia), unit="m^3")
        model.add_connection(f"f{i}", jd.Coordinate(f"x{i}"), jd.Force(float(force)))
    for k, row in enumerate(P):
        if any(row):
            model.add_connection(f"row{k}", measure(row), jd.Equal(0.0))
    return model


def with_valves(M, P, W, f):
    model = network(M, P, f)
    for k, row in enumerate(W):
        model.add_connection(f"valve{k}", jd.Rate(measure(row)), jd.Unilateral())
    return model


def random_network(rng, orders):
    n = int(rng.integers(3, 7))
    M = [Fraction(10) ** int(rng.integers(-orders, orders + 1)) * int(rng.integers(1, 9))
         for _ in range(n)]  # fmt: skip
    P = rng.integers(-1, 2, size=(int(rng.integers(1, n)), n)).tolist()
    if rng.random() < 0.4:
        P.append([a + b for a, b in zip(P[0], P[-1], strict=True)])  # repeats the others
    f = [Fraction(int(x), 10) for x in rng.integers(-20, 20, size=n)]
    return M, P, f


def rates(sol, n):
    return np.array([sol.final[f"x{i}.rate"] for i in range(n)])


def close(found, wanted):
    limit = 1e-6 * np.abs(wanted) + 1e-12 * np.abs(wanted).max()
    return bool(np.all(np.abs(found - wanted) <= limit))


@pytest.mark.parametrize("seed", range(12))
def test_motion_is_exact_over_twelve_orders(seed):
    M, P, f = random_network(np.random.default_rng(seed), 6)
    model, wanted = network(M, P, f), np.array(accelerations(M, P, f))
    assert close(rates(jd.simulate(model, 1.0), len(M)), wanted)


@pytest.mark.parametrize("seed", range(12))
def test_time_steps_are_exact_over_nine_orders(seed):
    M, P, f = random_network(np.random.default_rng(seed), 4)
    model, wanted = network(M, P, f), np.array(accelerations(M, P, f))
    for method in STEPS:
        assert close(rates(jd.simulate(model, 1.0, method=method), len(M)), wanted)


@pytest.mark.parametrize("seed", [4, 5, 7, 9, 10, 13, 15, 26, 41, 50, 51])
def test_time_steps_are_exact_or_refused_over_twenty_four_orders(seed):
    M, P, f = random_network(np.random.default_rng(seed), 12)
    wanted = np.array(accelerations(M, P, f))
    try:
        sol = jd.simulate(network(M, P, f), 1.0, method=jd.MoreauJean(0.1))
    except jd.SingularSystemError:  # its text has a test of its own in tests/messages
        return
    assert close(rates(sol, len(M)), wanted)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12, 1e-9, 1e-12])
def test_a_closed_check_valve_does_not_leak(ratio, method):
    """Flow through the valve is zero; the other two columns move together."""
    M, f = [1.0 / ratio, 1.0, 2.0], [-0.3, 1.0, 0.5]
    sol = jd.simulate(with_valves(M, [[1, 1, 1]], [[1, 0, 0]], f), 1.0, method=method)
    np.testing.assert_allclose(rates(sol, 3), [0.0, 0.5 / 3, -0.5 / 3], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_methods_agree_on_valves(seed):
    rng = np.random.default_rng(1000 + seed)
    n = int(rng.integers(3, 6))
    M = 10.0 ** rng.integers(-5, 6, size=n)
    P, W = (rng.integers(-1, 2, size=(k, n)).tolist() for k in (1, 2))
    model = with_valves(M, P, [row for row in W if any(row)], rng.integers(-20, 20, size=n) / 10)
    events, *steps = (rates(jd.simulate(model, 1.0, method=x), n) for x in METHODS)
    for found in steps:
        assert close(found, events)


@pytest.mark.parametrize("inertia", [1e-3, 1e-9, 1e-20])
def test_a_ball_on_a_bar_of_almost_no_inertia_is_a_pendulum(inertia):
    """Quarter of a period from the horizontal: K(sin 45°) √(l/g); energy gives the speed."""
    model = jd.Model("bar")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    bar = model.add_body("bar", jd.Inertia(inertia, moments=(inertia, inertia, inertia)))
    model.add_joint("free", model.world, ball, jd.Free())
    model.add_joint("one", model.world, bar, jd.Spherical())
    model.add_joint("two", bar.at(1, 0, 0), ball, jd.Spherical())
    quarter = ellipk(0.5) / np.sqrt(9.81)
    system = jd.compile(model, cut="two")
    sol = jd.simulate(system, quarter, start={"free.position": (1.0, 0.0, 0.0)})
    near = 10.0 * inertia + 1e-7
    np.testing.assert_allclose(sol.final["free.position"], [0.0, 0.0, -1.0], rtol=0, atol=near)
    np.testing.assert_allclose(
        sol.final["free.velocity"], [-np.sqrt(2 * 9.81), 0.0, 0.0], rtol=0, atol=10 * near
    )
