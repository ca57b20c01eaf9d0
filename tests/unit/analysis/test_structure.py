from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.analysis.structure import Coordinate, Loop, structure
from jourdain.model.joints import (
    Cylindrical,
    Fixed,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Skate,
    Spherical,
)
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia

R, P = Revolute("y"), Prismatic("x")


class Table(Joint):
    """A kind of a user whose coordinates have names of one letter."""

    coordinates = {"u": "m", "v": "m"}

    def pose(self, q, t):
        return ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (q[0], q[1], 0)


def make(name, bodies, joints):
    model = Model(name)
    for body in bodies:
        model.add_body(body, Inertia(mass=1.0))
    for joint, parent, child, kind, *driven in joints:
        drives = driven[0] if driven else None
        model.add_joint(joint, parent, child, kind, driven=drives)
    return model


@pytest.fixture
def slider_crank():
    return make(
        "slider_crank",
        ["crank", "rod", "piston"],
        [
            ("main", "world", "crank", R),
            ("big_end", "crank", "rod", R),
            ("wrist", "rod", "piston", R),
            ("guide", "world", "piston", P),
        ],
    )


@pytest.fixture
def robot():
    bodies = ["base", "shoulder", "arm", "elbow", "forearm", "hand", "tool", "workpiece"]
    axes = ["z", "y", "y", "x", "y", (0.6, 0.0, 0.8)]
    joints = [(f"axis_{k}", bodies[k - 1], bodies[k], Revolute(a)) for k, a in enumerate(axes, 1)]
    joints[0] += ({"angle": lambda t: t},)
    model = make("robot", bodies, [("mount", "world", "base", Fixed()), *joints])
    model.add_coordinate("motor", 0.1)
    model.add_coordinate("flow", 0.2, unit="m^3", driven=lambda t: t)
    return model


def chain(n):
    names = ["world", *(f"b{k}" for k in range(n))]
    return make("chain", names[1:], [(f"j{k}", names[k], names[k + 1], R) for k in range(n)])


def test_report_of_the_slider_crank(slider_crank):
    assert (
        str(structure(slider_crank, at=False))
        == """\
slider_crank: 3 bodies, 4 joints, 1 loop

  body              joint     kind            coordinates
  world
  └─ crank          main      Revolute("y")   angle [rad]
     └─ rod         big_end   Revolute("y")   angle [rad]
        └─ piston   wrist     Revolute("y")   angle [rad]

loop: main - big_end - wrist - guide, cut: guide
  guide: Prismatic("x") from world to piston, 5 constraint rows

coordinates (3): main.angle, big_end.angle, wrist.angle [rad]
coordinates of cut joints (1): guide.position [m]

degrees of freedom: at least 0 (Grübler: 3 of the tree - 5 constraint rows = -2)
  Redundant rows: at least 2 of 5.
  The exact number takes the rank of the rows in a position of the machine."""
    )


def test_report_of_a_robot(robot):
    assert (
        str(structure(robot))
        == """\
robot: 8 bodies, 7 joints, no loops

  body                        joint         kind                      coordinates
  world
  ├─ base                     mount         Fixed()
  │  └─ shoulder              axis_1        Revolute("z")             angle [rad] driven
  │     └─ arm                axis_2        Revolute("y")             angle [rad]
  │        └─ elbow           axis_3        Revolute("y")             angle [rad]
  │           └─ forearm      axis_4        Revolute("x")             angle [rad]
  │              └─ hand      axis_5        Revolute("y")             angle [rad]
  │                 └─ tool   axis_6        Revolute((0.6, 0, 0.8))   angle [rad]
  └─ workpiece                (automatic)   Free()                    \
position.x/y/z [m]; orientation.w/x/y/z [1]

(automatic): a Free joint, because no other joint leads there from world; it has the name of the
  body: workpiece.position.x.

coordinates (13): axis_2.angle, axis_3.angle, axis_4.angle, axis_5.angle, axis_6.angle [rad];
  workpiece.position.x/y/z [m]; workpiece.orientation.w/x/y/z [1]; motor [rad]
driven coordinates (2): axis_1.angle [rad]; flow [m^3]

degrees of freedom: 12"""
    )


def test_fields_of_the_slider_crank(slider_crank):
    found = structure(slider_crank, at=False)
    assert found.bodies == ("crank", "rod", "piston")
    assert found.joints == ("main", "big_end", "wrist", "guide")
    assert found.loops == (Loop(("main", "big_end", "wrist", "guide"), "guide", 5),)
    assert found.coordinates[0] == Coordinate("main.angle", "rad", is_driven=False)
    assert found.cut_coordinates == (Coordinate("guide.position", "m", is_driven=False),)
    assert (found.n_bodies, found.n_joints, found.n_loops) == (3, 4, 1)
    assert (found.n_coordinates, found.n_freedoms, found.n_rows) == (3, 3, 5)
    assert (found.grubler, found.mobility_at_least) == (-2, 0)


