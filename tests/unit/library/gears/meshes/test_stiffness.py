"""Stiffness over the path of contact, its Fourier series, damping by Lehr (5.F16, 5.F17)."""

import math

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.library import gears


def test_pairs_in_contact_change_as_figure_6_19():
    """5.F16: three pairs for x < 0.75, then two."""
    c = gears.ToothStiffness(1.0, 2.75, edge=1.0)
    np.testing.assert_allclose(c(np.array([0.0, 0.74, 0.76, 0.99, 1.5, -0.1])), [3, 3, 2, 2, 3, 2])


def test_it_is_a_sum_of_single_pairs():
    c = gears.ToothStiffness(2e8, 1.6, edge=0.5)
    x = np.linspace(-1.3, 2.7, 401)

    def pair(u):
        return np.where((u >= 0.0) & (u < 1.6), 2e8 * (1.0 - 0.5 * (2.0 * u / 1.6 - 1.0) ** 2), 0.0)

    np.testing.assert_allclose(c(x), sum(pair(x + k) for k in range(-4, 5)), rtol=1e-12)
    fine = (np.arange(100000) + 0.5) / 100000
    assert c(fine).mean() == pytest.approx(c.mean, rel=1e-5)


def test_fourier_series_converges_to_it():
    c = gears.ToothStiffness(2e8, 1.6, edge=0.0)  # without jumps
    x = np.linspace(0.0, 2.0, 101)
    errors = [np.abs(c.fourier(n)(x) - c(x)).max() / c.mean for n in (1, 5, 25)]
    assert errors[0] > 4.0 * errors[1] > 12.0 * errors[2]
    assert errors[2] < 0.01
    assert len(c.fourier().amplitudes) == 5


def test_lehr_of_a_wheel_whose_motion_is_given():
    """5.F17: the mass of the other alone."""
    teeth = gears.Teeth((20, 30), 3e-3)
    one = gears.Lehr(0.2, (math.inf, 4e-3)).damping(3e8, teeth)
    assert one == pytest.approx(0.4 * np.sqrt(3e8 * 4e-3 / teeth.base_radii[1] ** 2))
    far = gears.Lehr(0.2, (1e9, 4e-3)).damping(3e8, teeth)
    assert far == pytest.approx(one, rel=1e-6)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: gears.ToothStiffness(1e8, 0.9), "below 1 there are times at which no tooth"),
        (lambda: gears.ToothStiffness(1e8, 1.5, edge=2.0), "edge of ToothStiffness is 2"),
        (lambda: gears.ToothStiffness(1e8, 1.5).fourier(0), "orders of fourier is 0"),
        (lambda: gears.FourierStiffness(1e8, (2e8,)), "falls to -1e\\+08 N/m"),
        (lambda: gears.FourierStiffness(1e8, (1e7,), (0.0, 1.0)), "1 amplitudes and 2 phases"),
        (lambda: gears.FourierStiffness(1e8, 1e7), "give one for each order"),
        (lambda: gears.Lehr(0.2, (math.inf, math.inf)), "give those of both wheels"),
        (lambda: gears.Lehr(0.2, (1e-3, -1.0)), "an inertia of Lehr"),
        (lambda: gears.Elastic(0.0), "stiffness of Elastic"),
        (lambda: gears.Elastic(1e8, film=-1e-6), "film of Elastic"),
        (lambda: gears.Rigid(1.5), "restitution"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
