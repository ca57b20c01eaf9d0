from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.contours import HalfSpace, Sphere
from jourdain.model.elements import Frame
from jourdain.model.measures import Gap
from jourdain.viz.pages import packing
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.shapes.connections import (
    connection_drawables,
    ground_height,
    stretch_kind,
    wrapped_points,
)
from jourdain.viz.shapes.drawables import Arrow, Line, Marker, Moving, Stretch


class Still:
    """A moment in which every frame is where it is on its body."""

    def pose(self, frame):
        return np.array(frame.rotation, dtype=float), np.array(frame.position, dtype=float)

    def relative(self, frame, to):
        (R, r), (S, s) = self.pose(frame), self.pose(to)
        return S.T @ R, S.T @ (r - s)


@pytest.fixture
def model():
    made = jd.Model("two", gravity=(0, 0, -10.0))
    made.add_body("a", jd.solid.ball(1.0, 0.1))
    made.add_body("b", jd.solid.ball(2.0, 0.1))
    return made


def drawn(model):
    return list(connection_drawables(model, {}, 2.0))


@pytest.mark.parametrize(
    ("law", "kind"),
    [
        (jd.Spring(1.0), "spring"),
        (jd.Damper(1.0), "damper"),
        (jd.Spring(1.0) + jd.Damper(1.0), "strut"),
        (jd.Equal(1.0), "rod"),
        (jd.Unilateral(), "rope"),
        (jd.Law(lambda x, v: -x), "spring"),
    ],
)
def test_a_law_tells_how_it_looks(law, kind):
    assert stretch_kind(law) == kind


def test_a_distance_is_a_spring_with_the_force_on_its_end(model):
    ends = model.bodies["a"].at(0, 0, 0.1), model.bodies["b"].at()
    model.add_connection("spring", jd.Distance(*ends), jd.Spring(10.0))
    spring, arrow = drawn(model)
    assert (spring.kind, spring.through) == ("spring", ends)
    assert (arrow.kind, arrow.at) == ("force", ends[1])


def test_the_force_pulls_along_the_spring(model):
    a, b = model.bodies["a"], model.bodies["b"]
    model.add_joint("j", model.world, a, jd.Fixed())
    model.add_joint("k", model.world, b, jd.Prismatic("x"))
    model.add_connection("spring", jd.Distance(a, b), jd.Spring(10.0, free=0.5))
    sol = jd.simulate(model, 0.1, start={"k.position": 1.5})
    made = content({"": sol}, Wishes())["solutions"][0]
    (arrow,) = (x for x in made["arrows"] if x["name"] == "spring")
    table, names = packing.untable(made["tracks"]["table"]), made["tracks"]["names"]
    force = table[0, [names.index(name) for name in arrow["vector"]]]
    np.testing.assert_allclose(force, (-10.0, 0, 0), atol=1e-3)  # stretched by a metre
    assert [row["label"] for row in made["stretches"][0]["values"]][:3] == [
        "value",
        "rate",
        "force",
    ]


def test_ropes_run_through_their_points(model):
    points = model.bodies["a"].at(), model.world.at(0, 0, 1), model.bodies["b"].at()
    model.add_connection("rope", jd.PathLength(points), jd.Spring(10.0))
    (rope,) = drawn(model)
    assert (rope.kind, rope.through) == ("rope", points)


def test_sums_show_their_parts(model):
    a, b = model.bodies["a"], model.bodies["b"]
    both = jd.Distance(a, model.world) + 2.0 * jd.Distance(b, model.world)
    model.add_connection("tackle", both, jd.Equal(3.0))
    assert [type(d) for d in drawn(model)] == [Stretch, Stretch]


def over_drum(z=0.0):
    """Rope over a drum of radius 0.5 m about y, from the left to the right of it."""
    ends = Frame("world", (0.5, 0.0, -0.4)), Frame("world", (-0.5, z, -0.4))
    return jd.PathLength(ends, over=Frame("world"), radius=0.5, axis="-y")


