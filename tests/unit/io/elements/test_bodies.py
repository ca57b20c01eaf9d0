"""Bodies come back from a file as they were: as solids, or in numbers."""

import pytest

import jourdain as jd
from jourdain import io, math
from jourdain.errors import FormatError
from jourdain.io.elements.bodies import body, body_tree
from jourdain.io.text.section import ContentError, Value
from jourdain.io.text.values import UnwritableError
from jourdain.model import Body
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.solid import Shape, Solid

L, M = Parameter("L", 0.3, "m"), Parameter("M", 2.0, "kg")
TURN = math.rotation_x(0.1) @ math.rotation_z(0.7)
MATRIX = ((0.3, 0.01, 0.0), (0.01, 0.3, -0.02), (0.0, -0.02, 0.3))

SIMPLE = [
    solid.rod(1.0, (0.1, 0.2, 0.3)),
    solid.rod(M, (L, 0, -2 * L)),
    solid.rod(1.0, (0.5, 0, 0), start=(0.25, 0, 0.5)),
    solid.box(1.0, (0.1, 0.2, 0.3)),
    solid.box(M, (L, 0.2, 0.3), at=(L, 0, 0), rotation=math.rotation_y(0.3)),
    solid.ball(1.0, 0.2),
    solid.ball(M, L, at=(0, 0, L), rotation=TURN),
    solid.ellipsoid(1.0, (0.1, 0.2, L), at=(0, 1, 0)),
    *(solid.cylinder(1.0, 0.1, L, axis) for axis in ("x", "y", "z", "-x", "-y", "-z")),
    solid.cylinder(1.0, 0.1, 0.3, at=(0, 1, 0), rotation=TURN),
    solid.tube(M, 0.1, 0.2, L, "-y", at=(0, 0, 1)),
    solid.cone(1.0, 0.1, 0.4),
    solid.cone(M, 0.1, L, "x", at=(0, L, 1)),
    solid.point(1.0),
    solid.point(M, (L, 0, 0)),
]
OTHERS = [
    solid.rod(1.0, (0.3, 0, 0), start=(0.1, 0.7, L)),
    solid.rod(1.0, (0.1 + 0.2, 0, 0), start=(1e9, 0, 0)),
    solid.cylinder(1.0, 0.1, 0.3, (0.6, 0.0, 0.8), at=(0, 1, 0)),
    solid.cone(1.0, 0.1, 0.4, "y", at=(0, 1, 0), rotation=TURN),
    solid.ball(1.0, 0.1) + solid.box(M, (0.1, 0.2, L), at=(0, 1, L)),
    solid.compound(*(solid.point(0.1 * k, (k, 0, 0)) for k in range(1, 5)), at=(0, 0, 1)),
    Solid(Inertia(0.0)),
    Solid(Inertia(M, (0, L, 0), (0.1, 0.2, 0.3))),
    Solid(Inertia(2.0, (0, 0.1, -0.0), MATRIX)),
    Solid(Inertia(2.0), (Shape("ball", (0.1,)), Shape("rod", (L, 0.0, 1.0), (L, 0.0, 0.0)))),
]


def value(data):
    return Value(data, ("body", "rod"), {"L": L, "M": M})


def tree(made):
    return body_tree(Body("rod", made.inertia, made.shapes))


@pytest.mark.parametrize("made", SIMPLE + OTHERS, ids=lambda s: str(s.shapes)[:70])
def test_bodies_come_back(made):
    assert body(value(tree(made))) == made


@pytest.mark.parametrize("made", SIMPLE, ids=lambda s: str(s.shapes)[:70])
def test_plain_solids_are_written_as_such(made):
    assert tree(made)["solid"] == made.shapes[0].kind


def test_forms():
    end = ["=L", 0.0, "=-2 * L"]
    assert tree(solid.rod(M, (L, 0, -2 * L))) == {"solid": "rod", "mass": "=M", "end": end}
    assert tree(solid.cylinder(1.0, 0.1, 0.3, "-y", at=(0, 0, 1))) == {
        "solid": "cylinder",
        "mass": 1.0,
        "radius": 0.1,
        "length": 0.3,
        "axis": "-y",
        "at": [0.0, 0.0, 1.0],
    }
    assert tree(Solid(Inertia(1.0, moments=(0.1, 0.2, 0.3)))) == {
        "mass": 1.0,
        "moments": [0.1, 0.2, 0.3],
    }


