"""Sine, Polynomial and Ramp on numbers, arrays, symbols and with parameters."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.math import Polynomial, Ramp, Sine
from jourdain.model import Model
from jourdain.model.elements import parameters_of, with_values
from jourdain.spatial.parameter import Parameter, evaluate, values_in_force

FUNCTIONS = [
    Sine(0.3, 2.0),
    Sine(amplitude=-1.5, frequency=0.25, phase=0.7, offset=2.0),
    Polynomial((0.5,)),
    Polynomial((0.5, -2.0, 0.0, 3.0)),
    Ramp(1.0, 3.0, -0.5, 2.5),
    Ramp(start=-1.0, end=0.5, from_value=4.0, to_value=1.0),
]
TIMES = np.linspace(-2.0, 5.0, 29)


def formula(f, t):
    """The same functions by numpy, written out."""
    if isinstance(f, Sine):
        return f.offset + f.amplitude * np.sin(2 * np.pi * f.frequency * t + f.phase)
    if isinstance(f, Polynomial):
        return np.polynomial.polynomial.polyval(t, f.coefficients)
    s = np.clip((t - f.start) / (f.end - f.start), 0.0, 1.0)
    return f.from_value + (f.to_value - f.from_value) * (10 * s**3 - 15 * s**4 + 6 * s**5)


@pytest.mark.parametrize("f", FUNCTIONS, ids=str)
def test_values(f, rounding):
    scale = 1.0 + np.abs(formula(f, TIMES)).max()
    np.testing.assert_allclose(f(TIMES), formula(f, TIMES), rtol=0, atol=rounding(1) * scale)
    assert [float(f(t)) for t in TIMES.tolist()] == pytest.approx(f(TIMES).tolist(), rel=1e-14)


@pytest.mark.parametrize("f", FUNCTIONS, ids=str)
def test_symbols_give_the_same(f):
    ca = pytest.importorskip("casadi")
    t = ca.SX.sym("t")
    compiled = ca.Function("f", [t], [f(t)])
    for time in TIMES.tolist():
        assert float(compiled(time)) == pytest.approx(float(f(time)), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("f", FUNCTIONS, ids=str)
def test_the_shape_is_that_of_the_time(f):
    assert np.shape(f(0.3)) == ()
    assert f(TIMES).shape == TIMES.shape


def test_a_ramp_reaches_its_values_exactly_and_rests_there():
    ramp = Ramp(1.0, 2.0, 0.1, 0.3)
    assert (float(ramp(1.0)), float(ramp(2.0)), float(ramp(99.0))) == (0.1, 0.3, 0.3)
    h = 1e-3  # the first and second derivative vanish at the ends, so a cubic remains
    assert abs(float(ramp(1.0 + h)) - 0.1) < 11 * 0.2 * h**3


def test_they_are_equal_by_value_and_can_be_keys():
    assert Sine(1, 2) == Sine(1.0, 2.0, 0.0, 0.0)
    assert Polynomial([1, 2]) == Polynomial((1.0, 2.0)) == Polynomial(np.array([1.0, 2.0]))
    assert Ramp(0, 1, 2, 3) != Ramp(0, 1, 2, 4)
    assert len({*FUNCTIONS, *FUNCTIONS}) == len(FUNCTIONS)


@pytest.mark.parametrize(
    ("make", "plain"),
    [
        (lambda p: Sine(p, 1.5, offset=2 * p), Sine(0.4, 1.5, offset=0.8)),
        (lambda p: Sine(1.0, p, p), Sine(1.0, 0.4, 0.4)),
        (lambda p: Polynomial((p,)), Polynomial((0.4,))),
        (lambda p: Polynomial((1.0, p - 1, p)), Polynomial((1.0, -0.6, 0.4))),
        (lambda p: Ramp(p, 2.0, 0.0, p), Ramp(0.4, 2.0, 0.0, 0.4)),
        (lambda p: Ramp(0.0, p, p, 1.0), Ramp(0.0, 0.4, 0.4, 1.0)),
    ],
)
def test_numbers_may_be_parameters(make, plain):
    p = Parameter("p", 9.9)
    f = make(p)
    assert set(parameters_of(f)) == {p}
    assert with_values(f, {"p": 0.4})(1.1) == pytest.approx(plain(1.1), rel=1e-14)
    with values_in_force({"p": 0.4}):
        assert evaluate(f(1.1), {"p": 0.4}) == pytest.approx(plain(1.1), rel=1e-14)


def test_as_drives_they_pass_validation():
    model = Model("machine")
    for k, f in enumerate((*FUNCTIONS, Sine(Parameter("a", 1.0), Parameter("f", 2.0)))):
        model.add_coordinate(f"shaft_{k}", 1.0, driven=f)
    model.validate()
    assert list(model.parameters) == ["a", "f"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sine("1", 2.0), "amplitude of Sine is '1': give a number or a Parameter."),
        (lambda: Sine(1.0, True), "frequency of Sine is True: give a number or a Parameter."),
        (lambda: Sine(1.0, 2.0, np.nan), "phase of Sine is nan: give a finite number."),
        (lambda: Sine(1.0, 2.0, 0.0, 10**400), "offset of Sine is inf: give a finite number."),
        (lambda: Polynomial(()), "coefficients of Polynomial are (): give a list of at least"),
        (lambda: Polynomial(2.0), "coefficients of Polynomial are 2.0: give a list of at least"),
        (lambda: Polynomial((1.0, None)), "coefficient 1 of Polynomial is None: give a number"),
        (lambda: Ramp(0, 1, 2, "3"), "to_value of Ramp is '3': give a number or a Parameter."),
        (lambda: Ramp(2, 2, 0, 1), "Ramp starts at 2 s and ends at 2 s: it must end after it"),
    ],
)
def test_wrong_numbers_are_refused(make, message):
    with pytest.raises(ModelError) as error:
        make()
    assert str(error.value).startswith(message)