def test_a_rope_lies_on_its_drum():
    points = wrapped_points(over_drum(), Still())
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.5, atol=1e-12)
    np.testing.assert_allclose(points[0], (0.5, 0, 0), atol=1e-12)
    np.testing.assert_allclose(points[-1], (-0.5, 0, 0), atol=1e-12)
    assert points[:, 2].max() == pytest.approx(0.5)  # over the top, not below


def test_a_rope_climbs_evenly_along_its_drum():
    measure = over_drum(z=1.0)
    whole = np.array([(0.5, 0, -0.4), *wrapped_points(measure, Still()), (-0.5, 1, -0.4)])
    length = np.linalg.norm(np.diff(whole, axis=0), axis=1).sum()
    assert length == pytest.approx(measure.value(Still()), rel=2e-3)  # an arc in twelve chords
    assert np.all(np.diff(whole[:, 1]) > 0.0)


def test_a_rope_that_lifts_off_is_straight():
    ends = Frame("world", (0.5, 0.0, 1.0)), Frame("world", (-0.5, 0.0, 1.0))
    free = jd.PathLength(ends, over=Frame("world"), radius=0.5, axis="-y", lifts=True)
    points = wrapped_points(free, Still())
    np.testing.assert_allclose(points[:, 2], 1.0)
    np.testing.assert_allclose(points[[0, -1], 0], (0.5, -0.5))


def test_a_rope_that_hangs_down_on_both_sides_stays_on_its_drum():
    ends = Frame("world", (0.5, 0.0, -3.0)), Frame("world", (-0.5, 0.0, -3.0))
    points = wrapped_points(jd.PathLength(ends, Frame("world"), 0.5, "-y"), Still())
    assert points[:, 2].max() == pytest.approx(0.5, rel=1e-2)


def test_a_bushing_is_a_spot(model):
    a, b = model.bodies["a"], model.bodies["b"]
    model.add_connection("mount", jd.Relative(a, b, "x"), jd.Spring(10.0))
    assert [(type(d), d.at.body) for d in drawn(model)] == [(Marker, "b")]


def test_angles_and_coordinates_are_not_drawn(model):
    model.add_coordinate("shaft", 1.0)
    model.add_connection("motor", jd.Coordinate("shaft"), jd.Spring(1.0))
    assert drawn(model) == []


def resting(model):
    ball = model.bodies["a"]
    plane = HalfSpace(model.world.at(0, 0, 0.3))
    model.add_contact("floor", plane, Sphere(ball, 0.1), jd.Coulomb(friction=0.5))
    return jd.simulate(model, 0.1, start={"a.position": (0, 0, 0.4), "b.position": (1, 0, 2)})


def test_a_contact_is_seen_where_and_while_it_carries(model):
    sol = resting(model)
    made = content({"": sol}, Wishes())
    own = made["solutions"][0]
    (marker,) = own["markers"]
    assert marker["active"] == "floor.normal_force"
    names, table = own["tracks"]["names"], packing.untable(own["tracks"]["table"])
    place = [names.index(f"{marker['point']['track']}.{axis}") for axis in "xyz"]
    np.testing.assert_allclose(table[-1, place], (0, 0, 0.3), atol=1e-4)
    (arrow,) = (x for x in own["arrows"] if x["name"] == "floor")
    force = table[-1, [names.index(name) for name in arrow["vector"]]]
    np.testing.assert_allclose(force, (0, 0, 10.0), atol=1e-3)
    assert made["floor"] == pytest.approx(0.3)


def test_level_planes_are_the_floor_and_slopes_are_outlined(model):
    slope = HalfSpace(model.world.at(1, 0, 0), normal=(0.6, 0, 0.8))
    ball = model.bodies["a"]
    assert ground_height(model, {}, np.eye(3)) is None
    model.add_contact("slope", slope, Sphere(ball, 0.1), jd.Coulomb())
    assert ground_height(model, {}, np.eye(3)) is None
    *_, line = drawn(model)
    assert isinstance(line, Line)
    np.testing.assert_allclose(np.asarray(line.points) @ (0.6, 0, 0.8), 0.0, atol=1e-12)
    assert np.abs(line.points).max() == pytest.approx(1.0)  # half of the size asked for
    model.add_contact("floor", HalfSpace(model.world.at(0, 0, -1)), Sphere(ball, 0.1), jd.Coulomb())
    assert ground_height(model, {}, np.eye(3)) == -1.0
    assert len([d for d in drawn(model) if isinstance(d, Line)]) == 1


