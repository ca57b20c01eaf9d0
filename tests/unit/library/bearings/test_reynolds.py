"""Films of finite length (5.V21)."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.library import bearings

SPEED = 100.0 * np.pi


@pytest.mark.parametrize(
    ("length", "eps", "load", "angle"),
    [
        (3.6e-3, 0.2, 2.2646, 75.55),
        (3.6e-3, 0.5, 9.775, 53.97),
        (3.6e-3, 0.8, 72.24, 31.05),
        (20e-3, 0.2, 339.45, 77.78),
        (20e-3, 0.5, 1284.2, 58.98),
        (20e-3, 0.8, 6361.8, 37.35),
    ],
)
def test_published_films(length, eps, load, angle):
    found = bearings.finite_film((0.018, length, 20e-6, 0.02), eps, SPEED)
    assert found.load == pytest.approx(load, rel=5e-4)
    assert np.degrees(found.attitude) == pytest.approx(angle, abs=0.02)


def test_very_short_ones_are_the_closed_form():
    sizes = (0.018, 0.5e-3, 20e-6, 0.02)
    radius, length, gap, viscosity = sizes
    shape = 0.5 / 0.75**2 * np.sqrt(4.0 + np.pi**2 * 0.75)
    short = viscosity * SPEED * radius * length**3 / (4 * gap**2) * shape
    found = bearings.finite_film(sizes, 0.5, SPEED)
    assert found.load == pytest.approx(short, rel=1e-3)
    assert found.highest > 0.0


def test_wrong_input():
    with pytest.raises(ModelError, match="give a part of the gap"):
        bearings.finite_film((0.018, 0.02, 2e-5, 0.02), 1.0, SPEED)
