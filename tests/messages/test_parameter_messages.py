"""What a constructor refuses, ``parameters=`` refuses too, with the parameter's name."""

import math
import re

import numpy as np
import pytest

import jourdain as jd

P = jd.Parameter


def base():
    """A slider, a turning body and a shaft that elements can be put between."""
    model = jd.Model("machine")
    a, b = (model.add_body(n, jd.solid.box(1.0, (0.1, 0.2, 0.3))) for n in "ab")
    model.add_joint("slide", model.world, a, jd.Prismatic("x"))
    model.add_joint("turn", a, b, jd.Revolute("y"))
    model.add_coordinate("shaft", 1.0)
    return model, a, b


def body(make):
    return lambda model, a, b, p: (
        model.add_body("c", make(p)),
        model.add_joint("c_joint", model.world, "c", jd.Prismatic("z")),
    )


def law(make, measure=None):
    def build(model, a, b, p):
        model.add_connection("law", measure or jd.Coordinate("shaft"), make(p))

    return build


def contour(make):
    def build(model, a, b, p):
        floor = jd.HalfSpace(model.world.at(0, 0, -9))
        model.add_contact("touch", floor, make(a, p), jd.Coulomb(0.1))

    return build


# Each: how to build with a number, a number that fits, numbers that the constructor refuses.
CASES = {
    "rod mass": (body(lambda p: jd.solid.rod(p, (0, 0, 1))), 1.0, [-1.0]),
    "box mass": (body(lambda p: jd.solid.box(p, (1, 1, 1))), 1.0, [-1.0]),
    "box size": (body(lambda p: jd.solid.box(1.0, (p, 1, 1))), 1.0, [-1.0]),
    "ball radius": (body(lambda p: jd.solid.ball(1.0, p)), 0.1, [-1.0, 0.0]),
    "cylinder radius": (body(lambda p: jd.solid.cylinder(1.0, p, 1.0)), 0.1, [-1.0, 0.0]),
    "cylinder length": (body(lambda p: jd.solid.cylinder(1.0, 0.1, p)), 0.1, [-1.0]),
    "tube radii": (body(lambda p: jd.solid.tube(1.0, p, 0.2, 1.0)), 0.1, [-1.0, 0.3]),
    "cone height": (body(lambda p: jd.solid.cone(1.0, 0.1, p)), 0.1, [-1.0, 0.0]),
    "ellipsoid": (body(lambda p: jd.solid.ellipsoid(1.0, (0.1, p, 0.1))), 0.1, [-1.0, 0.0]),
    "rod length": (body(lambda p: jd.solid.rod(1.0, (0, 0, p))), 0.1, [0.0]),
    "inertia": (body(lambda p: jd.Inertia(1.0, moments=(p, 1.0, 1.0))), 1.0, [-1.0, 3.0]),
    "inertia mass": (body(lambda p: jd.Inertia(p, moments=(1.0, 1.0, 1.0))), 1.0, [-1.0]),
    "coordinate": (lambda m, a, b, p: m.add_coordinate("wheel", p), 1.0, [-1.0]),
    "capacity": (law(jd.Interval), 1.0, [-1.0]),
    "restitution": (law(lambda p: jd.Unilateral(-1.0, restitution=p)), 0.5, [-0.1, 1.5]),
    "Maxwell": (law(lambda p: jd.Maxwell(p, 1.0)), 1.0, [-1.0, 0.0]),
    "Motor": (law(lambda p: jd.Motor(1.0, p, 1.0)), 1.0, [-1.0, 0.0]),
    "sphere": (contour(jd.Sphere), 0.1, [-1.0, 0.0]),
    "friction": (
        lambda m, a, b, p: m.add_contact(
            "touch", jd.HalfSpace(m.world.at(0, 0, -9)), jd.Sphere(a, 0.1), jd.Coulomb(p)
        ),
        0.1,
        [-1.0],
    ),
    "group restitution": (
        lambda m, a, b, p: m.add_contacts(
            "heap",
            [jd.HalfSpace(m.world.at(0, 0, -9)), jd.Sphere(a, 0.1)],
            jd.Coulomb(0.1, p),
        ),
        0.1,
        [-1.0, 1.5],
    ),
    "screw": (
        lambda m, a, b, p: (
            m.add_body("c", jd.solid.ball(1.0, 0.1)),
            m.add_joint("c_joint", m.world, "c", jd.Screw("z", pitch=1.0 / p)),
        ),
        0.1,
        [0.0],
    ),
}
REFUSED = [(name, value) for name, (_, _, values) in CASES.items() for value in values]


@pytest.fixture(scope="module")
def compiled():
    found = {}

    def get(name):
        if name not in found:
            build, good, _ = CASES[name]
            model, a, b = base()
            build(model, a, b, P("size", good))
            found[name] = jd.compile(model)
        return found[name]

    return get


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_what_a_constructor_refuses_parameters_refuse(name, value, compiled):
    model, a, b = base()
    try:
        CASES[name][0](model, a, b, P("size", value))
    except jd.ModelError as error:
        told = str(error)
    else:
        pytest.fail("the constructor takes it")
    with pytest.raises(jd.ModelError) as caught:
        jd.simulate(compiled(name), 0.01, parameters={"size": value})
    text = str(caught.value)
    assert text.startswith(f"model 'machine' with size = {value:g}: ")
    if "mass" in name:  # the inertia checks it again, in words of its own
        assert "has the mass -1 kg: a mass cannot be negative." in text
    else:
        assert told.replace("coordinate 'wheel'", "") in text.replace("coordinate 'wheel'", "")


@pytest.mark.parametrize("name", CASES)
def test_what_a_constructor_takes_parameters_take(name, compiled):
    sol = jd.simulate(compiled(name), 1e-3, parameters={"size": 0.99 * CASES[name][1]})
    assert np.isfinite(sol.q).all()


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, True, "a", None, [1.0], [], {}, 10**400, object()],
    ids=lambda x: f"{x!r:.8}",
)
def test_values_that_are_no_numbers(value, compiled):
    with pytest.raises(jd.ModelError, match="value of parameter 'size' is"):
        jd.simulate(compiled("ball radius"), 0.01, parameters={"size": value})


@pytest.mark.parametrize("given", [3.0, [1.0], "size"])
def test_parameters_without_names(given, compiled):
    with pytest.raises(jd.ModelError, match=re.escape("parameters={")):
        jd.simulate(compiled("ball radius"), 0.01, parameters=given)


def test_a_good_run_after_a_refused_one(compiled):
    system = compiled("ball radius")
    with pytest.raises(jd.ModelError, match="radius of the ball is size = -1 m"):
        jd.simulate(system, 0.01, parameters={"size": -1.0})
    assert jd.simulate(system, 0.01).statistics.is_complete


def test_other_analyses_refuse_too(compiled):
    with pytest.raises(jd.ModelError, match="radius of the ball is size = -1 m"):
        jd.assemble(compiled("ball radius"), parameters={"size": -1.0})


@pytest.mark.filterwarnings("ignore:overflow")
def test_the_largest_parameters_give_no_foreign_error(compiled):
    for name in ("ball radius", "rod mass", "coordinate", "Maxwell", "sphere"):
        for value in (1e300, 1e150, 1e-300):
            try:
                sol = jd.simulate(compiled(name), 0.01, parameters={"size": value})
            except jd.JourdainError:
                continue
            assert np.isfinite(sol.q).all()
