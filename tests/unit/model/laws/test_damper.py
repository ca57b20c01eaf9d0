"""Dampers."""

import numpy as np
import pytest

from jourdain.math import Table
from jourdain.model.laws import Damper


def test_resists_the_rate():
    assert Damper(3.0).force(1.0, 2.0, None) == -6.0
    assert Damper(3.0).dissipation(1.0, 2.0, None) == 12.0


def test_matrix():
    C = np.array(((3.0, 1.0), (1.0, 2.0)))
    v = np.array((1.0, -2.0))
    np.testing.assert_allclose(Damper(C).force(0 * v, v, None), -C @ v)
    assert Damper(C).dissipation(0 * v, v, None) == pytest.approx(v @ C @ v)


def test_shock_absorber_by_a_table():
    """Softer when it is compressed."""
    law = Damper(Table((-1.0, 0.0, 1.0), (-200.0, 0.0, 800.0), outside="extrapolate"))
    assert law.force(0.0, -0.5, None) == 100.0
    assert law.force(0.0, 2.0, None) == -1600.0
    assert law.dissipation(0.0, 2.0, None) == 3200.0
