"""Two inertias tied by b = a + 0.1 sin 2a: nothing else acts, so the energy gives the motion."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import jourdain as jd

END = 10.0
KINDS = {
    "Dopri5": jd.Dopri5,
    "Tsit5": jd.Tsit5,
    "Dop853": jd.Dop853,
    "Radau5": jd.Radau5,
    "Cvode": jd.Cvode,
    "Adams": lambda **given: jd.Cvode(is_stiff=False, **given),
    "Ida": jd.Ida,
}
START = {"a.rate": 5.0, "b.rate": 6.0}


@pytest.fixture(scope="module")
def system():
    def tie(at):
        a, b = at.coordinate("a"), at.coordinate("b")
        return b - a - 0.1 * jd.sin(2 * a)

    model = jd.Model("tied")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0)
    model.add_connection("tie", jd.Formula(tie, unit="rad"), jd.Equal())
    return jd.compile(model)


def exact(t):
    """Angle a [rad] at a time: (1 + b'(a)²) (da/dt)² stays what it is at the start."""

    def slowness(a):
        return np.sqrt(1.0 + (1.0 + 0.2 * np.cos(2 * a)) ** 2)

    speed = 5.0 * slowness(0.0)

    def missing(a):
        turns = np.floor(a / np.pi)
        whole, rest = quad(slowness, 0.0, np.pi, epsabs=1e-14)[0], a - turns * np.pi
        return turns * whole + quad(slowness, 0.0, rest, epsabs=1e-14)[0] - speed * t

    return brentq(missing, 0.0, 10.0 * t, xtol=1e-13)


def test_the_exact_angle():
    assert exact(END) == pytest.approx(55.10002192056, abs=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_results_do_not_depend_on_the_samples(system, kind):
    """A17: errors of SUNDIALS grew from 1e-8 to 3e-6 as samples became dense."""
    if kind in ("Cvode", "Adams", "Ida"):
        pytest.importorskip("sksundae")
    rtol, ends = 1e-10, []
    for spacing in (10.0, 1.0, 0.1, 0.01):
        method = KINDS[kind](rtol=rtol)
        sol = jd.simulate(system, END, start=START, method=method, sample=spacing)
        ends.append(sol.q[-1, 0])
        assert sol.statistics.steps > 100
    assert len(set(ends)) == 1
    assert abs(ends[0] - exact(END)) < 100 * rtol * exact(END)
    between = [exact(t) for t in sol.time[1:1000:111]]
    np.testing.assert_allclose(sol.q[1:1000:111, 0], between, rtol=200 * rtol)
    for name in ("position_errors", "velocity_errors"):
        assert np.abs(system.answers(name, sol.q, sol.v, t=sol.time)).max() < 1e-12
