"""Time steps with corrected positions: nothing overlaps at rest, rebounds gain no energy."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results.audit import energy_balance

G = 9.81


def weight(mass):
    return jd.Law(lambda x: -mass * G + 0.0 * x, potential=lambda x: mass * G * x)


@pytest.fixture(scope="module")
def rod():
    """A rod of 1 m and 1 kg above a table, with friction at both ends."""
    model = jd.Model("rod", gravity=(0.0, 0.0, 0.0))
    for name, inertia in (("x", 1.0), ("z", 1.0), ("angle", 1 / 12)):
        model.add_coordinate(name, inertia, unit="rad" if name == "angle" else "m")
    model.add_connection("weight", jd.Coordinate("z"), weight(1.0))
    law = jd.Coulomb(0.3, restitution=jd.Parameter("bounce", 0.5))

    def end(side):
        gap = jd.Formula(lambda at: at.coordinate("z") + side * jd.sin(at.coordinate("angle")))
        slip = jd.Formula(lambda at: at.coordinate("x") + side * jd.cos(at.coordinate("angle")))
        return jd.Touch(gap, slip)

    model.add_connection("left", end(-0.5), law)
    model.add_connection("right", end(0.5), law)
    return jd.compile(model)


METHODS = [
    (jd.MoreauJean(5e-3), 5e-8),  # it leaves 1e-8 m
    (jd.NonsmoothAlpha(5e-3), 4e-12),
]


@pytest.mark.parametrize(("method", "overlap"), METHODS, ids=["moreau_jean", "alpha"])
@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_rod_comes_to_rest_on_the_table(rod, bounce, method, overlap):
    start = {"z.value": 0.8, "angle.value": 0.4, "x.rate": 1.0}
    sol = jd.simulate(
        rod, 2.5, start=start, parameters={"bounce": bounce}, method=method, sample=5e-3
    )
    assert np.abs(sol.q[-1, 1:]).max() <= overlap  # on the table, level
    assert np.abs(sol.v[-1]).max() <= 1e-12
    energy = sol.values("energy.total")
    # What rests has no rebound to pay with: it is lifted by no more than it fell in two steps.
    assert np.diff(energy).max() <= G * (0.5 * G * (2 * 5e-3) ** 2)
    assert energy[-1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("method", "overlap"),
    [(jd.MoreauJean(1.1e-2), 2.1e-8), (jd.NonsmoothAlpha(4.4e-2), 1e-12)],
    ids=["moreau_jean", "alpha"],
)
def test_ball_keeps_its_energy_to_rounding(method, overlap):
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), weight(1.0))
    law = jd.Unilateral(restitution=jd.Parameter("bounce", 1.0))
    model.add_connection("floor", jd.Coordinate("z"), law)
    system = jd.compile(model)
    for bounce in (1.0, 0.5, 0.0):
        sol = jd.simulate(
            system, 4.0, start={"z.value": 1.0}, parameters={"bounce": bounce}, sample=method.dt,
            method=method,
        )  # fmt: skip
        energy, balance = sol.values("energy.total"), energy_balance(sol)
        assert np.diff(energy).max() <= 1e-12
        assert abs(balance.residual) <= 1e-12
        if bounce < 1.0:
            assert -overlap <= sol.q[-1, 0] <= 1e-15
        else:
            assert energy[-1] == pytest.approx(G, rel=1e-12)


def test_ball_follows_the_exact_path_through_its_impacts():
    """Steps of order two place an impact where it was: under constant forces it is exact."""
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), weight(1.0))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.8))
    system, start = jd.compile(model), {"z.value": 1.0}
    exact = jd.simulate(system, 2.0, start=start, sample=0.1)
    sol = jd.simulate(system, 2.0, start=start, sample=0.1, method=jd.NonsmoothAlpha(0.02))
    for t in np.arange(0.1, 2.05, 0.1):
        k, j = np.argmin(np.abs(exact.time - t)), np.argmin(np.abs(sol.time - t))
        assert sol.q[j, 0] == pytest.approx(exact.q[k, 0], abs=1e-10)
    expected = [event.time for event in exact.events]
    np.testing.assert_allclose([event.time for event in sol.events], expected, atol=0.02)
