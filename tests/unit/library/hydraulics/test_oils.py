"""Standard oils."""

import pytest

from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.oils import OILS


@pytest.mark.parametrize("name", list(OILS))
def test_viscosities_at_both_temperatures(name):
    for temperature, nu in zip((40.0, 100.0), OILS[name], strict=False):
        oil = hy.standard_oil(name, temperature)
        assert 1e6 * oil.viscosity / oil.density == pytest.approx(nu, rel=1e-9)


def test_oil_is_thicker_and_denser_when_it_is_cold():
    cold, warm = (hy.standard_oil("HLP 46", t) for t in (0.0, 60.0))
    assert cold.viscosity > 10.0 * warm.viscosity
    assert cold.density > warm.density
    assert hy.standard_oil("HLP 46", 15.0).density == pytest.approx(877.0)
