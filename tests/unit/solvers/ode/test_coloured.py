"""Jacobians by blocks with constraints: those of dense matrices, and differences."""

from itertools import pairwise

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.simulate import begun, stepper_for
from jourdain.codegen.kernel import Pattern
from jourdain.solvers.ode import banded
from jourdain.solvers.ode.banded import AT_COLOURS, AT_COLUMNS, N_COLOURS, closed_table

METHODS = [jd.Radau5(rtol=1e-9), jd.GeneralizedAlpha(1e-3), jd.Gauss4(1e-3), jd.Cvode(), jd.Ida()]


def machine(seed, n=6):
    """Four-bars, whose rows repeat, tied coordinates, a ball on a rod, laws with states."""
    rng = np.random.default_rng(seed)
    model, start = jd.Model("machine"), {}
    bar = jd.solid.box(mass=1.0, size=(1.0, 0.05, 0.05))
    for a in range(n):
        crank, coupler, rocker = (model.add_body(f"{x}_{a}", bar) for x in "abc")
        base, other = model.world.at(3.0 * a, 0, 0), model.world.at(3.0 * a + 1.0, 0, 0)
        model.add_joint(f"main_{a}", base, crank.at(-0.5, 0, 0), jd.Revolute("y"))
        model.add_joint(f"pin_{a}", crank.at(0.5, 0, 0), coupler.at(-0.5, 0, 0), jd.Revolute("y"))
        model.add_joint(f"pivot_{a}", other, rocker.at(-0.5, 0, 0), jd.Revolute("y"))
        ends = coupler.at(0.5, 0, 0), rocker.at(0.5, 0, 0)
        model.add_joint(f"last_{a}", *ends, jd.Revolute("y"))
        law = jd.Spring(rng.uniform(100.0, 1e4), free=0.9) + jd.Damper(rng.uniform(1.0, 10.0))
        model.add_connection(f"spring_{a}", jd.Coordinate(f"pin_{a}.angle"), law)
        angle, rate = rng.uniform(0.5, 1.2), rng.uniform(-2.0, 2.0)
        start |= {f"main_{a}.angle": -angle, f"pin_{a}.angle": angle, f"pivot_{a}.angle": -angle}
        start |= {f"main_{a}.rate": rate, f"pin_{a}.rate": -rate, f"pivot_{a}.rate": rate}
        first, second = (model.add_coordinate(f"{x}_{a}", rng.uniform(0.5, 2.0)) for x in "xy")
        ratio = rng.uniform(0.3, 3.0)
        pair = jd.Coordinate(first) - ratio * jd.Coordinate(second)
        model.add_connection(f"gear_{a}", pair, jd.Equal())
        soft = jd.Maxwell(rng.uniform(10.0, 100.0), rng.uniform(1.0, 5.0))
        model.add_connection(f"soft_{a}", jd.Coordinate(first), soft)
        start |= {f"x_{a}.rate": ratio * rate, f"y_{a}.rate": rate}
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_connection("rod", jd.Distance(ball.at(0.05, 0, 0), model.world), jd.Equal(1.0))
    start |= {"ball.position": (0.95, 0.0, 0.0), "ball.angular_velocity": (0.3, 1.0, -0.5)}
    return model, start


def run_of(system, start, method):
    """Integration that stands at its start."""
    stepper = stepper_for(system, 0.05, method=method, start=start)
    task = stepper.task
    stepper.begin(begun(task, start), task.span.begin, np.zeros(len(task.sampled.u)))
    return stepper


@pytest.fixture
def dense(monkeypatch):
    """Function that has dense matrices taken from now on."""

    def take():
        monkeypatch.setattr(banded, "_WIDEST", -1.0)
        banded.table_of.cache_clear()
        banded.closed_table.cache_clear()

    yield take
    banded.table_of.cache_clear()
    banded.closed_table.cache_clear()


@pytest.mark.parametrize("seed", range(3))
def test_blocks_are_those_of_the_dense_matrix_and_of_differences(seed, dense):
    pytest.importorskip("sksundae")
    model, start = machine(seed)
    system = jd.compile(model)
    run = run_of(system, start, jd.Ida()).run
    band, n = run._band, len(run.y)
    assert band is not None
    found = np.zeros((n, n))
    order = run._order
    found[order[band.rows], order[band.columns]] = run._slopes_at(0.0, run.y[order])
    dense()
    other = run_of(system, start, jd.Ida()).run
    assert other._band is None
    exact = other._slopes_at(0.0, other.y).copy()
    np.testing.assert_allclose(found, exact, rtol=1e-6, atol=1e-6 * np.abs(exact).max())
    step, slopes = 1e-6, np.empty((n, n))
    for k in range(n):
        ends = (other.y + s * step * np.eye(n)[k] for s in (1, -1))
        ahead, behind = (other._rates_at(0.0, y).copy() for y in ends)
        slopes[:, k] = (ahead - behind) / (2 * step)
    found[:, system.names.q.index("ball.orientation.w")] = 0.0  # its length: stages keep that at 1
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-5 * np.abs(exact).max())


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_methods_move_as_with_dense_matrices(method, dense):
    if isinstance(method, jd.Cvode | jd.Ida):
        pytest.importorskip("sksundae")
    model, start = machine(7)
    system = jd.compile(model)
    found = jd.simulate(system, 0.05, start=start, method=method).final
    dense()
    expected = jd.simulate(system, 0.05, start=start, method=method).final
    limit = 1e-6 if isinstance(method, jd.Cvode | jd.Ida) else 1e-9
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=limit, abs=limit), name


def test_blocks_join_what_rates_or_corrections_couple():
    m = 12  # q first, then v; rates couple q with its v, corrections the pairs (0, 1), (2, 3), …
    rates = Pattern(2 * m, np.arange(m), np.arange(m) + m)
    tied = Pattern(2 * m, np.arange(0, m, 2), np.arange(1, m, 2))
    form = closed_table(rates, tied, m)
    starts = form[form[AT_COLOURS] :][: form[N_COLOURS] + 1]
    columns = form[form[AT_COLUMNS] :][: 2 * m].tolist()
    colours = [columns[a:b] for a, b in pairwise(starts)]
    assert colours == [list(range(first, first + m, 2)) for first in (0, 1, m, m + 1)]
    whole = Pattern(2 * m, np.arange(2 * m - 1), np.arange(1, 2 * m))
    assert closed_table(rates, whole, m)[N_COLOURS] == 0
