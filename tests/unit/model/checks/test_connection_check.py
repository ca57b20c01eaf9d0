"""Problems of connections are found, each told once and with its name."""

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model import Model
from jourdain.model.checks.connection_check import connection_problems
from jourdain.model.joints import Revolute
from jourdain.model.laws import Beam, Damper, Equal, Force, ForceLaw, Law, Spring, all_laws
from jourdain.model.measures import (
    Coordinate,
    Distance,
    Formula,
    Measure,
    PathLength,
    Relative,
    Rolling,
    Touch,
)
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


def machine():
    model = Model("machine")
    rod = model.add_body("rod", Inertia(1.0))
    model.add_joint("pin", model.world, rod.at(1, 0, 0), Revolute("z"))
    return model


MODEL = machine()
ROD, WORLD = MODEL.body("rod"), MODEL.world
ANGLE = Coordinate("pin.angle")
PLACE = Relative(WORLD, ROD, "xy")


class Empty(Measure):
    """Measures nothing."""


class Odd(ForceLaw):
    """Has a state and no start value for it."""

    states = {"a": "m"}

    def start(self):
        return ()


class Silent(ForceLaw):
    """Cannot name its states."""

    @property
    def states(self):
        raise RuntimeError("no names")


def found(measure, law, values=None):
    model = machine()
    model.add_connection("c", measure, law)
    return connection_problems(model, values or {})


PROBLEMS = [
    (
        (Formula(lambda at: at.pose(ROD)[1]), Spring(1.0)),
        "its measure Formula gives 3 numbers, but its size is 1: set size to the number of "
        "components",
    ),
    (
        (Formula(lambda at: at.coordinate("pin.angel")), Spring(1.0)),
        "its measure Formula fails in the reference position: no coordinate 'pin.angel' in model "
        "'machine'. Coordinates: pin.angle. Did you mean 'pin.angle'?",
    ),
    (
        (Formula(lambda at: "far"), Spring(1.0)),
        "its measure Formula gives 'far': it has to give numbers",
    ),
    (
        (Touch(Distance(WORLD, ROD), PLACE), Spring(1.0)),
        "its measure Touch takes a law of contact, such as jd.Coulomb(0.3)",
    ),
    ((Empty(), Spring(1.0)), "its measure Empty has neither a value nor a rate: give value(at)"),
    (
        (Rolling(ROD, WORLD, 0.1), Spring(1.0)),
        "Spring.force(x, v, at) at x = () gives 0 numbers instead of 2; its measure has a rate "
        "only, so x is empty: use a law of the rate v",
    ),
    (
        (PLACE, Spring(np.eye(3))),
        "stiffness of Spring has a 3×3 matrix, but the measure has 2 components. Give one number "
        "for all of them, or as many as there are.",
    ),
    (
        (PLACE, Beam(1.0, 1.0, 1.0)),
        "a beam in the plane takes a measure of 3 components, 'x y rz', but the measure has 2. "
        "Change the components of Relative, or the torsion of the beam.",
    ),
    (
        (PLACE, Law(lambda x, v: x[0])),
        "Law.force(x, v, at) at x = (-1, 0) gives 1 number instead of 2",
    ),
    (
        (ANGLE, Law(lambda x, v: np.nan * x)),
        "Law.force(x, v, at) at x = (0) is not finite: [nan]",
    ),
    (
        (ANGLE, Law(lambda x, v: 1 / 0)),
        "Law.force(x, v, at) at x = (0) fails: ZeroDivisionError: division by zero",
    ),
    (
        (ANGLE, Law(lambda x, v: v.far_away)),
        "Law.force(x, v, at) at x = (0) fails: AttributeError: 'numpy.float64' object has no "
        "attribute 'far_away'",
    ),
    (
        (ANGLE, Law(lambda x, v, at: at.multiplier("rail"))),
        "Law.force(x, v, at) at x = (0) fails: no constraint 'rail' in model 'machine'. It has no "
        "constraints yet.",
    ),
    (
        (ANGLE, Law(lambda x, v, at: at.input("u"))),
        "Law.force(x, v, at) at x = (0) fails: no input 'u' in model 'machine'. It has no inputs "
        "yet.",
    ),
    (
        (ANGLE, Law(lambda x: x, potential=lambda x: (x, x))),
        "Law.energy(x, at) at x = (0) gives 2 numbers instead of 1",
    ),
    (
        (ANGLE, Law(abs, states={"a": "m"}, state_rates=lambda x, v: (x, v))),
        "Law.rates(x, v, at) at x = (0) gives 2 numbers instead of 1",
    ),
    (
        (ANGLE, Odd()),
        "Odd.start() is (): give a finite number for each of the states (a)",
    ),
    (
        (ANGLE, ForceLaw()),
        "ForceLaw.force(x, v, at) at x = (0) fails: NotImplementedError: law ForceLaw has no "
        "force(x, v, at)",
    ),
    ((ANGLE, Silent()), "Silent cannot be evaluated: RuntimeError: no names"),
    (
        (PLACE, Equal((1.0, 2.0, 3.0))),
        "Equal has 3 numbers, but its measure Relative(world, rod, components=x y) has 2 "
        "components: give one for each",
    ),
    (
        (ANGLE, Equal(lambda t: np.inf)),
        "the value of Equal at t = 0 s is not finite: [inf]",
    ),
    (
        (ANGLE, Equal(lambda t: "up")),
        "the value of Equal at t = 0 s is 'up': it has to be numbers",
    ),
    (
        (ANGLE, Equal(lambda: 1.0)),
        "the value of Equal at t = 0 s fails: TypeError: <lambda>() takes 0 positional arguments "
        "but 1 was given",
    ),
]


