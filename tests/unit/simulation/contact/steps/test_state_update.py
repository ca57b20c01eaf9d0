"""Numbers of the state updates of time steps."""

import pytest

import jourdain as jd
from jourdain.simulation.contact.steps.state_update import update_of


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8])
def test_alpha_is_consistent(rho):
    """Constant accelerations: x = h a, so that k + h g a = h a."""
    x = update_of(jd.NonsmoothAlpha(1.0, rho))
    known = 1.0 - x.gamma + x.gamma * (x.alpha_f - x.alpha_m) / (1.0 - x.alpha_m)
    assert known + x.part == pytest.approx(1.0, rel=1e-14)
    assert (x.theta, x.rate_at) == (1.0, 1.0)


def test_alpha_that_keeps_vibrations_is_the_rule_of_trapezia():
    x = update_of(jd.NonsmoothAlpha(1.0, 1.0))
    assert (x.gamma, x.part, x.way_at) == (0.5, 0.5, 0.5)


def test_moreau_jean():
    x = update_of(jd.MoreauJean(1.0, theta=0.7))
    assert (x.part, x.rate_at, x.way_at, x.is_alpha) == (1.0, 0.7, 0.7**2, False)
