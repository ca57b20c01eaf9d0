"""Coins that fall nearly flat: their lowest points run around the rims faster than any step."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

RADIUS, LENGTH, HEIGHT = 0.1, 0.002, 0.15


def fallen(tilt: float, method: jd.Method | None) -> jd.Solution:
    """Run of a thin coin that falls with a tilt, until it lies."""
    m = jd.Model("coin")
    coin = m.add_body("coin", jd.solid.cylinder(mass=1.0, radius=RADIUS, length=LENGTH))
    contour = jd.Cylinder(coin, RADIUS, LENGTH)
    m.add_contact("floor", jd.HalfSpace(m.world), contour, jd.Coulomb(0.5))
    turned = (np.cos(tilt / 2), np.sin(tilt / 2), 0.0, 0.0)
    start = {"coin.position": (0, 0, HEIGHT), "coin.orientation": turned}
    return jd.simulate(m, 0.4, start=start, method=method, sample=1e-3)


def require_lying(sol: jd.Solution, swing: float) -> None:
    """Require a coin that lies, and has gained no energy on the way."""
    assert sol.values("coin.position")[-1, 2] == pytest.approx(LENGTH / 2, abs=1e-9)
    energy = sol.values("energy.total")
    assert energy.max() <= (1.0 + swing) * 9.81 * HEIGHT


@pytest.mark.parametrize("tilt", [0.025, 0.2])
def test_coarse_steps_create_no_energy(tilt: float) -> None:
    """It was thrown up by 30 m, with an energy balance that closed."""
    require_lying(fallen(tilt, jd.MoreauJean(1e-3)), 0.06)


@pytest.mark.without_contact_check("lying flat, rounding moves its contacts around the rim")
def test_events_keep_the_energy_until_the_coin_slaps() -> None:
    """Rows that turn within rounding took half of it, without a word."""
    sol = fallen(0.2, jd.EventDriven())
    balance = sol.values("energy.total") - sol.values("work.contacts")
    np.testing.assert_allclose(balance, balance[0], atol=1e-8)
    slap = sol.time == next(e.time for e in sol.events if e.kind == "impact" and "2" in e.name)
    assert np.abs(sol.values("floor.1.normal_force")[slap]).max() < 100.0  # none without an end


@pytest.mark.slow
def test_the_default_comes_to_rest() -> None:
    """It stopped: forces at the end of a step did not settle."""
    require_lying(fallen(0.05, None), 1e-9)
