"""Hertzian stress and oil film of flanks (2.F79)."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.library import gears


def test_stress_is_that_of_the_parabola_of_hertz():
    """p_H = 2 F/(π b L) with the half width b = √(8 F R'/(π E' L))."""
    force, radius, length = 5e3, 0.012, 0.02
    half = np.sqrt(8.0 * force * radius / (np.pi * gears.Material().reduced * length))
    wanted = 2.0 * force / (np.pi * half * length)
    assert gears.hertz_stress(force, radius, length) == pytest.approx(wanted, rel=1e-12)
    assert gears.hertz_stress(-force, radius, length) == 0.0


def test_film_grows_with_speed_and_falls_with_load():
    oil = gears.Lubricant(0.02)
    one = gears.film_thickness(1e3, 5.0, 0.01, 0.02, oil)
    assert gears.film_thickness(1e3, 10.0, 0.01, 0.02, oil) / one == pytest.approx(2.0**0.7)
    assert gears.film_thickness(2e3, -5.0, 0.01, 0.02, oil) / one == pytest.approx(2.0**-0.13)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: gears.Material(poisson=0.7), "poisson of Material is 0.7"),
        (lambda: gears.Material(-1.0), "modulus of Material"),
        (lambda: gears.Lubricant(0.0), "viscosity of Lubricant"),
        (lambda: gears.flank_radius(gears.Teeth((20, 30), 3e-3), -0.02), "off the line of action"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
