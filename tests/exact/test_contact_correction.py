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


@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_rod_comes_to_rest_on_the_table(rod, bounce):
    start = {"z.value": 0.8, "angle.value": 0.4, "x.rate": 1.0}
    method = jd.MoreauJean(5e-3, is_corrected=True)
    sol = jd.simulate(
        rod, 4.0, start=start, parameters={"bounce": bounce}, integrator=method, sample=5e-3
    )
    assert np.abs(sol.q[-1, 1:]).max() <= 5e-8  # on the table, level
    assert np.abs(sol.v[-1]).max() <= 1e-12
    energy = sol.values("energy.total")
    # What rests has no rebound to pay with: it is lifted by no more than it fell in two steps.
    assert np.diff(energy).max() <= G * (0.5 * G * (2 * 5e-3) ** 2)
    assert energy[-1] == pytest.approx(0.0, abs=1e-6)


def test_ball_keeps_its_energy_to_rounding():
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), weight(1.0))
    law = jd.Unilateral(restitution=jd.Parameter("bounce", 1.0))
    model.add_connection("floor", jd.Coordinate("z"), law)
    system, method = jd.compile(model), jd.MoreauJean(1.1e-2, is_corrected=True)
    for bounce in (1.0, 0.5, 0.0):
        sol = jd.simulate(
            system, 4.0, start={"z.value": 1.0}, parameters={"bounce": bounce}, sample=1.1e-2,
            integrator=method,
        )  # fmt: skip
        energy, balance = sol.values("energy.total"), energy_balance(sol)
        assert np.diff(energy).max() <= 1e-12
        assert abs(balance.residual) <= 1e-12
        if bounce < 1.0:
            assert -2.1e-8 <= sol.q[-1, 0] <= 0.0
        else:
            assert energy[-1] == pytest.approx(G, rel=1e-12)
