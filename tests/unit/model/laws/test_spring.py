"""Springs."""

import numpy as np
import pytest
from scipy.integrate import quad

from jourdain.math import Polynomial, Table
from jourdain.model.laws import Spring

PULL = Table((-0.1, 0.0, 0.05, 0.2), (-30.0, 0.0, 2.0, 90.0), "monotone", "extrapolate")


def test_pulls_when_stretched():
    spring = Spring(100.0, free=0.2, preload=3.0)
    assert spring.force(0.3, 0.0, None) == pytest.approx(-13.0)
    assert spring.energy(0.3, None) == pytest.approx(0.5 * 100 * 0.01 + 0.3)
    assert spring.energy(0.2, None) == 0.0


def test_bushing_by_a_matrix():
    K = np.array(((300.0, 20.0), (20.0, 100.0)))
    spring = Spring(K, free=(0.1, 0.0))
    x = np.array((0.2, 0.3))
    np.testing.assert_allclose(spring.force(x, 0 * x, None), -K @ (0.1, 0.3))
    assert spring.energy(x, None) == pytest.approx(0.5 * np.dot((0.1, 0.3), K @ (0.1, 0.3)))


def test_one_stiffness_for_each_component():
    np.testing.assert_allclose(
        Spring((1.0, 2.0, 3.0)).force(np.ones(3), 0, None), (-1.0, -2.0, -3.0)
    )


@pytest.mark.parametrize("x", [-0.3, -0.02, 0.0, 0.03, 0.11, 0.5])
def test_energy_of_a_table_is_the_work_done(x):
    spring = Spring(PULL, free=0.01)
    work = -quad(lambda s: spring.force(s, 0.0, None), 0.01, x, points=(-0.09, 0.06, 0.21))[0]
    assert spring.energy(x, None) == pytest.approx(work, rel=1e-9, abs=1e-12)


def test_polynomial():
    spring = Spring(Polynomial((0.0, 10.0, 0.0, 4.0)))
    assert spring.force(2.0, 0.0, None) == -52.0
    assert spring.energy(2.0, None) == 20.0 + 16.0


def test_functions_without_potential_store_nothing():
    assert Spring(np.sin).energy(1.0, None) == 0.0
    assert Spring(np.sin, potential=lambda e: 1 - np.cos(e)).energy(1.0, None) == 1 - np.cos(1.0)


def test_text():
    assert str(Spring(1e3, free=0.2)) == "Spring(1000, free=0.2)"
    assert str(Spring(np.eye(6))) == "Spring(6×6 numbers)"
    assert str(Spring(PULL)).startswith("Spring(monotone table of 4 points")
