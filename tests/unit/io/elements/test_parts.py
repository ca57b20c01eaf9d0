"""Every built-in measure and law comes back from a file as it was."""

from dataclasses import replace

import pytest

from jourdain.io.elements.parts import (
    contour,
    contour_tree,
    kinds,
    law,
    law_tree,
    measure,
    measure_tree,
)
from jourdain.io.text.section import ContentError, Value
from jourdain.io.text.values import UnwritableError
from jourdain.math import Table
from jourdain.model import Model
from jourdain.model.contours import Box, Curve, HalfSpace, Point, Sphere, Surface, all_contours
from jourdain.model.joints import Revolute
from jourdain.model.laws import (
    Coulomb,
    Damper,
    Equal,
    Force,
    ForceLaw,
    Interval,
    Law,
    Locked,
    Maxwell,
    Motor,
    Poisson,
    Signal,
    Spring,
    SumLaw,
    Unilateral,
    all_laws,
)
from jourdain.model.measures import (
    Coordinate,
    Distance,
    Formula,
    Gap,
    Measure,
    OnSurface,
    PathLength,
    Relative,
    Rolling,
    Sum,
    Touch,
    all_measures,
)
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

P = Parameter("p", 0.5)
CAM = Table((0, 1, 2, 3, 4), ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0)), "cubic")
WAVE = Table((0.0, 1.0, 2.0), (0.0, 3.0, -1.0))


def machine():
    model = Model("machine")
    for name in "ab":
        model.add_body(name, Inertia(1.0))
    model.add_joint("j", "world", "a", Revolute("z"))
    model.add_coordinate("s", 1.0, unit="m")
    return model


MODEL = machine()
A, B = MODEL.body("a"), MODEL.body("b")


def value(data):
    return Value(data, ("connection", "c"), {"p": P})


def parts(given):
    return [m for _, m in given.terms] if isinstance(given, Sum) else [given]


def without_unit(given):
    """Units of coordinates are looked up in the model, not kept."""
    if isinstance(given, Sum):
        return Sum(tuple((k, without_unit(m)) for k, m in given.terms))
    return replace(given, unit="") if isinstance(given, Coordinate) else given


def is_plain(given):
    return bool(given.n_extremes) and not isinstance(given, Curve | Surface)


def has_code(given):
    return isinstance(given, Spring) and given.potential is not None


MEASURES = [
    *(
        m
        for m in all_measures()
        if not any(isinstance(part, Formula | OnSurface) for part in parts(m))
    ),
    PathLength((A.at(P, 0, 0), B), over=MODEL.world, radius=2 * P, axis="-y"),
    Rolling(A, B, P, -3 * P, "x"),
    (P + 1) * Distance(A, B),
    1.0 * Coordinate("s"),
    Touch(Relative(A, B, "z"), Relative(A, B, "xy")),
    Gap(HalfSpace(MODEL.world), Sphere(A, 2 * P)),
    Gap(Point(A.at(P, 0, 0)), HalfSpace(B, "-x")),
    *(Gap(HalfSpace(B), c) for c in all_contours(A.at(0.0, P, 0.0)) if is_plain(c)),
    Gap(HalfSpace(B), Curve(A, CAM, (0.0, 4.0))),
    Gap(Box(A, (P, 2 * P, 1.0)), Box(B, (1.0, 1.0, 3 * P))),
]
LAWS = [
    *(given for given, _ in all_laws() if not isinstance(given, Law) and not has_code(given)),
    Equal(),
    Equal(2 * P),
    Equal((1.0, P)),
    Equal(WAVE),
    Spring(((P, 1.0), (0.0, 2 * P)), (P, 0.0), P),
    Spring(WAVE, potential=WAVE),
    Damper((1.0, P)),
    Force(WAVE),
    Maxwell((P, 2.0), (1.0, P)),
    Motor(P, P, P, voltage=WAVE),
    Unilateral(),
    Unilateral(P, "below", WAVE, Poisson("glocker")),
    Interval(P),
    Interval(WAVE),
    Interval(P, {"pressure": "Pa"}),
    Interval(P, static=3 * P),
    Locked("gear"),
    Locked(Signal("coordinate", "shaft", 2.0, -1.0)),
    Coulomb((0.1, P), 0.5, 0.25, Poisson("glocker")),
    Coulomb(0.4, rolling=0.001, drilling=P),
    Coulomb((0.1, P), 0.5, 0.25, static=(0.6, 2 * P)),
    SumLaw((Spring(P),)),
    SumLaw((SumLaw((Spring(P), Damper(1.0))), Force(P))),
]


