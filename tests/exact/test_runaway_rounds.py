"""Rounds of a time step whose forces run away: the step is halved, and never taken as it is."""

import numpy as np
import pytest

import jourdain as jd


def pushed(k):
    """A mass that is pushed against a drag with the square of its speed."""
    model = jd.Model("drag", gravity=(0, 0, 0))
    model.add_coordinate("x", inertia=1.0, unit="m")
    model.add_connection("push", jd.Coordinate("x"), jd.Force(1.0))
    model.add_connection("drag", jd.Coordinate("x"), lambda x, v: -k * v * jd.math.absolute(v))
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(1e3, "below"))
    return model


METHODS = pytest.mark.parametrize("kind", [jd.MoreauJean, jd.NonsmoothAlpha])


@METHODS
@pytest.mark.parametrize("k", [1e3, 1e5])
def test_one_long_step_is_sane(k, kind):
    """The speed tends to √(F/k) in √(m²/(F k)): a step from rest is far too long, and is halved."""
    sol = jd.simulate(pushed(k), 0.1, method=kind(0.1), sample=0.1)
    assert 0.0 < sol.final["x.rate"] < 3.0 * np.sqrt(1.0 / k)
    assert sol.statistics.rejected > 0


@METHODS
def test_what_does_not_settle_is_told(kind):
    with pytest.raises(jd.IntegrationError, match="do not settle"):
        jd.simulate(pushed(1e12), 0.1, method=kind(0.1), sample=0.1)


@METHODS
def test_short_steps_are_exact(kind):
    """The speed is v∞ tanh(t/T)."""
    sol = jd.simulate(pushed(1e3), 0.1, method=kind(1e-3), sample=0.01)
    slow = np.sqrt(1e-3)
    expected = slow * np.tanh(sol.time / slow)
    np.testing.assert_allclose(sol.values("x.rate"), expected, atol=3e-3 * slow)