def test_several_points_have_markers_of_their_own(model, monkeypatch):
    monkeypatch.setattr(Gap, "n_points", property(lambda self: 2))
    floor = HalfSpace(model.world)
    model.add_contact("pads", floor, Sphere(model.bodies["a"], 0.1), jd.Coulomb())
    found = drawn(model)
    assert [d.name for d in found if isinstance(d, Marker)] == ["pads.1", "pads.2"]
    assert all(isinstance(d.vector, Moving) for d in found if isinstance(d, Arrow))


def test_parts_of_composites_run_to_their_nodes(model):
    a, knot = model.body("a"), jd.Node("knot", (0.1, 0.2, 0.3))
    parts = {
        "leg": (jd.Distance(a, knot.at(0, 0, 1.0)), jd.Spring(10.0)),
        "rod": (jd.Distance(knot, model.world), jd.Equal(0.5)),
        "rope": (jd.PathLength((a, knot, model.world)), jd.Spring(5.0)),
    }
    model.add_connection("net", jd.Composite(parts, nodes=[knot]))

    class At(Still):
        t = 0.0

        def coordinate(self, name):
            return dict(zip("xyz", (1.0, 2.0, 3.0), strict=True))[
                name.removeprefix("net.knot.position.")
            ]

    seen = {d.name: d for d in connection_drawables(model, {}, 1.0)}
    assert [seen[f"net.{n}"].kind for n in parts] == ["spring", "rod", "rope"]
    start, end = seen["net.leg"].through
    assert start == a.at()
    assert end.function(At()) == pytest.approx((1.0, 2.0, 4.0))
    assert seen["net.knot"].at.function(At()) == pytest.approx((1.0, 2.0, 3.0))
    assert len(seen["net.rope"].through) == 3


def test_laws_in_series_are_drawn_along_their_line(model):
    line = jd.Distance(model.body("a"), model.body("b"))
    model.add_connection("strut", jd.in_series(line, oil=jd.Damper(1.0), coil=jd.Spring(2.0)))
    (seen,) = connection_drawables(model, {}, 1.0)
    assert (seen.name, seen.kind) == ("strut.oil", "damper")
    assert seen.through == (line.start, line.end)


def test_between_the_same_ends_one_thing_is_seen(model):
    ends = model.bodies["a"].at(0, 0, 0.1), model.bodies["b"].at()
    laws = {"stop": jd.Unilateral(0.1), "coil": jd.Spring(1.0), "pot": jd.Damper(1.0)}
    for name, law in laws.items():
        model.add_connection(name, jd.Distance(*ends), law)
    model.add_connection("line", jd.Distance(model.world, ends[1]), jd.Unilateral(side="below"))
    kinds = {own.name: own.kind for own in drawn(model) if isinstance(own, Stretch)}
    assert kinds == {"stop": "hidden", "coil": "strut", "pot": "hidden", "line": "rope"}


def test_glyphs_of_joints_side_by_side_do_not_cover_each_other():
    model = jd.Model("row")
    plate = model.add_body("plate", jd.solid.box(1.0, (1.0, 0.1, 0.1)))
    model.add_joint("guide", model.world, plate, jd.Prismatic("z"))
    for k in range(4):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(1.0, end=(0, 0, -2.0)))
        model.add_joint(f"pin_{k}", plate.at(0.1 * k, 0, 0), rod, jd.Revolute("y"))
    joints = content({"": jd.simulate(model, 0.01)}, Wishes())["solutions"][0]["joints"]
    assert joints[1]["size"] <= 0.3 * 0.1 + 0.3 * 0.15
    assert 2 * joints[1]["size"] < 0.1
