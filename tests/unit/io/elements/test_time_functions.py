"""Built-in functions come back from a file as they were; Python code does not get there."""

import pytest

from jourdain.io.elements.time_functions import drive, drive_tree, forms, function
from jourdain.io.text.section import ContentError, Value
from jourdain.io.text.values import UnwritableError
from jourdain.math import Map, Polynomial, Ramp, Sine, Table, sin
from jourdain.model.drive import Constant
from jourdain.model.laws.signal import Signal
from jourdain.spatial.parameter import Parameter

P = Parameter("p", 0.5)
DRIVES = [
    Constant(0.1),
    Constant(2 * P),
    Constant((1.0, P, 0.0)),
    Sine(0.1, 2.0),
    Sine(P, 2 * P, 0.1, -0.2),
    Polynomial((1.0, P, -0.0)),
    Ramp(0.0, P, 1.0, 2.0),
    Table((0.0, 1.0, 3.0), (1.0, 2.0, 1.0)),
    Table((0.0, 1.0, 3.0), (1.0, 2.0, 1.0), "cubic", "repeat"),
    Table((0.0, 1.0), ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), outside="extrapolate"),
    Signal("state", "oil.p", P, -1.0),
    Signal("velocity", "a"),
    Map((0.0, 1.0), (0.0, 1.0, 3.0), ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), "linear"),
    Map(
        (0.0, 1.0),
        (0.0, 1.0, 3.0),
        ((1.0, 2.0, 1.0), (4.0, 5.0, 4.0)),
        "linear",
        ("hold", "repeat"),
    ),
]


def value(data):
    return Value(data, ("joint", "main", "driven", "angle"), {"p": P})


@pytest.mark.parametrize("given", DRIVES, ids=repr)
def test_drives_come_back(given):
    back = drive(value(drive_tree(given, "the drive")))
    assert back == (given.value if isinstance(given, Constant) else given)


def test_every_function_of_the_format_is_tested():
    assert {type(d).__name__ for d in DRIVES} == {"Constant", *forms()}


def test_defaults_are_left_out():
    assert drive_tree(Sine(1.0, 2.0), "") == {
        "function": "Sine",
        "amplitude": 1.0,
        "frequency": 2.0,
    }
    assert drive_tree(Constant(0.5), "") == 0.5


class Square:
    """A function of time in Python."""

    def __call__(self, t):
        return t * t


class Louder(Sine):
    """A kind of sine the format does not know."""


@pytest.mark.parametrize(
    ("given", "name"),
    [(lambda t: t, "<lambda>"), (Square(), "Square"), (sin, "sin"), (Louder(1, 2), "Louder")],
)
def test_python_code_is_refused(given, name):
    with pytest.raises(
        UnwritableError, match=f"the drive is the function .*{name}, which is Python"
    ):
        drive_tree(given, "the drive")


@pytest.mark.parametrize(
    "data",
    [
        "fast",
        True,
        [],
        {},
        {"amplitude": 1.0},
        {"function": "Sin"},
        {"function": ["Sine"]},
        {"function": "Sine", "amplitude": 1.0},
        {"function": "Sine", "amplitude": 1.0, "frequency": 1.0, "speed": 1.0},
        {"function": "Polynomial", "coefficients": []},
        {"function": "Polynomial", "coefficients": [[1.0]]},
        {"function": "Ramp", "start": 2, "end": 1, "from_value": 0, "to_value": 1},
        {"function": "Table", "x": [0, 1], "y": [0]},
        {"function": "Table", "x": [0, 1], "y": [0, "=p"]},
        {"function": "Table", "x": [0, 1], "y": [0, 1], "kind": "quadratic"},
        {"function": "__import__"},
    ],
    ids=str,
)
def test_wrong_functions(data):
    with pytest.raises(ContentError):
        function(value(data))
