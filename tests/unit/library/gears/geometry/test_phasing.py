"""Orders that a planetary set passes on (4.V28)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.errors import ModelError
from jourdain.library import gears


def test_ring_of_85_teeth():
    """4.V28."""
    found = gears.phasing(85, 3)
    np.testing.assert_allclose(found.torque, [0, 0, 3, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.force, [1.5, 1.5, 0, 1.5, 1.5], atol=1e-12)


@given(st.integers(20, 120), st.integers(3, 8))
def test_rule_of_whole_numbers(z, n):
    """4.F51: torque iff i z/n is whole, force iff (i z ± 1)/n is."""
    found = gears.phasing(z, n, 12)
    for i, torque, force in zip(found.orders, found.torque, found.force, strict=True):
        assert (torque > 1e-9) == ((i * z) % n == 0)
        assert (force > 1e-9) == ((i * z + 1) % n == 0 or (i * z - 1) % n == 0)


@given(st.integers(10, 40), st.lists(st.floats(0.0, 6.0), min_size=1, max_size=5))
def test_amplitudes_are_those_of_sums_of_sines(z, places):
    """Over one period of the mesh, for planets anywhere."""
    found = gears.phasing(z, places, [2])
    t = np.linspace(0.0, 2.0 * np.pi, 2001)
    theta = np.array(places)
    waves = np.sin(t[:, None] + 2 * z * theta)
    assert np.abs(waves.sum(axis=1)).max() == pytest.approx(found.torque[0], abs=1e-4)
    force = waves @ np.exp(1j * theta)
    assert np.abs(force).max() == pytest.approx(found.force[0], abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [((85.0, 3), "teeth of phasing"), ((85, 0), "planets of phasing is 0"), ((0, 3), "teeth")],
)
def test_wrong_input(arguments, text):
    with pytest.raises(ModelError, match=text):
        gears.phasing(*arguments)
