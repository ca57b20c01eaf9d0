"""Methods for contact on models without any, and times of equal steps."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

START = {"hinge.angle": 1.5}


@pytest.fixture(scope="module")
def system():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    return jd.compile(model)


def test_from_event_to_event_without_events(system):
    """A22: it is the integrator of the phases."""
    inner = jd.Dop853(rtol=1e-10)
    one, two = (
        jd.simulate(system, 1.0, start=START, method=method)
        for method in (jd.EventDriven(inner), inner)
    )
    np.testing.assert_array_equal(one.q, two.q)
    assert one.statistics.method == str(inner)


@pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_time_stepping_tends_to_the_smooth_motion(system, kind):
    """A22: of order two, as without contacts nothing jumps."""
    wanted = jd.simulate(system, 1.0, start=START, method=jd.Dop853(rtol=1e-12)).q[-1]
    errors = [
        np.abs(jd.simulate(system, 1.0, start=START, method=kind(dt)).q[-1] - wanted).max()
        for dt in (4e-3, 2e-3, 1e-3)
    ]
    assert errors[-1] < 2e-5
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.05)


@pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_time_stepping_goes_on(system, kind):
    whole = jd.simulate(system, 1.0, start=START, method=kind(1e-3))
    half = jd.simulate(system, 0.5, start=START, method=kind(1e-3))
    np.testing.assert_array_equal(jd.simulate(system, 1.0, resume=half).q[-1], whole.q[-1])


def test_time_stepping_keeps_no_partition(system):
    with pytest.raises(jd.ModelError, match="a method for contacts to move it"):
        jd.simulate(system, 1.0, method=jd.MoreauJean(1e-3), constraints=jd.Partition())


FIXED = [jd.RungeKutta4, jd.SemiImplicitEuler, jd.Gauss4, jd.GeneralizedAlpha]


@pytest.mark.parametrize("kind", [*FIXED, jd.MoreauJean, jd.NonsmoothAlpha])
def test_times_are_whole_steps_and_not_sums(system, kind):
    """A22: a sum of 0.1 + 0.1 + … misses 0.3 by rounding, and 1e4 steps miss by far more."""
    reached = []
    end = (0.0, 100.05)
    times = 0.1 * np.arange(1001)
    jd.simulate(
        system, end, method=kind(0.1), sample=times, progress=lambda t, h: reached.append(t)
    )
    reached = np.array(reached)
    assert len(reached) > 0
    whole = np.round(reached[reached < 100.0] / 0.1)
    np.testing.assert_array_equal(reached[reached < 100.0], whole * 0.1)
