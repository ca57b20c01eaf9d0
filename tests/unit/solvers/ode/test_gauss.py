from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd
from jourdain.solvers.ode import gauss


def test_the_transformation_decouples_the_stages():
    """T⁻¹ A⁻¹ T is the rotation-like block of the eigenvalue 3 ± i √3."""
    numbers, _ = gauss.coefficients()
    T, Ti = numbers[gauss.AT_T :][:4].reshape(2, 2), numbers[gauss.AT_TI :][:4].reshape(2, 2)
    inverse = numbers[gauss.AT_AI :][:4].reshape(2, 2)
    re, im = numbers[gauss.AT_MU :][:2]
    np.testing.assert_allclose([re, abs(im)], [3.0, np.sqrt(3.0)])
    np.testing.assert_allclose(Ti @ inverse @ T, [[re, -im], [im, re]], atol=1e-14)


@pytest.mark.parametrize("dt", [1e-1, 1e-2, 1e-3])
def test_what_comes_to_rest_away_from_zero_stays_there(dt):
    """A16: 1 kg on 100 N/m about 1 m with 50 N s/m stopped the run at 4.45 s."""
    model = jd.Model("rest")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("s", jd.Coordinate("x"), jd.Spring(100.0, free=1.0) + jd.Damper(50.0))
    sol = jd.simulate(model, 60.0, start={"x.value": 1.1}, method=jd.Gauss4(dt), sample=60.0)
    assert sol.q[-1, 0] == pytest.approx(1.0, abs=1e-12)
    assert sol.v[-1, 0] == pytest.approx(0.0, abs=1e-11)


@pytest.fixture(scope="module")
def chain():
    """Twenty masses of 1 kg on 1e6 N/m and 1e5 N s/m, and the matrix of their state equation."""
    model, n = jd.Model("chain"), 20
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        before = jd.Coordinate(f"x{k}") - jd.Coordinate(f"x{k - 1}") if k else jd.Coordinate("x0")
        model.add_connection(f"s{k}", before, jd.Spring(1e6) + jd.Damper(1e5))
    K = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    K[-1, -1] = 1.0
    return jd.compile(model), np.block([[np.zeros((n, n)), np.eye(n)], [-1e6 * K, -1e5 * K]])


@pytest.mark.parametrize(("dt", "error"), [(1e-2, 3e-5), (1e-3, 1e-7), (1e-4, 1e-11)])
def test_a_stiff_chain(chain, dt, error):
    """A7: rates of up to 4e5 /s; the step is thousands of times longer than they last."""
    system, A = chain
    y = np.zeros(40)
    y[19] = 0.1
    start = {"x19.value": 0.1}
    sol = jd.simulate(system, 1.0, start=start, method=jd.Gauss4(dt), sample=[0.0, 0.1, 1.0])
    for k, t in enumerate(sol.time):
        np.testing.assert_allclose(sol.q[k], (expm(A * t) @ y)[:20], rtol=0, atol=error)


def test_a_jacobian_is_taken_where_it_pays(chain):
    """A soft system needs none; a stiff one needs one for all steps, as it is linear."""
    system, _ = chain
    stiff = jd.simulate(system, 0.1, start={"x19.value": 0.1}, method=jd.Gauss4(1e-3))
    assert stiff.statistics.rejected == 1
    assert stiff.statistics.evaluations < 2 * 3 * 100 + 40
    model = jd.Model("soft")
    model.add_coordinate("x", 1.0)
    model.add_connection("s", jd.Coordinate("x"), jd.Spring(1.0))
    soft = jd.simulate(model, 1.0, start={"x.value": 0.1}, method=jd.Gauss4(1e-2))
    assert soft.statistics.rejected == 0