@pytest.mark.parametrize("given", MEASURES, ids=lambda m: str(m)[:60])
def test_measures_come_back(given):
    assert measure(value(measure_tree(given)), MODEL) == without_unit(given)


@pytest.mark.parametrize("given", LAWS, ids=lambda m: str(m)[:60])
def test_laws_come_back(given):
    assert law(value(law_tree(given)), MODEL) == given


def test_every_built_in_one_has_a_form_but_functions():
    names = {type(part).__name__ for m in all_measures() for part in parts(m)}
    assert set(kinds("measure")) == (names | {"Gap", "Touch"}) - {"Formula", "OnSurface"}
    names = {type(given).__name__ for given in (*LAWS, *(given for given, _ in all_laws()))}
    assert set(kinds("law")) == names - {"Law", "SumLaw"}


def test_every_built_in_contour_has_a_form():
    names = {type(given).__name__ for given in all_contours(A.at())}
    assert set(kinds("contour")) == names - {"Surface"}


CONTOURS = all_contours(A.at(0.1, 0, 0))
FUNCTIONS = [c for c in CONTOURS if isinstance(c, Curve | Surface)]


@pytest.mark.parametrize(
    "given", [c for c in CONTOURS if c not in FUNCTIONS], ids=lambda c: str(c)[:50]
)
def test_contours_come_back(given):
    assert contour(value(contour_tree(given)), MODEL) == given


@pytest.mark.parametrize("given", FUNCTIONS, ids=lambda c: type(c).__name__)
def test_contours_of_functions_are_not_written(given):
    with pytest.raises(UnwritableError, match="which is Python code and has no form in a file"):
        contour_tree(given)


def test_a_whole_number():
    tree = {"kind": "Disc", "frame": "a", "radius": 0.1, "rim_points": 2.5}
    with pytest.raises(ContentError) as error:
        contour(value(tree), MODEL)
    assert error.value.found[0][1] == "rim_points of connection 'c' is 2.5: give a whole number."


def test_short_forms():
    assert law_tree(Equal()) == "Equal"
    assert law_tree(Equal(1.0)) == {"kind": "Equal", "value": 1.0}
    assert measure_tree(Coordinate("s", "m")) == {"kind": "Coordinate", "name": "s"}
    assert measure_tree(Coordinate("s") - 2 * Coordinate("j.angle")) == [
        {"kind": "Coordinate", "name": "s"},
        {"factor": -2.0, "kind": "Coordinate", "name": "j.angle"},
    ]
    assert measure_tree(Relative(A, B)) == {"kind": "Relative", "start": "a", "end": "b"}


class Stiffer(Spring):
    """A subclass of a built-in law may mean anything."""


class Height(Measure):
    """One of a user."""


class Friction(ForceLaw):
    """One of a user."""


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda: law_tree(Stiffer(1.0)), "its law is Stiffer, which is Python code"),
        (lambda: law_tree(Spring(1.0) + Friction()), "its law is Friction, which is Python code"),
        (lambda: law_tree(Law(abs)), "its law is Law, which is Python code"),
        (lambda: measure_tree(Height()), "its measure is Height, which is Python code"),
        (lambda: measure_tree(2.0 * Formula(abs)), "its measure is Formula, which is Python code"),
        (lambda: law_tree(Spring(abs)), "the stiffness of its law Spring is the function abs"),
        (lambda: law_tree(Equal(abs)), "the value of its law Equal is the function abs"),
    ],
)
def test_python_code_is_not_written(write, text):
    with pytest.raises(UnwritableError) as error:
        write()
    assert str(error.value).startswith(text)


def test_a_count_is_a_whole_number():
    disc = {"kind": "Disc", "frame": "a", "radius": 1.0, "rim_points": 3.0}
    ground = {"kind": "HalfSpace", "frame": "world"}
    with pytest.raises(ContentError) as error:
        measure(value({"kind": "Gap", "a": disc, "b": ground}), MODEL)
    assert "rim_points" in str(error.value)
    assert "give a whole number" in str(error.value)


def test_all_mistakes_of_a_sum_are_told():
    terms = [{"kind": "Distance", "start": "x", "end": "b"}, {"kind": "Coordinat"}, 3]
    with pytest.raises(ContentError) as error:
        measure(value(terms), MODEL)
    assert [path[2:] for path, _ in error.value.found] == [(0, "start"), (1, "kind"), (2,)]