@pytest.mark.parametrize(("parts", "text"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_problem(parts, text):
    assert found(*parts) == [f"connection 'c': {text}"]


RIGHT = [
    (Distance(WORLD, WORLD), Law(lambda x, v: 1 / x**2)),  # singular here, not elsewhere
    (Distance(WORLD, ROD), Spring(-3.0)),
    (PathLength((ROD, WORLD), WORLD, 0.1), Spring(1.0)),  # inside of the cylinder here
    (Formula(lambda at: 1 / at.t), Spring(1.0)),
    (Rolling(ROD, WORLD, 0.1), Damper(1.0)),
    (Rolling(ROD, WORLD, 0.1, 0.2), Damper(1.0) + Law(lambda x, v: -(v**3))),
    (Rolling(ROD, WORLD, 0.1), Force((1.0, 2.0))),
    (Rolling(ROD, WORLD, 0.1), Equal()),
    (PLACE, Equal()),
    (PLACE, Equal(lambda t: (t, 2 * t))),
    (ANGLE, Equal(math.sin)),
]


@pytest.mark.parametrize("parts", RIGHT, ids=range(len(RIGHT)))
def test_no_problem(parts):
    assert found(*parts) == []


@pytest.mark.parametrize(("law", "size"), all_laws())
def test_built_in_laws_have_no_problems(law, size):
    components = {1: "x", 3: "x y rz", 6: "pose"}[size]
    assert found(Relative(WORLD, ROD, components), law) == []


def test_values_of_parameters_count():
    k = Parameter("k", 2.0)
    law = Law(lambda x, v: math.sqrt(k) * (1.0 + x))
    assert found(ANGLE, law, {"k": 2.0}) == []
    assert found(ANGLE, law, {"k": -2.0}) == [
        "connection 'c': Law.force(x, v, at) at x = (0) is not finite: [nan]"
    ]


def test_problems_join_those_of_other_elements():
    model = Model("machine")
    model.add_coordinate("shaft", 1.0, driven=lambda t: 1 / t)
    model.add_connection("a", Coordinate("shaft"), Equal((1.0, 2.0)))
    model.add_connection("b", Coordinate("shaft"), Law(lambda x: np.nan))
    with pytest.raises(ModelError) as caught:
        model.validate()
    lines = str(caught.value).splitlines()
    assert lines[0] == "model 'machine' has 3 problems:"
    assert lines[1].startswith("  1. coordinate 'shaft'")
    assert lines[2].startswith("  2. connection 'a': Equal has 2 numbers, but its measure Coord")
    assert lines[3].startswith("  3. connection 'b': Law.force(x, v, at)")