def test_compounds_are_read():
    data = {
        "solid": "compound",
        "parts": [
            {"solid": "ball", "mass": "=M", "radius": 0.1},
            {"solid": "compound", "parts": [{"solid": "point", "mass": 1, "at": [1, 0, 0]}]},
        ],
        "at": [0, 0, "=L"],
        "rotation": {"axis": "x", "angle": 0.1},
    }
    inner = solid.compound(solid.point(1, (1, 0, 0)))
    expected = solid.compound(
        solid.ball(M, 0.1), inner, at=(0, 0, L), rotation=math.rotation_x(0.1)
    )
    assert body(value(data)) == expected


@pytest.mark.parametrize("shape", [Shape("mesh", (1.0,)), Shape("ball", (1.0, 2.0))])
def test_shapes_that_are_not_built_in_are_refused(shape):
    with pytest.raises(UnwritableError, match=r"its shape of kind '.*' with . dimensions is none"):
        tree(Solid(Inertia(1.0), (shape,)))


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (3, ["give a table"]),
        ({}, ["the key 'mass' is missing. Allowed: mass, com, moments, shapes. For a solid name"]),
        ({"mass": 1, "end": [1, 0, 0]}, ["unknown key 'end'"]),
        ({"solid": "bal", "mass": 1}, ["is 'bal', which is no solid", "Did you mean 'ball'?"]),
        ({"solid": "ball", "mass": 1}, ["the key 'radius' is missing"]),
        ({"solid": "ball", "mass": -1, "radius": 1}, ["mass of the ball is -1 kg"]),
        ({"solid": "box", "mass": 1, "size": [1e200] * 3}, ["its inertia is not finite"]),
        ({"solid": "compound", "parts": []}, ["compound got no solids"]),
        ({"solid": "compound", "parts": 1}, ["parts of body 'rod' is 1: give tables in brackets"]),
        ({"solid": "compound", "parts": [{"mass": 1}]}, ["is a table: give a solid such as"]),
        ({"mass": 1, "shapes": [{"kind": "ball", "size": [1, 2]}]}, ["has 1 number as its size"]),
        ({"mass": 1, "shapes": [{"kind": "bal"}]}, ["which is no kind of shape", "'ball'?"]),
        ({"mass": 1, "moments": [1, 1, 3]}, ["which no rigid body can have"]),
        ({"mass": 1, "moments": [[1, 0], [0, 1]]}, ["give the 3 principal moments"]),
    ],
    ids=str,
)
def test_wrong_bodies(data, parts):
    with pytest.raises(ContentError) as error:
        body(value(data))
    text = " ".join(said for _, said in error.value.found)
    assert all(part in text for part in parts)


def test_mistakes_of_all_parts_are_told():
    parts = [{"solid": "ball", "mass": 1}, {"solid": "bal"}, {"solid": "point", "mass": 1}]
    with pytest.raises(ContentError) as error:
        body(value({"solid": "compound", "parts": parts}))
    assert [path[3] for path, _ in error.value.found] == [0, 1]


def test_looks_come_back():
    model = jd.Model("looks")
    model.add_body("one", solid.ball(1.0, 0.1), colour="#aa3377", opacity=0.5)
    model.add_body("two", Inertia(1.0), colour="#00ff00")
    steel = jd.flexible.circle(jd.flexible.STEEL, 0.01)
    model.add_body("three", jd.flexible.beam(0.5, steel, modes=2), opacity=0.25)
    again = io.loads(io.dumps(model))
    assert again == model
    assert again.bodies["three"].opacity == 0.25


def test_a_part_of_a_compound_has_no_look_of_its_own():
    with pytest.raises(FormatError, match="unknown key 'colour'"):
        io.loads(
            'format = "jourdain-1"\nname = "m"\n[body.a]\nsolid = "compound"\n'
            'parts = [{ solid = "ball", mass = 1.0, radius = 0.1, colour = "#ffffff" }]\n'
        )
