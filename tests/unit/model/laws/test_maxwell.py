"""Viscoelastic laws against closed forms."""

import numpy as np
import pytest

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.laws import Maxwell

STIFFNESS, TIME = np.array((100.0, 20.0)), np.array((0.2, 3.0))
LAW = Maxwell(tuple(STIFFNESS), tuple(TIME), free=0.1)


def at(creep):
    return Snapshot({}, states=dict(zip(LAW.states, creep, strict=True)))


@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 10.0])
def test_relaxation_of_a_stretch_that_is_held(t):
    """Force −Σ k exp(−t/τ) x; the states of the closed form have its rates."""
    stretch = 0.3
    left = stretch * np.exp(-t / TIME)
    now = at(stretch - left)
    assert LAW.force(0.1 + stretch, 0.0, now) == pytest.approx(-STIFFNESS @ left, rel=1e-12)
    np.testing.assert_allclose(LAW.rates(0.1 + stretch, 0.0, now), left / TIME, atol=1e-14)


@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 10.0])
def test_steady_stretching(t):
    """At the rate v the force grows to −Σ k τ v, the one of dampers."""
    v = 0.5
    left = v * TIME * (1 - np.exp(-t / TIME))
    now = at(v * t - left)
    assert LAW.force(0.1 + v * t, v, now) == pytest.approx(-STIFFNESS @ left, rel=1e-12, abs=1e-14)
    np.testing.assert_allclose(LAW.rates(0.1 + v * t, v, now), left / TIME, rtol=1e-9, atol=1e-12)


def test_it_starts_slack_at_its_free_length():
    assert LAW.start() == (0.0, 0.0)
    assert LAW.force(0.1, 0.0, at(LAW.start())) == 0.0
    assert dict(Maxwell(1.0, 2.0, unit="rad").states) == {"creep_1": "rad"}
