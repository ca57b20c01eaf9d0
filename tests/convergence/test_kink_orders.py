"""Measured order of every integrator across kinks: a piecewise linear oscillator."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import all_integrators

SOFT, HARD = 1.0, 3.0  # [rad/s] on either side
START = 1.0  # [m/s] at x = 0
END = 7.7  # [s] after four passages


def exact(t: float) -> tuple[float, float]:
    """Half sines of two frequencies in turn."""
    t %= np.pi / SOFT + np.pi / HARD
    if t < np.pi / SOFT:
        return START / SOFT * np.sin(SOFT * t), START * np.cos(SOFT * t)
    t -= np.pi / SOFT
    return -START / HARD * np.sin(HARD * t), -START * np.cos(HARD * t)


@pytest.fixture(scope="module")
def system() -> jd.System:
    model = jd.Model("oscillator")
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Law(lambda x, v: -x * jd.where(x > 0.0, SOFT**2, HARD**2))
    model.add_connection("law", jd.Coordinate("x"), law)
    return jd.compile(model)


def error(system, method):
    sol = jd.simulate(system, END, start={"x.rate": START}, method=method, sample=[0.0, END])
    assert sol.statistics.kinks == 3
    x, v = exact(END)
    return float(np.hypot(sol.final["x"] - x, sol.final["x.rate"] - v))


FIXED = [x for x in all_integrators() if hasattr(x, "dt")]
FREE = [x for x in all_integrators() if not hasattr(x, "dt")]


@pytest.mark.parametrize("integrator", FIXED, ids=lambda x: type(x).__name__)
def test_a_fixed_step_keeps_its_order_across_kinks(system, integrator):
    steps = 0.05 / 2.0 ** np.arange(4)
    errors = [error(system, dataclasses.replace(integrator, dt=dt)) for dt in steps]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert order > integrator.order - 0.25, errors


@pytest.mark.parametrize("integrator", FREE, ids=lambda x: type(x).__name__)
def test_a_controlled_step_keeps_its_tolerance_across_kinks(system, integrator):
    """The error follows the tolerance, and few steps are rejected."""
    tolerances = np.array([1e-5, 1e-7, 1e-9])
    methods = [dataclasses.replace(integrator, rtol=r, atol=1e-2 * r) for r in tolerances]
    errors = np.array([error(system, method) for method in methods])
    assert (errors < 50 * tolerances).all(), errors
    sol = jd.simulate(system, END, start={"x.rate": START}, method=methods[-1])
    assert sol.statistics.rejected <= 10
