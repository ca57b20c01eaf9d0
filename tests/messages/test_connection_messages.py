"""What users read when measures, laws or connections are wrong."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import JourdainError, ModelError, UnknownNameError
from jourdain.model import Model
from jourdain.model.joints import Revolute
from jourdain.model.laws import (
    Actuator,
    Bar,
    Beam,
    Damper,
    Equal,
    Force,
    Law,
    Maxwell,
    Motor,
    Servo,
    Spring,
)
from jourdain.model.measures import (
    Angle,
    Coordinate,
    DiscHeight,
    Distance,
    Formula,
    OnCurve,
    OnSurface,
    PathLength,
    Relative,
    Rolling,
    Sum,
)
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

MODEL = Model("machine")
ROD = MODEL.add_body("rod", Inertia(1.0))
MODEL.add_joint("pin", MODEL.world, ROD, Revolute("z"))
MODEL.add_coordinate("shaft", 0.1)
W = MODEL.world
FRAME = "give a body, or a frame such as body.at(0.1, 0, 0); the ground is model.world."
ANGLE = Coordinate("pin.angle")

CASES = [
    # measures
    (lambda: Distance(W, "rod"), f"Distance: end is 'rod': {FRAME}"),
    (lambda: Distance(3, ROD), f"Distance: start is 3: {FRAME}"),
    (lambda: Relative(None, ROD), f"Relative: start is None: {FRAME}"),
    (lambda: Angle(W, None), f"Angle: end is None: {FRAME}"),
    (lambda: PathLength((W, 3)), f"PathLength: point 2 is 3: {FRAME}"),
    (
        lambda: PathLength((W, ROD), over=3, radius=0.1),
        f"PathLength: over is 3: {FRAME}",
    ),
    (lambda: OnCurve(3, W, abs), f"OnCurve: point is 3: {FRAME}"),
    (lambda: OnSurface(ROD, 3, abs), f"OnSurface: frame is 3: {FRAME}"),
    (lambda: Rolling(ROD, 3, 0.1), f"Rolling: on is 3: {FRAME}"),
    (lambda: DiscHeight(3, W, 0.1), f"DiscHeight: wheel is 3: {FRAME}"),
    (
        lambda: Coordinate(3),
        "name of Coordinate is 3: give the name of a coordinate in quotes, such as 'main.angle'.",
    ),
    (
        lambda: Relative(W, ROD, "x q"),
        "components of Relative are 'x q': give each once, such as 'x', 'xyz', 'x y rz', or "
        "'position', 'rotation', 'pose'.",
    ),
    (
        lambda: Relative(W, ROD, "x x"),
        "components of Relative are 'x x': give each once, such as 'x', 'xyz', 'x y rz', or "
        "'position', 'rotation', 'pose'.",
    ),
    (
        lambda: Relative(W, ROD, axes="begin"),
        "axes of Relative is 'begin'. Use one of 'start', 'end', 'world'.",
    ),
    (
        lambda: Relative(W, ROD, angles="bryan"),
        "angles of Relative is 'bryan'. Use one of 'bryant', 'vector'. Did you mean 'bryant'?",
    ),
    (
        lambda: Angle(W, ROD, "w"),
        "axis of Angle is 'w': give one of 'x', 'y', 'z', '-x', '-y', '-z' or a unit vector.",
    ),
    (lambda: PathLength((W,)), "PathLength has 1 points: give two or more."),
    (
        lambda: PathLength((W, ROD, W), over=W, radius=0.1),
        "PathLength has 3 points: give two, before and after the cylinder.",
    ),
    (
        lambda: PathLength((W, ROD), over=W),
        "radius of PathLength is 0 m: it must be positive.",
    ),
    (
        lambda: PathLength((W, ROD), radius=0.1),
        "PathLength has a radius but no cylinder: give its frame as over.",
    ),
    (
        lambda: PathLength((W, ROD), over=W, radius=0.1, lifts=1),
        "lifts of PathLength is 1: give True or False.",
    ),
    (
        lambda: OnCurve(ROD, W, 3),
        "curve of OnCurve is 3: give a function of one number, for example lambda x: 0.5 * x**2.",
    ),
    (
        lambda: OnCurve(ROD, W, abs, polar=1),
        "polar of OnCurve is 1: give True or False.",
    ),
    (
        lambda: OnSurface(ROD, W, 3),
        "function of OnSurface is 3: give a function of the position, for example "
        "lambda r: jd.norm(r) - 0.5.",
    ),
    (
        lambda: Rolling(ROD, W, -0.1),
        "radius of Rolling is -0.1 m: it must be positive.",
    ),
    (
        lambda: Rolling(ROD, W, 0.1, 0.2, axis=None),
        "Rolling of a ball on a wheel is not known: give the axis of a wheel.",
    ),
    (
        lambda: Rolling(ROD, W, 0.1, -0.1),
        "Rolling has the radius 0.1 m in a ring of the same radius: they touch everywhere. Give "
        "the ring a larger one.",
    ),
    (
        Formula,
        "Formula has []: give one function of `at`, the value, or the speed of a measure that has "
        "no value.",
    ),
    (
        lambda: Sum(()),
        "Sum has the terms (): give pairs of a factor and a measure, or write the sum as "
        "a - 2.0 * b.",
    ),
    (
        lambda: Sum(((1.0, 3),)),
        "Sum has the terms ((1.0, 3),): give pairs of a factor and a measure, or write the sum as "
        "a - 2.0 * b.",
    ),
    (lambda: float("nan") * ANGLE, "a factor of Sum is nan: give a finite number."),
    (
        lambda: ANGLE + Relative(W, ROD, "xy"),
        "Sum adds measures of different sizes (1, 2). Add measures with the same number of "
        "components.",
    ),
    (lambda: ANGLE + 3, "3 is no measure; measures add to measures."),
    # laws
    (lambda: Spring("stiff"), "stiffness of Spring is 'stiff': give a number."),
    (lambda: Spring(np.nan), "stiffness of Spring is nan: give a finite number."),
    (
        lambda: Spring(((1.0, 2.0),)),
        "stiffness of Spring is ((1.0, 2.0),): give a number, one for each component of the "
        "measure, or a square matrix.",
    ),
    (
        lambda: Spring((1.0, "a")),
        "component 2 of stiffness of Spring is 'a': give a number.",
    ),
    (lambda: Spring(1.0, free=np.inf), "free of Spring is inf: give a finite number."),
    (
        lambda: Spring(1.0, potential=abs),
        "Spring has a potential, but the stiffness 1.0, of which the energy is known. Leave out "
        "the potential.",
    ),
    (
        lambda: Spring(np.eye(3)).force(np.ones(2), np.ones(2), None),
        "stiffness of Spring has a 3×3 matrix, but the measure has 2 components. Give one number "
        "for all of them, or as many as there are.",
    ),
    (
        lambda: Spring(1.0, (1.0, 2.0)).force(0.1, 0.0, None),
        "free of Spring has 2 numbers, but the measure has 1 component. Give one number for all "
        "of them, or as many as there are.",
    ),
    (
        lambda: Damper((1.0, 2.0)).force(np.ones(3), np.ones(3), None),
        "damping of Damper has 2 numbers, but the measure has 3 components. Give one number for "
        "all of them, or as many as there are.",
    ),
    (
        lambda: Beam(1.0, 1.0, 1.0).force(np.ones(6), np.ones(6), None),
        "a beam in the plane takes a measure of 3 components, 'x y rz', but the measure has 6. "
        "Change the components of Relative, or the torsion of the beam.",
    ),
    (lambda: Damper([]), "damping of Damper is []: give a number."),
    (
        lambda: Maxwell((1.0, 2.0), 0.1),
        "Maxwell has 2 stiffness and 1 time: give one of each for every branch.",
    ),
    (lambda: Maxwell(1.0, 0.0), "time of Maxwell is 0: it must be positive."),
    (lambda: Bar(0.0, 1.0), "length of Bar is 0: it must be positive."),
    (
        lambda: Beam(1.0, 1.0, (1.0, 2.0)),
        "bending of Beam is (1, 2): give one number; a beam in space has a torsion too.",
    ),
    (
        lambda: Beam(1.0, 1.0, (1.0, 2.0, 3.0), 1.0),
        "bending of Beam is (1, 2, 3): give one or two numbers.",
    ),
    (
        lambda: Beam(1.0, 1.0, -Parameter("b", 1.0)),
        "bending of Beam is -b = -1 N m^2: it must be positive.",
    ),
    (
        lambda: Force("hard"),
        "value of Force is 'hard': give a number, one for each component of the measure, or a "
        "function of time such as lambda t: 5.0 * t.",
    ),
    (
        lambda: Force((1.0, 2.0)).force(0.1, 0.0, None),
        "value of Force has 2 numbers, but the measure has 1 component. Give one number for all "
        "of them, or as many as there are.",
    ),
    (
        lambda: Actuator(1.0, "high"),
        "pressure of Actuator is 'high': give a number, a function of time such as "
        "lambda t: 5.0 * t, jd.Formula(lambda at: ...) to see the machine, or leave it out to have "
        "an input 'pressure'.",
    ),
    (lambda: Motor(0.1, 1.0, 0.0), "inductance of Motor is 0: it must be positive."),
    (lambda: Servo("a", 0.1, 1.0, 1.0), "gain of Servo is 'a': give a number."),
    (
        lambda: Law(3),
        "Law has 3: give a function of the measure and its rate, such as "
        "lambda x, v: -1e3 * x - 5.0 * v.",
    ),
    (
        lambda: Law(abs, states={"a": "m"}),
        "Law has 1 states, 1 start values and no function state_rates: give one start value for "
        "each state, and state_rates if there are states.",
    ),
    (
        lambda: Spring(1.0) + 3,
        "cannot add 3 to the law Spring(1): give a smooth law.",
    ),
    (
        lambda: Maxwell(1.0, 1.0) + Maxwell(2.0, 2.0),
        "two laws that are added both have the state 'creep_1'. Put them in two connections with "
        "the same measure.",
    ),
    (
        lambda: Equal("a"),
        "Equal has the value 'a': give a number, one number for each component of the measure, or "
        "a function of time.",
    ),
    (lambda: Equal((1.0, None)), "a value of Equal is None: give a number."),
    # connections
    (
        lambda: MODEL.add_connection("c", ROD, Spring(1.0)),
        "connection 'c': the measure is Body(name='ro...)), shapes=()). Give one, for example "
        "jd.Distance(body.at(0.1, 0, 0), model.world) or jd.Coordinate('main.angle').",
    ),
    (
        lambda: MODEL.add_connection("c", MODEL.joints["pin"], Spring(1.0)),
        "connection 'c': the measure is 'pin' itself. Give jd.Coordinate('pin.angle').",
    ),
    (
        lambda: MODEL.add_connection("c", ANGLE, 3),
        "connection 'c': the law is 3. Give one, for example jd.Spring(1e3), jd.Equal(0.3), or a "
        "function such as lambda x, v: -1e3 * x.",
    ),
    (
        lambda: MODEL.add_connection("c", Distance(W, Model("b").add_body("x", Inertia(1.0))), abs),
        "connection 'c': a frame of the measure is on body 'x', which belongs to another model, "
        "not to 'machine'. Use a body that this model's add_body returned.",
    ),
]


@pytest.mark.parametrize(("wrong", "text"), CASES, ids=range(len(CASES)))
def test_message(wrong, text):
    with pytest.raises(ModelError) as caught:
        wrong()
    assert str(caught.value) == text


def test_unknown_coordinate():
    with pytest.raises(JourdainError) as caught:
        MODEL.add_connection("c", 2.0 * Coordinate("pin.angel"), Spring(1.0))
    assert type(caught.value) is UnknownNameError
    assert str(caught.value) == (
        "no coordinate 'pin.angel' in connection 'c'. Coordinates: pin.angle, shaft. "
        "Did you mean 'pin.angle'?"
    )


def test_a_failed_connection_is_not_added():
    assert not MODEL.connections


def _measuring(function, law):
    model = jd.Model("m")
    model.add_coordinate("x", 1.0)
    model.add_lag("s", lambda at: at.t, time=0.1)
    model.add_connection("a", jd.Coordinate("x"), jd.Actuator(1.0))
    model.add_connection("k", jd.Formula(function), law)
    return model


@pytest.mark.parametrize("law", [jd.Equal(), jd.Unilateral(), jd.Interval(1.0), jd.Locked("go")])
def test_measures_with_second_rates_do_not_see_states(law):
    model = _measuring(lambda at: at.coordinate("x") - at.state("s.value"), law)
    with pytest.raises(
        ModelError, match=r"'k': its measure asks for the state 's.value'.*jd.Spring"
    ):
        jd.simulate(model, 0.1)


@pytest.mark.parametrize(
    ("word", "name"),
    [("force", "a"), ("multiplier", "h"), ("rate", "s.value")],
)
def test_measures_do_not_see_what_has_no_rate(word, name):
    model = _measuring(lambda at: getattr(at, word)(name), jd.Spring(1.0))
    model.add_connection("h", jd.Coordinate("x"), jd.Equal())
    with pytest.raises(
        ModelError, match=rf"'k': its measure asks for at.{word}, whose rate.*add_lag"
    ):
        jd.simulate(model, 0.1)


def test_values_of_measures_do_not_depend_on_velocities():
    model = _measuring(lambda at: at.velocity("x"), jd.Spring(1.0))
    with pytest.raises(ModelError, match="'k': the value of its measure Formula depends on a velo"):
        jd.simulate(model, 0.1)
    with pytest.raises(ModelError, match=r"no state 's.vlue'"):
        jd.simulate(_measuring(lambda at: at.state("s.vlue"), jd.Spring(1.0)), 0.1)


def _winch(law=None):
    model = jd.Model("winch")
    model.add_coordinate("x", 1.0)
    signal = jd.Law(lambda x, v: -x, inputs={"length": "rad"})
    model.add_connection("winch", jd.Coordinate("x"), signal)
    span = jd.Formula(lambda at: at.coordinate("x") - at.input("winch.length"), unit="rad")
    model.add_connection("rope", span, law or jd.Spring(1.0))
    return model


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (jd.Sampled(lambda t, s: 0.1, 0.1), "is sampled"),
        (lambda t, s: s["x"], "depends on the state"),
        (lambda t, s: s["x.rate"], "depends on the state"),
    ],
)
def test_inputs_whose_rate_a_measure_cannot_know(given, why):
    with pytest.raises(ModelError, match=rf"'winch.length' {why}.*needs its rate.*add_lag"):
        jd.simulate(_winch(), 0.1, inputs={"winch.length": given})


def test_linear_equations_with_an_input_that_a_measure_sees():
    with pytest.raises(ModelError, match=r"'winch.length' is looked at by a measure.*add_lag"):
        jd.linearize(_winch(), inputs=["winch.length"])


def test_a_constraint_on_an_input():
    with pytest.raises(ModelError, match=r"the input 'winch.length'.*second rates.*coordinate"):
        jd.simulate(_winch(jd.Equal()), 0.1)


@pytest.mark.parametrize("ask", [lambda at: at.input("c.length"), lambda at: at.velocity("x")])
def test_a_law_that_asks_for_a_rate_that_is_not_known(ask):
    model = jd.Model("m")
    model.add_coordinate("x", 1.0)
    asked = jd.Formula(ask, unit="rad")
    law = jd.Law(lambda x, v, at: at.rate_of(asked), inputs={"length": "rad"})
    model.add_connection("c", jd.Coordinate("x"), law)
    with pytest.raises(ModelError, match=r"connection 'c'.*rate of something.*is not known"):
        jd.simulate(model, 0.1)
