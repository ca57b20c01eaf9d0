"""Inertias that are impossible by the rounding of printed digits only (A13)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jourdain as jd
from jourdain.errors import ModelError


@pytest.mark.parametrize(
    "moments",
    [
        (-2.4e-35, 0.0, 0.0),
        (1e-30, -2.4e-35, 1e-30),
        (0.00123, 0.00045, 0.00169),  # a plate: 0.00168 would be possible
        (8.333e-05, 8.333e-05, 1.6667e-04),
        (0.0, 0.0133333, 0.0133334),  # a rod
        ((1.667e-3, 1.667e-3, 0), (1.667e-3, 1.666e-3, 0), (0, 0, 3.333e-3)),
    ],
)
def test_plates_rods_and_points_as_files_print_them(moments):
    inertia = jd.Inertia(1.0, moments=moments)
    J = np.array(inertia.moments)
    values = np.linalg.eigvalsh(J)
    largest = np.abs(J).max()
    assert values[0] >= -1e-15 * largest
    assert values[2] <= values[0] + values[1] + 1e-15 * largest
    given = np.diag(moments) if np.ndim(moments) == 1 else np.array(moments)
    assert np.abs(J - given).max() <= 1e-2 * np.abs(given).max() + 1e-18
    moved = inertia.moved((0.1, 0.2, 0.3), jd.rotation_quaternion((0.1, 0.5, 0.3, 0.7)))
    assert jd.Inertia(1.0, moments=moved.moments) == jd.Inertia(1.0, moments=moved.moments)
    assert jd.Inertia(1.0, moments=inertia.moments) == inertia  # nothing more to do


@pytest.mark.parametrize(
    "moments",
    [
        (-2.4e-9, 0.1, 0.1),
        (-1e-6, 1e-6, 1e-6),
        (0.1, 0.1, 0.3),
        (1.0, 1.0, 2.1),
        (0.00123, 0.00045, 0.00175),
        (0.1234567890123, 0.1, 0.2234667890123),
    ],
)
def test_what_no_rounding_explains_is_refused(moments):
    with pytest.raises(ModelError, match="which no rigid body can have"):
        jd.Inertia(1.0, moments=moments)


def test_possible_moments_stay_as_typed():
    assert jd.Inertia(1.0, moments=(0.1, 0.2, 0.3)).moments[2][2] == 0.3
    assert jd.Inertia(1.0, moments=(1e-40, 1e-40, 1e-40)).moments[0][0] == 1e-40


@given(
    sides=st.tuples(st.floats(0.01, 1.0), st.floats(0.01, 1.0)),
    digits=st.integers(4, 12),
    mass=st.floats(0.01, 100.0),
)
def test_any_plate_printed_with_some_digits(sides, digits, mass):
    """A plate of no thickness, printed with some digits, is accepted within them."""
    a, b = (mass * s**2 / 12 for s in sides)
    moments = [float(f"{x:.{digits}g}") for x in (a, b, a + b)]
    J = np.array(jd.Inertia(mass, moments=moments).moments).diagonal()
    np.testing.assert_allclose(J, moments, atol=10.0 ** (1 - digits) * (a + b), rtol=0)
    assert J[2] <= (J[0] + J[1]) * (1 + 2e-9)