def test_fields_of_a_robot(robot):
    found = structure(robot)
    assert found.free_bodies == ("workpiece",)
    assert (found.n_bodies, found.n_joints, found.n_loops) == (8, 7, 0)
    assert (found.n_coordinates, found.n_freedoms, found.n_rows) == (15, 12, 0)
    assert found.grubler == found.mobility_at_least == 12
    driven = [c.name for c in found.coordinates if c.is_driven]
    assert driven == ["axis_1.angle", "flow"]


def test_a_chosen_cut_and_reversed_joints(slider_crank):
    found = structure(slider_crank, cut="big_end", at=False)
    assert found.loops[0].cut == "big_end"
    lines = str(found).splitlines()
    assert any("rod" in line and "wrist ↑" in line for line in lines)
    assert "↑: written from the outer body to the inner one; signs stay as written." in lines
    assert "loop: main - big_end - wrist - guide, cut: big_end" in lines


def test_a_spatial_loop_without_redundancy_has_its_true_mobility():
    # RSSR with the rod's spin: 2 + 3 + 3 freedoms less the 6 of the loop
    model = make(
        "rssr",
        ["crank", "rod", "rocker"],
        [
            ("a", "world", "crank", Revolute("z")),
            ("b", "crank", "rod", Spherical()),
            ("c", "rod", "rocker", Spherical()),
            ("d", "world", "rocker", Revolute("x")),
        ],
    )
    found = structure(model, at=False)
    assert (found.n_freedoms, found.n_rows, found.grubler) == (5, 3, 2)
    text = str(found)
    assert "degrees of freedom: at least 2 (Grübler: 5 of the tree - 3 constraint rows = 2)" in text
    assert "Redundant" not in text


@pytest.mark.parametrize(
    ("joint", "row"),
    [
        (("j", "world", "a", P * R), 'Prismatic("x") * Revolute("y")   position [m]; angle [rad]'),
        (("j", "world", "a", Planar("z")), 'Planar("z")   position.x/y [m]; angle [rad]'),
        (("j", "world", "a", Table()), "Table()   u, v [m]"),
        (("j", "world", "a", R, {"angle": 1.0}), 'Revolute("y")   angle [rad] driven'),
        (
            ("j", "world", "a", Cylindrical("x"), {"angle": 1.0}),
            'Cylindrical("x")   position [m]; angle [rad] driven',
        ),
        (
            ("j", "world", "a", Free(), {"position": lambda t: (t, 0, 0)}),
            "Free()   position.x/y/z [m] driven; orientation.w/x/y/z [1]",
        ),
    ],
)
def test_rows_of_kinds(joint, row):
    line = str(structure(make("one", ["a"], [joint]))).splitlines()[4]
    assert line.startswith("  └─ a    j       ")
    assert line.endswith(row)


def test_nonholonomic_joints_count_their_velocities():
    found = structure(make("ice", ["sled"], [("blade", "world", "sled", Skate())]))
    assert (found.n_coordinates, found.n_freedoms) == (3, 2)
    assert str(found).endswith("degrees of freedom: 2 of velocities, 3 of positions (nonholonomic)")


def test_a_thousand_bodies_fit_on_a_screen():
    lines = str(structure(chain(1000))).splitlines()
    assert len(lines) < 25
    assert max(map(len, lines)) <= 100
    assert any(
        "… 995 bodies (b3 … b997)" in line and "j3 … j997" in line and "995 coordinates" in line
        for line in lines
    )
    assert any(line.startswith("coordinates (1000): j0.angle, j1.angle") for line in lines)


def test_left_out_bodies_of_different_kinds_are_counted():
    bodies = [f"b{k}" for k in range(40)]
    joints = [(f"j{k}", "world", f"b{k}", P if k % 2 else R) for k in range(20)]
    lines = str(structure(make("many", bodies, joints))).splitlines()
    line = next(line for line in lines if "…" in line)
    # eight shown; six of each kind of joint are left out, and twenty free bodies
    assert line.split("   ")[0].strip() == "└─ … 32 bodies (b8 … b39)"
    assert "j8 … (automatic)" in line
    assert "3 kinds" in line
    assert line.endswith(f"{12 + 20 * 7} coordinates")


