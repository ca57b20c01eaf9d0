"""Overlaps at the end of a step: what will not rebound is closed at once, rebounds wait."""

import numpy as np
import pytest

import jourdain as jd

H, SPEED = 1e-2, 1.0


def fall(restitution):
    """A mass without forces that flies against a stop."""
    model = jd.Model("fall", gravity=(0, 0, 0))
    x = model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("stop", jd.Coordinate(x), jd.Unilateral(restitution=restitution))
    start = {"x": 0.1 - 0.3 * H * SPEED, "x.rate": -SPEED}
    return jd.simulate(model, 0.2, method=jd.MoreauJean(H), start=start, sample=H)


def test_what_will_not_rebound_shows_no_overlap():
    sol = fall(0.0)
    assert sol.values("x").min() >= -1e-15
    assert sol.values("x.rate")[-1] == 0.0
    (impact,) = (event for event in sol.events if event.kind == "impact")
    assert impact.details["energy"] == pytest.approx(-0.5 * 2.0 * SPEED**2)


def test_what_will_rebound_keeps_its_energy():
    sol = fall(1.0)
    assert sol.values("x").min() == pytest.approx(-0.3 * H * SPEED)
    np.testing.assert_allclose(np.abs(sol.values("x.rate")), SPEED, rtol=1e-12)
