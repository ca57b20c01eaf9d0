"""Units by a small table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import constants

from jourdain.errors import ModelError
from jourdain.spatial.units import _DERIVED, _OTHERS, converted, in_si, unit

FACTORS = {
    "mm": 1e-3, "km": 1e3, "g": constants.gram, "t": 1e3, "min": constants.minute,
    "h": constants.hour, "d": constants.day, "l": constants.liter, "bar": constants.bar,
    "atm": constants.atm, "deg": constants.degree, "in": constants.inch, "ft": constants.foot,
    "mph": constants.mph, "kmh": constants.kmh, "km/h": constants.kmh, "lb": constants.pound,
    "lbf": constants.pound_force, "psi": constants.psi, "hp": constants.horsepower,
    "rpm": constants.pi / 30, "rev/s": 2 * constants.pi, "1/min": 1 / 60, "l/min": 1e-3 / 60,
    "cm^3": 1e-6, "cc": 1e-6, "kN": 1e3, "kg mm^2": 1e-6, "N/mm": 1e3, "N mm": 1e-3, "MPa": 1e6,
    "mbar": 100.0, "kW h": 3.6e6, "cSt": 1e-6, "mPa s": 1e-3, "%": 0.01, "µm": 1e-6, "kNm": 1e3,
    "N/mm²": 1e6, "1/s": 1.0, "W/(m^2 K)": 1.0, "m**2": 1.0, "kg*m^2/s^2": 1.0, "J/g/K": 1e3,
    "PS": 735.49875, "mrad": 1e-3, "deg/s": constants.degree, "N m/deg": 1 / constants.degree,
}  # fmt: skip


@pytest.mark.parametrize("text", FACTORS)
def test_factors(text):
    assert unit(text).to_si(1.0) == pytest.approx(FACTORS[text], rel=1e-12)


@pytest.mark.parametrize(
    ("text", "si"),
    [
        ("mm", "m"), ("N/mm", "N/m"), ("kg mm^2", "kg m^2"), ("l/min", "m^3/s"), ("rpm", "rad/s"),
        ("bar", "Pa"), ("deg", "rad"), ("g", "kg"), ("1/min", "1/s"), ("km/h", "m/s"),
        ("N m s/rad", "N m s/rad"), ("W/(cm^2 K)", "W/(m^2 K)"), ("%", "1"), ("1", "1"),
        ("cSt", "m^2/s"), ("kN", "N"), ("l/(min bar)", "m^3/(s Pa)"),
    ],
)  # fmt: skip
def test_texts_of_si(text, si):
    assert unit(text).si_text == si
    assert unit(si).dimension == unit(text).dimension
    assert unit(si).to_si(1.0) == 1.0


def test_decimal_numbers_are_rounded_once():
    assert unit("mm").to_si(9) == 0.009
    assert unit("deg").to_si(180) == math.pi
    np.testing.assert_array_equal(unit("mm").to_si(np.array([9.0, 600.0])), [0.009, 0.6])


NAMES = st.sampled_from([*_OTHERS, *_DERIVED, "m", "kg", "s", "rad", "mm", "kN", "cm"])
POWERS = st.integers(-3, 3).filter(bool)


@given(
    parts=st.lists(st.tuples(NAMES, POWERS), min_size=1, max_size=4),
    x=st.floats(-1e6, 1e6, allow_subnormal=False),
)
def test_algebra_and_round_trip(parts, x):
    """A product has the product of the factors and the sum of the dimensions."""
    whole = unit(" ".join(f"{name}^{power}" for name, power in parts))
    factor = math.prod(unit(name).to_si(1.0) ** power for name, power in parts)
    assert whole.to_si(1.0) == pytest.approx(factor, rel=1e-12)
    sums = sum(power * np.array(unit(name).dimension) for name, power in parts)
    np.testing.assert_array_equal(whole.dimension, sums)
    assert whole.from_si(whole.to_si(x)) == pytest.approx(x, rel=1e-14, abs=1e-290)
    back = whole.from_si(whole.to_si(np.array([x])))
    np.testing.assert_allclose(back, [x], rtol=1e-14, atol=1e-290)
    si = unit(whole.si_text)
    assert si.dimension == whole.dimension
    assert si.to_si(1.0) == 1.0
    inverse = unit(" ".join(f"{name}^{-power}" for name, power in parts))
    assert inverse.to_si(whole.to_si(1.0)) == pytest.approx(1.0, rel=1e-14)


def test_pairs():
    assert in_si((600, "mm"), "m", "L") == 0.6
    assert in_si(600, "m", "L") == 600
    np.testing.assert_allclose(in_si(((10, 20), "deg"), "rad", "a"), np.radians((10, 20)))
    assert converted(2e5, "Pa", "bar", "p") == 2.0
    assert converted(np.pi, "rad", "deg", "p") == pytest.approx(180.0, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("furlong", "the unit 'furlong' is not known; give SI or one of g, t, min"),
        ("mmm", "the unit 'mmm' is not known.*Did you mean"),
        ("N/furlong", "the unit 'furlong' in 'N/furlong' is not known"),
        ("degC", "the unit 'degC' has an offset.*Give kelvin"),
        ("W/m K", "the unit 'W/m K' is ambiguous.*Use brackets, as in 'W/\\(m K\\)'"),
        ("", "the unit '' cannot be read"),
        ("m^", "cannot be read"),
        ("(m", "cannot be read"),
        ("m)", "cannot be read"),
        ("3 m", "cannot be read|not known"),
        ("m^x", "cannot be read"),
        ("m//s", "cannot be read|not known"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(ModelError, match=message):
        unit(text)


def test_other_dimensions():
    with pytest.raises(ModelError, match=r"^L is given in 'deg', but its unit is 'm', which is an"):
        in_si((3, "deg"), "m", "L")
    with pytest.raises(ModelError, match=r"Turns per second are 'rev/s', not 'Hz'"):
        converted(1.0, "rad/s", "Hz", "rate")
    with pytest.raises(ModelError, match=r"say so where it is made: Parameter\(..., 'm'\)"):
        in_si((3, "mm"), "1", "parameter 'L'")