def test_many_loops_are_counted_and_long_ones_shortened():
    model = chain(30)
    for k in range(20):
        model.add_joint(f"c{k}", f"b{k}", "b29", Spherical())
    lines = str(structure(model, at=False)).splitlines()
    assert sum(line.startswith("loop: ") for line in lines) == 8
    assert "loop: j1 - j2 - j3 - j4 - j5 - … - j26 - j27 - j28 - j29 - c0, cut: c0" in lines
    assert "and 12 more, cut: c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19" in lines
    assert max(map(len, lines)) <= 100


def test_a_model_without_bodies():
    model = Model("empty")
    assert str(structure(model)) == "empty: no bodies, no joints, no loops"
    model.add_coordinate("shaft", 0.1)
    assert str(structure(model)).splitlines()[2:] == [
        "coordinates (1): shaft [rad]",
        "",
        "degrees of freedom: 1",
    ]


def test_a_structure_cannot_be_changed(slider_crank):
    with pytest.raises(dataclasses.FrozenInstanceError):
        structure(slider_crank, at=False).n_freedoms = 1


def geared(pairs, n):
    """Shafts with gears between them: i turns as fast as j, times a ratio."""
    model = jd.Model("gears")
    for k in range(n):
        model.add_coordinate(f"s{k}", 1.0)
    for k, (i, j, ratio) in enumerate(pairs):
        measure = jd.Coordinate(f"s{i}") - ratio * jd.Coordinate(f"s{j}")
        model.add_connection(f"g{k}", measure, jd.Equal())
    return model


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from((-2.0, 0.5, 1.0))),
        min_size=1,
        max_size=6,
    )
)
@settings(max_examples=15, deadline=None)
def test_held_measures_count_as_rows_of_the_rank_do(pairs):
    pairs = [(i, j, ratio) for i, j, ratio in pairs if i != j] or [(0, 1, 1.0)]
    rows = np.zeros((len(pairs), 4))
    for row, (i, j, ratio) in zip(rows, pairs, strict=True):
        row[i], row[j] = 1.0, -ratio
    found = jd.structure(geared(pairs, 4))
    rank = np.linalg.matrix_rank(rows)
    assert (found.n_rows, found.grubler) == (len(pairs), 4 - len(pairs))
    assert (found.findings.n_rows, found.findings.n_dof) == (len(pairs), 4 - rank)


def held_bodies():
    """A loop, a body that is held in two directions, and one on rods to a knot."""
    model = jd.Model("held")
    crank, slide = (model.add_body(name, jd.solid.rod(1.0, end=(1, 0, 0))) for name in "ab")
    plate = model.add_body("plate", jd.solid.box(1.0, size=(1, 1, 1)))
    model.add_joint("pin", model.world, crank, jd.Revolute("z"))
    model.add_joint("link", crank.at(1, 0, 0), slide, jd.Revolute("z"))
    model.add_joint("end", model.world.at(1.5, 0.5, 0), slide.at(1, 0, 0), jd.Spherical())
    model.add_connection("pad", jd.Relative(model.world, plate, "x y"), jd.Equal((0.1, 0.2)))
    knot = jd.Node("knot", start=(0, 0, 2))
    feet = [(1, 0, 3), (-1, 0, 3), (0, 1, 3)]
    rods = {f"rod_{k}": (jd.Distance(model.world.at(*r), knot), jd.Equal(1.5)) for k, r in
            enumerate(feet)}  # fmt: skip
    rods["hanger"] = (jd.Distance(knot, plate), jd.Equal(2.0))
    model.add_connection("rods", jd.Composite(rods, nodes=[knot]))
    return model


def test_held_measures_and_composites_are_named_and_counted():
    found = jd.structure(held_bodies())
    assert found.held == {"pad": 2, "rods": 1}
    assert found.findings.n_rows == found.n_rows == 3 + 2 + 1
    assert found.findings.n_dof == found.grubler + found.findings.n_redundant
    text = str(found)
    assert "held measures: pad, rods; 3 constraint rows" in text
    assert f"Grübler: 8 of the tree - 6 constraint rows = {found.grubler}" in text


def test_without_a_position_the_count_bounds_the_freedoms():
    text = str(jd.structure(geared([(0, 1, 2.0)], 3), at=False))
    expected = "degrees of freedom: at least 2 (Grübler: 3 of the tree - 1 constraint row = 2)"
    assert expected in text


def test_a_notebook_shows_the_report():
    found = jd.structure(held_bodies())
    assert repr(found) == str(found)
    page = ElementTree.fromstring(found._repr_html_())
    shown = " ".join("".join(page.itertext()).replace("\u2002", " ").split())
    for word in ("held: 3 bodies", "└─ b", 'Revolute("z")', "held measures: pad, rods"):
        assert word in shown
    assert len(page.findall(".//tbody/tr")) == 4
